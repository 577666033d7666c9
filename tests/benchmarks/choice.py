"""Newton's method, the augmented Lagrangian method, and the choice of the two on kinds of data:

python -m tests.benchmarks.choice FIRST LAST, the seeds. Of each problem its size over p q, the
seconds of the processor until 1e-6 of the two methods and of `default_solver`, and the ratio of the
last to the better one. A fit ends after 8 seconds, which then count.
"""

import sys
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

from smmcore.problems import SMMProblem
from smmcore.solvers import augmented_lagrangian, default_solver, newton, solve_to_gap
from tests.benchmarks.certified_time import DRAWN

PATIENCE = 8.0  # seconds
LARGEST = 4_000, 4_000_000  # samples, and numbers in X

Rng = np.random.Generator


def _rank_five(rng: Rng, n: int, p: int, q: int) -> np.ndarray:
    features = rng.standard_normal((n, 5)) @ rng.standard_normal((5, p * q))
    return features.reshape(n, p, q) + 0.3 * rng.standard_normal((n, p, q))


def _blocks(rng: Rng, n: int, p: int, q: int) -> np.ndarray:
    columns = rng.standard_normal((n, 1, -(-q // 5)))
    return np.repeat(columns, 5, axis=2)[:, :, :q] + 0.5 * rng.standard_normal((n, p, q))


def _digits(rng: Rng, n: int, p: int, q: int) -> np.ndarray:
    images, scale = load_digits().images, int(rng.integers(2, 4))
    chosen = images[rng.integers(0, len(images), n)] / 16
    return np.kron(chosen, np.ones((1, scale, scale))) + 0.3 * rng.standard_normal(
        (n, 8 * scale, 8 * scale)
    )


KINDS: dict[str, Callable[..., np.ndarray]] = {
    **DRAWN,
    "rank 5": _rank_five,
    "smooth": lambda rng, *size: rng.standard_normal(size).cumsum(1).cumsum(2),
    "vectors": lambda rng, n, p, q: rng.standard_normal((n, p * q, 1)),
    "gauss": lambda rng, *size: rng.standard_normal(size),
    "blocks": _blocks,
    "digits": _digits,
}


def problem(seed: int) -> tuple[str, np.ndarray, np.ndarray, float, float]:
    """Return the kind of the samples, X, y, C and tau, all drawn."""
    rng = np.random.default_rng(seed)
    kind = [*KINDS][seed % len(KINDS)]
    p, q = (int(size) for size in rng.integers(6, 40, 2))
    n = int(0.5 * 20.0 ** rng.uniform() * p * q)
    X = KINDS[kind](rng, max(60, min(n, LARGEST[0], LARGEST[1] // (p * q))), p, q)
    n, p, q = X.shape
    centred = X - X.mean(axis=0)
    rank = int(rng.integers(1, 4))
    W = rng.standard_normal((p, rank)) @ rng.standard_normal((rank, q))
    scores = centred.reshape(n, -1) @ W.ravel()
    threshold, wrong = np.quantile(scores, rng.choice([0.5, 0.7])), rng.choice([0, 0.05, 0.2])
    y = np.where((scores > threshold) ^ (rng.random(n) < wrong), 1.0, -1.0)
    C = 10 ** rng.uniform(-1, 3) * n / np.linalg.norm(centred) ** 2
    plain = SMMProblem(X, y, C, 0.0)
    largest = np.linalg.norm(plain.omega(plain.balance(np.full(n, C))), 2)
    return kind, X, y, float(C), float(largest * 10 ** rng.uniform(-2.3, -0.4))


def seconds(solver: Callable[[SMMProblem], Iterator[Any]], *data: Any) -> float:
    """Return the seconds of the processor until a gap of 1e-6."""
    begin = process_time()
    fresh = SMMProblem(*data)

    def patient() -> Iterator[Any]:
        for state in solver(fresh):
            yield state
            if process_time() - begin > PATIENCE:
                return

    solve_to_gap(fresh, patient(), 1e-6, 2000)
    return process_time() - begin


def main() -> None:
    """Print a row for each problem, and the totals."""
    rows = []
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        kind, X, *rest = problem(seed)
        row = [seconds(solver, X, *rest) for solver in (newton, augmented_lagrangian)]
        row.append(seconds(default_solver, X, *rest))
        rows.append(row)
        print(
            f"{seed:4} {kind:11}{' x '.join(map(str, X.shape)):>16} {len(X) / X[0].size:5.1f}",
            *(f"{each:8.3f}" for each in row),
            f"{row[2] / min(row[:2]):8.2f}",
            flush=True,
        )
    times = np.array(rows)
    ratios = times[:, 2] / times[:, :2].min(axis=1)
    total = times[:, 2].sum() / times[:, :2].min(axis=1).sum()
    print(f"total {total:.2f}, mean ratio {np.exp(np.log(ratios).mean()):.2f}, ", end="")
    print(f"worst {ratios.max():.2f}, above 2: {(ratios > 2).sum()} of {len(ratios)}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
