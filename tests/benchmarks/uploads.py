"""The server's memory over many uploads: python -m tests.benchmarks.uploads [uploads].

Ten browser sessions in turn upload a file of their own to *Your data* and wait for its trial; then
all of them leave. Memory is resident, in MB: of the server, and of its workers together. Workers
keep data sets, up to a bound, for whoever comes next.
"""

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.navigation import ended, settled
from tests.server import Server, serve

UPLOADS, SESSIONS = 200, 10
SHAPE = 400, 40, 40  # of each file: 5 MB
GONE = 150  # seconds after which they are gone: Streamlit keeps a lost session for 90
PATIENCE = 120_000  # ms


def content(seed: int) -> bytes:
    """Return a file that no other upload equals."""
    random = np.random.default_rng(seed)
    y = np.arange(SHAPE[0]) % 2
    file = io.BytesIO()
    np.savez(file, X=random.standard_normal(SHAPE) + y[:, None, None], y=y)
    return file.getvalue()


def upload(page: Page, number: int) -> None:
    """Upload a file, and wait until its trial has ended."""
    name = f"file{number}.npz"
    former = page.get_by_test_id("stFileChipDeleteBtn").get_by_role("button")
    if former.count():
        former.first.click()
        expect(former).to_have_count(0)
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content(number)}
    )
    expect(page.get_by_text(f"{name}: ").first).to_be_visible()
    ended(page)
    settled(page)


def report(server: Server, when: str) -> None:
    own, workers = server.memory()
    print(f"{when:>28}: {own:6.0f} + {workers:6.0f} MB", flush=True)


def main(uploads: int) -> None:
    expect.set_options(timeout=PATIENCE)
    with (
        TemporaryDirectory() as folder,
        serve(Path(folder) / "log") as server,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        report(server, "before the first visit")
        pages = [chromium.new_context().new_page() for _ in range(SESSIONS)]
        for page in pages:
            page.set_default_timeout(PATIENCE)
            page.goto(f"{server.address}/yours?source=My+file")
            expect(page.locator("input[type=file]").first).to_be_attached()
        report(server, f"{SESSIONS} sessions")
        begin = monotonic()
        for number in range(1, uploads + 1):
            upload(pages[number % SESSIONS], number)
            if number == 1 or number % (2 * SESSIONS) == 0:
                report(server, f"{number} uploads, {monotonic() - begin:.0f} s")
        chromium.close()
        for waited in range(0, GONE + 1, 30):
            report(server, f"{waited} s after they left")
            sleep(30)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else UPLOADS)
