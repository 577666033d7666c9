"""One BLAS thread against the default, quiet and busy: python -m tests.benchmarks.threads.

Seconds on the clock of a fit, the least of five in turn, with one BLAS thread in the loop of the
solver, as every fit has, and with as many as BLAS chooses by itself. The second column of each is
with a process beside it that computes all the time, as on a computer that does something else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Process
from time import perf_counter
from typing import Any
from unittest import mock

import numpy as np

from smmcore import SupportMatrixMachine, threads
from tests.benchmarks import ignore_ctrl_c
from tests.benchmarks.certified_time import INSTANCES, samples

NAMES = ("S1", "S4", "M1", "M4", "L1", "N2", "N4")
REPEATS = 5


def spin() -> None:
    """Multiply matrices for ever, as a busy neighbour."""
    ignore_ctrl_c()
    A = np.ones((400, 400))
    while True:
        A = np.minimum(A @ A, 1.0)


@contextmanager
def busy_neighbour() -> Iterator[None]:
    """A process that computes, until the end."""
    process = Process(target=spin, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def no_limit() -> Any:
    """Leave BLAS its own number of threads."""
    return threads._controller().limit(limits=None)


def seconds(name: str) -> tuple[float, float]:
    """The least time of a fit with one thread, and with BLAS's own number of threads."""
    (instance,) = [each for each in INSTANCES if each.name == name]
    X, y = samples(instance.kind, *instance.size)
    machine, best = SupportMatrixMachine(instance.C, instance.tau), [np.inf, np.inf]
    for _ in range(REPEATS):
        for i, limit in enumerate((threads._limit, no_limit)):
            with mock.patch.object(threads, "_limit", limit):
                start = perf_counter()
                machine.fit(X, y)
                best[i] = min(best[i], perf_counter() - start)
    return best[0], best[1]


def main() -> None:
    """Print a row for each instance."""
    print("| instance | one thread | busy | BLAS's own | busy |\n|---|--:|--:|--:|--:|")
    for name in NAMES:
        quiet = seconds(name)
        with busy_neighbour():
            busy = seconds(name)
        cells = (quiet[0], busy[0], quiet[1], busy[1])
        print(f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    main()
