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

from pages.shared.films import Proof, Taken, film_of
from pages.shared.recipes import Data, PathRun, Recipe, SMMRun, Split, footprint
from smmcore.path import tau_path
from smmcore.problems import SMMCertificate, SMMProblem

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
    certificate: Proof  # that of the last frame
    verdict: str  # a sentence about the end, once it is there
    seconds: float  # of processor time


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
    film, data = film_of(recipe), take(recipe.data)
    curves, pictures = [], []
    begin = process_time()
    for frame in film.frames(data, state):
        if frame.curve is not None:
            pictures.append((first + len(curves), *frame.picture))
            curves.append(frame.curve)
        if frame.finished or process_time() - begin >= budget:
            break
    return Slice(
        np.array(curves, film.curves),
        np.array(pictures, film.pictures(*recipe.data.shape[1:])),
        frame.state,
        frame.certificate,
        film.verdict(frame) if frame.finished else "",
        process_time() - begin,
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
    problem, coef, _ = take(data)
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
    problem = take(data).problem
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


def path_arrays(recipe: PathRun) -> dict[str, NDArray]:
    """Make a path again, and keep each W in full: its film has pictures of them only."""
    base = take(recipe.data).problem.with_weights(C=recipe.C)
    taus = recipe.shares * base.tau_max(1e-4)
    kept = [(proof.W, proof.b, proof.rank) for proof in tau_path(base, taus, tol=recipe.tol)]
    W, b, rank = map(np.array, zip(*kept, strict=True))
    return {"taus": taus, "W": W, "b": b, "rank": rank}


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

    problem = recipe.problem(take(recipe.data).problem)
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


def take(data: Data) -> Taken:
    """Return a data set with a problem on it, from this process's cache if it is there."""
    if data in _shelf:
        _shelf.move_to_end(data)
    else:
        (X, y, coef), held = data.parts() if isinstance(data, Split) else (data.load(), None)
        _shelf[data] = Taken(SMMProblem(X, y, C=1.0, tau=1.0), coef, held)
        while len(_shelf) > 1 and sum(map(footprint, _shelf)) > CACHE_BYTES:
            _shelf.popitem(last=False)
    return _shelf[data]
