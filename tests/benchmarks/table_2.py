"""Table 2 of Xia and Fan on the ORL faces: python -m tests.benchmarks.table_2 ORL_32x32.mat.

A minute or two a pair of people, on one core. The images are those of 32 x 32 pixels in common use,
made 14 x 12 (theirs: 14 x 11.5), entries 0 to 1; at their own C and tau, and at the best of their
grid.
"""

import sys
from itertools import product

from scipy.io import loadmat
from threadpoolctl import threadpool_limits

from smmcore.experiments.least_squares import (
    GRID,
    MACHINES,
    PRINTED,
    resized,
    summary,
    trials,
    two_classes,
)

HEADER = (
    *("pair", "weights", "machine", "accuracy", "+-", "printed", "C", "tau", "as good"),
    *("SMM/LS", "printed"),
)
ROW = "{:8}{:10}{:8}{:>9}{:>6}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}"


def main(path: str) -> None:
    """Print the table; ratios are of the seconds of all trials of a row."""
    faces = loadmat(path)
    X = resized(faces["fea"].reshape(-1, 32, 32).transpose(0, 2, 1) / 255, (14, 12))
    print(ROW.format(*HEADER))
    for (data, *pair), printed in PRINTED.items():
        if data != "ORL":
            continue
        subset = two_classes(X, faces["gnd"].ravel(), *pair)
        searched = {"theirs": [(printed.C, printed.tau)], "grid": list(product(GRID, GRID[::-1]))}
        for weights, chosen in searched.items():
            done = list(trials(*subset, weights=chosen))
            smm, squares = (sum(trial.seconds[name] for trial in done) for name in MACHINES)
            for name in MACHINES:
                best = summary(done, name)
                print(
                    ROW.format(
                        *(str(tuple(pair)), weights, name, f"{best.accuracy:.2%}"),
                        *(f"{best.deviation:.1%}", f"{printed.accuracy[name]:.2f}"),
                        *(f"{best.chosen.C:.3g}", f"{best.chosen.tau:.3g}"),
                        *(f"{best.as_good}/{len(done)}", f"{smm / squares:.2f}"),
                        f"{printed.ratio:.2f}",
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main(sys.argv[1])
