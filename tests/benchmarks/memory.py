"""Peak memory of the support matrix machine: python -m tests.benchmarks.memory.

What `fit` allocates beyond X at its peak, as a multiple of X in bytes, and what `predict`
allocates, in MB, both counted by tracemalloc, which NumPy reports to.
"""

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore import SupportMatrixMachine
from tests.benchmarks.certified_time import samples
from tests.smmcore.conftest import peak

SIZES = [(200, 80, 100), (1000, 80, 100), (3000, 80, 80), (20_000, 28, 28)]
TYPES = [np.float64, np.float32]
C, TAU = 0.01, 1.0


def main() -> None:
    """Print the table."""
    print(f"{'data':18}{'n x p x q':>16}  {'type':8}{'fit / X':>9}{'predict, MB':>13}{'gap':>9}")
    for kind in ("unit block", "gauss"):
        for n, p, q in SIZES:
            doubles, y = samples(kind, n, p, q)
            for dtype in TYPES:
                X = doubles.astype(dtype)
                machine = SupportMatrixMachine(C, TAU)
                fit = peak(lambda X=X, y=y, machine=machine: machine.fit(X, y))
                predict = peak(lambda X=X, machine=machine: machine.predict(X))
                gap = machine.dual_gap_ / machine.objective_
                print(
                    f"{kind:18}{f'{n} x {p} x {q}':>16}  {dtype.__name__:8}{fit / X.nbytes:9.2f}"
                    f"{predict / 1e6:13.2f}{gap:9.0e}",
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
