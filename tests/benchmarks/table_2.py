"""Table 2 of Xia and Fan on the ORL faces: python -m tests.benchmarks.table_2 ORL_32x32.mat.

A minute or two a pair of people, on one core. The images are those of 32 x 32 pixels in common use,
made 14 x 12 (theirs: 14 x 11.5), entries 0 to 1; at their own C and tau, and at the best of their
grid. Then what their algorithm takes at their rho, and where their rule stops it in raw pixels.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.io import loadmat
from threadpoolctl import threadpool_limits

from smmcore.experiments.least_squares import (
    GRID,
    MACHINES,
    PRINTED,
    best_weights,
    cross_validate,
    resize,
    two_classes,
)
from smmcore.iterate import last, until
from smmcore.problems import LSSMMProblem
from smmcore.solvers import bilevel, fast_admm
from smmcore.solvers.certified import solve_to_gap

RHO = 1.1  # theirs
LIMIT = 1000  # iterations

HEADER = (
    *("pair", "weights", "machine", "accuracy", "+-", "printed", "C", "tau", "as good"),
    *("SMM/LS", "printed"),
)
ROW = "{:8}{:10}{:8}{:>9}{:>6}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}"


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
    """Print the table; ratios are of the seconds of all pairs of weights of a row."""
    faces = loadmat(path)
    X = resize(faces["fea"].reshape(-1, 32, 32).transpose(0, 2, 1) / 255, (14, 12))
    pairs = {
        tuple(pair): (two_classes(X, faces["gnd"].ravel(), *pair), printed)
        for (data, *pair), printed in PRINTED.items()
        if data == "ORL"
    }
    print(ROW.format(*HEADER))
    for pair, (subset, printed) in pairs.items():
        searched = {"theirs": [(printed.C, printed.tau)], "grid": list(product(GRID, GRID[::-1]))}
        for weights, chosen in searched.items():
            done = list(cross_validate(*subset, weights=chosen))
            smm, squares = (sum(point.seconds[name] for point in done) for name in MACHINES)
            for name in MACHINES:
                best = best_weights(done, name)
                print(
                    ROW.format(
                        *(str(pair), weights, name, f"{best.accuracy:.2%}"),
                        *(f"{best.deviation:.1%}", f"{printed.accuracy[name]:.2f}"),
                        *(f"{best.chosen.C:.3g}", f"{best.chosen.tau:.3g}"),
                        *(f"{best.as_good}/{len(done)}", f"{smm / squares:.2f}"),
                        f"{printed.ratio:.2f}",
                    ),
                    flush=True,
                )
    for pair, ((X, second), printed) in pairs.items():
        y = np.where(second, 1.0, -1.0)
        for line in paths(LSSMMProblem(X, y, 1.0, 1.0)):
            print(pair, line)
        print(pair, stop(LSSMMProblem(255 * X, y, printed.C, printed.tau)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with threadpool_limits(1):
        main(sys.argv[1])
