"""Cyclic minimisation for the rank-k SVM, one vector of one rank-one term at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Certificate
from smmcore.rivals.bilinear import BilinearProblem, Half
from smmcore.solvers.states import State


@dataclass(frozen=True, eq=False, repr=False)
class CyclicState(State):
    """The result of step t, and all that step t + 1 needs: W = sum_j d_j u_j v_j'."""

    t: int  # number of steps: u_1, v_1, ..., u_r, v_r, u_1, ...
    U: Array  # (p, r), orthonormal columns u_j / ||u_j||
    V: Array  # (q, r), orthonormal columns v_j / ||v_j||
    d: Array  # (r,), ||u_j|| ||v_j||
    b: float
    alpha: Array  # (n,), of the last SVM

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


def cyclic_svm(problem: BilinearProblem, start: Array | CyclicState) -> Iterator[CyclicState]:
    """Solve for u_1, v_1, ..., u_r, v_r in turn, each time exactly; the objective never rises.

    `start` is the first W, shape (p, q), which is cut to the rank by its SVD and is the first
    state, or a state of a run on the same problem, which then continues. The paper's k is the rank
    r, its b is minus ours.

    With all other vectors fixed, ||v_j|| = 1 and u_j orthogonal to the other u's, ||W||_F^2 is
    ||u_j||^2 plus a constant. So u_j solves a linear SVM on X_i v_j, projected on the orthogonal
    complement of the other u's, in which sample i has the score r_i of the other terms already; its
    QP has the linear term 1 - y_i r_i. Orthogonality makes the steps small: from poor first
    directions the cycle stalls far from the minimum, even at full rank (Wolf, Jhuang, Hazan:
    Modeling appearances with low-rank SVM, CVPR 2007, Problem 1, section 3.1).
    """
    if isinstance(start, CyclicState):
        return islice(_run(problem, start), 1, None)
    return _run(problem, _first_state(problem, start))


def _first_state(problem: BilinearProblem, W: Array) -> CyclicState:
    r = problem.rank
    U, d, Vt = np.linalg.svd(W, full_matrices=False)
    U, d, V = U[:, :r].copy(), d[:r].copy(), Vt[:r].T.copy()
    b = problem.best_intercept((U * d) @ V.T)
    return CyclicState(0, U, V, d, b, np.zeros(len(problem.y)))


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
    return CyclicState(state.t + 1, U, V, d, part.b, part.alpha)


def solve_for(problem: BilinearProblem, state: CyclicState, j: int, vector: str) -> Half:
    """Return the solution for u_j ("u") or v_j ("v") with all other vectors as in a state."""
    U, V = state.U, state.V
    solved, kept, side = (U, V, "right") if vector == "u" else (V, U, "left")
    d = np.where(np.arange(len(state.d)) == j, 0.0, state.d)
    others = np.delete(solved, j, axis=1)
    return problem.solve_vector(kept[:, j], others, (U * d) @ V.T, side, state.alpha)
