"""Iterative weighting: train a linear SVM, weigh the samples by its W, and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smmcore.problems.base import Certificate
from smmcore.problems.spectral import SMMCertificate
from smmcore.problems.weighting import WeightingProblem
from smmcore.solvers.states import check_start, freeze

Array = NDArray[np.float64]

SHARE = 0.1  # const / D(1, 1), "fixed in all of our experiments"


@dataclass(frozen=True, eq=False)
class Weighting:
    """A self-adjoint linear map of samples: other bases, weights entry by entry, and back.

    T(X) = U ((U' X V) * D) V' + const X for matrices; likewise along each axis of a tensor. That
    is U ((U' X V) * (D + const)) V' with the bases completed and D continued with zeros.
    """

    bases: tuple[Array, ...]  # (p, r), (q, s), ..., orthonormal columns; none: the standard ones
    D: Array  # (r, s, ...), magnitudes of W in these bases: step 3
    const: float  # step 5

    def __post_init__(self) -> None:
        freeze(self)

    def __call__(self, X: Array) -> Array:
        """T of one array of shape (p, q, ...), or of each of (n, p, q, ...)."""
        inner = X
        for axis, U in enumerate(self.bases):
            inner = _along(inner, U.T, axis - len(self.bases))
        inner = inner * self.D
        for axis, U in enumerate(self.bases):
            inner = _along(inner, U, axis - len(self.bases))
        return inner + self.const * X


def spectral(W: Array) -> Weighting:
    """The weighting of the low-rank SVM: singular vectors of W, and D + D(1, 1) / 10.

    For tensors the higher-order SVD: U_j spans the unfolding of W along axis j, D holds the
    magnitudes of the core, and the constant is a tenth of the largest of them.
    """
    if W.ndim == 2:
        U, d, Vt = np.linalg.svd(W, full_matrices=False)
        return Weighting((U, Vt.T), np.diag(d), SHARE * float(d[0]))
    unfoldings = (_unfolded(W, axis) for axis in range(W.ndim))
    bases = tuple(np.linalg.svd(unfolding, full_matrices=False)[0] for unfolding in unfoldings)
    core = W
    for axis, U in enumerate(bases):
        core = _along(core, U.T, axis - W.ndim)
    D = np.abs(core)
    return Weighting(bases, D, SHARE * float(D.max()))


def elementwise(W: Array) -> Weighting:
    """The weighting of AROM: each feature by its |W|."""
    return Weighting((), np.abs(W), 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightingCertificate(Certificate):
    """W and b in original coordinates, and the proof that the last SVM, a weighted one, is solved.

    P and D are that SVM's. Of a tensor the singular values are those of its first unfolding.
    """

    diagonal: Array  # (min(p, q, ...),), see `WeightingState`


@dataclass(frozen=True, eq=False)
class WeightingState:
    """What pass k has found, and all that pass k + 1 needs."""

    k: int
    W: Array  # (p, q, ...), in original coordinates: T_1 T_2 ... T_(k-1) of the SVM's W_k
    b: float
    svm: SMMCertificate  # of the linear SVM on the weighted samples, as vectors
    weightings: tuple[Weighting, ...]  # T_1, ..., T_k; the last is this W_k's
    change: float  # ||W(k) - W(k-1)||_F over the larger of the two norms
    fingerprint: Array  # (2, 8), of X and y

    def __post_init__(self) -> None:
        freeze(self)
        freeze(self.svm)

    @property
    def D(self) -> Array:
        """Magnitudes of W_k in its bases, (r, s, ...): diagonal for a matrix and its SVD."""
        return self.weightings[-1].D

    @property
    def diagonal(self) -> Array:
        """The diagonal terms of D, (min(p, q, ...),): what the paper's Figure 1 shows."""
        i = np.arange(min(self.D.shape))
        return np.asarray(self.D[(i,) * self.D.ndim])

    def certificate(self, problem: WeightingProblem, tol: float = 0.0) -> WeightingCertificate:
        """Prove that the SVM of this pass is solved; the rank counts what exceeds `tol` of the top.

        What exceeds rounding, in any case.
        """
        sigma = np.asarray(np.linalg.svd(_unfolded(self.W, 0), compute_uv=False))
        floor = max(tol, max(self.W.shape) * np.finfo(float).eps) * sigma[0]
        return WeightingCertificate(
            W=self.W,
            b=self.b,
            alpha=self.svm.alpha,
            decision=problem.centred_scores(self.W) + self.b - problem.intercept(self.W, 0.0),
            singular_values=sigma,
            rank=int(np.count_nonzero(sigma > floor)),
            primal=self.svm.primal,
            dual=self.svm.dual,
            diagonal=self.diagonal,
        )


def iterative_weighting(
    problem: WeightingProblem,
    weigh: Callable[[Array], Weighting] = spectral,
    *,
    start: WeightingState | None = None,
) -> Iterator[WeightingState]:
    """Steps 1 to 8 of the low-rank SVM with `spectral` weights, AROM with `elementwise` ones.

    Parameters
    ----------
    problem : WeightingProblem
    weigh : callable
        The weighting that a W asks for.
    start : WeightingState, optional
        A state of a run on the same problem, which goes on as if it had never stopped.

    Yields
    ------
    WeightingState
        Endlessly, one a pass. Where C is so small that W = 0 is cheapest, W shrinks to it.

    Raises
    ------
    ValueError
        If `start` is of other data.

    Notes
    -----
    The samples of pass k are X^(k) = T_(k-1) ... T_1 X, and each T is its own adjoint. So
    <W_k, X^(k)> = <T_1 T_2 ... T_(k-1) W_k, X>, in this order: that is W in original coordinates,
    and test samples need no weighting.

    Where it converges, T leaves W alone: each d_j that is kept tends to 1 - const, so that all of
    them are 10/11 (1 with AROM), and every other direction shrinks by const = 1/11 a pass. So the
    last W_k has low rank. W in original coordinates need not: a product entry by entry, with
    D + const, keeps no rank.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, sections 1.1, 4.1, 4.3.
    Weston, Elisseeff, Schölkopf, Tipping: Use of the zero-norm with linear models and kernel
    methods, JMLR 2003.
    """
    if start:
        check_start(problem, start.W, start.svm.alpha, start.fingerprint)
    samples = problem.samples
    for weighting in start.weightings if start else ():
        samples = weighting(samples)
    state = start
    while True:
        state = _pass(problem, weigh, samples, state)
        yield state
        samples = state.weightings[-1](samples)


def _pass(
    problem: WeightingProblem,
    weigh: Callable[[Array], Weighting],
    samples: Array,
    before: WeightingState | None,
) -> WeightingState:
    svm = problem.solve_svm(samples, before.svm.alpha if before else np.zeros(len(samples)))
    inner = svm.W.reshape(samples.shape[1:])
    applied = before.weightings if before else ()
    W = inner
    for weighting in reversed(applied):
        W = weighting(W)
    change = np.inf
    if before:
        size = max(np.linalg.norm(W), np.linalg.norm(before.W))
        change = float(np.linalg.norm(W - before.W) / size) if size else 0.0
    b = problem.intercept(W, svm.b)
    weightings = (*applied, weigh(inner))
    return WeightingState(len(weightings), W, b, svm, weightings, change, problem.fingerprint)


def _along(X: Array, U: Array, axis: int) -> Array:
    """U times X along an axis, counted from the last one."""
    if axis == -1:
        return np.asarray(X @ U.T)
    if axis == -2:
        return np.asarray(U @ X)
    return np.moveaxis(np.tensordot(U, X, (1, axis)), 0, axis)


def _unfolded(W: Array, axis: int) -> Array:
    return np.moveaxis(W, axis, 0).reshape(W.shape[axis], -1)
