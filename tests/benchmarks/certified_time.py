"""Seconds and data passes to a relative gap of 1e-6: python -m tests.benchmarks.certified_time.

A data pass is one X.reshape(n, -1) @ w, measured before and after each run, on one core, all in
seconds of the processor; the Gram matrix counts, but for the warm start, which a slider gives its
neighbour. Peers: CVXPY (Clarabel) on the smallest size, the same certificate computed from its W.
"""

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore.datasets import make_block_correlated
from smmcore.problems import SMMProblem
from smmcore.solvers import fast_admm
from smmcore.solvers.certified import solve_to_gap
from tests.reference import cvxpy_solution

SIZES = [(200, 20, 25), (500, 40, 50), (1000, 80, 100)]
WEIGHTS = {"5.1 unit variance": [(1.0, 10.0), (0.01, 1.0), (1.0, 1.0)], "gauss": [(1.0, 1.0)]}
TOLERANCE = 1e-6
NEIGHBOUR = 1.2  # a slider's next position, in tau


def samples(kind: str, n: int, p: int, q: int) -> tuple[np.ndarray, np.ndarray]:
    """X and y of the benchmark."""
    if kind != "gauss":
        return make_block_correlated(n, (p, q), 4, 1e-3, q // 5, "unit variance", 0)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p, q))
    W = rng.standard_normal((p, q // 5)) @ rng.standard_normal((q // 5, q))
    return X, np.where(np.tensordot(X, W) > 0, 1.0, -1.0)


def data_pass(X: np.ndarray) -> float:
    """Seconds of X.reshape(n, -1) @ w, the median of many."""
    Z, w = X.reshape(len(X), -1), np.ones(X[0].size)
    times = []
    for _ in range(15):
        begin = process_time()
        Z @ w
        times.append(process_time() - begin)
    return float(np.median(times))


def certify(make: Callable[[], SMMProblem], start=None):
    """(seconds, the problem that `make` made, last state, its certificate)."""
    begin = process_time()
    problem = make()
    states = fast_admm(problem, rho="auto", start=start)
    proof, state = solve_to_gap(problem, states, TOLERANCE, max_iter=2000)
    return process_time() - begin, problem, state, proof


def cvxpy_time(problem: SMMProblem, alpha: np.ndarray) -> tuple[float, float]:
    """Seconds that CVXPY takes and the relative gap of its answer."""
    begin = process_time()
    W = cvxpy_solution(problem)
    seconds = process_time() - begin
    primal = problem.primal(W, problem.best_intercept(W))
    return seconds, (primal - problem.dual(alpha)) / primal


HEADER = (
    *("data", "n x p x q", "C", "tau", "iter", "seconds", "passes", "Gram", "rank"),
    *("warm:iter", "passes", "CVXPY:s", "rel.gap"),
)
ROW = "{:18}{:>16}{:>6}{:>5}{:>6}{:>9}{:>8}{:>6}{:>6}{:>10}{:>8}{:>9}{:>9}"


def main() -> None:
    print(ROW.format(*HEADER))
    for n, p, q in SIZES:
        for kind, weights in WEIGHTS.items():
            X, y = samples(kind, n, p, q)
            for C, tau in weights:
                before = data_pass(X)
                seconds, problem, state, proof = certify(partial(SMMProblem, X, y, C, tau))
                one_pass = np.mean([before, data_pass(X)])
                begin = process_time()
                _ = SMMProblem(X, y, C, tau).gram
                gram = process_time() - begin
                nearby = partial(problem.with_weights, tau=NEIGHBOUR * tau)
                warm, _, moved, _ = certify(nearby, start=state)
                peer = ("-", "-")
                if n == SIZES[0][0]:
                    peer = "{:.2f} {:.1e}".format(*cvxpy_time(problem, proof.alpha)).split()
                effort = [f"{time / one_pass:.0f}" for time in (seconds, gram, warm)]
                print(
                    ROW.format(
                        *(kind, f"{n} x {p} x {q}", C, tau, state.k, f"{seconds:.2f}"),
                        *(effort[0], effort[1], proof.rank, moved.k, effort[2], *peer),
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
