"""Time and memory as n grows: python -m tests.benchmarks.growth.

It draws docs/time.svg and docs/memory.svg: seconds of the processor until a relative gap of 1e-6,
the least of three fits, and the most memory that a fit allocates, divided by that of its samples,
which are the Gaussian ones of `certified_time` with a tenth of the labels wrong.
"""

from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore import SupportMatrixMachine
from tests.benchmarks.certified_time import samples, seconds_of
from tests.smmcore.conftest import peak
from tests.svg import chart

FOLDER = Path(__file__).parents[2] / "docs"
SIZES = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]
SHAPES = [(20, 20), (40, 40)]
C, TAU = 1e-2, 1.0


def main() -> None:
    """Measure, print and draw."""
    seconds: dict[str, list[float]] = {}
    memory: dict[str, list[float]] = {}
    for p, q in SHAPES:
        name = f"{p} × {q} entries"
        seconds[name], memory[name] = [], []
        for n in SIZES:
            X, y = samples("noisy", n, p, q)
            machine = SupportMatrixMachine(C, TAU)
            fits = [seconds_of(lambda X=X, y=y, m=machine: m.fit(X, y)) for _ in range(3)]
            seconds[name].append(min(fits))
            memory[name].append(peak(lambda X=X, y=y, m=machine: m.fit(X, y)) / X.nbytes)
            print(f"{name} {n:6} {seconds[name][-1]:7.3f} s {memory[name][-1]:6.2f}", flush=True)
        # From the first size above p q on, the slope of a line through the points.
        above = [i for i, n in enumerate(SIZES) if n > p * q]
        slope = np.polyfit(np.log(SIZES)[above], np.log(seconds[name])[above], 1)[0]
        print(f"{name}: above n = p q, seconds grow like n to the power of {slope:.1f}")
    for file, unit, lines in (("time", "seconds", seconds), ("memory", "memory / X", memory)):
        text = chart(SIZES, "n, number of samples", unit, lines)
        (FOLDER / f"{file}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
