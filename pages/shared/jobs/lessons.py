"""What a single lesson asks beside its run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.films.weighting import kept
from pages.shared.jobs.shelf import take
from pages.shared.recipes import WeightingRun
from smmcore.iterate import last, until
from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.weighting import elementwise, spectral

TURNED = 50  # rows and columns of A X Bᵀ


class Turned(NamedTuple):
    """What a method learns from X, and from A X Bᵀ with A and B of orthonormal columns."""

    method: str
    apart: float  # ||W_2 - A W Bᵀ||_F over the larger norm of the two; W_2 from A X Bᵀ
    scores: float  # the largest difference of a test sample's scores, over the largest score
    held: tuple[float, float]  # accuracy on the test samples, of X and of A X Bᵀ
    singular_values: NDArray[np.float64]  # (TURNED,), of W_2
    kept: int  # weights that count in the last pass


def turned(run: WeightingRun) -> list[Turned]:
    """Learn from a run's X, 10 x 10, and from A X Bᵀ: the linear SVM, LowRank and AROM."""
    data = take(run.data)
    rng = np.random.default_rng([run.data.seed, 1])  # the data have the seed itself
    A, B = (np.linalg.qr(rng.standard_normal((TURNED, 10)))[0] for _ in range(2))
    X, y, _ = data.held
    tests = X, A @ X @ B.T
    samples = data.problem.X, A @ data.problem.X @ B.T
    problems = [WeightingProblem(X, data.problem.y, run.C) for X in samples]
    found = []
    for method, weigh, passes in (
        ("linear SVM", spectral, 1),  # the first pass
        ("LowRank", spectral, run.max_iter),
        ("AROM", elementwise, run.max_iter),
    ):
        one, two = (
            last(until(iterative_weighting(p, weigh), lambda s: s.change <= run.tol, passes))
            for p in problems
        )
        carried = A @ one.W @ B.T
        size = max(np.linalg.norm(carried), np.linalg.norm(two.W)) or 1.0
        scores = [np.tensordot(X, s.W) + s.b for X, s in zip(tests, (one, two), strict=True)]
        found.append(
            Turned(
                method,
                float(np.linalg.norm(two.W - carried) / size),
                float(np.abs(scores[1] - scores[0]).max() / np.abs(scores).max()),
                tuple(float(np.mean((score > 0) == (y > 0))) for score in scores),
                np.linalg.svd(two.W, compute_uv=False),
                kept(two),
            )
        )
    return found
