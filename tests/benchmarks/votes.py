"""200 phones that vote at once, and the page of a phone on a slow line.

    python -m tests.benchmarks.votes

prints the times of a server for phones that open the page, vote, and listen to it every 2.5 s, as
40 do behind the address of a hall and others at addresses of their own; the share of a core that
the server needs meanwhile; and bytes and seconds of the page in a browser at 1.5 Mbit/s and 150 ms.
"""

import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

import numpy as np
from playwright.sync_api import sync_playwright

from tests.benchmarks.first_picture import LINE
from tests.browser.conftest import launch
from tests.server import Server, serve

PHONES, HALL, SECONDS, PACE = 200, 40, 20.0, 2.5
CLASS = "/rank?present=1"
KIND = {"Content-Type": "application/json"}


class Phone:
    """A phone, with the milliseconds that it has waited for each kind of answer."""

    def __init__(self, host: str, code: str, number: int) -> None:
        address = "127.0.1.1" if number < HALL else f"127.0.2.{number}"
        self._wire = HTTPConnection(host, timeout=60, source_address=(address, 0))
        self._url, self._cookie, self._number = f"/vote/{code}", "", number
        self.waited: dict[str, list[float]] = {}

    def _ask(self, kind: str, method: str, news: dict[str, object] | None = None) -> bytes:
        begun = time.perf_counter()
        headers = KIND | {"Cookie": self._cookie}
        self._wire.request(method, self._url, json.dumps(news) if news else None, headers)
        answer = self._wire.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{kind}: {answer.status} {body.decode()}")
        self._cookie = answer.headers.get("Set-Cookie", self._cookie).partition(";")[0]
        self.waited.setdefault(kind, []).append(1000 * (time.perf_counter() - begun))
        return body

    def take_part(self, begin: Event) -> None:
        """Open the page, vote, and listen for a while."""
        begin.wait()
        self._ask("open the page", "GET")
        number = json.loads(self._ask("listen", "POST", {"act": ""}))["round"]
        self._ask("vote", "POST", {"round": number, "answer": self._number % 3})
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            time.sleep(PACE)
            self._ask("listen", "POST", {"act": ""})
        self._wire.close()


def vote(server: Server, code: str) -> None:
    """Let all phones vote, and print how long they waited."""
    host, begin = server.address.removeprefix("http://"), Event()
    phones = [Phone(host, code, number) for number in range(PHONES)]
    with ThreadPoolExecutor(PHONES) as pool:
        done = [pool.submit(phone.take_part, begin) for phone in phones]
        used, begun = server.seconds(), time.monotonic()
        begin.set()
        for each in done:
            each.result()
        core = (server.seconds() - used) / (time.monotonic() - begun)
    print(f"| {PHONES} phones at once | half wait, ms | 95 % |\n|---|--:|--:|")
    for kind in ("open the page", "vote", "listen"):
        waited = [each for phone in phones for each in phone.waited[kind]]
        print(f"| {kind} | {np.median(waited):.0f} | {np.percentile(waited, 95):.0f} |")
    print(f"The server used {100 * core:.0f} % of a core meanwhile.")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        with serve(Path(folder) / "log") as server:
            lecturer = browser.new_page()
            lecturer.goto(server.address + CLASS)
            lecturer.get_by_role("button", name="Students vote").dispatch_event(
                "click", timeout=9e4
            )
            code = lecturer.locator(".poster strong").text_content()
            vote(server, code)
            total = lecturer.get_by_role("button", name=f"{PHONES} votes")
            total.wait_for()

            context = browser.new_context()
            page = context.new_page()
            wire, received = context.new_cdp_session(page), []
            wire.send("Network.enable")
            wire.send("Network.emulateNetworkConditions", LINE)
            wire.on("Network.loadingFinished", lambda event: received.append(event))
            begun = time.perf_counter()
            page.goto(f"{server.address}/vote/{code}", wait_until="load")
            seconds = time.perf_counter() - begun
            size = sum(event["encodedDataLength"] for event in received)
            print(f"The page of a phone: {size:,} bytes with headers, {seconds:.2f} s.")
            begun = time.perf_counter()
            page.locator("[aria-pressed]").first.click()
            page.get_by_text("Your vote is counted").wait_for()
            print(f"A tap is counted after {time.perf_counter() - begun:.2f} s.")
        browser.close()


if __name__ == "__main__":
    main()
