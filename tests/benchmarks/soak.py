"""The memory of a server after a long class: python -m tests.benchmarks.soak [minutes].

Ten sessions are open and idle all the time; a file was read and tried before, so that its modules
are loaded. Beside them 40 students come, move τ every five seconds for five minutes each, leave,
and others follow; a browser opens a page every 20 seconds and uploads a file of 3 MB. At the end
only the ten are left, and what the server and its workers hold is compared with the beginning.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import numpy as np
from playwright.sync_api import sync_playwright

from tests.benchmarks.sessions import arrive, move
from tests.browser.conftest import launch, open_tab
from tests.server import Server, serve

MINUTES = 60.0
IDLE, STUDENTS = 10, 40
STAY = 300.0  # seconds of a student
LEFT = 180.0  # seconds after which the sessions of those who left are gone
seeds = count(100_000)


def attend(address: str, until: float) -> int:
    """Let one student follow the other; return the number of moves."""
    moves = 0
    while monotonic() < until:
        with arrive(address, "Quick", next(seeds), 0) as student:
            end = min(until, monotonic() + STAY)
            moves += len(move(student, monotonic(), end).first)
    return moves


def upload(address: str, until: float) -> int:
    """Upload one file after the other, and wait for its trial; return the number of these."""
    uploads = 0
    with sync_playwright() as playwright:
        browser = launch(playwright)
        while monotonic() < until:
            page, name = open_tab(browser), f"upload-{uploads}.npz"
            page.goto(f"{address}/yours")
            file = {"name": name, "mimeType": "application/zip", "buffer": make_file(uploads)}
            page.locator("input[type=file]").first.set_input_files(file)
            # Of the file, not of the digits that the page opens with; it has its turn late.
            page.get_by_text("Trained on 140 samples").first.wait_for(timeout=600_000)
            uploads += 1
            page.wait_for_timeout(20_000)
            page.context.close()
    return uploads


def make_file(seed: int) -> bytes:
    """Return 200 labelled samples of 40 x 45 as a file."""
    rng = np.random.default_rng(seed)
    file = BytesIO()
    np.savez(file, X=rng.standard_normal((200, 40, 45)), y=rng.integers(0, 2, 200))
    return file.getvalue()


def report(name: str, server: Server) -> float:
    """Print the memory of the server and its workers; return their sum."""
    own, workers = server.memory()
    descriptors = len(list(Path(f"/proc/{server.pid}/fd").iterdir()))
    print(f"{name:32}{own:8.0f} MB {workers:8.0f} MB {descriptors:6} descriptors", flush=True)
    return own + workers


def main(minutes: float) -> None:
    print(f"{'':32}{'server':>11} {'workers':>11}")
    with TemporaryDirectory() as folder, serve(Path(folder) / "log") as server:
        idle = [arrive(server.address, "Quick", next(seeds), 0) for _ in range(IDLE)]
        upload(server.address, monotonic() + 1)
        sleep(LEFT)
        before = report(f"{IDLE} idle sessions", server)
        until = monotonic() + 60 * minutes
        with ThreadPoolExecutor(STUDENTS + 1) as pool:
            uploads = pool.submit(upload, server.address, until)
            class_ = [pool.submit(attend, server.address, until) for _ in range(STUDENTS)]
            while monotonic() < until:
                sleep(min(300, max(1, until - monotonic())))
                report(f"{60 * minutes - (until - monotonic()):.0f} s", server)
            moves = sum(each.result() for each in class_)
        sleep(LEFT)
        after = report(f"after {moves} moves", server)
        print(f"{after / before - 1:+.1%}, {uploads.result()} files")
        for student in idle:
            student.__exit__()


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else MINUTES)
