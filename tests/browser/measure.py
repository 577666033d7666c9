"""Measure how much of a window the pictures of each page take, and whether the page holds still.

    python -m tests.browser.measure [ADDRESS] [--size 1920x1080] [--only live,rank] [--dark]
                                    [--shots FOLDER]

prints one row of Markdown for each page, which a browser with an empty cache opens. Without the
address of a server it starts one.

- *Pictures* are canvases, Plotly's charts, drawings and images. A picture is the box around the
  pixels that differ from the background of the page, with at most 24 px of margin on each side.
  Titles that are text of the page are no part of it.
- *y* is the top of the highest picture of at least 100 px in both directions. *Picture* is the
  share of the window that the boxes cover together, with strips of 48 px and more; where a single
  square picture is in view, its height counts as well.
- *Shift* is the sum of all layout shifts until runs have ended and nothing has moved for a
  second, also of those just after a click, which a cumulative layout shift leaves out.

The question is then answered, so that the whole page is there:

- *Controls* are sliders, knobs and segmented controls that are not folded away, without those of
  question and player: how many end within the window, of how many.
- *Characters* are those of the longest line of a paragraph or list, as it is broken on the screen,
  without formulas and without what is folded away.
"""

import argparse
import io
import sys
import tempfile
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pages.navigation import ALL_LESSONS, TITLES
from tests.browser.conftest import PATIENCE, launch, open_tab
from tests.server import serve

PAGES = {"": "Home", **TITLES}  # by address
LESSON_ADDRESSES = {lesson.address for lesson in ALL_LESSONS}
MARGIN = 24  # px of empty margin that belong to a picture
CONTRAST = 8  # of 255: what differs less from the background is not drawn

# The goals, in a window of 1280 x 720. Those about pictures and height are for lessons.
LOWEST = 190  # px, y of the first picture
SHARE = 0.45  # of the window, which the pictures take at least
SQUARE = 420  # px, the least height of a single square picture
MOST_SHIFT = 0.1
HEIGHT = 3000  # px of the page
CHARACTERS = 75  # of a line

# It runs before a page's own scripts, and defines what is called below.
SCRIPT = Path(__file__).with_suffix(".js")
LAYOUT, SHIFT = "measuring.layout()", "measuring.totalShift()"

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class Stage:
    """What a page shows at first sight."""

    y: float | None  # px, without a picture none
    share: float  # of the window
    square: int | None  # px, the height of the only picture in view, if it is square
    shift: float
    sideways: int  # px that one can scroll to the right


def measure_stage(page: Page, address: str) -> Stage:
    """Load a page, and measure it when it rests."""
    with page.add_init_script(path=SCRIPT):
        page.goto(address)
    wait_until_quiet(page)
    layout = page.evaluate(LAYOUT)
    screen = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), dtype=int)
    drawn = np.abs(screen - layout["background"]).max(axis=2) > CONTRAST
    boxes, strips = (
        [box for each in layout[kind] if (box := _box(drawn, each))]
        for kind in ("pictures", "strips")
    )
    below = [top for _, top, _, _ in layout["pictures"] if top >= len(drawn)]
    covered = np.zeros_like(drawn)
    for left, top, right, bottom in boxes + strips:
        covered[top:bottom, left:right] = True
    return Stage(
        y=min([top for _, top, _, _ in boxes] or below, default=None),
        share=float(covered.mean()),
        square=_height_of_square(boxes),
        shift=page.evaluate(SHIFT),
        sideways=layout["sideways"],
    )


def wait_until_quiet(page: Page) -> None:
    """Wait until scripts and runs have ended and nothing has moved for a second."""
    page.evaluate("measuring.restart()")
    page.wait_for_function("measuring.isQuiet()", polling=200)


def _box(drawn: np.ndarray, rectangle: list[float]) -> Box | None:
    """Return the part of a rectangle that is a picture; without anything drawn in view, none."""
    left, top, right, bottom = (max(0, round(side)) for side in rectangle)
    rows, columns = np.nonzero(drawn[top:bottom, left:right])
    if not rows.size:
        return None
    return (
        max(left, left + columns.min() - MARGIN),
        max(top, top + rows.min() - MARGIN),
        min(right, left + columns.max() + 1 + MARGIN, drawn.shape[1]),
        min(bottom, top + rows.max() + 1 + MARGIN, drawn.shape[0]),
    )


def _height_of_square(boxes: list[Box]) -> int | None:
    """Return the height of the only picture if its sides differ by less than a quarter."""
    if len(boxes) != 1:
        return None
    left, top, right, bottom = boxes[0]
    return bottom - top if 0.8 <= (right - left) / (bottom - top) <= 1.25 else None


def shift_after_answer(page: Page) -> float | None:
    """Click on the first answer, and return by how much the page then shifts."""
    answers = page.locator(".st-key-question .chip")
    if not answers.count():
        return None
    before = page.evaluate(SHIFT)
    answers.first.click()
    wait_until_quiet(page)
    return float(page.evaluate(SHIFT) - before)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", nargs="?", help="of a running server")
    parser.add_argument("--size", default="1280x720", help="of the window")
    parser.add_argument("--only", default=",".join(PAGES), help="addresses of pages")
    parser.add_argument("--dark", action="store_true", help="in the dark theme")
    parser.add_argument("--shots", type=Path, help="folder for a screenshot of each page")
    arguments = parser.parse_args()
    table, is_first = sys.stdout, True
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(sys.stderr))  # what server and pages complain about
        if not arguments.address:
            log = Path(stack.enter_context(tempfile.TemporaryDirectory()), "log")
            arguments.address = stack.enter_context(serve(log)).address
        expect.set_options(timeout=PATIENCE)
        browser = launch(stack.enter_context(sync_playwright()))
        for name in arguments.only.split(","):
            row = _row(browser, name, arguments)
            if is_first:
                print(*row, sep=" | ", file=table)
                print(*["---"] * len(row), sep=" | ", file=table)
            print(*row.values(), sep=" | ", file=table, flush=True)
            is_first = False


def _row(browser: Browser, name: str, arguments: argparse.Namespace) -> dict[str, str]:
    """Measure a page, and return what stands under the heads of the table."""
    width, height = map(int, arguments.size.split("x"))
    theme = "dark" if arguments.dark else "light"
    page = open_tab(browser, {"width": width, "height": height}, color_scheme=theme)
    stage = measure_stage(page, f"{arguments.address}/{name}")
    if arguments.shots:
        page.screenshot(path=arguments.shots / f"{name or 'home'}-{arguments.size}-{theme}.png")
    answered = shift_after_answer(page)
    layout = page.evaluate(LAYOUT)
    bottoms = [bottom for *_, bottom in layout["controls"]]
    is_lesson = name in LESSON_ADDRESSES
    large = max(stage.share / SHARE, (stage.square or 0) / SQUARE) >= 1
    row = {
        "page": PAGES[name],
        "first picture, y": "none" if stage.y is None else f"{stage.y:.0f}",
        "picture": f"{stage.share:.1%}" + f", {stage.square} px high" * bool(stage.square),
        "controls in view": f"{sum(bottom <= height for bottom in bottoms)} of {len(bottoms)}",
        "shift": _judged(stage.shift, MOST_SHIFT),
        "after an answer": _judged(answered, MOST_SHIFT),
        "height": f"{layout['height']:,}",
        "characters": _judged(layout["characters"], CHARACTERS),
        "sideways": _judged(stage.sideways, 0),
    }
    if is_lesson:
        row["first picture, y"] += _mark(stage.y is not None and stage.y <= LOWEST)
        row["picture"] += _mark(large)
        row["height"] += _mark(layout["height"] <= HEIGHT)
    row["errors"] = _judged(len(page.complaints), 0)
    print(name, *page.complaints, sep="\n")
    page.context.close()
    return row


def _judged(figure: float | None, goal: float) -> str:
    if figure is None:
        return "none"
    return (f"{figure:.3f}" if isinstance(figure, float) else f"{figure}") + _mark(figure <= goal)


def _mark(is_met: bool) -> str:
    return " ✓" if is_met else " ✗"


if __name__ == "__main__":
    main()
