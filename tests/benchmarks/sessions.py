"""The server under a class: python -m tests.benchmarks.sessions [seconds [students ...]].

Each student is a websocket session of the lesson on the SMM (tests/student.py) on data of its own.
Most of them move τ every five seconds by the route of moves, and a second later the page catches
up. The milliseconds run from the move to the first frame of the new run, to its result (a relative
gap of 1e-2 or 120 iterations), and from the start of the script run to its end ("words"). Others
drag: they send the next position as soon as the last one was answered, with the first frame or with
the result, and no two positions are alike; drags and results a second are those of each of them.

Cores are what the server and its workers used, memory is resident; workers keep data sets, up to a
bound, for whoever comes next.
The students share the machine with the server, and others may share it with both: rows compare
within one table, beside their load and steal.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count, cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import numpy as np

from pages.shared.algorithm1 import PRESETS, TAUS
from pages.shared.numbers import in_address
from pages.shared.widgets import recipe
from tests.server import Server, serve
from tests.student import Student

SECONDS = 60.0  # of each row
PERIOD = 5.0  # seconds between two moves of a student
ARRIVALS = 8.0  # students a second
REST = 1.0  # seconds after a move, when the page catches up
RESULT_WAIT = 0.25  # seconds that a hand which drags waits for a result
MOVES = ("0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5")  # of τ
ETAS, CS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999), (0.05, 0.1, 0.02, 0.2, 0.01)
DRAGS = [
    {"C": C, "eta": eta, "tau": tau}
    for C, eta, tau in product(CS, ETAS, (tau for tau in TAUS if 0.01 <= tau < 1))
]
CLASSES = [1, 10, 40, 100, 200]
seeds = count(1_000)  # of the students' data; no seed is used twice

HEADER = (
    *("", "moves", "first p50", "p95", "result p50", "p95", "words p95", "drags/s", "results/s"),
    *("failed", "cores", "idle %", "server MB", "workers", "each", "load", "steal %"),
)
ROW = "{:30}" + "{:>11}" * (len(HEADER) - 1)


def address_of(preset: str, **changed: str) -> dict[str, str]:
    """Return what the address of the lesson says for a preset."""
    return {
        key: in_address(value) for key, value in recipe.control_values(PRESETS[preset][0]).items()
    } | changed


@dataclass
class Visit:
    """What a student saw: seconds for each move, or how often a drag was answered."""

    first: list[float] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    drags: int = 0
    results: int = 0


def arrive(address: str, preset: str, seed: int, delay: float) -> Student:
    """Come after a while, and watch the first run."""
    sleep(delay)
    student = Student(address, **address_of(preset, seed=str(seed)))
    student.watch(monotonic() + PERIOD)
    return student


def move(student: Student, due: float, until: float) -> Visit:
    """Move τ every five seconds."""
    visit = Visit()
    for tau in cycle(MOVES):
        student.watch(due)
        sleep(max(0, min(due, until) - monotonic()))
        if max(due, monotonic()) > until:  # a slow server lets students fall behind
            break
        begin = monotonic()
        student.drag({"tau": float(tau)})
        visit.first.append(monotonic() - begin)
        student.wait_for_result()
        visit.result.append(monotonic() - begin)
        student.watch(begin + REST)
        sleep(max(0, begin + REST - monotonic()))
        begin = monotonic()
        student.rest("tau", tau)
        visit.words.append(monotonic() - begin)
        due += PERIOD
    return visit


def drag(student: Student, until: float, wait: float) -> Visit:
    """Drag all the time."""
    visit = Visit()
    for settings in cycle(DRAGS):
        if monotonic() > until:
            break
        student.drag(settings, wait)
        visit.drags += 1
        visit.results += student.has_result
    return visit


def measure(
    server: Server,
    preset: str,
    seconds: float,
    students: int,
    dragging: int = 0,
    wait: float = RESULT_WAIT,
) -> None:
    """Print the row of so many students, and of others who drag, once all of them have come."""
    before, together = sum(server.memory()), students + dragging
    delays = np.linspace(0, together / ARRIVALS, together)
    with ThreadPoolExecutor(together) as pool, ExitStack() as present:
        place = server.address, preset
        coming = [pool.submit(arrive, *place, next(seeds), delay) for delay in delays]
        class_ = [present.enter_context(student.result()) for student in coming]
        seconds_before, ticks = server.seconds(), processor_ticks()
        begin = monotonic()
        until = begin + seconds
        dues = begin + np.linspace(0, PERIOD, students, endpoint=False)
        visits = [
            pool.submit(move, student, due, until)
            for student, due in zip(class_[dragging:], dues, strict=True)
        ]
        visits += [pool.submit(drag, student, until, wait) for student in class_[:dragging]]
        sleep(max(0, until - 1 - monotonic()))
        memory, spent = server.memory(), processor_ticks() - ticks
        cores = (server.seconds() - seconds_before) / (monotonic() - begin)
        failures = [visit.exception() for visit in visits if visit.exception()]
    seen = [visit.result() for visit in visits if not visit.exception()]

    def percentile(name: str, percent: float) -> str:
        times = [1000 * time for visit in seen for time in getattr(visit, name)]
        return f"{np.percentile(times, percent):.0f}" if times else ""

    def each_second(name: str) -> str:
        return f"{sum(getattr(visit, name) for visit in seen) / max(1, dragging) / seconds:.1f}"

    name = f"{preset}, {students} move" if students else preset
    kind = "for results" if wait else "for first frames"
    name += f", {dragging} drag {kind}" if dragging else ""
    print(
        ROW.format(
            *(name, sum(len(visit.first) for visit in seen)),
            *(percentile("first", 50), percentile("first", 95)),
            *(percentile("result", 50), percentile("result", 95), percentile("words", 95)),
            *(each_second("drags"), each_second("results"), len(failures)),
            *(f"{cores:.2f}", f"{100 * spent[3] / spent.sum():.0f}"),
            *(f"{part:.0f}" for part in memory),
            *(f"{(sum(memory) - before) / together:.1f}", f"{os.getloadavg()[0]:.1f}"),
            f"{100 * spent[7] / spent.sum():.0f}",
        ),
        flush=True,
    )
    for failure in failures:
        print(f"  failed: {failure!r}")


def processor_ticks() -> np.ndarray:
    """Return what the machine's processors did since it started; the last is stolen time."""
    line = Path("/proc/stat").read_text(encoding="utf-8").splitlines()[0]
    return np.array(line.split()[1:9], dtype=float)


def main(seconds: float, classes: list[int]) -> None:
    with TemporaryDirectory() as folder, serve(Path(folder) / "log") as server:
        print(f"{os.cpu_count()} processors; server {server.memory()[0]:.0f} MB", flush=True)
        print(ROW.format(*HEADER))
        measure(server, "Quick", seconds, 0, dragging=1, wait=0.0)
        measure(server, "Quick", seconds, 0, dragging=1)
        for students in classes:
            measure(server, "Quick", seconds, students)
        measure(server, "Quick", seconds, 30, dragging=10)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(float(arguments[0]) if arguments else SECONDS, [*map(int, arguments[1:])] or CLASSES)
