"""Training of the four methods at weights in units of the data, one class against the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.methods import METHODS, SHARE_MARGIN, Settings
from smmcore.estimators.scaling import Scaling
from smmcore.path import next_on_path
from smmcore.problems import Certificate, GLMProblem, MatrixProblem, SMMProblem
from smmcore.solvers.certified import solve_to_gap

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

LIMITS = {  # relative gap at which the training of a method ends, and its maximum of iterations
    "lsvm": (1e-6, 1),
    "bsvm": (1e-3, 100),
    "rglm": (1e-4, 2_000),
    "smm": (1e-6, 2_000),
}
SEARCH_GAP = 1e-3  # relative gap at which a fit ends that only chooses weights
MAX_STEP_ITERATIONS = 2_000
STEP_WORK = 2e9  # numbers that the iterations of one step touch, about a second
PASSES = {"rglm": 1, "smm": 20}  # that an iteration makes over these numbers, roughly
# The path of the SMM towards a rank.
STEPS_PER_DECADE, DECADES = 4, 3


class MethodSpec(NamedTuple):
    """A method and its weights, in units of the training set or as in the objective.

    Examples
    --------
    >>> from pages.your_data.trial.training import MethodSpec
    >>> MethodSpec("smm", c=10.0, share=0.3)
    MethodSpec(method='smm', c=10.0, share=0.3)
    >>> MethodSpec("smm", C=0.01, weight=0.5)
    MethodSpec(method='smm', C=0.01, weight=0.5)
    """

    method: str
    # C in units of 1 / spread^2 of the training set (see `MatrixProblem`); R-GLM has none
    c: float | None = None
    # Lambda / lambda_max of R-GLM, tau / tau_max of the SMM: at 1 their W is 0
    share: float | None = None
    # The maximum rank of the bilinear SVM's W. For the SMM, in place of a share: tau is the first
    # on a path down from tau_max, four to a decade, at which W has at least this rank.
    rank: int | None = None
    C: float | None = None  # in place of c: C itself, the factor of the loss of the scaled samples
    # In place of a share: tau or lambda itself, the factor of the nuclear norm
    weight: float | None = None

    def __repr__(self) -> str:
        """Return the shortest call that makes it."""
        given = [f"{name}={value!r}" for name, value in self._asdict().items() if value is not None]
        return f"MethodSpec({', '.join(given)})"


class Fit(NamedTuple):
    """The solution for one class against the rest."""

    W: Array  # (p, q)
    b: float
    alpha: Array  # (n,), of the training set
    rank: int
    primal: float  # P(W, b)
    gap: float  # relative; of the bilinear SVM, the bound on what moving one factor can gain
    certified: bool
    C: float  # NaN for R-GLM
    weight: float  # tau or lambda; NaN for the linear and the bilinear SVM


def loss_weights(signs: Array, class_weight: str | None) -> Array:
    """Return the weight of each sample's loss, shape (n,); see `Trial.class_weight`.

    Examples
    --------
    >>> import numpy as np
    >>> from pages.your_data.trial.training import loss_weights
    >>> loss_weights(np.array([1.0, -1.0, -1.0, -1.0]), "balanced").round(3).tolist()
    [2.0, 0.667, 0.667, 0.667]
    """
    if class_weight is None:
        return np.ones(len(signs))
    positive = np.count_nonzero(signs > 0)
    sizes = np.where(signs > 0, positive, len(signs) - positive)
    return np.asarray(len(signs) / (2 * sizes))


class TrainingPart:
    """Scaled training samples of K classes, and the problems on them.

    Examples
    --------
    >>> import numpy as np
    >>> from pages.your_data.trial.training import TrainingPart
    >>> X = np.random.default_rng(0).standard_normal((6, 3, 2))
    >>> part = TrainingPart(X, np.array([0, 1, 2, 0, 1, 2]))
    >>> part.signs(1)
    array([-1.,  1., -1., -1.,  1., -1.])
    """

    def __init__(self, X: Array, y: Rows, class_weight: str | None = None) -> None:
        self.X, self.y, self.class_weight = X, y, class_weight
        classes = int(y.max()) + 1
        self.positive = [1] if classes == 2 else list(range(classes))
        self._tau_max: dict[int, float] = {}

    def signs(self, k: int) -> Array:
        """Return +1 for class k and -1 for the rest, shape (n,)."""
        return np.where(self.y == k, 1.0, -1.0)

    @cached_property
    def _hinge(self) -> SMMProblem:
        return SMMProblem(self.X, self.signs(self.positive[0]), 1.0, 0.0)

    @cached_property
    def _glm(self) -> GLMProblem:
        return GLMProblem(self.X, self.signs(self.positive[0]), 1.0)

    def C(self, c: float) -> float:
        """Return C = c / spread^2."""
        self._refuse_equal_samples()
        return c / self._hinge.spread**2

    def _refuse_equal_samples(self) -> None:
        """Refuse samples of which no weight is a share or a multiple."""
        if self._hinge.spread <= 1e-9 * np.abs(self.X).max():
            raise ValueError("all samples of a training set are equal: there is nothing to learn")

    def tau_max(self, k: int) -> float:
        """Return tau_max of class k against the rest at C = 1; it is proportional to C."""
        if k not in self._tau_max:
            signs = self.signs(k)
            problem = self._hinge.with_labels(signs, loss_weights(signs, self.class_weight))
            self._tau_max[k] = problem.tau_max(1e-3)
        return self._tau_max[k]

    def problem(self, spec: MethodSpec, k: int) -> Any:
        """Return the problem of a method for class k; for an SMM given by its rank, at tau = 0."""
        C = np.nan if spec.C is None else spec.C
        if spec.c is not None:
            C = self.C(spec.c)
        share = SHARE_MARGIN * (spec.share or 0.0)
        tau = spec.weight or 0.0
        if spec.method == "smm" and share:
            tau = share * C * self.tau_max(k)
        signs = self.signs(k)
        each = loss_weights(signs, self.class_weight)
        base: MatrixProblem
        if spec.method == "rglm":
            base = self._glm.with_labels(signs, each)
            if spec.weight is not None:
                return base.with_weight(spec.weight)
            self._refuse_equal_samples()
        elif spec.method == "bsvm":
            # It has no use for the Gram matrix.
            base = MatrixProblem(self.X, signs, sample_weight=each)
        else:
            base = self._hinge.with_labels(signs, each)
        weights = Settings(C, tau, lam=share, rank=spec.rank or 1, offset=True)
        return METHODS[spec.method].problem(base, weights)

    @cached_property
    def step(self) -> int:
        """The number of iterations between two yields."""
        work = self.X.size + len(self.X) ** 2
        return int(np.clip(STEP_WORK / work, 20, MAX_STEP_ITERATIONS))


class Fold(NamedTuple):
    """A training set and the samples held out from it."""

    part: TrainingPart
    held_out: Array  # (m, p, q), scaled like the training set
    truth: NDArray[Any]  # (m,), their classes
    scaling: Scaling


class Progress(NamedTuple):
    """The progress of a training or of a path, from which it resumes."""

    point: int = 0  # of the path
    state: Any = None  # of the solver
    results: tuple[Any, ...] = ()  # of the path: tau or decision values, see `decisions_on_path`
    fit: Fit | None = None  # at the end of a training


def train(
    part: TrainingPart, spec: MethodSpec, k: int, progress: Progress | None = None
) -> Iterator[Progress]:
    """Train a method on class k against the rest, in steps of about a second.

    The last step has the fit.
    """
    progress = progress or Progress()
    if progress.fit is not None:
        return
    problem = part.problem(spec, k)
    if spec.method in ("lsvm", "bsvm"):
        tol, max_iter = LIMITS[spec.method]
        proof = METHODS[spec.method].solve(problem, tol, max_iter)
        yield progress._replace(fit=_fit(proof, proof.within(tol), problem.C, np.nan))
    elif spec.method == "rglm":
        yield from _advance(part, spec, problem, progress, np.nan, problem.lam)
    else:
        if spec.share is None and spec.weight is None:
            if progress.point or not progress.results:
                for at in _path_to_ranks(part, problem, [spec.rank], progress):
                    yield at
                    progress = at
                progress = Progress(results=progress.results)  # a cold start, as the estimator's
            problem = problem.with_weights(tau=progress.results[0])
        yield from _advance(part, spec, problem, progress, problem.C, problem.tau)


def train_classes(
    part: TrainingPart,
    spec: MethodSpec,
    fits: tuple[Fit, ...] = (),
    progress: Progress | None = None,
) -> Iterator[tuple[tuple[Fit, ...], Progress]]:
    """Train a method on each class against the rest, in steps of about a second."""
    for k in part.positive[len(fits) :]:
        at = progress or Progress()
        for at in train(part, spec, k, progress):
            yield fits, at
        fits, progress = finished_fits(fits, at), None


def finished_fits(fits: tuple[Fit, ...], progress: Progress | None) -> tuple[Fit, ...]:
    """Return the fits of the first classes and of the one whose training has just ended."""
    assert progress is not None
    assert progress.fit is not None
    return (*fits, progress.fit)


def decisions_on_path(
    part: TrainingPart,
    cells: tuple[MethodSpec, ...],
    k: int,
    X: Array,
    progress: Progress | None = None,
) -> Iterator[Progress]:
    """Solve the cells of a path and compute their decision values, in steps of about a second."""
    progress, first = progress or Progress(), cells[0]
    if len(progress.results) == len(cells):
        return
    flat = X.reshape(len(X), -1)
    method = METHODS[first.method]
    if first.method in ("lsvm", "bsvm"):
        proof = method.solve(part.problem(first, k), *LIMITS[first.method])
        yield progress._replace(results=(flat @ proof.W.ravel() + proof.b,))
    elif first.method == "rglm":
        for cell in cells[len(progress.results) :]:
            problem = part.problem(cell, k)
            states = method.states(problem, progress.state)
            proof, state = solve_to_gap(problem, states, SEARCH_GAP, part.step)
            decision = flat @ proof.W.ravel() + proof.b
            progress = Progress(state=state, results=(*progress.results, decision))
            yield progress
    else:
        ranks = [cell.rank for cell in cells]
        yield from _path_to_ranks(part, part.problem(first, k), ranks, progress, flat)


def _fit(proof: Certificate, good: bool, C: float, weight: float) -> Fit:
    gap = proof.relative_gap
    return Fit(proof.W, proof.b, proof.alpha.copy(), proof.rank, proof.primal, gap, good, C, weight)


def _advance(
    part: TrainingPart, spec: MethodSpec, problem: Any, progress: Progress, C: float, weight: float
) -> Iterator[Progress]:
    """Run the solver of a method to its limit, a step at a time."""
    tol, max_iter = LIMITS[spec.method]
    while progress.fit is None:
        states = METHODS[spec.method].states(problem, progress.state)
        turn = max(1, part.step // PASSES[spec.method])
        room = min(turn, max_iter - (progress.state.k if progress.state else 0))
        proof, state = solve_to_gap(problem, states, tol, room)
        good = proof.within(tol)
        over = good or state.k >= max_iter
        fit = _fit(proof, good, C, weight) if over else None
        progress = progress._replace(state=state, fit=fit)
        yield progress


def _path_to_ranks(
    part: TrainingPart,
    problem: SMMProblem,
    ranks: list[Any],
    progress: Progress,
    flat: Array | None = None,
) -> Iterator[Progress]:
    """Follow a path down from tau_max until W has had each rank, or the path ends.

    The result for each rank is the decision values of flattened samples or, without samples, tau.
    """
    tau_max = problem.tau_bound()  # or little more
    points = STEPS_PER_DECADE * DECADES
    for point in range(progress.point + 1, points + 1):
        tau = tau_max * 10 ** (-point / STEPS_PER_DECADE)
        at = problem.with_weights(tau=tau)
        state, proof = next_on_path(at, progress.state, SEARCH_GAP, part.step)
        end = point == points
        reached = sum(proof.rank >= rank or end for rank in ranks) - len(progress.results)
        result = tau if flat is None else flat @ proof.W.ravel() + proof.b
        progress = Progress(point, state, (*progress.results, *[result] * reached))
        yield progress
        if len(progress.results) == len(ranks):
            return
