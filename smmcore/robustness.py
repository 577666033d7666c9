"""Figure 2 of the SMM paper: four methods, trained on clean samples, tested on noisy ones."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from smmcore.datasets import add_gaussian_noise, add_salt_and_pepper
from smmcore.problems import GLMProblem, SMMProblem

Array = NDArray[np.float64]
Noise = Literal["Gaussian", "salt and pepper"]
Unit = Literal["as printed", "unit variance"]

NOISES, UNITS = get_args(Noise), get_args(Unit)
RULES = (
    "strongest within one standard error",
    "weakest within one standard error",
    "strongest of the best",
    "weakest of the best",
)
METHODS = ("lsvm", "bsvm", "rglm", "smm")
RANK = 4  # of the bilinear SVM
ROUNDING = 1e-9  # of an accuracy
STEPS = 1_000  # of the R-GLM, which creeps where lambda is small
HALF_STEPS = 20  # of the bilinear SVM, which takes longest: its end is stationary or near it


class Weights(NamedTuple):
    """One strength of the regularisation, for each method in its own unit."""

    c: float  # C in units of 1 / spread^2 of the samples, see `MatrixProblem`
    share: float  # lambda / lambda_max of R-GLM, tau / tau_max of the SMM: at 1 their W is 0


def strengths(count: int) -> list[Weights]:
    """Weights from strong to weak, over three decades of each; the first has share 1."""
    return [Weights(float(c), float(0.1 / c)) for c in np.logspace(-1, 2, count)]


def near_best(scores: Array, samples: int) -> NDArray[np.bool_]:
    """Which shares of right answers among `samples` are within one standard error of the best.

    That of r right among n is sqrt(a (1 - a) / (n + 4)) with a = (r + 2) / (n + 4) (Agresti and
    Coull 1998), which is not 0 where all are right: of 13 or more, one wrong is then still near.
    """
    best = scores.max()
    a = (best * samples + 2) / (samples + 4)
    return np.asarray(scores >= best - np.sqrt(a * (1 - a) / (samples + 4)) - ROUNDING)


def choose(rule: str, scores: Array, samples: int) -> int:
    """The weight that one of `RULES` takes, given the accuracies of weights from strong to weak."""
    if rule not in RULES:
        raise ValueError(f"the rule must be one of {RULES}, got {rule!r}")
    side, _, among = rule.partition(" ")
    best = np.asarray(scores >= scores.max() - ROUNDING)
    candidates = np.flatnonzero(best if among == "of the best" else near_best(scores, samples))
    return int(candidates[0 if side == "strongest" else -1])


class Choice(NamedTuple):
    """What a rule takes among weights, and the weights that it can hardly tell from the best."""

    chosen: int
    near: list[int]


def choices(rule: str, held: Mapping[str, Array], samples: int) -> dict[str, Choice]:
    """The choice of a rule for each method, given the accuracies of its weights."""
    return {
        method: Choice(
            choose(rule, scores, samples), np.flatnonzero(near_best(scores, samples)).tolist()
        )
        for method, scores in held.items()
    }


class Machine(NamedTuple):
    """What a method has learned: sign(<W, X> + b)."""

    W: Array  # (p, q)
    b: float

    def decision(self, X: Array) -> Array:
        """<W, X_i> + b, shape (n,)."""
        return np.asarray(X.reshape(len(X), -1) @ self.W.ravel() + self.b)

    def accuracy(self, X: Array, y: Array) -> float:
        """The share of samples on their own side; a decision of 0 counts as class -1."""
        return float(np.mean((self.decision(X) > 0) == (y > 0)))

    def margins(self, X: Array, y: Array) -> Array:
        """y_i (<W, X_i> + b) / ||W||_F, the distance to the border: (n,), infinite at W = 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return y * self.decision(X) / np.linalg.norm(self.W)

    def exact_accuracy(self, X: Array, y: Array, deviation: float) -> float:
        """The expected accuracy under normal noise of this deviation: mean of Phi(margin / s).

        The noise moves <W, X> by a normal variable of deviation s ||W||_F, and nothing else does.
        """
        if deviation == 0 or not self.W.any():
            return self.accuracy(X, y)
        return float(ndtr(self.margins(X, y) / deviation).mean())


def in_unit(unit: Unit, X: Array, *others: Array) -> list[Array]:
    """Samples in a unit that is fitted on the first of them, the training part."""
    scale = X.std(axis=0) if unit == "unit variance" else np.ones(X.shape[1:])
    return [part / np.where(scale > 0, scale, 1.0) for part in (X, *others)]


def fold_of(y: Array, folds: int) -> NDArray[np.intp]:
    """The fold of each sample, 0 to folds - 1; each has its share of both classes."""
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.argsort(y, kind="stable")] = np.arange(len(y)) % folds
    return fold


def fit(method: str, X: Array, y: Array, weights: Weights) -> Machine:
    """Train one of `METHODS`."""
    from smmcore.estimators import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine

    model: LinearSVM | BilinearSVM | RegularizedGLM | SupportMatrixMachine
    problem = SMMProblem(X, y, 1.0, 0.0)
    C = weights.c / problem.spread**2
    share = (1 + 1e-9) * weights.share  # at share 1 W = 0, which rounding would leave a direction
    match method:
        case "lsvm":
            model = LinearSVM(C)
        case "bsvm":
            model = BilinearSVM(RANK, C, n_init=1, tol=1e-3, max_iter=HALF_STEPS)
        case "rglm":
            lam = share * GLMProblem(X, y, 1.0).lam_max()
            model = RegularizedGLM(lam, tol=1e-3, max_iter=STEPS)
        case "smm":
            tau_max = C * problem.tau_max(1e-3)
            model = SupportMatrixMachine(C, share * tau_max, tol=1e-4)
        case _:
            raise ValueError(f"the method must be one of {METHODS}, got {method!r}")
    with warnings.catch_warnings(action="ignore"):  # of an end at such a limit
        model.fit(X, y)
    return Machine(model.coef_, float(model.intercept_))


def accuracies(
    machines: Sequence[Machine],
    X: Array,
    y: Array,
    noise: Noise,
    level: float,
    *,
    salt: float = 1.0,
    repetitions: int = 10,
    random_state: int | Sequence[int] = 0,
) -> Array:
    """The accuracies of machines on samples with noise added, the same noise for all of them.

    Parameters
    ----------
    machines : sequence of Machine
    X, y : ndarray of shape (n, p, q) and (n,)
    noise : {"Gaussian", "salt and pepper"}
    level : float
        Deviation of the Gaussian noise, density of the other.
    salt : float
        Its value; pepper is 0.
    repetitions : int
        Draws of the noise.
    random_state : int or sequence of int

    Returns
    -------
    ndarray of shape (repetitions, len(machines))
    """
    random = np.random.default_rng(random_state)
    shares = []
    for _ in range(repetitions):
        if noise == "Gaussian":
            noisy = add_gaussian_noise(X, level, random)
        else:
            noisy = add_salt_and_pepper(X, level, random, salt=salt)
        shares.append([machine.accuracy(noisy, y) for machine in machines])
    return np.array(shares)


class Summary(NamedTuple):
    """Accuracies of machines on several data sets, (len(machines),) each."""

    mean: Array
    draws: Array  # standard deviation over the draws of noise on one data set
    sets: Array  # and that of the data sets' means; NaN if there is one only


def summary(shares: Sequence[Array]) -> Summary:
    """Tell the deviation that the noise causes from that of the data.

    Parameters
    ----------
    shares : sequence of ndarray of shape (repetitions, len(machines))
        One for each data set, see `accuracies`.
    """
    means = np.mean(shares, axis=1)
    draws = np.sqrt(np.mean(np.var(shares, axis=1, ddof=1), axis=0))
    one = len(means) == 1
    sets = np.full(means.shape[1], np.nan) if one else np.std(means, axis=0, ddof=1)
    return Summary(means.mean(axis=0), draws, sets)
