"""The server under a class of students: python -m tests.benchmarks.sessions [seconds].

Each student is a websocket session of the lesson on the SMM (tests/student.py) on data of its own
and moves τ every five seconds; the milliseconds run from the move until the first frame of the new
run is there. A real browser holds a run of 80 x 100 and replays it for some seconds of each row.
Cores are what the server and its workers used, memory is resident; workers keep data sets, up to a
bound, for whoever comes next. The students share the machine with the server, and others may share
it with both: rows compare within one table, beside their load and steal.
"""

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Locator, Page, expect, sync_playwright

from pages.shared.algorithm1 import PRESETS
from pages.shared.numbers import in_address
from pages.shared.widgets import sidebar
from tests.browser.navigation import skip
from tests.server import Server, serve
from tests.student import Student

SECONDS = 60.0  # of each row
PERIOD = 5.0  # seconds between two moves of a student
ARRIVAL = 10.0  # seconds in which all of them have come
GONE = 180  # seconds after which they are gone: Streamlit keeps a lost session for 120
TAUS = ("0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5")

HEADER = (
    *("", "moves", "p50 ms", "p95 ms", "failed", "cores", "paints/s"),
    *("server MB", "workers", "each", "load", "steal %"),
)
ROW = "{:20}" + "{:>10}" * (len(HEADER) - 1)

# Paints a second while there are frames that were not shown. Speed 16 asks for 128.
COUNT_PAINTS = """(root, seconds) => new Promise(done => {
  const press = action => root.querySelector(`[data-action=${action}]`).click();
  root.querySelector("select").value = "16";
  let [begin, before, shown, paints, time] = [performance.now(), 0, Infinity, 0, 0];
  function look(now) {
    const [frame, last] = [Number(root.dataset.frame), root.dataset.total - 1];
    if (shown < last) [paints, time] = [paints + (frame !== shown), time + now - before];
    else { press("start"); press("play"); }
    [before, shown] = [now, shown === Infinity ? 0 : frame];
    if (now - begin < 1000 * seconds) requestAnimationFrame(look);
    else done(1000 * paints / time);
  }
  requestAnimationFrame(look);
})"""


def address_of(preset: str, **changed: str) -> dict[str, str]:
    """Return what the address of the lesson says for a preset."""
    return {
        key: in_address(value) for key, value in sidebar.control_values(PRESETS[preset][0]).items()
    } | changed


def attend(address: str, preset: str, seed: int, until: float) -> list[float]:
    """Come, move τ every five seconds, and leave; return the seconds until each new picture."""
    chance, answers = random.Random(seed), []
    sleep(chance.uniform(0, ARRIVAL))
    with Student(address, **address_of(preset, seed=str(seed))) as student:
        due = monotonic() + chance.uniform(0, PERIOD)
        for tau in cycle(TAUS):
            student.watch(due)
            sleep(max(0, min(due, until) - monotonic()))
            if due > until:
                break
            answers.append(student.move("tau", tau))
            due += PERIOD
    return answers


def measure(
    server: Server, player: Locator, name: str, preset: str, students: int, seconds: float
) -> None:
    """Print the row of so many students."""
    before, seconds_before, ticks = sum(server.memory()), server.seconds(), processor_ticks()
    until = monotonic() + seconds
    with ThreadPoolExecutor(students) as pool:
        seeds = range(1000 * students, 1001 * students)  # nobody else's
        visits = [pool.submit(attend, server.address, preset, seed, until) for seed in seeds]
        sleep(ARRIVAL)
        paints = player.evaluate(COUNT_PAINTS, 5)
        sleep(max(0, until - 1 - monotonic()))
        memory = server.memory()
    cores = (server.seconds() - seconds_before) / seconds
    spent = processor_ticks() - ticks
    failures = [visit.exception() for visit in visits if visit.exception()]
    answers = [1000 * s for visit in visits if not visit.exception() for s in visit.result()]
    p50, p95 = np.percentile(answers, [50, 95]) if answers else (np.nan, np.nan)
    print(
        ROW.format(
            *(name, len(answers), f"{p50:.0f}", f"{p95:.0f}", len(failures), f"{cores:.2f}"),
            *(f"{paints:.0f}", *(f"{part:.0f}" for part in memory)),
            *(f"{(sum(memory) - before) / students:.1f}", f"{os.getloadavg()[0]:.1f}"),
            f"{100 * spent[7] / spent.sum():.0f}",
        ),
        flush=True,
    )
    for failure in failures:
        print(f"  failed: {failure!r}")


def processor_ticks() -> np.ndarray:
    """Return what the machine's processors did since it started; the last is stolen time."""
    line = Path("/proc/stat").read_text().splitlines()[0]
    return np.array(line.split()[1:9], dtype=float)


def clicks(page: Page) -> str:
    """Take back and skip the lesson's question ten times; return median and slowest, in ms."""
    times = page.evaluate("""async () => {
        const asked = () => !!document.querySelector(".st-key-prediction-answers button");
        const last = () => [...document.querySelectorAll(".st-key-prediction button")].pop();
        const times = [];
        for (let i = 0; i < 10; i++) {
            const [begin, before] = [performance.now(), asked()];
            last().click();  // Skip, or Ask again
            while (asked() === before) await new Promise(requestAnimationFrame);
            times.push(performance.now() - begin);
            await new Promise((wake) => setTimeout(wake, 700));
        }
        return times;
    }""")
    return f"{np.median(times):.0f}, at most {max(times):.0f}"


@contextmanager
def browser_with_a_run(server: Server, lesson: str, settings: dict[str, str], frames: int):
    """Open a browser that holds so many frames or more of a run that has been stopped."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{server.address}/{lesson}?{urlencode(settings)}")
        skip(page)
        player = page.locator(".player").first
        while int(player.get_attribute("data-total", timeout=60_000)) < frames:
            page.wait_for_timeout(100)
        print(f"  clicks while this run is live: {clicks(page)} ms until the page has answered")
        player.locator("[data-action=stop]").click()
        expect(player).to_have_attribute("data-status", "stopped")
        yield player
        chromium.close()


def main(seconds: float) -> None:
    with TemporaryDirectory() as folder, serve(Path(folder) / "log") as server:
        print(f"{os.cpu_count()} processors; server {server.memory()[0]:.0f} MB", flush=True)
        wide = address_of("Paper 5.1", n="300", p="200", q="200", rho="1e-06")
        with browser_with_a_run(server, "live", wide, frames=60) as player:
            paints = player.evaluate(COUNT_PAINTS, 5)
            print(f"browser alone, four pictures of 200 x 200: {paints:.0f} paints/s", flush=True)
        paper = address_of("Paper 5.1", rho="1e-06")
        with browser_with_a_run(server, "live", paper, frames=300) as player:
            print(f"browser alone, 80 x 100: {player.evaluate(COUNT_PAINTS, 5):.0f} paints/s")
            print(ROW.format(*HEADER))
            measure(server, player, "Quick, alone", "Quick", 1, seconds)
            measure(server, player, "Paper 5.1, alone", "Paper 5.1", 1, seconds)
            before = sum(server.memory())
            for students in (10, 40, 100, 200):
                measure(server, player, f"Quick, {students} sessions", "Quick", students, seconds)
        for waited in range(0, GONE + 1, 30):
            memory = server.memory()
            print(
                f"{waited:4d} s after they left: {memory[0]:.0f} + {memory[1]:.0f} MB, "
                f"{100 * (sum(memory) / before - 1):+.0f} % of before the ten",
                flush=True,
            )
            sleep(30)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
