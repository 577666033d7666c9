"""The four methods at weights in units of the data, one problem of two classes at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smmcore.path import next_on_path
from smmcore.problems import BilinearProblem, Certificate, GLMProblem, SMMProblem
from smmcore.solvers import accelerated_gradient, fast_admm
from smmcore.solvers.certified import certified

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

METHODS = ("lsvm", "bsvm", "rglm", "smm")
TOL, ROUGH = 1e-6, 1e-3  # relative gaps: of what is tested, of what only chooses weights
GLM_TOL = 1e-4
MOST = 2_000  # iterations
WORK = 2e9  # numbers that iterations of one step touch, about a second
BELOW, DECADES = 4, 3  # steps in a decade of a path towards a rank, and how far it goes


class Machine(NamedTuple):
    """A method and its weights, which mean the same for grey values and for volts.

    Parameters
    ----------
    method : {"lsvm", "bsvm", "rglm", "smm"}
    c : float, optional
        C in units of 1 / spread^2 of the training part (see `MatrixProblem`); not of R-GLM.
    share : float, optional
        lambda / lambda_max of R-GLM, tau / tau_max of the SMM: at 1 their W is 0.
    rank : int, optional
        The bound of B-SVM. Of the SMM, in place of a share: its tau is the largest found on the
        way down from tau_max, four to a decade, at which W has at least this rank.
    """

    method: str
    c: float | None = None
    share: float | None = None
    rank: int | None = None


class Fit(NamedTuple):
    """What a method has learned about one class against the rest."""

    W: Array  # (p, q)
    b: float
    alpha: Array  # (n,), of the training part
    rank: int
    primal: float  # P(W, b)
    gap: float  # relative; of B-SVM, by how much one factor alone could still lower the objective
    certified: bool
    C: float  # NaN for R-GLM
    weight: float  # tau or lambda; NaN where there is none


class Part:
    """A training part: scaled samples of K classes, and the K problems on them.

    Parameters
    ----------
    X : ndarray of shape (n, p, q)
    y : ndarray of shape (n,)
        Classes, 0 to K - 1, each present.
    """

    def __init__(self, X: Array, y: Rows) -> None:
        self.X, self.y = X, y
        classes = int(y.max()) + 1
        self.positive = [1] if classes == 2 else list(range(classes))
        self._tau_max: dict[int, float] = {}

    def signs(self, k: int) -> Array:
        """+1 for class k and -1 for the rest, (n,)."""
        return np.where(self.y == k, 1.0, -1.0)

    @cached_property
    def hinge(self) -> SMMProblem:
        """The SMM's problem on these samples, for some class and weights."""
        return SMMProblem(self.X, self.signs(self.positive[0]), 1.0, 0.0)

    @cached_property
    def glm(self) -> GLMProblem:
        """That of R-GLM."""
        return GLMProblem(self.X, self.signs(self.positive[0]), 1.0)

    def C(self, c: float | None) -> float:
        """C of its number of units."""
        assert c is not None
        spread = self.hinge.spread
        if spread < 1e-9 * np.abs(self.X).max():
            raise ValueError("all samples of a training part are equal: there is nothing to learn")
        return c / spread**2

    def smm(self, k: int, C: float) -> SMMProblem:
        """The SMM's problem for class k."""
        return self.hinge.with_labels(self.signs(k)).with_weights(C=C)

    def tau_max(self, k: int) -> float:
        """That of class k at C = 1."""
        if k not in self._tau_max:
            self._tau_max[k] = self.smm(k, 1.0).tau_max(1e-3)
        return self._tau_max[k]

    @cached_property
    def step(self) -> int:
        """Iterations that are done at a time."""
        return int(np.clip(WORK / (self.X.size + len(self.X) ** 2), 20, MOST))


class Way(NamedTuple):
    """How far a solver has got along weights, from strong to weak."""

    point: int = 0  # of the path
    state: Any = None
    found: tuple[Any, ...] = ()
    fit: Fit | None = None  # at the end


def fit(part: Part, machine: Machine, k: int, way: Way | None = None) -> Iterator[Way]:
    """Yield how far the training on class k against the rest has got; the last has the fit."""
    way = way or Way()
    if way.fit is not None:
        return
    if machine.method in ("lsvm", "bsvm"):
        yield way._replace(fit=_at_once(part, machine, k))
    elif machine.method == "rglm":
        glm = part.glm.with_labels(part.signs(k))
        glm = glm.with_weight(_just(machine.share) * glm.lam_max())
        yield from _driven(part, way, glm, GLM_TOL, np.nan, glm.lam)
    else:
        C = part.C(machine.c)
        problem = part.smm(k, C)
        if machine.share is not None:
            tau = _just(machine.share) * C * part.tau_max(k)
        else:
            if way.point or not way.found:
                for point in _towards(part, problem, [machine.rank], way):
                    way = point
                    yield way
                way = Way(found=way.found)  # from nothing again, as the estimator does
            tau = way.found[0]
        yield from _driven(part, way, problem.with_weights(tau=tau), TOL, C, tau)


def along(
    part: Part, cells: tuple[Machine, ...], k: int, held: Array, way: Way | None = None
) -> Iterator[Way]:
    """Yield how far cells that one path solves have got; the last has their decision values.

    Parameters
    ----------
    part : Part
    cells : tuple of Machine
        Of one method; of the SMM with one c and growing ranks, of R-GLM with shrinking shares,
        of the others one.
    k : int
        The class that is told from the rest.
    held : ndarray of shape (m, p, q)
        Samples whose decision values are asked for.

    Yields
    ------
    Way
        Where `found` has one entry for each cell it is over: arrays of shape (m,).
    """
    way, first = way or Way(), cells[0]
    if len(way.found) == len(cells):
        return
    flat = held.reshape(len(held), -1)
    if first.method in ("lsvm", "bsvm"):
        one = _at_once(part, first, k)
        yield way._replace(found=(flat @ one.W.ravel() + one.b,))
    elif first.method == "rglm":
        glm = part.glm.with_labels(part.signs(k))
        top = glm.lam_max()
        for cell in cells[len(way.found) :]:
            at = glm.with_weight(_just(cell.share) * top)
            proof, state = certified(
                at, accelerated_gradient(at, start=way.state), ROUGH, part.step
            )
            decision = flat @ proof.W.ravel() + proof.b
            way = Way(state=state, found=(*way.found, decision))
            yield way
    else:
        ranks = [cell.rank for cell in cells]
        yield from _towards(part, part.smm(k, part.C(first.c)), ranks, way, flat)


def _at_once(part: Part, machine: Machine, k: int) -> Fit:
    from smmcore.estimators import BilinearSVM, LinearSVM

    C, signs = part.C(machine.c), part.signs(k)
    problem: Any
    if machine.method == "lsvm":
        model: Any = LinearSVM(C)
        problem = part.smm(k, C)
    else:
        assert machine.rank is not None
        rank = min(machine.rank, *part.X.shape[1:])
        model = BilinearSVM(
            rank, C, fit_intercept=True, n_init=1, tol=1e-3, max_iter=100, random_state=0
        )
        problem = BilinearProblem(part.X, signs, C, rank, True)
    proof, _, excuse = model.solve(problem)
    return _fit(proof, not excuse, C, np.nan)


def _fit(proof: Certificate, good: bool, C: float, weight: float) -> Fit:
    gap = proof.relative_gap
    return Fit(proof.W, proof.b, proof.alpha.copy(), proof.rank, proof.primal, gap, good, C, weight)


def _driven(
    part: Part, way: Way, problem: Any, tol: float, C: float, weight: float
) -> Iterator[Way]:
    """Yield how far a solver has got, a step at a time."""
    while way.fit is None:
        if isinstance(problem, GLMProblem):
            states: Iterator[Any] = accelerated_gradient(problem, start=way.state)
        else:
            states = fast_admm(problem, rho="auto", start=way.state)
        room = min(part.step, MOST - (way.state.k if way.state else 0))
        proof, state = certified(problem, states, tol, room)
        good = proof.within(tol)
        over = good or state.k >= MOST
        way = way._replace(state=state, fit=_fit(proof, good, C, weight) if over else None)
        yield way


def _towards(
    part: Part, problem: SMMProblem, ranks: list[Any], way: Way, flat: Array | None = None
) -> Iterator[Way]:
    """Yield a path down from tau_max until W has had each rank, or the path is at its end.

    What is found for each rank is tau, or the decision values of flattened samples.
    """
    top = problem.tau_bound()  # tau_max or little more
    for point in range(way.point + 1, BELOW * DECADES + 1):
        tau = top * 10 ** (-point / BELOW)
        at = problem.with_weights(tau=tau)
        state, proof = next_on_path(at, way.state, ROUGH, part.step)
        end = point == BELOW * DECADES
        reached = sum(proof.rank >= rank or end for rank in ranks) - len(way.found)
        value = tau if flat is None else flat @ proof.W.ravel() + proof.b
        way = Way(point, state, (*way.found, *[value] * reached))
        yield way
        if len(way.found) == len(ranks):
            return


def _just(share: float | None) -> float:
    """A share of 1 leaves W = 0, which rounding would give a direction."""
    assert share is not None
    return (1 + 1e-9) * share
