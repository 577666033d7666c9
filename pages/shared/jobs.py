"""What workers do: a slice of a run, a look at a data set, a second opinion. No Streamlit here."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pages.shared.films import Taken, film_of
from pages.shared.recipes import BlockCorrelated, Data, Pair, Recipe, SMMRun, Split, footprint
from smmcore import theory
from smmcore.path import tau_path
from smmcore.problems import GLMProblem, SMMCertificate, SMMProblem
from smmcore.prox import singular_value_threshold
from smmcore.solvers import accelerated_gradient
from smmcore.solvers.certified import certified

LONGEST = 60.0  # seconds of processor time for one job
CACHE_BYTES = 600_000_000  # of data sets, in each worker: four of the paper's size
REFEREE_SIDE = 60  # p + q: the semidefinite form of ||W||_* has a cone of this order
REFEREE_SAMPLES = 500
REFEREE_SECONDS = 30


class Slice(NamedTuple):
    """What a run has become in one turn on a worker."""

    curves: NDArray[np.void]  # (m,), one record a frame; none where a frame takes several turns
    pictures: NDArray[np.void]  # (m,), those of the same frames
    state: object  # where the next slice begins
    certificate: SMMCertificate | None  # that of the last frame
    verdict: str  # a sentence about the end, once it is there


def advance(recipe: Recipe, state: object, budget: float, first: int = 0) -> Slice:
    """Make frames for `budget` seconds of processor time, or to the run's end.

    Parameters
    ----------
    recipe : recipe of a run
    state : object
        The last state of the slice before; None starts the run.
    budget : float
        The time to make or fetch the data is not counted: a run gets forward in every slice.
    first : int
        Number of the first frame that is to be made.
    """
    film, data = film_of(recipe), _take(recipe.data)
    curves, pictures = [], []
    end = process_time() + budget
    for frame in film.frames(data, state):
        if frame.curve is not None:
            pictures.append((first + len(curves), *frame.picture))
            curves.append(frame.curve)
        if frame.finished or process_time() >= end:
            break
    return Slice(
        np.array(curves, film.curves),
        np.array(pictures, film.pictures(*recipe.data.shape[1:])),
        frame.state,
        frame.certificate,
        film.verdict(frame) if frame.finished else "",
    )


class Survey(NamedTuple):
    """A data set at a glance."""

    samples: NDArray[np.float64]  # (m, p, q), the first four of class -1, then those of +1
    labels: NDArray[np.float64]  # (m,)
    counts: tuple[int, int]  # samples of class -1 and of class +1
    correlation: NDArray[np.float64]  # (q, q), between columns, averaged over the rows
    coef: NDArray[np.float64] | None  # (p, q), the true W
    lengths: tuple[float, float]  # of the shortest and the longest feature, over the samples


def survey(data: Data) -> Survey:
    """Look at a data set: samples, classes, correlation of the features."""
    problem, coef, _ = _take(data)
    X, y = problem.X, problem.y
    rows = np.concatenate([np.flatnonzero(y == label)[:4] for label in (-1, 1)])
    centred = X - X.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    centred /= np.where(lengths > 0, lengths, 1.0)
    columns = centred.reshape(-1, X.shape[2])
    uncentred = np.linalg.norm(X, axis=0)
    return Survey(
        samples=X[rows],
        labels=y[rows],
        counts=(int(np.count_nonzero(y < 0)), int(np.count_nonzero(y > 0))),
        correlation=columns.T @ columns / X.shape[1],
        coef=coef,
        lengths=(float(uncentred.min()), float(uncentred.max())),
    )


class Units(NamedTuple):
    """What makes weights comparable between pixels and volts."""

    spread: float  # of the samples, see `MatrixProblem`; C in units of 1 / spread^2
    tau_max: float  # at C = 1 / spread^2, and proportional to C; 0 where W = 0 at any weights


def units(data: Data) -> Units:
    """Measure a data set: with C = c / spread^2 and tau = t c tau_max, c and t have no unit.

    Multiplying the samples by s divides C by s^2 and tau by s in this way, which changes W by 1 / s
    and the predictions not at all; a constant added to every sample changes none of them either.

    Raises
    ------
    ValueError
        If all samples are equal.
    """
    problem = _take(data).problem
    spread = problem.spread
    if spread < 1e-9 * np.abs(problem.X).max():
        raise ValueError("all samples of the training part are equal: there is nothing to learn")
    low, high = problem.tau_max_bounds(1e-3)
    return Units(spread, high / spread**2 if low else 0.0)


@dataclass(frozen=True)
class Machine:
    """What a run on a `Split` has found, as a value: what it says about samples can be asked."""

    run: SMMRun
    W: bytes  # of (p, q), float64
    b: float

    @classmethod
    def of(cls, run: SMMRun, certificate: SMMCertificate) -> Machine:
        """Take W and b of a certificate."""
        return cls(run, certificate.W.tobytes(), certificate.b)

    @property
    def data(self) -> Split:
        """What it is asked about."""
        return self.run.data


class Answers(NamedTuple):
    """What a machine says about all samples of a split."""

    decision: NDArray[np.float64]  # (n,), <W, X_i> + b
    y: NDArray[np.float64]  # (n,)
    train: NDArray[np.intp]  # rows of the data that were trained on
    test: NDArray[np.intp]  # and those that were kept


def answers(machine: Machine) -> Answers:
    """Ask a machine about every sample of both parts of its split."""
    split = machine.run.data
    assert isinstance(split, Split)
    X, y, _ = split.data.load()
    W = np.frombuffer(machine.W)
    return Answers(X.reshape(len(X), -1) @ W + machine.b, y, *split.rows(y))


class SecondOpinion(NamedTuple):
    """What CVXPY says about a run's problem."""

    W: NDArray[np.float64]  # (p, q)
    primal: float  # P(W, best b)
    seconds: float


def referee(recipe: SMMRun) -> SecondOpinion:
    """Let CVXPY (Clarabel) solve the run's problem from nothing.

    Raises
    ------
    ValueError
        If the problem is too large to wait for, or Clarabel does not solve it.
    """
    import cvxpy as cp  # 0.3 s, and nobody else needs it

    problem = recipe.problem(_take(recipe.data).problem)
    n, p, q = problem.shape
    if not referee_can(recipe):
        raise ValueError(
            f"CVXPY is asked up to p + q = {REFEREE_SIDE} and n = {REFEREE_SAMPLES}, "
            f"this problem has p + q = {p + q} and n = {n}"
        )
    begin = perf_counter()
    W, b = cp.Variable((p, q)), cp.Variable()
    scores = problem.X.reshape(n, -1) @ cp.vec(W, order="C")
    hinge = cp.sum(cp.pos(1 - cp.multiply(problem.y, scores + b)))
    objective = 0.5 * cp.sum_squares(W) + problem.tau * cp.normNuc(W) + problem.C * hinge
    model = cp.Problem(cp.Minimize(objective))
    try:
        with warnings.catch_warnings(action="ignore"):  # of an inaccurate answer: see the status
            model.solve(solver=cp.CLARABEL, time_limit=REFEREE_SECONDS)
    except cp.SolverError as error:
        raise ValueError(f"Clarabel gave up on this problem: {error}") from None
    if model.status != cp.OPTIMAL:  # at its time limit it has a W, but not the solution
        raise ValueError(
            f"Clarabel has not solved this problem within {REFEREE_SECONDS} seconds, it says "
            f"{model.status!r}: choose a smaller n, p or q, or other weights"
        )
    primal = problem.primal(W.value, problem.best_intercept(W.value))
    return SecondOpinion(W.value, primal, perf_counter() - begin)


def referee_can(recipe: SMMRun) -> bool:
    """Return whether a problem is small enough for CVXPY to be waited for."""
    n, p, q = recipe.data.shape
    return p + q <= REFEREE_SIDE and n <= REFEREE_SAMPLES


def idle() -> None:
    """Do nothing: a process that has done it has its imports behind it."""


def do(job: Callable, *arguments: object) -> object:
    """Do a job, and end this process if it takes too long: whoever waits is told, and others go on.

    Parameters
    ----------
    job : function of this module
    *arguments
        What it is called with.
    """
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        return job(*arguments)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)


def begin_worker() -> None:
    """Make a process a good neighbour: behind the server, one thread, gone with its parent."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to answer
    threadpool_limits(1)  # the libraries that are loaded by now
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # those that come later
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # A server that is killed hard sends no signal; its workers would stay for ever.
    multiprocessing.parent_process().join()
    os._exit(0)


_shelf: OrderedDict[Data, Taken] = OrderedDict()


def _take(data: Data) -> Taken:
    """Return a data set with a problem on it, from this process's cache if it is there."""
    if data in _shelf:
        _shelf.move_to_end(data)
    else:
        (X, y, coef), held = data.parts() if isinstance(data, Split) else (data.load(), None)
        _shelf[data] = Taken(SMMProblem(X, y, C=1.0, tau=1.0), coef, held)
        while len(_shelf) > 1 and sum(map(footprint, _shelf)) > CACHE_BYTES:
            _shelf.popitem(last=False)
    return _shelf[data]


class Grouping(NamedTuple):
    """A solved problem, and how far apart its m columns are, or its m rows."""

    W: NDArray[np.float64]  # (p, q), D_tau(Omega), the solution up to the gap
    Omega: NDArray[np.float64]  # (p, q)
    sigma: float  # the largest singular value of Omega
    factor: float  # [1 - tau / sigma]_+, between distances in Omega and in W
    groups: NDArray[np.intp]  # (m,), the group of each; all rows are in one
    measured: NDArray[np.float64]  # (m, m), squared distances in W
    of_omega: NDArray[np.float64]  # (m, m), and in Omega
    bound: NDArray[np.float64]  # (m, m), of Theorem 2
    rounding: float  # of a squared distance in W
    above: int  # pairs that exceed their bound by more than that
    n: int
    correlation: float  # of the chosen two, averaged over the other index
    product: float  # sum_k f_kl @ f_kl' of the chosen two
    at_C: float  # share of the samples with alpha_i = C
    relative_gap: float


def grouping(recipe: SMMRun) -> Grouping:
    """Solve the problem of a pair and hold all pairs against Theorem 2."""
    pair = recipe.data
    assert isinstance(pair, Pair)
    base = _take(pair).problem
    problem = recipe.problem(base)
    p = problem.shape[1]
    proof = next(tau_path(problem, [recipe.tau], tol=recipe.tol, max_iter=recipe.max_iter))
    # Not the W of the certificate, which is scaled: the theorem is about this one.
    Omega = problem.omega(proof.alpha)
    W = singular_value_threshold(Omega, recipe.tau)
    sigma = float(np.linalg.norm(Omega, 2))
    across = (1, 0) if pair.rows else (0, 1)
    measured, of_omega = (theory.column_distances(M.transpose(across)) for M in (W, Omega))
    limits = theory.row_distance_bound if pair.rows else theory.column_distance_bound
    bound, rounding = limits(problem.X, recipe.C), (1e-13 * sigma) ** 2
    lines = np.moveaxis(problem.X, 1 if pair.rows else 2, 0)
    first, second = lines[pair.first], lines[pair.second]
    centred = [line - line.mean(axis=0) for line in (first, second)]
    lengths = np.prod([np.linalg.norm(line, axis=0) for line in centred], axis=0)
    cosines = np.sum(centred[0] * centred[1], axis=0) / np.where(lengths > 0, lengths, 1.0)
    return Grouping(
        W=W,
        Omega=Omega,
        sigma=sigma,
        factor=max(1 - recipe.tau / sigma, 0.0) if sigma else 0.0,
        groups=np.zeros(p, int) if pair.rows else pair.data.group_of_column,
        measured=measured,
        of_omega=of_omega,
        bound=bound,
        rounding=rounding,
        above=int(np.count_nonzero(np.triu(measured > bound * (1 + 1e-12) + rounding))),
        n=len(problem.X),
        correlation=float(cosines.mean()),
        product=float(np.sum(first * second)),
        at_C=float(np.mean(proof.alpha >= recipe.C * (1 - 1e-9))),
        relative_gap=proof.relative_gap,
    )


FACTORS = (0.1, 1.0, 10.0)  # of C
SHARES = (1e-1, 1e-2, 1e-3)  # of lambda_max
GLM_TOL, GLM_STEPS = 1e-3, 1_000  # a score needs no more digits


def grouping_scores(recipe: SMMRun) -> dict[str, list[float]]:
    """Score how the columns of three models' W group, from strong to weak regularisation.

    Returns the scores of the SMM and the linear SVM at FACTORS of C and of the R-GLM at SHARES of
    lambda_max, NaN where it does not come to its tolerance.
    """
    data = recipe.data
    assert isinstance(data, BlockCorrelated)
    base = _take(data).problem
    groups = data.group_of_column
    scores = {
        name: [
            theory.grouping_score(
                next(tau_path(base.with_weights(C=factor * recipe.C), [tau])).W, groups
            )
            for factor in FACTORS
        ]
        for name, tau in (("SMM", recipe.tau), ("linear SVM", 0.0))
    }
    glm = GLMProblem(base.X, base.y, 1.0)
    scores["R-GLM"] = []
    for share in SHARES:
        problem = glm.with_weight(share * glm.lam_max())
        proof, _ = certified(problem, accelerated_gradient(problem), GLM_TOL, GLM_STEPS)
        found = proof.within(GLM_TOL)
        scores["R-GLM"].append(theory.grouping_score(proof.W, groups) if found else float("nan"))
    return scores
