"""Alternating minimisation for the bilinear SVM, each factor by an exact SVM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Certificate
from smmcore.rivals.bilinear import BilinearProblem, Half
from smmcore.solvers.states import State, check_sample_weight, check_start

OTHER = {"right": "left", "left": "right"}


@dataclass(frozen=True, eq=False, repr=False)
class BilinearState(State):
    """The result of half-step k, and all that half-step k + 1 needs."""

    k: int
    half: Half  # the SVM solved in half-step k
    ahead: Half  # the SVM of half-step k + 1, which also certifies this one
    side: str  # "right" or "left": the space that half-step k + 1 keeps
    work: int  # steps of the quadratic programmes so far
    fingerprint: Array  # (3, 8), of X, y and the sample weights

    @property
    def W(self) -> Array:
        """W(k), shape (p, q), of rank at most r."""
        return self.half.W

    @property
    def b(self) -> float:
        """b(k)."""
        return self.half.b

    @property
    def alpha(self) -> Array:
        """alpha(k), shape (n,)."""
        return self.half.alpha

    def certificate(self, problem: BilinearProblem) -> Certificate:
        """Return the certificate of this W: the most that one factor alone can gain."""
        return problem.certificate(self.half, self.ahead)


def alternating_svm(
    problem: BilinearProblem, *, start: Array | BilinearState
) -> Iterator[BilinearState]:
    """Solve for one factor of W at a time, each time exactly; the objective never rises.

    Parameters
    ----------
    problem : BilinearProblem
        Samples, labels, C, the rank, and whether there is an offset.
    start : ndarray of shape (q, r) or BilinearState
        Orthonormal columns that span the row space of the first W, or a state of a run on the same
        problem, which then continues exactly.

    Yields
    ------
    BilinearState
        Endlessly, one for each half-step.

    Raises
    ------
    ValueError
        At the call, if `start` is of other data, or has another shape or columns that are not
        orthonormal.

    Notes
    -----
    With W = U Q' and orthonormal Q, ||W||_F = ||U||_F, so U solves the linear SVM on X_i Q. Then
    the left space is kept: P = orth(U), W = P V', and V solves the linear SVM on P' X_i. This is
    the alternation of the reference, in coordinates in which its two penalties are the identity.

    References
    ----------
    Pirsiavash, Ramanan, Fowlkes: Bilinear classifiers for visual recognition, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.rivals.bilinear import BilinearProblem
    >>> from smmcore.rivals.alternating import alternating_svm
    >>> from smmcore.solvers import solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = BilinearProblem(X, y, C=0.1, rank=1, offset=True)
    >>> states = alternating_svm(problem, start=np.eye(5)[:, :1])
    >>> proof, state = solve_to_gap(problem, states, 1e-6, 1000)
    >>> proof.rank, proof.within(1e-6)
    (1, True)
    """
    if isinstance(start, BilinearState):
        check_start(problem, start.W, start.alpha, start.fingerprint)
        check_sample_weight(problem, start.fingerprint)
        return islice(_run(problem, start), 1, None)
    return _run(problem, _first_state(problem, start))


def _run(problem: BilinearProblem, state: BilinearState) -> Iterator[BilinearState]:
    while True:
        yield state
        state = _state(problem, state.k + 1, state.ahead, OTHER[state.side], state.work)


def linear_svm(problem: BilinearProblem) -> Array:
    """Return W of the linear SVM, which is the problem at full rank, shape (p, q)."""
    return problem.solve_half(np.eye(problem.shape[2]), "right", np.zeros(len(problem.y))).W


def svm_basis(problem: BilinearProblem) -> Array:
    """Return the leading row space of the linear SVM's W as a start, shape (q, r)."""
    Vt = np.linalg.svd(linear_svm(problem), full_matrices=False)[2]
    return np.ascontiguousarray(Vt[: problem.rank].T)


def _first_state(problem: BilinearProblem, basis: Array) -> BilinearState:
    n, _, q = problem.shape
    basis = np.array(basis, dtype=float)
    if basis.shape != (q, problem.rank):
        raise ValueError(f"start must have shape {(q, problem.rank)}, got {basis.shape}")
    if np.abs(basis.T @ basis - np.eye(problem.rank)).max() > 1e-8:
        raise ValueError("start must have orthonormal columns")
    half = problem.solve_half(basis, "right", np.zeros(n))
    return _state(problem, 1, half, "left", half.steps)


def _state(problem: BilinearProblem, k: int, half: Half, side: str, work: int) -> BilinearState:
    """Return the state after a half-step, given the side that the next one keeps."""
    columns = half.factor if side == "left" else half.factor.T
    basis = np.asarray(np.linalg.qr(columns)[0])
    ahead = problem.solve_half(basis, side, half.alpha)
    return BilinearState(k, half, ahead, side, work + ahead.steps, problem.fingerprint)
