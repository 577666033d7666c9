"""Xia and Fan's algorithm on the ORL faces: python -m tests.benchmarks.table_2 FILE.

FILE is ORL_32x32.mat. At their rho and at ours, the iterations to a relative gap of 1e-6 over their
grid, for each pair of people in their Table 2; and where their rule stops it in raw pixels. The
table itself is reproduced by `python -m pages.research.reproduce lssmm-table2`.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from pages.research.reproduce.data_files import read_file
from pages.research.table_2.cross_validation import GRID, PRINTED, resize, two_classes
from smmcore.iterate import last, until
from smmcore.problems import LSSMMProblem
from smmcore.solvers import bilevel, fast_admm
from smmcore.solvers.certified import solve_to_gap

RHO = 1.1  # theirs
LIMIT = 1000  # iterations


def paths(problem: LSSMMProblem) -> Iterator[str]:
    """How many iterations a relative gap of 1e-6 takes over the grid, at their rho and at ours."""
    for name, solve in (
        (f"BP-LSSMM, rho = {RHO}", lambda one: bilevel(one, rho=RHO)),
        ("Algorithm 1, rho auto", lambda one: fast_admm(one, rho="auto")),
    ):
        weighted = [problem.with_weights(C=C, tau=tau) for C, tau in product(GRID, GRID)]
        ends = [solve_to_gap(one, solve(one), 1e-6, LIMIT) for one in weighted]
        k, proved = np.array([(state.k, proof.within(1e-6)) for proof, state in ends]).T
        yield (
            f"{name}: median {np.median(k):g}, most {k.max()}, above 100 at {np.sum(k > 100)} of "
            f"{len(k)}, not within {LIMIT} at {np.sum(proved == 0)}"
        )


def stop(problem: LSSMMProblem) -> str:
    """Where their rule stops their algorithm, and how good that is."""
    states = bilevel(problem, rho=RHO)
    state = last(until(states, lambda state: state.largest_difference < 1e-3))
    gap = state.certificate(problem).relative_gap
    return (
        f"in raw pixels their rule stops after {state.k} iterations, at a relative gap of {gap:.3f}"
    )


def main(path: str) -> None:
    """Print the iterations of each pair of people."""
    faces = read_file(Path(path))
    X = resize(faces.X / 255, (14, 12))
    for (data, *pair), printed in PRINTED.items():
        if data != "ORL":
            continue
        subset, second = two_classes(X, faces.y, *pair)
        y = np.where(second, 1.0, -1.0)
        for line in paths(LSSMMProblem(subset, y, 1.0, 1.0)):
            print(pair, line)
        print(pair, stop(LSSMMProblem(255 * subset, y, printed.C, printed.tau)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with threadpool_limits(1):
        main(sys.argv[1])
