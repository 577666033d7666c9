"""Walk through the lessons at random: address, page, controls and a fresh visit always agree.

    python -m tests.browser.walk MINUTES [SEED]

An act is a drag or a key of a knob, a chip, a switch, a number that is typed, a link of the rail,
Back, Forward or a reload; one act in four is followed by the next one at once. When nothing moves
any more, the page has read the address of the browser, each control shows what the address says,
Back and Forward show what was there, a link of the rail leads to the lesson's own settings, and,
once in five times, a browser that opens the address afresh shows the same. What differs is printed.
"""

import json
import random
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from pages.navigation import ALL_LESSONS
from tests.browser.conftest import PATIENCE, launch
from tests.server import serve

ADDRESSES = [lesson.address for lesson in ALL_LESSONS]
PAUSES = 0, 50, 200, 500, 900  # ms between two acts that follow at once
WAIT = PATIENCE / 1000  # seconds until nothing moves any more, at most
# What all controls show, also those that a component keeps to itself, and whether all is at rest.
SEE = """async () => {
    const { hasHeard } = await import(document.querySelector("[href$='lib/settings.js']").href);
    const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
        node.shadowRoot ? [node, ...all(node.shadowRoot)] : [node]);
    const shown = {};
    for (const node of all(document)) {
        // Not what the picture adds to it, once it has the stored runs.
        const told = node.matches("input[data-key]") && node.parentNode.querySelector("output");
        if (told) shown[node.dataset.key] = told.value;
        if (!node.matches(".control[data-key]")) continue;
        const fields = [...node.querySelectorAll("input, select")];
        shown[node.dataset.key] = fields.map((field) => field.checked ?? field.value).join();
    }
    const app = document.querySelector("[data-testid=stApp]");
    const rests = app?.dataset.testScriptState === "notRunning"
        && !document.documentElement.matches(".loading");
    const { pathname, search } = location;
    const entry = navigation.currentEntry.key;
    return { rests, heard: hasHeard(), shown, path: pathname.slice(1), search, entry };
}"""


class Walk:
    """One reader, who acts at random."""

    def __init__(self, page: Page, address: str, seed: int) -> None:
        self.page, self.address = page, address
        self.dice = random.Random(seed)
        self.seen: dict[str, dict[str, Any]] = {}  # what was shown, by the entry of the history
        self.checks, self.faults = 0, []
        page.set_default_timeout(5000)

    def act(self) -> str:
        """Do something, and return what it was."""
        kinds = "drag", "drag", "key", "key", "chip", "chip", "chip", "number", "link", "back"
        kinds += "back", "back", "forward", "reload"
        for _ in range(20):
            kind = self.dice.choice(kinds)
            with suppress(Error, IndexError):  # there is none, or it has gone meanwhile
                getattr(self, f"_{kind}")()
                return kind
        return "nothing"

    def _one(self, selector: str):
        return self.dice.choice(self.page.locator(selector).all())

    def _drag(self) -> None:
        knob = self._one(".knob input:enabled:visible")
        knob.scroll_into_view_if_needed()
        box, mouse = knob.bounding_box(), self.page.mouse
        y = box["y"] + box["height"] / 2
        for k in range(self.dice.randint(2, 6)):
            mouse.move(box["x"] + self.dice.random() * box["width"], y)
            if k == 0:
                mouse.down()
            self.page.wait_for_timeout(self.dice.choice((0, 30, 120, 600)))
        mouse.up()

    def _key(self) -> None:
        knob = self._one(".knob input:enabled:visible")
        for _ in range(self.dice.randint(1, 4)):
            knob.press(self.dice.choice(("ArrowRight", "ArrowLeft", "Home", "End")))

    def _chip(self) -> None:
        self._one(".control input:is([type=radio], [type=checkbox]):enabled:visible").click()

    def _number(self) -> None:
        field = self._one(".control input[type=number]:enabled:visible")
        field.fill(str(self.dice.choice((3, 5, 20, 40, 60))))
        field.press("Enter")

    def _link(self) -> None:
        self._one(".st-key-rail-lessons a:visible").click()

    def _back(self) -> None:
        self.page.evaluate("history.back()")

    def _forward(self) -> None:
        self.page.evaluate("history.forward()")

    def _reload(self) -> None:
        self.page.reload()

    def look(self, page: Page) -> dict[str, Any]:
        """Return what a page shows when nothing on it moves any more."""
        end, before, since = time.monotonic() + WAIT, {}, time.monotonic()
        now: dict[str, Any] = {"rests": False}
        page.wait_for_timeout(500)  # a key rests after 400 ms
        while page.url.startswith(self.address):
            now = {"rests": False}
            with suppress(Error):  # the page is being loaded
                now = page.evaluate(SEE)
            if not (now["rests"] and now["heard"]) or now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() > since + 0.6:
                return now
            if time.monotonic() > end:
                break
            page.wait_for_timeout(100)
        return now

    def open(self, path: str = "") -> None:
        """Open a lesson with the recipe of its data and other settings unfolded."""
        self.page.goto(f"{self.address}/{path or self.dice.choice(ADDRESSES)}?answer=1")
        self.look(self.page)
        for fold in self.page.locator(".stExpander summary").all()[:2]:
            with suppress(Error):
                fold.click()

    def step(self) -> None:
        """Act, and compare."""
        acts = [self.act()]
        while self.dice.random() < 0.25 and len(acts) < 3:
            self.page.wait_for_timeout(self.dice.choice(PAUSES))
            acts.append(self.act())
        now = self.look(self.page)
        if not self.page.url.startswith(self.address):  # before the first page
            self.open()
            return
        self.checks += 1
        wrong = [] if now.get("heard") else ["the page has read another address"]
        if acts[-1] in ("back", "forward") and now.get("entry") in self.seen:
            wrong += different(self.seen[now["entry"]], now)
        if acts == ["link"] and now.get("search") not in ("", "?answer=1"):
            wrong.append(f"the link carries {now['search']}")
        if not wrong and self.dice.random() < 0.2:
            other = self.page.context.browser.new_context()
            page = other.new_page()
            page.goto(f"{self.address}/{now['path']}{now['search']}")
            wrong += different(now, self.look(page))
            other.close()
        if wrong:
            self.faults.append(f"{', '.join(acts)} at {self.page.url}: {wrong}")
            print(self.faults[-1], flush=True)
            self.open(now.get("path", ""))
            return
        self.seen[now["entry"]] = now


def different(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what controls that are in both show differently."""
    if before["path"] != now["path"]:
        return []
    both = before["shown"].keys() & now["shown"].keys()
    return [
        f"{key} is {now['shown'][key]}, was {before['shown'][key]}"
        for key in sorted(both)
        if before["shown"][key] != now["shown"][key]
    ]


def main() -> None:
    minutes, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with ExitStack() as stack, sync_playwright() as playwright:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(serve(folder / "log"))
        page = launch(playwright).new_page(viewport={"width": 1280, "height": 900})
        walk = Walk(page, server.address, seed)
        walk.open()
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            walk.step()
        print(json.dumps({"checks": walk.checks, "faults": len(walk.faults)}))
        raise SystemExit(bool(walk.faults))


if __name__ == "__main__":
    main()
