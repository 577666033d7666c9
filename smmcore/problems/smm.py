"""The support matrix machine: objective, dual, and the certificate that proves an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from smmcore import qp
from smmcore.problems.base import Candidate, Certificate, MatrixProblem, middle_of_minimisers
from smmcore.prox import project_simplex_ball, thresholded_svd

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SMMCertificate(Certificate):
    """A certificate that bounds the error of W as well: 1/2 ||W - W*||_F^2 <= gap, W* unique."""

    @property
    def radius(self) -> float:
        """sqrt(2 gap): ||W - W*||_F is at most this."""
        return float(np.sqrt(2 * max(self.gap, 0.0)))

    @property
    def relative_radius(self) -> float:
        """sqrt(2 gap) / ||W||_F, infinite at W = 0. A small relative gap alone can be empty."""
        norm = float(np.linalg.norm(self.singular_values))
        return self.radius / norm if norm else np.inf

    @property
    def certain_rank(self) -> int:
        """The rank that W* has at least: so many singular values of W exceed the radius."""
        return int(np.count_nonzero(self.singular_values > self.radius))


@dataclass(frozen=True, eq=False)
class SMMProblem(MatrixProblem):
    """The support matrix machine on given data (SMM paper, eq. 6).

    P(W, b) = 1/2 ||W||_F^2 + tau ||W||_* + C sum_i [1 - y_i (<W, X_i> + b)]_+

    D(alpha) = sum_i alpha_i - 1/2 ||D_tau(Omega(alpha))||_F^2 with
    Omega(alpha) = sum_i alpha_i y_i X_i, on 0 <= alpha <= C, y @ alpha = 0.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples; not copied, so they are not to be changed.
    y : array-like of shape (n,)
        Labels -1 and +1, both present.
    C : float
        Loss weight, positive.
    tau : float
        Nuclear weight, at least 0; at 0 the problem is the linear soft-margin SVM.

    Raises
    ------
    ValueError
        If a shape, a label or a weight is not of this kind, or X is not finite or so large or small
        that its squares are not.
    """

    C: float
    tau: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_weights()

    def _check_weights(self) -> None:
        self._check_positive("C")
        if not (isinstance(self.tau, Real) and 0 <= self.tau < np.inf):
            raise ValueError(f"tau must be at least 0 and finite, got {self.tau!r}")

    def with_weights(self, *, C: float | None = None, tau: float | None = None) -> SMMProblem:
        """The problem with other weights on the same data, Gram matrix included."""
        C, tau = self.C if C is None else C, self.tau if tau is None else tau
        other = self._with(C=C, tau=tau)
        other._check_weights()
        return other

    def _prepare(self) -> None:
        _ = self.gram

    def best_alpha(
        self, linear: Array, start: Array, tolerance: float = 1e-10
    ) -> tuple[Array, float, float]:
        """The feasible alpha that maximises linear @ u - 1/2 u' gram u with u = y alpha.

        Returns it with the multiplier of y @ alpha = 0, an intercept for X_i - mean, and with the
        largest violation of the KKT conditions, see `qp.maximise`.
        """
        ends = self.C * self.y
        box = np.minimum(ends, 0.0), np.maximum(ends, 0.0)
        solution = qp.maximise(self.gram, linear, *box, self.y * start, tolerance)
        return np.abs(solution.u), solution.offset, solution.violation

    def primal(self, W: Array, b: float) -> float:
        """P(W, b)."""
        scores = self.centred_scores(W)
        sigma = np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False)
        return self._primal(sigma, scores, b - self.intercept(W, 0.0))

    def dual(self, alpha: ArrayLike) -> float:
        """D(alpha), minus infinity where alpha is not feasible.

        y @ alpha counts as 0 up to the rounding of a sum of n terms.
        """
        alpha = np.asarray(alpha, dtype=float)
        sigma = np.linalg.svd(self.omega(alpha), compute_uv=False)
        return self._dual(alpha, np.maximum(sigma - self.tau, 0.0))

    def duality_gap(self, W: Array, b: float, alpha: ArrayLike) -> float:
        """P(W, b) - D(alpha), which bounds P(W, b) - P* and 1/2 ||W - W*||_F^2."""
        return self.primal(W, b) - self.dual(alpha)

    def best_intercept(self, W: Array) -> float:
        """The b that minimises P(W, b): the middle of the interval of minimisers."""
        return self.intercept(W, middle_of_minimisers(self.y, self.centred_scores(W)))

    def best_primal(self, candidate: Candidate, s: float = 1.0) -> tuple[float, float]:
        """(P(s W, b), b) at the best b, the b of <s W, X_i - mean> + b."""
        b = middle_of_minimisers(self.y, s * candidate.scores)
        return self._primal(s * candidate.singular_values, s * candidate.scores, b), b

    def certificate(
        self, alpha: Array, Omega: Array | None = None, also: Sequence[Candidate] = ()
    ) -> SMMCertificate:
        """Prove how good a dual feasible alpha is by the best primal point at hand.

        That is s D_tau(Omega(alpha)) (Theorem 1), or s W of one of the further candidates, where
        s >= 0 and b minimise P(s W, b), or W = 0 where nothing is better. A scale s other than 1 is
        tried where the gap is small already: it removes the rounding error of the margins, which
        C n would multiply. The rank counts singular values above the rounding of Omega.

        Parameters
        ----------
        alpha : ndarray of shape (n,)
        Omega : ndarray of shape (p, q), optional
            Omega(alpha), where the caller has it.
        also : sequence of Candidate
            Where tau exceeds ||W||_2 by more than the digits of a float, D_tau(Omega) has lost W;
            the S of an ADMM has not.
        """
        n, p, q = self.shape
        svd = thresholded_svd(self.omega(alpha) if Omega is None else Omega, self.tau)
        dual = self._dual(alpha, svd.thresholded)
        theorem_1 = Candidate(svd.matrix, svd.thresholded, self.centred_scores(svd.matrix))
        nothing = Candidate(np.zeros_like(svd.matrix), np.zeros_like(svd.thresholded), np.zeros(n))
        points = [(c, self.best_primal(c)) for c in (nothing, theorem_1, *also)]
        best, (primal, b) = min(points, key=lambda point: point[1])
        scale, primal, b = self._best_scale(best, primal, b, dual)
        W = scale * best.W
        floor = max(p, q) * np.finfo(float).eps * float(alpha @ np.sqrt(np.diag(self.gram)))
        return SMMCertificate(
            W=W,
            b=self.intercept(W, b),
            alpha=alpha,
            decision=scale * best.scores + b,
            singular_values=scale * best.singular_values,
            rank=int(np.count_nonzero(best.singular_values > floor)),
            primal=primal,
            dual=dual,
        )

    def _best_scale(
        self, point: Candidate, primal: float, b: float, dual: float
    ) -> tuple[float, float, float]:
        """(s, P(s W, b), b) that minimise, tried where the end is near or C n amplifies a slack."""
        scale, norm = 1.0, float(np.linalg.norm(point.singular_values))
        near = primal - dual < 1e-3 * abs(primal) or primal > 2 * dual > 0
        for _ in range(5 if norm and near else 0):
            # P(sW, b) is convex in s with curvature ||W||^2: its minimum is within this of s, and
            # a ten-thousandth of it costs no more than such a part of the gap.
            reach = float(np.sqrt(2 * max(primal - dual, 0.0))) / norm
            if not reach:
                break
            found = minimize_scalar(
                lambda s: self.best_primal(point, s)[0],
                bounds=(max(scale - reach, 0.0), scale + reach),
                method="bounded",
                options={"xatol": 1e-4 * reach},
            )
            gap = primal - dual
            if found.fun < primal:
                scale = float(found.x)
                primal, b = self.best_primal(point, scale)
            if primal - dual > 0.1 * gap:
                break
        return scale, primal, b

    def tau_max(self, tol: float = 1e-6) -> float:
        """The smallest tau with the solution W = 0, too high by at most `tol`, relative."""
        return self.tau_max_bounds(tol)[1]

    def tau_max_bounds(self, tol: float = 1e-6) -> tuple[float, float]:
        """An interval that holds the smallest tau with W = 0, its width at most `tol`, relative.

        It is the minimum of ||Omega(alpha)||_2 over the feasible alpha that are C on the whole
        smaller class; found by ADMM on Omega(alpha) = M, bounded from below by
        min_alpha <Y, Omega(alpha)> with ||Y||_* <= 1.

        Raises
        ------
        ValueError
            If `tol` is not positive.

        Warns
        -----
        RuntimeWarning
            If a thousand iterations left the interval wider than `tol`; it still holds tau_max.
        """
        if not tol > 0:
            raise ValueError(f"tol must be positive, got {tol!r}")
        y, C = self.y, self.C
        smaller = y == (1.0 if 2 * np.count_nonzero(y > 0) <= len(y) else -1.0)
        m = np.count_nonzero(smaller)
        alpha = np.where(smaller, 1.0, m / (len(y) - m))  # in units of C
        M = self.omega(alpha)
        top = float(np.linalg.norm(M, 2))
        low, high = 0.0, top
        if 2 * m == len(y):
            return C * top, C * top
        fixed = np.where(smaller, y, 0.0)
        box = np.minimum(fixed, y), np.maximum(fixed, y)
        # Where the smaller class's mean lies in the hull of the other tau_max is 0, and the
        # iteration below would creep towards it: one programme tells.
        nearest = np.abs(qp.maximise(self.gram, np.zeros_like(y), *box, y * alpha).u)
        norm = float(np.linalg.norm(self.omega(nearest), 2))
        if norm <= 1e-9 * float(nearest @ np.sqrt(np.diag(self.gram))):
            return 0.0, C * norm
        margin = float(np.sqrt(np.diag(self.gram).max())) * top
        Y, rho = np.zeros_like(M), 1 / top
        for k in range(1, 1001):
            linear = self.centred_scores(M - Y / rho)
            alpha = np.abs(
                qp.maximise(self.gram, linear, *box, y * alpha, tolerance=1e-10 * margin).u
            )
            Omega = self.omega(alpha)
            U, sigma, Vt = np.linalg.svd(Omega + Y / rho, full_matrices=False)
            before, Y = M, (U * project_simplex_ball(rho * sigma)) @ Vt
            M = (U * sigma) @ Vt - Y / rho
            scores = y * self.centred_scores(Y)
            low = max(low, scores[smaller].sum() + np.sort(scores[~smaller])[:m].sum())
            high = min(high, float(np.linalg.norm(Omega, 2)))
            if high - low <= tol * high:
                return C * low, C * high
            if k % 10 == 0 and k <= 100:  # residual balancing; a few times only, so it converges
                primal, dual = np.linalg.norm(Omega - M), np.linalg.norm(M - before)
                rho *= float(np.clip(primal / max(dual, 1e-3 * primal), 1 / 3, 3))
        warn(
            f"tau_max lies between {C * low:.9g} and {C * high:.9g}; tol={tol} was not reached",
            RuntimeWarning,
            stacklevel=2,
        )
        return C * low, C * high

    def _primal(self, sigma: Array, scores: Array, b: float) -> float:
        hinge = np.maximum(1 - self.y * (scores + b), 0.0)
        return float(0.5 * sigma @ sigma + self.tau * sigma.sum() + self.C * hinge.sum())

    def _dual(self, alpha: Array, thresholded: Array) -> float:
        total = float(alpha.sum())
        feasible = (
            alpha.min() >= 0 and alpha.max() <= self.C and abs(self.y @ alpha) <= 1e-12 * total
        )
        return total - 0.5 * float(thresholded @ thresholded) if feasible else -np.inf
