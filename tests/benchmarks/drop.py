"""Seconds from the drop of a file on *Your data* to the accuracies.

    python -m tests.benchmarks.drop [TIMES]

prints a row of Markdown for each of three: a .mat of 1 MB, a .zip of a folder for each class, and
two tables with ids; the least and the median seconds.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import launch
from tests.files.kinds import planted, table, wide
from tests.files.make import mat, npy, zipped
from tests.server import serve

X, y = planted(200, 20, 32)
KIND = np.array(["rest", "task"])[y]
IDS, MIXED = np.array([f"s{i:03d}" for i in range(200)]), np.random.default_rng(1).permutation(200)
DROPS = {
    "1 MB .mat": {"x.mat": mat(_compress=False, X=X.transpose(1, 2, 0), y=y)},
    "folders in a .zip": {"x.zip": zipped({f"{KIND[i]}/{i}.npy": npy(X[i]) for i in range(200)})},
    "two tables": {
        "x.csv": wide(["id", *(f"f{k}" for k in range(640))], X, [IDS]),
        "y.csv": table(["id", "class"], IDS[MIXED], KIND[MIXED]),
    },
}


def drop(page: Page, address: str, files: dict[str, bytes]) -> float:
    """Return the seconds from the drop to the accuracies on the test samples of these files."""
    page.goto(f"{address}/yours")
    page.get_by_text("256 trials").first.wait_for()
    page.get_by_text("Train on everything").first.wait_for(timeout=60_000)
    sent = [
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        for name, content in files.items()
    ]
    begun = time.perf_counter()
    page.locator("input[type=file]").first.set_input_files(sent)
    page.get_by_text("Read as 200 samples").wait_for(timeout=60_000)
    page.get_by_text("tested on 60 others").first.wait_for(timeout=60_000)
    return time.perf_counter() - begun


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder) / "log") as server,
        sync_playwright() as play,
    ):
        browser = launch(play)
        print("| file | least s | median s |\n|---|---|---|")
        for name, files in DROPS.items():
            with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
                seconds = [drop(context.new_page(), server.address, files) for _ in range(times)]
            print(f"| {name} | {min(seconds):.1f} | {median(seconds):.1f} |", flush=True)
        browser.close()
