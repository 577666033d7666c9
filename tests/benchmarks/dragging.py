"""One hand that drags in a browser: python -m tests.benchmarks.dragging [seconds].

On *Watch the algorithm* the hand moves a knob at each repaint. A picture counts when a run is drawn
that was not there at the repaint before, with its complete curves and its last W. Over the baked
grid each of them is a result. From the server, a picture can be of the first frames; it shows a
result if the answer to the move held one (a relative gap of 1e-2, 120 iterations, or the end).
There the hand is half as quick, and comes to no position twice in ten seconds.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, Response, expect, sync_playwright

from pages.shared.algorithm1 import TAUS
from pages.shared.widgets import recipe
from pages.smm.live.grid import KNOBS
from tests.browser.conftest import launch
from tests.server import Server, serve
from tests.student import is_over, read_answer

SECONDS = 10.0

Ways = dict[str, Sequence[float]]  # the values that two knobs go through
WAYS: dict[str, Ways] = {
    "rho=1": {"rho": KNOBS["rho"], "eta": KNOBS["eta"]},  # baked
    "rho=1&seed=2": {  # from the server
        "tau": [tau for tau in TAUS if 0.01 <= tau < 1],
        "C": [C for C in recipe.WEIGHTS if 0.005 <= C <= 5],
    },
}

# Moves the first knob through its places and back, one at each repaint, and at each end the second
# one to its next place; returns positions, repaints and pictures a second.
DRAG = """([player, inputs, places, every, seconds]) => new Promise((done) => {
  const [inner, outer] = inputs;
  let [at, turns] = [0, 0];
  let [repaints, positions, pictures, step, before] = [0, 0, 0, 1, player.dataset.drawn];
  for (const input of inputs) input.onpointerdown();
  const put = (input, place) => {
    input.value = place;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    positions += 1;
  };
  function advance() {
    if (at + step in places[0]) return put(inner, places[0][(at += step)]);
    step = -step;
    put(outer, places[1][(turns += 1) % places[1].length]);
  }
  const begin = performance.now();
  function look(now) {
    repaints += 1;
    const { drawn, frame, total } = player.dataset;
    if (drawn !== before && Number(frame) === total - 1) pictures += 1;
    before = drawn;
    if (repaints % every === 0) advance();
    const spent = (now - begin) / 1000;
    if (spent < seconds) requestAnimationFrame(look);
    else done([positions, repaints, pictures].map((each) => each / spent));
  }
  requestAnimationFrame(look);
})"""


def is_result(response: Response) -> bool:
    """Return whether an answer to a move held a result."""
    header, last = read_answer(response.body())
    return is_over(header) or (last is not None and recipe.is_result(last))


def measure(page: Page, server: Server, address: str, ways: Ways, seconds: float) -> None:
    """Print a row: what one who drags these knobs sees at this address of the lesson."""
    moves: list[Response] = []
    page.on("response", lambda answer: moves.append(answer) if "/move?" in answer.url else None)
    page.goto(f"{server.address}/live?answer=shown&{address}")
    player = page.locator(".player").first
    expect(player).to_have_attribute("data-status", "finished")
    expect(page.locator("html")).not_to_have_class("loading")
    page.wait_for_timeout(3_000)  # the page has come to rest
    inputs = [page.locator(f".knob input[data-key={key}]").element_handle() for key in ways]
    options = recipe.MODEL
    places = [[options[key].options.index(value) for value in way] for key, way in ways.items()]
    every = 1 if address == "rho=1" else 2  # repaints
    given = [player.element_handle(), inputs, places, every, seconds]
    positions, repaints, pictures = page.evaluate(DRAG, given)
    results = sum(is_result(answer) for answer in moves) / seconds if moves else pictures
    print(
        f"{address:24}{positions:12.1f}{repaints:12.1f}{pictures:12.1f}{results:12.1f}", flush=True
    )


def main(seconds: float) -> None:
    heads = "positions/s", "repaints/s", "pictures/s", "results/s"
    with TemporaryDirectory() as folder, serve(Path(folder) / "log") as server:
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        print(f"{'':24}" + "".join(f"{head:>12}" for head in heads))
        with sync_playwright() as playwright:
            chromium = launch(playwright)
            for address, ways in WAYS.items():
                page = chromium.new_page(viewport={"width": 1280, "height": 720})
                measure(page, server, address, ways, seconds)
                page.close()
            chromium.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
