"""One server and one browser for all browser tests, started as a reader starts them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address and process of `streamlit run app.py`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path_factory.mktemp("server") / "log").open("w+")
    command = ["streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(process, f"{address}/_stcore/health")
        yield Server(address, process.pid)
    finally:
        process.terminate()
        process.wait(15)
        log.seek(0)
        print(log.read())
        log.close()


class Server:
    """A running server, and the processes that it started."""

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self.pid = pid

    def workers(self) -> list[int]:
        """Return the process ids of its pool's workers."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/children")
        pids = [int(pid) for children in threads for pid in children.read_text().split()]
        return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; in CI its absence is a failure, elsewhere a reason to skip."""
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=30_000)  # a shared machine may be slow; no test here is about time
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox"]
            )
        except Error as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"no browser: {error}")
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh visitor; what the page complains about is in `page.complaints`."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda message: _note(page.complaints, message))
    page.set_default_timeout(30_000)
    yield page
    context.close()


def _note(complaints: list[str], message) -> None:
    # On a deep link Streamlit tries its own addresses below the page's path first.
    its_own = "_stcore/" in message.location["url"] and "404" in message.text
    if message.type in ("error", "warning") and not its_own:
        complaints.append(f"{message.type}: {message.text}")


def _wait_for(process: subprocess.Popen, address: str) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended at once"
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer within 30 seconds")
