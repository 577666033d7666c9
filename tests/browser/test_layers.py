"""The stack of layers: the cut follows the hand, and a picture of one's own is read."""

import io
import re

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from pages.foundations.trace_norm.layers import CROSS, CUT, FACE, decompose, make_picture
from tests.browser.navigation import hold, next_frames, settled

HEIGHTS = decompose(make_picture(FACE)).heights


# The sign of what is missing, in a corner and at the end of a bar: orange is plus, blue minus.
SIGNS = """(canvas) => [0.25, 0.48].map((y) => {
    const at = [0.05 * canvas.width, y * canvas.height];
    const [red, , blue] = canvas.getContext("2d").getImageData(...at, 1, 1).data;
    return Math.sign(red - blue);
})"""
FACES = "trace_norm?trace_norm_picture=Face"


def test_cross_hides_its_layers_and_the_reader_makes_one_until_the_question_is_answered(
    server, page
):
    page.goto(f"{server.address}/trace_norm?present=1")
    view = page.locator(".stack")
    beside, made = (view.locator(f"[data-panel={name}] canvas") for name in ("bars", "fan"))
    note = view.get_by_role("status")
    bar = np.isin(np.arange(25), range(9, 16))

    def expect_layer(column, row) -> None:
        equal = np.outer(column, row) == make_picture(CROSS)
        expect(note).to_contain_text(f"{equal.sum()} of {equal.size}")

    expect(beside).to_have_attribute("aria-label", "What your layer leaves of the picture")
    expect(view.get_by_role("slider")).to_be_hidden()
    expect_layer(bar, bar)
    settled(page)
    made.focus()
    for is_white in bar:  # by keys, until the row is all white
        if not is_white:
            page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    expect_layer(bar, bar | True)
    box = made.bounding_box()
    x, ends = box["x"] + 10, (box["y"] + 45, box["y"] + box["height"] - 8)
    hold(page, *((x, y) for y in ends), steps=5)  # the column, with a quick hand
    page.mouse.up()
    expect_layer(bar | True, bar | True)
    next_frames(page)
    assert beside.evaluate(SIGNS) == [-1, 0]  # white takes too much in the corners
    page.keyboard.press("r")
    expect(beside).to_have_attribute("aria-label", re.compile("Singular values"))
    expect(note).to_contain_text("rank 2")


def test_cut_follows_hand_and_keys_and_the_address_its_end(server, page):
    page.goto(f"{server.address}/{FACES}")
    view = page.locator(".stack")
    expect(view).to_have_attribute("data-cut", str(CUT))
    for width, height in ((1280, 720), (1920, 1080), (1280, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for part in (*view.locator("canvas").all(), view.locator(".note")):
            expect(part).to_be_in_viewport(ratio=1)
    note = view.get_by_role("status")
    expect(note).to_contain_text(f"Nuclear norm {HEIGHTS[:CUT].sum():.3g}")

    bars = view.locator("[data-panel=bars] canvas")
    box = bars.bounding_box()
    y = box["y"] + 100
    hold(page, (box["x"] + 20, y), (box["x"] + 0.5 * box["width"], y))
    expect(view).not_to_have_attribute("data-cut", str(CUT))
    next_frames(page)  # the last move is drawn
    cut = int(view.get_attribute("data-cut"))
    assert cut > CUT
    expect(note).to_contain_text(f"Nuclear norm {HEIGHTS[:cut].sum():.3g}")
    assert "layers=" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function(f"() => location.search.includes('layers={cut}')")
    settled(page)

    view.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(note).to_contain_text("Nothing is missing")
    page.wait_for_function("() => location.search.includes('layers=25')")
    settled(page)
    page.go_back()
    expect(view).to_have_attribute("data-cut", str(cut))
    page.wait_for_function(f"() => location.search.includes('layers={cut}')")


# The next file is opened when the test says so; returns whether its pixels are then looked at.
SLOW = """() => {
    const open = createImageBitmap, { prototype } = OffscreenCanvasRenderingContext2D;
    window.createImageBitmap = (file) => new Promise((done) => {
        window.createImageBitmap = open;
        window.finish = async () => {
            let looks = false;
            prototype.drawImage = () => (looks = true);
            done(await open(file));
            await new Promise(setTimeout);
            return looks;
        };
    });
}"""


def test_picture_of_ones_own_is_taken_apart_and_another_file_gets_a_sentence(server, page):
    page.goto(f"{server.address}/{FACES}")
    view = page.locator(".stack")
    expect(view).to_have_attribute("data-cut", str(CUT))
    settled(page)
    upload = view.locator("[type=file]")
    upload.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(view.get_by_role("status")).to_contain_text("cannot open a.png")

    black = io.BytesIO()
    Image.new("L", (30, 30)).save(black, "png")
    upload.set_input_files({"name": "k.png", "mimeType": "image/png", "buffer": black.getvalue()})
    expect(view.get_by_role("status")).to_contain_text("k.png is all black")

    stripes, file = np.zeros((100, 100), np.uint8), io.BytesIO()
    stripes[:, 40:] = 200  # one layer
    Image.fromarray(stripes).save(file, "png")
    page.evaluate(SLOW)
    upload.set_input_files({"name": "s.png", "mimeType": "image/png", "buffer": file.getvalue()})
    upload.set_input_files({"name": "b.png", "mimeType": "image/png", "buffer": file.getvalue()})
    expect(page.get_by_role("radio", name="Your own")).to_be_checked()
    expect(view.locator("[data-panel=sum] header")).to_contain_text("of 1 layer")
    expect(view.get_by_role("status")).to_contain_text("rank 1,")
    settled(page)
    assert not page.evaluate("finish()")  # too late
