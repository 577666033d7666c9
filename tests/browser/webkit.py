"""Open all pages in WebKit, the engine of Safari, and drag a knob and a line.

    python -m tests.browser.webkit

On Debian, `apt-get install webkit2gtk-driver xvfb` takes 20 seconds, the command some 80.
`python -m tests.browser.webkit live sparse` opens these two pages only.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from tests.pages.visit import HOME, LESSONS, TEXTS
from tests.server import serve

PATIENCE = 60  # seconds
TOOLS = """
const nodes = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    node.shadowRoot ? [node, ...nodes(node.shadowRoot)] : [node]);
const all = (selector) => nodes(document).filter((node) => node.matches(selector));
const pictures = () => all("canvas").map((canvas) => canvas.toDataURL());
const blank = document.createElement("canvas").toDataURL();
const redBoxes = all("[data-testid=stException], [data-testid=stAlertContentError]")
    .map((box) => box.textContent.slice(0, 90));
"""
# The script has ended, and each component is more than its style.
IS_COMPLETE = """all("[data-test-script-state=notRunning]").length > 0
    && !document.querySelector("html.loading, [data-testid=stSkeleton]")
    && all("[data-testid=stBidiComponentIsolated]").every((part) => part.shadowRoot?.children[1])"""
IS_DRAWN = "(all('.main-svg').length > 0 || pictures().some((each) => each !== blank))"
# What the address holds, and a slider there: one lies, one stands.
SLIDERS = {"live": ("", "[data-key=rho]"), "smm": ("&smm_step=4", ".omega .sheet input")}


def ask(address: str, **values: Any) -> Any:
    """Send a command of the WebDriver protocol."""
    request = Request(address, json.dumps(values).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)["value"]


def run(tab: str, script: str) -> Any:
    return ask(f"{tab}/execute/sync", script=TOOLS + script, args=[])


def wait_for(tab: str, condition: str) -> None:
    """Wait until an expression is true; a red box is an error."""
    end, holds = time.monotonic() + PATIENCE, False
    while not holds:
        holds, boxes = run(tab, f"return [{condition}, redBoxes]")
        assert not boxes, f"{len(boxes)} red: {boxes[0]}"
        assert time.monotonic() < end, f"not within {PATIENCE} s: {condition}"


def point(tab: str, kind: str, **values: int) -> None:
    mouse = {"type": "pointer", "id": "mouse", "actions": [{"type": kind, **values}]}
    ask(f"{tab}/actions", actions=[mouse])


def drag(tab: str, slider: str) -> None:
    """Drag a slider to the right and upwards: its value and the picture must follow."""
    values: list[float] = []
    for part in (0.3, 0.6, 0.9):
        place = f"""window.before = pictures().join();
            const {{ left, bottom, width, height }} = all("{slider}")[0].getBoundingClientRect();
            return [left + {part} * width, bottom - {part} * height].map(Math.round)"""
        point(tab, "pointerMove", **dict(zip("xy", run(tab, place), strict=True)))
        point(tab, "pointerDown", button=0)
        wait_for(tab, "pictures().join() !== window.before")
        values.append(float(run(tab, f"return all('{slider}')[0].value")))
    point(tab, "pointerUp", button=0)
    assert values == sorted(set(values)), f"the slider does not follow: {values}"


@contextmanager
def webkit() -> Iterator[str]:
    """Start WebKit on a screen of its own, and yield the address of its tab."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, encoding="utf-8")
    os.environ["DISPLAY"] = f":{screen.stdout.readline().strip()}"
    os.environ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"  # a container does not allow it
    driver = subprocess.Popen(["WebKitWebDriver", f"--port={port}"])
    try:
        while driver.poll() is None and socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.1)
        session = f"http://127.0.0.1:{port}/session"
        yield f"{session}/{ask(session, capabilities={})['sessionId']}"
    finally:
        driver.terminate()
        screen.terminate()


def main() -> None:
    failed = False
    with TemporaryDirectory() as folder, serve(Path(folder) / "log") as server, webkit() as tab:
        for page in sys.argv[1:] or [HOME, *LESSONS]:
            start, verdict = time.monotonic(), "drawn, dragged" if page in SLIDERS else "drawn"
            try:
                settings, slider = SLIDERS.get(page, ("", ""))
                ask(f"{tab}/url", url=f"{server.address}/{page}?answer=1{settings}")
                wait_for(tab, IS_COMPLETE if page in TEXTS else f"{IS_COMPLETE} && {IS_DRAWN}")
                if slider:
                    drag(tab, slider)
            except (AssertionError, OSError) as error:
                failed, verdict = True, f"FAILED, {error}"
            print(f"{time.monotonic() - start:5.1f} s  {page or 'home'}: {verdict}", flush=True)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
