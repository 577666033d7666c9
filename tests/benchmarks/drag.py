"""Pictures a second while the hand drags what the browser itself solves, in three browsers.

    python -m tests.benchmarks.drag [chromium firefox webkit]

drags each knob or handle for three seconds, with a move for each frame of the browser, and prints
the pictures that were drawn each second, and the milliseconds in which half of them are solved and
drawn, which other programs disturb less. On Debian, `apt-get install firefox-esr webkit2gtk-driver
xvfb` brings the other two browsers.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import PATIENCE, launch, open_tab
from tests.browser.webkit import ask, webkit
from tests.server import serve

SIZE = {"width": 1280, "height": 720}
DRAGS = {  # what is dragged, in which picture: the address, the node
    "a sample of *Be the SVM*": ("by_hand?by_hand_step=4", ".by_hand [data-panel=axis] canvas"),
    "τ of *Be the SVM*": ("by_hand?by_hand_step=5", ".by_hand .tau input"),
    "the minimum of *Corners*": ("corners", ".contours [data-handle=minimum]"),
    "the rim of the ball": ("trace_norm", ".rim [data-panel=space] canvas"),
    "the line at τ of *Meet the SMM*": ("smm?smm_step=4", ".omega .sheet input"),
    "equal columns of *Grouping*": ("grouping?grouping_step=3", ".grouping .delta input"),
    "W* of *When does low rank pay off?*": ("structure", ".paint [data-panel=W] canvas"),
}
# Events as of a mouse, which the page cannot capture. A picture is drawn if a canvas is cleared.
DRAG = """async (selector) => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
        node.shadowRoot ? [node, ...all(node.shadowRoot)] : [node]);
    const find = () => all(document).find((node) => node.matches(selector));
    const rest = () => new Promise((wake) => setTimeout(wake, 50));
    const isQuiet = () => document.querySelector("[data-test-script-state=notRunning]")
        && !document.querySelector("html.loading, [data-testid=stSkeleton]");
    for (let since = performance.now(); performance.now() < since + 3000; await rest()) {
        if (!find()?.clientWidth || !isQuiet()) since = performance.now();
    }
    const node = find();
    node.scrollIntoView({ block: "center" });
    Element.prototype.setPointerCapture = () => {};
    const { clearRect } = CanvasRenderingContext2D.prototype;
    let isDrawn = false;
    CanvasRenderingContext2D.prototype.clearRect = function (...where) {
        isDrawn = true;
        return clearRect.apply(this, where);
    };
    const spent = []; // ms of each picture
    const ask = requestAnimationFrame;
    const timed = (act) => (...values) => {
        const begun = performance.now();
        act(...values);
        spent[spent.length - 1] += performance.now() - begun;
    };
    window.requestAnimationFrame = (act) => ask(timed(act));
    const frame = () => new Promise(ask);
    await frame();
    const isRange = node.matches("[type=range]");
    const point = (type, x, y) => node.dispatchEvent(new PointerEvent(type, {
        bubbles: true, button: 0, pointerId: 1, pointerType: "mouse", clientX: x, clientY: y,
    }));
    const box = node.getBoundingClientRect();
    const [reachX, reachY] = box.width > 60 ? [box.width / 3, box.height / 3] : [60, 60];
    let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    spent.push(0);
    point("pointerdown", x, y);
    for (let i = 0; i < 900 && !isRange && !node.onpointermove; i += 1) { // there is a sample
        [x, y] = [box.x + (i % 30) / 30 * box.width, box.y + Math.floor(i / 30) / 30 * box.height];
        point("pointerdown", x, y);
    }
    spent.length = 0;
    const begun = performance.now();
    const move = timed((turn) => {
        if (isRange) {
            node.value = Number(node.max) * (0.5 + 0.45 * Math.sin(turn));
            node.dispatchEvent(new Event("input", { bubbles: true }));
        } else point("pointermove", x + reachX * Math.sin(turn), y + reachY * Math.sin(turn / 2));
    });
    for (let now = begun; now < begun + 3000; now = performance.now()) {
        isDrawn = false;
        spent.push(0);
        move((now - begun) / 400);
        await frame();
        if (!isDrawn) spent.pop();
    }
    const seconds = (performance.now() - begun) / 1000;
    if (isRange) node.dispatchEvent(new Event("change", { bubbles: true }));
    else point("pointerup", x, y);
    return [spent.length / seconds, spent.sort((a, b) => a - b)[spent.length >> 1]];
}"""
Run = Callable[[str, str], list[float]]  # at an address, of a node


@contextmanager
def chromium() -> Iterator[Run]:
    with sync_playwright() as playwright:
        page = open_tab(launch(playwright), SIZE)

        def run(address: str, node: str) -> list[float]:
            page.goto(address)
            return page.evaluate(DRAG, node)

        yield run


@contextmanager
def in_webkit() -> Iterator[Run]:
    with webkit() as tab:
        ask(f"{tab}/window/rect", **SIZE)
        script = f"const done = arguments[1]; ({DRAG})(arguments[0]).then(done);"

        def run(address: str, node: str) -> list[float]:
            ask(f"{tab}/url", url=address)
            return ask(f"{tab}/execute/async", script=script, args=[node])

        yield run


@contextmanager
def firefox() -> Iterator[Run]:
    """Speak WebDriver BiDi to Firefox, which needs no driver."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as profile:
        command = ["firefox", "--headless", "--width", "1280", "--height", "805"]
        command += ["--remote-debugging-port", str(port), "--profile", profile]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            wire = _reach(f"ws://127.0.0.1:{port}/session")
            _call(wire, "session.new", capabilities={})
            tab = _call(wire, "browsingContext.getTree")["contexts"][0]["context"]

            def run(address: str, node: str) -> list[float]:
                _call(wire, "browsingContext.navigate", context=tab, url=address, wait="complete")
                text = f"({DRAG})({json.dumps(node)}).then(JSON.stringify)"
                where = {"target": {"context": tab}, "awaitPromise": True}
                return json.loads(
                    _call(wire, "script.evaluate", expression=text, **where)["result"]["value"]
                )

            yield run
        finally:
            process.terminate()
            process.wait()


def _reach(address: str) -> ClientConnection:
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return connect(address, max_size=None)
        except (OSError, WebSocketException):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _call(wire: ClientConnection, method: str, **params: Any) -> Any:
    wire.send(json.dumps({"id": 1, "method": method, "params": params}))
    while True:
        answer = json.loads(wire.recv())
        if answer.get("id") == 1:
            return answer["result"]


BROWSERS = {"chromium": chromium, "firefox": firefox, "webkit": in_webkit}


def main() -> None:
    names = sys.argv[1:] or [*BROWSERS]
    found: dict[str, list[str]] = {drag: [] for drag in DRAGS}
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder) / "log") as server:
        for name in names:
            with BROWSERS[name]() as run:
                for drag, (path, node) in DRAGS.items():
                    sign = "&" if "?" in path else "?"
                    rate, spent = run(f"{server.address}/{path}{sign}answer=1", node)
                    found[drag].append(f"{rate:.0f} ({spent:.0f} ms)")
    print("| dragged |", " | ".join(names), "|\n|---" + "|--:" * len(names) + "|")
    for drag, cells in found.items():
        print("|", " | ".join([drag, *cells]), "|")


if __name__ == "__main__":
    main()
