"""Seconds and bytes to the first picture of each page, on a slow line and on none.

    python -m tests.benchmarks.first_picture [ADDRESS] [--only live,smm] [--quiet]
    python -m tests.benchmarks.first_picture --saved FOLDER    # of `python -m pages.export FOLDER`

prints a row of Markdown for each page: what a browser with an empty cache fetches before a picture
is drawn in its window, and the seconds to it, on a line of 1.5 Mbit/s and 150 ms; the seconds of a
second visit; and, with --quiet, the same without such a line. The goals are 1.3 MB for Home, 2 MB
for another page, and 9 s; for a saved page 1 MB, and 3 s.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, sync_playwright

from pages.navigation import ALL_LESSONS, TITLES
from tests.browser.conftest import launch
from tests.server import serve

LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.5e6 / 8, "uploadThroughput": 1e5}
PATIENCE = 120.0
# Whether a canvas in the window, also one of a component, or a chart of Plotly has been drawn.
DRAWN = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
        [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
    const isDrawn = (canvas) => {
        const { width, height } = canvas;
        if (width < 60 || height < 60) return false;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        return new Uint32Array(data.buffer).some((pixel, _, all) => pixel !== all[0]);
    };
    const isPicture = (node) => node.matches("canvas")
        ? isDrawn(node) : node.matches(".js-plotly-plot .trace, .js-plotly-plot image");
    const isInWindow = (node) => node.getBoundingClientRect().top < innerHeight;
    return !document.documentElement.matches(".loading")
        && all(document).some((node) => isInWindow(node) && isPicture(node));
}"""


def visit(browser: Browser, address: str, slow: bool) -> tuple[float, float, float]:
    """Return megabytes and seconds to the first picture, and the seconds of a second visit."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    wire, received = context.new_cdp_session(page), 0
    wire.send("Network.enable")
    if slow:
        wire.send("Network.emulateNetworkConditions", LINE)

    def count(event):
        nonlocal received
        received += event["encodedDataLength"]

    def count_message(event):
        nonlocal received
        received += 3 * len(event["response"]["payloadData"]) // 4  # in base 64

    wire.on("Network.loadingFinished", count)
    wire.on("Network.webSocketFrameReceived", count_message)
    seconds, megabytes = [], []
    for _ in range(2):
        begun = time.perf_counter()
        page.goto(address, wait_until="commit", timeout=1000 * PATIENCE)
        page.wait_for_function(DRAWN, polling=100, timeout=1000 * PATIENCE)
        seconds.append(time.perf_counter() - begun)
        megabytes.append(received / 1e6)
        page.wait_for_timeout(8000 if slow else 2000)  # the rest comes into the cache
    context.close()
    return megabytes[0], *seconds


@contextmanager
def give_away(folder: str) -> Iterator[str]:
    """Serve the files of a folder, and yield their address."""
    handler = partial(SimpleHTTPRequestHandler, directory=folder)  # it logs to stderr
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?", help="of a server that runs")
    parser.add_argument("--only", help="addresses of pages, with commas")
    parser.add_argument("--saved", help="folder of saved pages, instead of the app")
    parser.add_argument("--quiet", action="store_true", help="without the slow line")
    given = parser.parse_args()
    with ExitStack() as stack, sync_playwright() as playwright:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if given.saved:
            address = stack.enter_context(give_away(given.saved))
            known = sorted(path.name for path in Path(given.saved).glob("*.html"))
        else:
            address = given.address or stack.enter_context(serve(folder / "log")).address
            known = ["", *(lesson.address for lesson in ALL_LESSONS), "yours"]
        browser = launch(playwright)
        print("| page | MB before the first picture | seconds | second visit |\n|---|--:|--:|--:|")
        for name in known if given.only is None else given.only.split(","):
            megabytes, first, second = visit(browser, f"{address}/{name}", not given.quiet)
            title = TITLES.get(name.removesuffix(".html"), "Home")
            print(f"| {title} | {megabytes:.2f} | {first:.1f} | {second:.1f} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
