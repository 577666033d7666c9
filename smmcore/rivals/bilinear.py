"""The problem of the bilinear SVM: W has a bounded rank, and each factor a convex problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import NamedTuple

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Certificate, MatrixProblem, scale_near_1
from smmcore.problems.samples import by_blocks
from smmcore.rivals import interior


class Half(NamedTuple):
    """The exact solution of one convex part of the problem, where one factor of W is free."""

    W: Array  # (p, q)
    b: float
    factor: Array  # (p, r) or (r, q): W is factor @ basis' or basis @ factor; or one u or v
    alpha: Array  # (n,)
    value: float  # D(alpha), a lower bound of P over this half
    steps: int = 0  # iterations of the quadratic programme


def most_work(n: int) -> int:
    """Return the iterations of all quadratic programmes of a fit after which it ends.

    Digits take 2,000 to 4,000. With features in units that differ by a factor 1e5 and C = 1e8 no
    number is enough; this one takes some ten seconds.
    """
    return 20 * n + 20_000


@dataclass(frozen=True, eq=False, repr=False)
class BilinearProblem(MatrixProblem):
    """The bilinear SVM (SMM paper, eq. 4; Pirsiavash et al., 2009).

    P(W, b) = 1/2 ||W||_F^2 + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+  over rank(W) <= r.

    With W = U Q' and fixed orthonormal columns Q it is a linear SVM on the matrices X_i Q, and with
    W = P V' a linear SVM on P' X_i: two convex halves of a problem that is not convex.

    Parameters
    ----------
    X, y, sample_weight : array-like
        As in `SMMProblem`.
    C : float
        Loss weight, positive.
    rank : int
        r, at least 1 and at most min(p, q).
    offset : bool
        Whether there is an offset b; the paper has none, so b = 0.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 4. Pirsiavash, Ramanan, Fowlkes:
    Bilinear classifiers for visual recognition, 2009.
    """

    C: float
    rank: int
    offset: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_C()
        most = min(self.shape[1:])
        if not (isinstance(self.rank, Integral) and 1 <= self.rank <= most):
            raise ValueError(f"rank must be between 1 and min(p, q) = {most}, got {self.rank!r}")

    def _of_samples(self, function: Callable[[Array], Array]) -> Array:
        """Return a linear function of the samples, by blocks."""
        # Without an offset the samples may not be centred.
        mean = self._samples.mean.reshape(self.X.shape[1:]) if self.offset else 0.0
        return by_blocks(self.X, lambda X: function(X - mean))

    def primal(self, W: Array, b: float) -> float:
        """Return P(W, b) for W of any rank."""
        return self._primal(W, self.centred_scores(W) + (b - self.intercept(W, 0.0)))

    def _primal(self, W: Array, decision: Array) -> float:
        hinge = np.maximum(1 - self.y * decision, 0.0)
        return 0.5 * float(np.sum(W**2)) + self.C * float((self.sample_weight * hinge).sum())

    def solve_half(self, basis: Array, side: str, start: Array) -> Half:
        """Return the best W with a given row space (side "right") or column space ("left").

        The orthonormal columns of `basis`, shape (q, r) or (p, r), span the space; `start` is a
        feasible alpha.
        """
        n = len(self.y)
        right = side == "right"
        features = self._of_samples(lambda X: X @ basis if right else basis.T @ X)
        shape, rows = features.shape[1:], features.reshape(n, -1)
        alpha, steps = self._solve_svm(rows, start, np.zeros(n))
        factor = ((alpha * self.y) @ rows).reshape(shape)
        W = factor @ basis.T if right else basis @ factor
        b = 0.0
        if self.offset:
            b = self.intercept(W, self.best_offset(rows @ factor.ravel()))
        value = float(alpha.sum()) - 0.5 * float(np.sum(factor**2))
        return Half(W, b, factor, alpha, value, steps)

    def solve_vector(
        self,
        kept: Array,  # (q,) or (p,), the fixed vector, of length 1
        others: Array,  # (p, r - 1) or (q, r - 1), orthonormal: the other terms' vectors
        rest: Array,  # (p, q), the sum of the other terms, whose vectors are orthogonal to `kept`
        side: str,  # "right" or "left", that of the fixed vector
        start: Array,  # (n,), a feasible alpha
    ) -> Half:
        """Return the best W = rest + u v' over one of u and v, orthogonal to the other terms.

        This is a linear SVM on the vectors X_i v (or X_i' u) in which sample i has the score
        r_i = <rest, X_i> already, so the linear term of alpha_i is 1 - y_i r_i.
        """
        rows = self._of_samples(lambda X: (X if side == "right" else X.swapaxes(1, 2)) @ kept)
        rows -= (rows @ others) @ others.T
        scores = self._of_samples(lambda X: np.tensordot(X, rest))
        alpha, steps = self._solve_svm(rows, start, scores)
        vector = (alpha * self.y) @ rows
        term = np.outer(vector, kept)
        W = rest + (term if side == "right" else term.T)
        norms = float(np.sum(rest**2)), float(vector @ vector)
        value = float(alpha @ (1 - self.y * scores)) + 0.5 * (norms[0] - norms[1])
        return Half(W, self.best_intercept(W), vector, alpha, value, steps)

    def best_offset(self, scores: Array) -> float:
        return super().best_offset(scores) if self.offset else 0.0

    def best_intercept(self, W: Array) -> float:
        """Return the b that minimises P(W, b), or 0 without an offset."""
        return super().best_intercept(W) if self.offset else 0.0

    def certificate(self, half: Half, *others: Half) -> Certificate:
        """Return a certificate that moving one factor alone lowers P by at most the gap.

        It takes the solutions of all parts at the same W, and returns W of the first, times the
        best number near 1. With such a factor a bilinear W = U Q' keeps its spaces, so the bound
        holds; the other terms around a `solve_vector` change it by less than rounding.
        """
        dual = min(part.value for part in (half, *others))
        scores = self._of_samples(lambda X: np.tensordot(X, half.W))
        scale = self._best_scale(half.W, scores, dual)
        W, scores = scale * half.W, scale * scores
        b = self.best_offset(scores)
        decision = scores + b
        sigma = np.asarray(np.linalg.svd(W, compute_uv=False), dtype=float)
        return Certificate(
            W=W,
            b=self.intercept(W, b) if self.offset else 0.0,  # samples are centred with one only
            alpha=half.alpha,
            decision=decision,
            singular_values=sigma,
            rank=int(np.count_nonzero(sigma > max(W.shape) * np.finfo(float).eps * sigma[0])),
            primal=self._primal(W, decision),
            dual=dual,
        )

    def _best_scale(self, W: Array, scores: Array, dual: float) -> float:
        def value(s: float) -> float:
            return self._primal(s * W, s * scores + self.best_offset(s * scores))

        primal = value(1.0)
        if primal - dual >= 1e-3 * primal:
            return 1.0
        return scale_near_1(value, float(np.linalg.norm(W)), primal, dual)

    def _solve_svm(self, rows: Array, start: Array, scores: Array) -> tuple[Array, int]:
        """Return alpha of the linear SVM on these features, and the number of iterations."""
        ends = self.C * self.sample_weight * self.y
        u, steps = interior.maximise_by_rows(
            rows,
            self.y - scores,
            np.minimum(ends, 0.0),
            np.maximum(ends, 0.0),
            self.y * start,
            has_sum=self.offset,
            most=10 * len(ends) + 1000,
        )
        return np.abs(u), steps
