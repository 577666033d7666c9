"""The linear SVM against scikit-learn's own: python -m tests.benchmarks.linear.

Gaussian features of different sizes, a tenth of the labels wrong. Of each estimator the seconds of
the processor on one core, and by how much its objective, with its best offset, is above the best
one found, relative. liblinear (`LinearSVC`, 3000 passes) penalises the offset, so its W is judged;
`SVC` is LIBSVM, which is left out where it takes minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.utils._testing import ignore_warnings
from threadpoolctl import threadpool_limits

from smmcore import LinearSVM

# Samples, features, and C times the number of features.
SIZES = (
    *((20_000, 50, 1.0), (20_000, 50, 100.0), (5_000, 400, 1.0), (5_000, 400, 100.0)),
    *((1_500, 3_000, 1.0), (1_500, 300, 10.0), (60_000, 20, 1.0)),
)
ESTIMATORS: dict[str, Callable[[float], Any]] = {
    "LinearSVM": LinearSVM,
    "LinearSVC": lambda C: LinearSVC(loss="hinge", C=C, max_iter=3000, intercept_scaling=10),
    "SVC": lambda C: SVC(kernel="linear", C=C, tol=1e-4, cache_size=500),
    "LogisticRegression": lambda C: LogisticRegression(C=C, max_iter=1000),
}
MOST_FOR_SVC = 20_000  # samples


def samples(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return X and y in {-1, 1}."""
    rng = np.random.default_rng(n + d)
    X = rng.standard_normal((n, d)) * np.exp(0.5 * rng.standard_normal(d))
    y = np.where((X @ rng.standard_normal(d) > 0) ^ (rng.random(n) < 0.1), 1.0, -1.0)
    return X + 0.3, y


def objective(X: np.ndarray, y: np.ndarray, C: float, w: np.ndarray) -> float:
    """Return the objective of the linear SVM at w and the best offset."""
    turns = np.sort(y - X @ w)
    last = int(np.count_nonzero(y > 0))
    b = 0.5 * (turns[last - 1] + turns[last])
    return float(0.5 * w @ w + C * np.maximum(1 - y * (X @ w + b), 0).sum())


@ignore_warnings(category=ConvergenceWarning)
def main() -> None:
    """Print the table."""
    print(f"{'n':>6} {'d':>5} {'C d':>5}", *(f"{name:>19}" for name in ESTIMATORS))
    for n, d, c in SIZES:
        X, y = samples(n, d)
        seconds, values = {}, {}
        for name, make in ESTIMATORS.items():
            if name == "SVC" and n > MOST_FOR_SVC:
                continue
            begin = process_time()
            machine = make(c / d).fit(X, y)
            seconds[name] = process_time() - begin
            if name != "LogisticRegression":  # which minimises something else
                values[name] = objective(X, y, c / d, np.ravel(machine.coef_))
        best = min(values.values())
        cells = (
            f"{seconds[name]:.2f} s"
            + (f", {(values[name] - best) / best:.0e}" if name in values else "")
            if name in seconds
            else "-"
            for name in ESTIMATORS
        )
        print(f"{n:6} {d:5} {c:5g}", *(f"{cell:>19}" for cell in cells), flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
