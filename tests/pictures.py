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
FILM = "smm"
STILLS = {"layers": "trace_norm", "painting": "structure", "algorithm": "live"}
WIDTH, HEIGHT = 1000, 500
SCALE = 800 / WIDTH  # of the film
COLOURS = 96
PAUSE, LAST_PAUSE = 120, 2000  # milliseconds of a picture
PLACES = range(0, 91, 3)  # of the line in the film: tau from 0, where W is Omega, to 4.5
MOVE = "(line, place) => { line.value = place; line.dispatchEvent(new Event('input')); }"


def shoot(page: Page) -> Image.Image:
    """Return the window as a picture."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def film(page: Page, address: str) -> None:
    """Raise the line at tau, with a picture of each place."""
    page.goto(f"{address}/{FILM}?stage=1&embed=true&answer=1&smm_step=4")
    line = page.locator(".omega .sheet input")
    expect(line).to_be_visible()
    settled(page)
    page.wait_for_timeout(4000)  # the film that the page shows by itself
    pictures = []
    for place in PLACES:
        line.evaluate(MOVE, place)
        page.wait_for_timeout(50)
        pictures.append(shoot(page))
    size = round(SCALE * WIDTH), round(SCALE * HEIGHT)
    small = [each.resize(size, Image.Resampling.LANCZOS) for each in pictures]
    sample = Image.new("RGB", (WIDTH, 4 * HEIGHT))
    for k in range(4):
        sample.paste(small[k * (len(small) - 1) // 3], (0, k * HEIGHT))
    palette = sample.quantize(COLOURS)
    frames = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in small]
    pauses = [PAUSE] * (len(frames) - 1) + [LAST_PAUSE]
    frames[0].save(
        FOLDER / "cut.gif",
        save_all=True,
        append_images=frames[1:],
        duration=pauses,
        loop=0,
        comment=title(page).encode(),
    )


def title(page: Page) -> str:
    """Return the name of the lesson in the title of the window."""
    return page.title().partition(" · ")[0]


def still(page: Page, address: str, name: str, lesson: str) -> None:
    """Save the first picture of a lesson."""
    page.goto(f"{address}/{lesson}?stage=1&embed=true")
    settled(page)
    page.wait_for_timeout(3000)
    about = PngInfo()
    about.add_text("Title", title(page))
    picture = shoot(page).quantize(128, dither=Image.Dither.NONE)
    picture.save(FOLDER / f"{name}.png", pnginfo=about, optimize=True)


def main() -> None:
    """Start the app, open the lessons one after the other, and save their pictures."""
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serve(Path(folder) / "log") as server,
        sync_playwright() as p,
    ):
        page = open_tab(launch(p), {"width": WIDTH, "height": HEIGHT})
        film(page, server.address)
        for name, lesson in STILLS.items():
            still(page, server.address, name, lesson)


if __name__ == "__main__":
    main()
