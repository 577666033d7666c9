"""Figure 2 of the SMM paper: four methods, trained on clean samples and tested on noisy ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from pages.shared.methods import PAPER_METHODS, SHARE_MARGIN, Settings
from smmcore.arrays import Array
from smmcore.datasets import add_gaussian_noise, add_salt_and_pepper
from smmcore.decision import accuracy
from smmcore.path import tau_max
from smmcore.problems import SMMProblem

Noise = Literal["Gaussian", "salt and pepper"]
Unit = Literal["as printed", "unit variance"]

NOISES, UNITS = get_args(Noise), get_args(Unit)
RULES = (
    "strongest within one standard error",
    "weakest within one standard error",
    "strongest of the best",
    "weakest of the best",
)
BSVM_RANK = 4
ACCURACY_ROUNDING = 1e-9


class Strength(NamedTuple):
    """A strength of the regularisation, which means the same for all methods and data."""

    c: float  # C in units of 1 / spread^2 of the samples, see `MatrixProblem`
    share: float  # lambda / lambda_max of R-GLM, tau / tau_max of the SMM: at 1 their W is 0


def strengths(count: int) -> list[Strength]:
    """Return strengths from strong to weak over three decades, the first with share 1."""
    return [Strength(float(c), float(0.1 / c)) for c in np.logspace(-1, 2, count)]


def near_best(scores: Array, samples: int) -> NDArray[np.bool_]:
    """Return which accuracies on `samples` samples are within one standard error of the best.

    The standard error of r right among n is sqrt(a (1 - a) / (n + 4)) with a = (r + 2) / (n + 4)
    (Agresti and Coull 1998). It is positive even where all are right: with 13 samples or more, one
    mistake is still near no mistake.
    """
    best = scores.max()
    a = (best * samples + 2) / (samples + 4)
    return np.asarray(scores >= best - np.sqrt(a * (1 - a) / (samples + 4)) - ACCURACY_ROUNDING)


def choose_weight(rule: str, scores: Array, samples: int) -> int:
    """Return the index of the weight that a rule chooses."""
    side, _, among = rule.partition(" ")
    best = np.asarray(scores >= scores.max() - ACCURACY_ROUNDING)
    candidates = np.flatnonzero(best if among == "of the best" else near_best(scores, samples))
    return int(candidates[0 if side == "strongest" else -1])


class WeightChoice(NamedTuple):
    """The weight that a rule chooses, and those within one standard error of the best, by index."""

    chosen: int
    near: list[int]


def choose_weights(rule: str, scores: Mapping[str, Array], samples: int) -> dict[str, WeightChoice]:
    """Return the choice of a rule for each method, from its scores (see `choose_weight`)."""
    return {
        method: WeightChoice(
            choose_weight(rule, each, samples), np.flatnonzero(near_best(each, samples)).tolist()
        )
        for method, each in scores.items()
    }


class LinearModel(NamedTuple):
    """A fitted classifier sign(<W, X> + b)."""

    W: Array  # (p, q)
    b: float

    def decision(self, X: Array) -> Array:
        """Return <W, X_i> + b, shape (n,)."""
        return np.asarray(X.reshape(len(X), -1) @ self.W.ravel() + self.b)

    def accuracy(self, X: Array, y: Array) -> float:
        """Return the share of correct predictions; a decision value of 0 means class -1."""
        return accuracy(self.decision(X), y)

    def margins(self, X: Array, y: Array) -> Array:
        """Return the signed distances to the boundary, shape (n,), infinite at W = 0.

        They are y_i (<W, X_i> + b) / ||W||_F.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return y * self.decision(X) / np.linalg.norm(self.W)

    def exact_accuracy(self, X: Array, y: Array, deviation: float) -> float:
        """Return the expected accuracy under Gaussian noise of standard deviation s.

        The noise adds to <W, X> a normal variable of standard deviation s ||W||_F, so the accuracy
        is the mean of Phi(margin_i / s).
        """
        if deviation == 0 or not self.W.any():
            return self.accuracy(X, y)
        return float(ndtr(self.margins(X, y) / deviation).mean())


def in_unit(unit: Unit, X: Array, *others: Array) -> list[Array]:
    """Return arrays of samples in a unit; the scale is fitted on the first, the training part."""
    scale = X.std(axis=0) if unit == "unit variance" else np.ones(X.shape[1:])
    return [part / np.where(scale > 0, scale, 1.0) for part in (X, *others)]


def fold_of(y: Array, folds: int) -> NDArray[np.intp]:
    """Return the fold of each sample, 0 to folds - 1, stratified by class."""
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.argsort(y, kind="stable")] = np.arange(len(y)) % folds
    return fold


def fit(key: str, X: Array, y: Array, strength: Strength) -> LinearModel:
    """Train a method at a strength of its regularisation."""
    method = PAPER_METHODS[key]
    base = SMMProblem(X, y, 1.0, 0.0)
    C, share = strength.c / base.spread**2, SHARE_MARGIN * strength.share
    tau = share * (C * tau_max(base, 1e-3)) if "tau" in method.settings else 0.0
    problem = method.problem(base, Settings(C, tau, lam=share, rank=BSVM_RANK))
    proof = method.solve(problem, *method.noise_limits)
    return LinearModel(proof.W, proof.b)


def accuracies(
    models: Sequence[LinearModel],
    X: Array,
    y: Array,
    noise: Noise,
    level: float,
    *,
    salt: float = 1.0,
    repetitions: int = 10,
    random_state: int | Sequence[int] = 0,
) -> Array:
    """Return the accuracies of models on noisy samples, with the same noise for all models."""
    random = np.random.default_rng(random_state)
    shares = []
    for _ in range(repetitions):
        if noise == "Gaussian":
            noisy = add_gaussian_noise(X, level, random)
        else:
            noisy = add_salt_and_pepper(X, level, random, salt=salt)
        shares.append([model.accuracy(noisy, y) for model in models])
    return np.array(shares)
