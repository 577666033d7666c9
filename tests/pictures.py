"""Make the pictures of the README anew: python -m tests.pictures.

Each holds in its metadata the title that the browser had: a test compares it with that of today.
"""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import launch, open_tab
from tests.browser.navigation import settled
from tests.server import serve

FOLDER = Path(__file__).parents[1] / "assets" / "readme"
FILM = "structure"
# The lesson, what follows its address, and the part of the window: left, top, right, bottom.
STILLS = {
    "layers": ("trace_norm", "&trace_norm_picture=Face", (12, 0, 712, 360)),
    "omega": ("smm", "&answer=1&smm_step=5", (290, 40, 990, 318)),
}
SIZE = {"width": 1000, "height": 500}  # smaller ones are scaled
FILM_PART = (12, 0, 752, 450)
SHARP = 1.5  # pixels of a still for each of the page
COLOURS = 128
STEP, REST, END = 60, 1800, 3500  # milliseconds of a picture: of a drag, at an n, at the last n
GLIDE = 8  # pictures from one n to the next
STYLE = """
    .paint .panels { --high: 27rem; --side: 19rem; --found: 10.6rem; width: 780px; }
    .paint .right { grid-template-columns: var(--found) var(--found); gap: 0.5rem 2rem; }
    .paint .tools { display: none; }
"""  # without brushes, whose room is that of the two W
ADD_STYLE = """(root, style) => {
    const sheet = document.createElement("style");
    sheet.textContent = style;
    root.append(sheet);
}"""
HAND = """([x, y]) => {
    let hand = document.querySelector(".hand");
    if (!hand) {
        document.body.insertAdjacentHTML("beforeend", `<svg class="hand" viewBox="0 0 24 30"
            width="26" style="position: fixed; z-index: 9e6; pointer-events: none">
            <path fill="white" stroke="black" stroke-width="1.6" stroke-linejoin="round" d="M8 2
            q2-1.6 4 0 v10 l7 2 q3 1 2.6 4 l-1.6 7 q-.6 3 -3.6 3 h-6 q-2 0-3.4-2 l-5-8 q-1-2 1-2.6
            q2-.4 3.4 1.6 l1.6 1.6z"/></svg>`);
        hand = document.querySelector(".hand");
    }
    Object.assign(hand.style, { left: `${x - 11}px`, top: `${y - 1}px` });
}"""


def shoot(page: Page, part: tuple[int, int, int, int]) -> Image.Image:
    """Return a part of the window as a picture."""
    left, top, right, bottom = part
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


def film(page: Page, address: str) -> None:
    """Drag n to the right, with a picture of each place of the hand."""
    page.goto(f"{address}/{FILM}?stage=1&embed=true&answer=1&structure_painting=Plaid")
    picture = page.locator(".paint:not(.stale)[data-smm]")
    expect(picture).to_be_visible(timeout=60_000)
    settled(page)
    picture.evaluate(ADD_STYLE, STYLE)
    page.wait_for_timeout(1000)
    slider = page.locator(".time input")
    box, last = slider.bounding_box(), int(slider.get_attribute("max"))
    page.mouse.move(*(at := place(box, 1 / last)))
    page.mouse.down()
    pictures, pauses = [], []
    for k in range(GLIDE * (last - 1) + 1):
        at = place(box, (1 + k / GLIDE) / last)
        page.mouse.move(*at)
        page.evaluate(HAND, at)
        page.wait_for_timeout(60)
        pictures.append(shoot(page, FILM_PART))
        pauses.append(STEP if k % GLIDE else REST)
    pauses[-1] = END
    palette = pictures[0].quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    frames = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    frames[0].save(
        FOLDER / "rank.gif",
        save_all=True,
        append_images=frames[1:],
        duration=pauses,
        loop=0,
        comment=title(page).encode(),
    )


def place(box: dict, share: float) -> tuple[float, float]:
    """Return the middle of the thumb of a slider in the window."""
    thumb = 16
    return box["x"] + thumb / 2 + share * (box["width"] - thumb), box["y"] + box["height"] - 24


def title(page: Page) -> str:
    """Return the name of the lesson in the title of the window."""
    return page.title().partition(" · ")[0]


def still(page: Page, address: str, name: str, part: tuple[int, int, int, int]) -> None:
    """Save a part of the first picture of a lesson."""
    page.goto(address)
    settled(page)
    page.wait_for_timeout(3000)
    about = PngInfo()
    about.add_text("Title", title(page))
    shoot(page, part).save(FOLDER / f"{name}.png", pnginfo=about, optimize=True)


def main() -> None:
    """Start the app, open the lessons one after the other, and save their pictures."""
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serve(Path(folder) / "log") as server,
        sync_playwright() as p,
    ):
        browser = launch(p)
        film(open_tab(browser, SIZE), server.address)
        page = open_tab(browser, SIZE, device_scale_factor=SHARP)
        for name, (lesson, query, part) in STILLS.items():
            still(page, f"{server.address}/{lesson}?stage=1&embed=true{query}", name, part)


if __name__ == "__main__":
    main()
