"""Cyclic minimisation for the rank-k SVM, one vector of one rank-one term at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Certificate
from smmcore.rivals.bilinear import BilinearProblem, Half
from smmcore.solvers.states import State, check_sample_weight, check_start


@dataclass(frozen=True, eq=False, repr=False)
class CyclicState(State):
    """The result of step t, and all that step t + 1 needs: W = sum_j d_j u_j v_j'."""

    t: int  # number of steps: u_1, v_1, ..., u_r, v_r, u_1, ...
    U: Array  # (p, r), orthonormal columns u_j / ||u_j||
    V: Array  # (q, r), orthonormal columns v_j / ||v_j||
    d: Array  # (r,), ||u_j|| ||v_j||
    b: float
    alpha: Array  # (n,), of the last SVM
    work: int  # steps of the quadratic programmes so far, without those of certificates
    fingerprint: Array  # (3, 8), of X, y and the sample weights

    @property
    def k(self) -> int:
        """The number of complete cycles."""
        return self.t // (2 * len(self.d))

    @property
    def W(self) -> Array:
        """W(t), shape (p, q), of rank at most r."""
        return np.asarray((self.U * self.d) @ self.V.T)

    @property
    def ahead(self) -> tuple[int, str]:
        """The term j, from 0, and its vector, "u" or "v", that step t + 1 solves for."""
        return self.t // 2 % len(self.d), "uv"[self.t % 2]

    def certificate(self, problem: BilinearProblem) -> Certificate:
        """Return the certificate of this W, by solving for each of its 2 r vectors at W."""
        terms = range(len(self.d))
        parts = [solve_for(problem, self, j, vector) for j in terms for vector in "uv"]
        here = Half(self.W, self.b, self.d, self.alpha, parts[0].value)
        return problem.certificate(here, *parts)


def cyclic_svm(problem: BilinearProblem, *, start: Array | CyclicState) -> Iterator[CyclicState]:
    """Solve for u_1, v_1, ..., u_r, v_r in turn, each time exactly; the objective never rises.

    Parameters
    ----------
    problem : BilinearProblem
        The paper's Problem 1 has an offset; its k is the rank r, its b is minus ours.
    start : ndarray of shape (p, q) or CyclicState
        The first W, which is cut to the rank by its SVD and is the first state, or a state of a run
        on the same problem, which then continues exactly.

    Yields
    ------
    CyclicState
        Endlessly, one for each vector.

    Raises
    ------
    ValueError
        At the call, if `start` is of other data, has another shape or is not finite.

    Notes
    -----
    With all other vectors fixed, ||v_j|| = 1 and u_j orthogonal to the other u's, ||W||_F^2 is
    ||u_j||^2 plus a constant. So u_j solves a linear SVM on X_i v_j, projected on the orthogonal
    complement of the other u's, in which sample i has the score r_i of the other terms already; its
    QP has the linear term 1 - y_i r_i. Orthogonality makes the steps small: from poor first
    directions the cycle stalls far from the minimum, even at full rank.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, Problem 1, section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.rivals.bilinear import BilinearProblem
    >>> from smmcore.wolf.cyclic import cyclic_svm
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = BilinearProblem(X, y, C=0.1, rank=1, offset=True)
    >>> states = cyclic_svm(problem, start=np.ones((6, 5)))
    >>> first, second = next(states), next(states)  # the start, then u_1
    >>> second.certificate(problem).primal <= first.certificate(problem).primal
    True
    """
    if isinstance(start, CyclicState):
        check_start(problem, start.W, start.alpha, start.fingerprint)
        check_sample_weight(problem, start.fingerprint)
        return islice(_run(problem, start), 1, None)
    W = np.asarray(start, dtype=float)
    if W.shape != problem.shape[1:]:
        raise ValueError(f"start must have shape {problem.shape[1:]}, got {W.shape}")
    if not np.isfinite(W).all():
        raise ValueError("start must be finite, got NaN or infinity")
    return _run(problem, _first(problem, W))


def _first(problem: BilinearProblem, W: Array) -> CyclicState:
    r = problem.rank
    U, d, Vt = np.linalg.svd(W, full_matrices=False)
    U, d, V = U[:, :r].copy(), d[:r].copy(), Vt[:r].T.copy()
    b = problem.best_intercept((U * d) @ V.T)
    return CyclicState(0, U, V, d, b, np.zeros(len(problem.y)), 0, problem.fingerprint)


def _run(problem: BilinearProblem, state: CyclicState) -> Iterator[CyclicState]:
    while True:
        yield state
        state = _step(problem, state)


def _step(problem: BilinearProblem, state: CyclicState) -> CyclicState:
    j, vector = state.ahead
    part = solve_for(problem, state, j, vector)
    U, V, d = state.U.copy(), state.V.copy(), state.d.copy()
    d[j] = np.linalg.norm(part.factor)
    if d[j]:  # a zero term keeps its directions
        side = U if vector == "u" else V
        others = np.delete(side, j, axis=1)
        direction = part.factor / d[j]
        direction -= others @ (others.T @ direction)  # removes the rounding of a small vector
        side[:, j] = direction / np.linalg.norm(direction)
    work = state.work + part.steps
    return CyclicState(state.t + 1, U, V, d, part.b, part.alpha, work, problem.fingerprint)


def solve_for(problem: BilinearProblem, state: CyclicState, j: int, vector: str) -> Half:
    """Return the solution for u_j ("u") or v_j ("v") with all other vectors as in a state."""
    U, V = state.U, state.V
    solved, kept, side = (U, V, "right") if vector == "u" else (V, U, "left")
    d = np.where(np.arange(len(state.d)) == j, 0.0, state.d)
    others = np.delete(solved, j, axis=1)
    return problem.solve_vector(kept[:, j], others, (U * d) @ V.T, side, state.alpha)
