"""Iterative weighting: train a linear SVM, weight the samples by its W, and repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Certificate
from smmcore.problems.spectral import SMMCertificate
from smmcore.solvers.states import State, check_sample_weight, check_start, freeze
from smmcore.wolf.weighted_svm import WeightingProblem

SHARE = 0.1  # const / D(1, 1), "fixed in all of our experiments"


@dataclass(frozen=True, eq=False, repr=False)
class Weighting(State):
    """A self-adjoint linear map of samples, which weights their entries in other bases.

    T(X) = U ((U' X V) * D) V' + const X for matrices, and likewise along each axis of a tensor.
    With complete bases and D extended by zeros, T(X) = U ((U' X V) * (D + const)) V'.
    """

    bases: tuple[Array, ...]  # (p, r), (q, s), ..., orthonormal columns; empty: standard
    D: Array  # (r, s, ...), magnitudes of W in these bases: step 3
    const: float  # step 5

    def __call__(self, X: Array) -> Array:
        """Return T of one array of shape (p, q, ...), or of each of (n, p, q, ...)."""
        inner = X
        for axis, U in enumerate(self.bases):
            inner = _multiply_along(inner, U.T, axis - len(self.bases))
        inner = inner * self.D
        for axis, U in enumerate(self.bases):
            inner = _multiply_along(inner, U, axis - len(self.bases))
        return inner + self.const * X


def spectral_weighting(W: Array) -> Weighting:
    """Return the weighting of the low-rank SVM: singular vectors of W, and D + D(1, 1) / 10.

    For tensors it uses the higher-order SVD: U_j spans the unfolding of W along axis j, D holds the
    magnitudes of the core, and the constant is a tenth of the largest magnitude.
    """
    if W.ndim == 2:
        U, d, Vt = np.linalg.svd(W, full_matrices=False)
        return Weighting((U, Vt.T), np.diag(d), SHARE * float(d[0]))
    unfoldings = (_unfold(W, axis) for axis in range(W.ndim))
    bases = tuple(np.linalg.svd(unfolding, full_matrices=False)[0] for unfolding in unfoldings)
    core = W
    for axis, U in enumerate(bases):
        core = _multiply_along(core, U.T, axis - W.ndim)
    D = np.abs(core)
    return Weighting(bases, D, SHARE * float(D.max()))


def elementwise_weighting(W: Array) -> Weighting:
    """Return the weighting of AROM: each feature by its |W|."""
    return Weighting((), np.abs(W), 0.0)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WeightingCertificate(Certificate):
    """W and b in original coordinates, and the certificate of the last weighted SVM.

    P and D are those of this SVM. The singular values of a tensor are those of its first unfolding.
    """

    diagonal: Array  # (min(p, q, ...),), see `WeightingState`


@dataclass(frozen=True, eq=False, repr=False)
class WeightingState(State):
    """The result of pass k, and all that pass k + 1 needs."""

    k: int
    W: Array  # (p, q, ...), in original coordinates: T_1 T_2 ... T_(k-1) of the SVM's W_k
    b: float
    svm: SMMCertificate  # of the linear SVM on the weighted samples, as vectors
    weightings: tuple[Weighting, ...]  # T_1, ..., T_k; the last belongs to W_k
    change: float  # ||W(k) - W(k-1)||_F / max(||W(k)||_F, ||W(k-1)||_F)
    fingerprint: Array  # (3, 8), of X, y and the sample weights

    def __post_init__(self) -> None:
        super().__post_init__()
        freeze(self.svm)

    @property
    def D(self) -> Array:
        """Magnitudes of W_k in its bases, (r, s, ...): diagonal for a matrix and its SVD."""
        return self.weightings[-1].D

    @property
    def diagonal(self) -> Array:
        """The diagonal of D, (min(p, q, ...),), as in Figure 1 of the paper."""
        i = np.arange(min(self.D.shape))
        return np.asarray(self.D[(i,) * self.D.ndim])

    def certificate(self, problem: WeightingProblem, tol: float = 0.0) -> WeightingCertificate:
        """Return the certificate of this pass's SVM.

        The rank counts singular values above `tol`, or rounding if larger, times the largest.
        """
        sigma = np.asarray(np.linalg.svd(_unfold(self.W, 0), compute_uv=False))
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
    weigh: Callable[[Array], Weighting] = spectral_weighting,
    *,
    start: WeightingState | None = None,
) -> Iterator[WeightingState]:
    """Run the low-rank SVM (steps 1 to 8), or with `elementwise_weighting` AROM.

    Parameters
    ----------
    problem : WeightingProblem
        Samples, labels and C.
    weigh : callable
        Returns the `Weighting` for a W.
    start : WeightingState, optional
        A state of a run on the same problem, which then continues exactly. Other data raise a
        ValueError.

    Yields
    ------
    WeightingState
        Endlessly, one for each pass. If C is so small that W = 0 is optimal, W shrinks to 0.

    Notes
    -----
    The samples of pass k are X^(k) = T_(k-1) ... T_1 X, and each T is its own adjoint. So
    <W_k, X^(k)> = <T_1 T_2 ... T_(k-1) W_k, X>, in this order. T_1 T_2 ... T_(k-1) W_k is W in
    original coordinates, so test samples need no weighting.

    At convergence T does not change W: the nonzero d_j tend to 1 - const, which is 10/11 (1 with
    AROM), and every other direction shrinks by the factor const = 1/11 in each pass. So the last
    W_k has low rank. W in original coordinates need not have low rank, as an elementwise product
    with D + const does not preserve it.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, sections 1.1, 4.1, 4.3.
    Weston, Elisseeff, Schölkopf, Tipping: Use of the zero-norm with linear models and kernel
    methods, JMLR 2003.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.iterate import last, until
    >>> from smmcore.wolf.weighted_svm import WeightingProblem
    >>> from smmcore.wolf.reweighting import iterative_weighting
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = WeightingProblem(X, y, C=1.0)
    >>> passes = iterative_weighting(problem)
    >>> state = last(until(passes, lambda state: state.change <= 1e-6, 1000))
    >>> state.W.shape
    (6, 5)
    """
    if start:
        check_start(problem, start.W, start.svm.alpha, start.fingerprint)
        check_sample_weight(problem, start.fingerprint)
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


def _multiply_along(X: Array, U: Array, axis: int) -> Array:
    """Multiply X by U along an axis, which is counted from the last."""
    if axis == -1:
        return np.asarray(X @ U.T)
    if axis == -2:
        return np.asarray(U @ X)
    return np.moveaxis(np.tensordot(U, X, (1, axis)), 0, axis)


def _unfold(W: Array, axis: int) -> Array:
    return np.moveaxis(W, axis, 0).reshape(W.shape[axis], -1)
