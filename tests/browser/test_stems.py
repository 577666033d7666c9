"""Stems of the player, in the lesson on sparse regression."""

import numpy as np
from playwright.sync_api import expect

from tests.browser.navigation import ended

ROW = """canvas => {
  const { width, height } = canvas;
  return [...canvas.getContext("2d").getImageData(0, Math.round(0.6 * height), width, 1).data];
}"""


def test_stems_of_neighbours_stay_apart_on_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.address}/sparse?sparse_further=Three+of+ten+features")
    player = ended(page, 1)
    player.locator("input[type=range]").fill("0")  # at c = 0 all take the features 1 to 3
    expect(player).to_have_attribute("data-frame", "0")
    row = np.array(player.locator(".stems canvas").evaluate(ROW)).reshape(-1, 4).astype(int)
    saturation = np.ptp(row[:, :3], axis=1) * (row[:, 3] > 0)
    stems = np.split(np.arange(len(row)), np.flatnonzero(np.diff(saturation > 20)) + 1)
    peaks = [stem[np.argmax(saturation[stem])] for stem in stems if saturation[stem[0]] > 20]
    assert len(peaks) == 15
    colours = row[peaks, :3].reshape(3, 5, 3)
    assert (np.abs(colours - colours[0]) < 80).all()  # the five in the same order each time
    assert page.complaints == []
