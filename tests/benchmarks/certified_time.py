"""Time to a certified relative gap of 1e-6: python -m tests.benchmarks.certified_time [NAMES].

Seconds of the processor, on one core. Cold is what a fit takes, the Gram matrix included; warm
is the next position of a slider, 1.2 tau, from the solution at tau, as a share of cold. Gram is
cold in units of one Gram matrix, passes in units of X.reshape(n, -1) @ w. Memory is what the fit
allocates beyond X at its peak, in units of X. Error is that of the objective, relative to its
optimum. CVXPY (Clarabel) has a minute, and its gap is that of its W against our dual point.
Published is the faster of two published codes, in Grams: the authors' fast ADMM with libqp, and the
semismooth Newton-CG augmented Lagrangian method of Wu, Li and Sun (2024, arXiv 2412.08023), in
Octave on another machine, to a relative error of 1e-6. Above 2000 samples no Gram matrix of all is
ever computed.
"""

import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore.datasets import column_groups
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers import default_solver, solve_to_gap
from tests.benchmarks import ignore_ctrl_c
from tests.reference import cvxpy_solution
from tests.smmcore.conftest import peak

TOLERANCE = 1e-6
NEIGHBOUR = 1.2  # a slider's next position, in tau
PATIENCE = 60.0  # seconds for CVXPY

S, M, L = (200, 20, 25), (500, 40, 50), (1000, 80, 100)


class Instance(NamedTuple):
    """A problem, its optimum and what the fastest published code takes, in Grams."""

    name: str
    kind: str  # of the samples
    size: tuple[int, int, int]
    C: float
    tau: float
    optimum: float = np.nan  # P(W*, b*), within a relative 1e-8
    published: float = np.nan


INSTANCES = [
    Instance("S1", "block", S, 1, 1, 39.7927843915715),
    Instance("S2", "unit block", S, 1, 1, 7.552674216032717),
    Instance("S3", "unit block", S, 1, 0.3, 6.317168658076715),
    Instance("S4", "gauss", S, 1, 1, 2.517740158376255),
    Instance("S5", "gauss", S, 1, 50, 104.99577763283023),
    Instance("M1", "block", M, 1, 1, 67.91958492422229, 7.3),
    Instance("M2", "unit block", M, 1, 1, 24.143547625102453, 45),
    Instance("M4", "gauss", M, 1, 1, 2.5589195691251376, 79),
    Instance("M5", "gauss", M, 1, 250, 467.17017640290885, 1470),
    Instance("L1", "block", L, 1, 1, 69.14928309995696),
    Instance("L2", "unit block", L, 1, 1, 12.117882794734529, 12),
    Instance("L3", "unit block", L, 1, 2.5, 20.48285248449553),
    Instance("L4", "gauss", L, 1, 1, 2.261198791875828, 25),
    Instance("L5", "gauss", L, 1, 500, 923.4096776347747, 810),
    Instance("wide", "gauss", (400, 256, 256), 1, 1),
    # p q < n < 5 p q, vectors, and samples that are correlated, sparse or heavy-tailed
    Instance("V15", "noisy", (2_500, 1_500, 1), 1 / 1_500, 0),
    Instance("V4", "noisy", (1_200, 400, 1), 1 / 400, 0),
    Instance("N2", "noisy", (1_568, 28, 28), 1 / 784, 0.3),
    Instance("C1", "correlated", (600, 20, 20), 0.1, 10),
    Instance("C4", "correlated", (1_600, 20, 20), 0.1, 10),
    Instance("B3", "sparse", (1_350, 18, 25), 1, 0.5),
    Instance("H3", "heavy", (1_500, 25, 20), 1e-3, 0.5),
    Instance("N4", "noisy", (4_000, 28, 28), 1, 1),
    Instance("N20", "noisy", (20_000, 28, 28), 1, 1),
    Instance("N100", "noisy", (100_000, 28, 28), 1, 1),
]


def samples(kind: str, n: int, p: int, q: int) -> tuple[np.ndarray, np.ndarray]:
    """X and y of a benchmark.

    "block" are block-correlated columns as in section 5.1 of the SMM paper, of entries near
    1 / sqrt(n), "unit block" the same of unit variance, "gauss" independent normal entries, "noisy"
    these with a true W of rank 2 and a tenth of the labels wrong. Of "correlated" entries the
    correlation falls by 0.9 a row and a column, "sparse" ones are 1 with probability 0.03 and 0
    else, "heavy" ones have Student's t distribution with 2 degrees of freedom; labels are as noisy.
    """
    if kind in DRAWN:
        rng = np.random.default_rng(0)
        X = DRAWN[kind](rng, n, p, q)
        y = _labels(X - X.mean(axis=0), _planted(rng, (p, q), 2))
        return X, np.where(rng.random(n) < 0.1, -y, y)
    if kind == "noisy":
        return _normal_samples(np.random.default_rng(0), n, (p, q), 2, 0.1)
    if kind == "gauss":
        return _normal_samples(np.random.default_rng(20_250_000 + n), n, (p, q), q // 5, 0.0)
    rng = np.random.default_rng(20_240_000 + n)
    features = np.linalg.qr(rng.standard_normal((n, 4)))[0]
    X = features[:, None, column_groups(q, 4)] + 1e-3 * rng.standard_normal((n, p, q))
    y = _labels(X, _planted(rng, (p, q), q // 5))
    return (X * np.sqrt(n) if kind == "unit block" else X), y


def _correlated(rng: np.random.Generator, n: int, p: int, q: int) -> np.ndarray:
    left, right = (
        np.linalg.cholesky(0.9 ** np.abs(np.subtract.outer(range(size), range(size))))
        for size in (p, q)
    )
    return left @ rng.standard_normal((n, p, q)) @ right.T


DRAWN: dict[str, Callable[..., np.ndarray]] = {
    "correlated": _correlated,
    "sparse": lambda rng, *size: (rng.random(size) < 0.03).astype(float),
    "heavy": lambda rng, *size: rng.standard_t(2, size),
}


def _normal_samples(
    rng: np.random.Generator, n: int, shape: tuple[int, int], rank: int, wrong: float
) -> tuple[np.ndarray, np.ndarray]:
    X = rng.standard_normal((n, *shape))
    y = _labels(X, _planted(rng, shape, rank))
    return X, np.where(rng.random(n) < wrong, -y, y)


def _planted(rng: np.random.Generator, shape: tuple[int, int], rank: int) -> np.ndarray:
    left = rng.standard_normal((shape[0], rank))
    return left @ rng.standard_normal((shape[1], rank)).T


def _labels(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.where(X.reshape(len(X), -1) @ W.ravel() >= 0, 1.0, -1.0)


def seconds_of(call: Callable[[], Any]) -> float:
    """Return the seconds of the processor that a call takes."""
    begin = process_time()
    call()
    return process_time() - begin


def data_pass(X: np.ndarray) -> float:
    """Return the seconds of X.reshape(n, -1) @ w, the median of many."""
    flat, w = X.reshape(len(X), -1), np.ones(X[0].size)
    return float(np.median([seconds_of(lambda: flat @ w) for _ in range(15)]))


def certify(make: Callable[[], SMMProblem], start: Any = None) -> tuple[SMMCertificate, Any]:
    """Solve the problem that `make` returns; return the certificate and the last state."""
    problem = make()
    return solve_to_gap(problem, default_solver(problem, start=start), TOLERANCE, 2000)


def cvxpy_time(instance: Instance, dual: float) -> tuple[float, float]:
    """Return the seconds that CVXPY takes and the relative gap of its answer, or NaN."""
    context = get_context("spawn")
    answers = context.SimpleQueue()
    process = context.Process(target=_solve_by_cvxpy, args=(instance, answers), daemon=True)
    process.start()
    process.join(PATIENCE + 10)  # and what the child takes to start
    if process.exitcode != 0:  # too slow, or short of memory
        process.kill()
        process.join()
        return np.nan, np.nan
    seconds, primal = answers.get()
    return seconds, (primal - dual) / primal


def _solve_by_cvxpy(instance: Instance, answers: Any) -> None:
    ignore_ctrl_c()
    with threadpool_limits(1):
        problem = SMMProblem(*samples(instance.kind, *instance.size), instance.C, instance.tau)
        begin = process_time()
        W = cvxpy_solution(problem)
        seconds = process_time() - begin
        answers.put((seconds, problem.primal(W, problem.best_intercept(W))))


HEADER = (
    *("", "samples", "n x p x q", "tau", "rank", "cold s", "warm", "Gram", "passes"),
    *("memory", "error", "CVXPY s", "its gap", "published"),
)
ROW = "{:5}{:12}{:>18}{:>5}{:>5}{:>8}{:>6}{:>6}{:>8}{:>8}{:>9}{:>9}{:>9}{:>13}"


def text(value: float, form: str) -> str:
    """Write a number, or a dash where there is none."""
    return "-" if np.isnan(value) else format(value, form)


def measure(instance: Instance, patient: bool) -> list[str]:
    """Return the row of an instance."""
    X, y = samples(instance.kind, *instance.size)
    n, C, tau = len(X), instance.C, instance.tau
    one_pass = data_pass(X)
    grams = 0 if n > MOST_GRAM else 5
    seconds = [seconds_of(lambda: SMMProblem(X, y, C, tau).gram) for _ in range(grams)]
    gram = float(np.median(seconds)) if seconds else np.nan
    make = partial(SMMProblem, X, y, C, tau)
    begin = process_time()
    proof, state = certify(make)
    cold = process_time() - begin
    problem = make()
    _ = problem.gram if n <= MOST_GRAM else None
    warm = seconds_of(lambda: certify(lambda: problem.with_weights(tau=NEIGHBOUR * tau), state))
    memory = peak(lambda: certify(make)) / X.nbytes
    cvxpy = cvxpy_time(instance, proof.dual) if patient else (np.nan, np.nan)
    return [
        *(instance.name, instance.kind, " x ".join(map(str, instance.size)), f"{tau:g}"),
        *(str(proof.rank), f"{cold:.2f}", f"{warm / cold:.2f}", text(cold / gram, ".1f")),
        *(f"{cold / one_pass:.0f}", f"{memory:.1f}"),
        text((proof.primal - instance.optimum) / instance.optimum, ".0e"),
        *(text(cvxpy[0], ".1f"), text(cvxpy[1], ".0e"), text(instance.published, ".1f")),
    ]


def main() -> None:
    """Print the table."""
    print(ROW.format(*HEADER))
    patient = True
    for instance in INSTANCES:
        if not sys.argv[1:] or instance.name in sys.argv[1:]:
            row = measure(instance, patient)
            patient = patient and row[-3] != "-"  # those that follow are larger
            print(ROW.format(*row), flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
