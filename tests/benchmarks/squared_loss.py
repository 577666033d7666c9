"""Hinge against squared loss, certified time: python -m tests.benchmarks.squared_loss.

Both to a relative gap of 1e-6 in one run, on one core, in seconds of the processor; the same C and
tau for both, which are not the same strength of regularisation. What the squared loss saves is the
QP; what is left is the Gram matrix, its eigenvalues, about as dear, and two data passes and a
singular value decomposition an iteration. Xia and Fan print ratios of 1.6 to 7.5.
"""

from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore import LeastSquaresSMM, SupportMatrixMachine
from tests.benchmarks.certified_time import WEIGHTS, data_pass, samples

SIZES = [(500, 40, 50), (1000, 80, 100)]
MACHINES = (SupportMatrixMachine, LeastSquaresSMM)
HEADER = (
    *("data", "n x p x q", "C", "tau", "SMM:iter", "seconds", "LS:iter", "seconds"),
    *("SMM/LS", "Gram", "eigen", "passes", "SVDs"),
)
ROW = "{:18}{:>16}{:>6}{:>5}{:>10}{:>9}{:>9}{:>9}{:>8}{:>7}{:>7}{:>8}{:>6}"


def seconds(work) -> float:
    """Seconds of the processor."""
    begin = process_time()
    work()
    return process_time() - begin


def main() -> None:
    """Print the table; the last four columns are shares of the time of LS-SMM."""
    print(ROW.format(*HEADER))
    for n, p, q in SIZES:
        for kind, weights in WEIGHTS.items():
            X, y = samples(kind, n, p, q)
            Z = X.reshape(n, -1)
            gram = seconds(lambda Z=Z: Z @ Z.T)
            K = Z @ Z.T
            eigen = seconds(lambda K=K: np.linalg.eigh(K))
            svd = min(seconds(lambda x=x: np.linalg.svd(x, full_matrices=False)) for x in X[:5])
            for C, tau in weights:
                smm, squares = (machine(C=C, tau=tau) for machine in MACHINES)
                theirs, ours = (seconds(lambda m=m, X=X, y=y: m.fit(X, y)) for m in (smm, squares))
                k, one = squares.n_iter_, data_pass(X)
                parts = [gram / ours, eigen / ours, 2 * k * one / ours, k * svd / ours]
                print(
                    ROW.format(
                        *(kind, f"{n} x {p} x {q}", C, tau, smm.n_iter_, f"{theirs:.2f}"),
                        *(k, f"{ours:.2f}", f"{theirs / ours:.1f}"),
                        *(f"{part:.0%}" for part in parts),
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
