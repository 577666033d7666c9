"""The experiments of *Robustness to noise*: weights by cross-validation, then tests under noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import numpy as np

from pages.shared.data.painted import SIDE, decode, unit
from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine.experiment import Dataset, Experiment, Frame, Scaled
from pages.shared.methods import PAPER_METHODS, SMM, labels
from pages.shared.noise import (
    NOISES,
    UNITS,
    LinearModel,
    Noise,
    Strength,
    Unit,
    accuracies,
    fit,
    fold_of,
    in_unit,
    strengths,
)
from pages.shared.player.images import normalise
from pages.shared.player.panels import Axis, Lines, Panel, Picture, by_method, matrices
from smmcore.arrays import Array
from smmcore.datasets import add_gaussian_noise, add_salt_and_pepper

VALIDATION_NOISE = 0.3  # standard deviation


class ValidationPosition(NamedTuple):
    """Progress of a validation."""

    fits: int
    right: Array  # (2, 4), samples each method got right at the current weights: clean, and noisy
    W: Array  # (4, p, q), of the first fold


TRAINED = 240  # samples that show a painting; 120 more are for the test
STRENGTH, GRAIN = 0.4, 0.05  # of the painting in a sample, and of the noise that it always has


@dataclass(frozen=True)
class Pattern(Dataset):
    """Samples that show a painting, more or less strongly; in class -1 with opposite signs."""

    painting: str  # see `encode`
    shape = 360, SIDE, SIDE

    def __post_init__(self) -> None:
        decode(self.painting)

    def prepare(self) -> Prepared:
        """Make the training part and the test part."""
        rng = np.random.default_rng(0)
        W, shows = unit(decode(self.painting)), rng.standard_normal(self.shape[0])
        X = STRENGTH * np.multiply.outer(shows, W) + GRAIN * rng.standard_normal(self.shape)
        y = np.sign(shows)
        return Prepared.of(
            Samples(X[:TRAINED], y[:TRAINED], W), Samples(X[TRAINED:], y[TRAINED:], W)
        )


@dataclass(frozen=True)
class Validation(Experiment):
    """Four methods, each at the same number of weights: accuracies by cross-validation."""

    data: Split | Pattern  # a split of a `BlockCorrelated` as printed
    unit: Unit = "as printed"  # of the features, fitted on the training part
    count: int = 7  # of weights
    folds: int = 3

    def __post_init__(self) -> None:
        check("the number of weights", self.count, 2, 20)
        check("the number of folds", self.folds, 2, 20)
        if self.unit not in UNITS:
            raise ValueError(f"the unit must be one of {UNITS}, got {self.unit!r}")

    @property
    def weights(self) -> list[Strength]:
        """The weights from strong regularisation to weak."""
        return strengths(self.count)

    def parts(self, prepared: Prepared) -> tuple[Samples, Samples]:
        """Return the training and the test samples, in the unit of this experiment."""
        problem, held = prepared.problem, prepared.held
        assert held is not None
        X, X_held = in_unit(self.unit, problem.X, held.X)
        return Samples(X, problem.y, prepared.coef), held._replace(X=X_held)

    def frames(
        self, prepared: Prepared, state: ValidationPosition | None = None
    ) -> Iterator[Frame]:
        """Yield one frame per weight and, between them, resume points without metrics."""
        zeros = np.zeros((2, len(PAPER_METHODS)))
        W = np.zeros((len(PAPER_METHODS), *self.data.shape[1:]))
        at = state or ValidationPosition(0, zeros, W)
        order = self.count, len(PAPER_METHODS), self.folds
        fits, fits_per_weight = prod(order), prod(order[1:])
        X, y, _ = self.parts(prepared)[0]
        folds = fold_of(y, self.folds)
        for number in range(at.fits, fits):
            weight, method, fold = map(int, np.unravel_index(number, order))
            weights = self.weights[weight]
            test = folds == fold
            machine = fit(list(PAPER_METHODS)[method], X[~test], y[~test], weights)
            held = X[test], y[test]
            shares = machine.accuracy(*held), machine.exact_accuracy(*held, VALIDATION_NOISE)
            right, W = at.right.copy(), at.W.copy()
            right[:, method] += np.multiply(shares, np.count_nonzero(test))
            if fold == 0:
                W[method] = machine.W
            at = ValidationPosition(number + 1, right, W)
            if at.fits % fits_per_weight:
                yield Frame(at)
                continue
            clean, noisy = right / len(y)
            metrics = {"c": weights.c, "share": weights.share, "samples": len(y)}
            metrics |= _by_name("", clean) | _by_name("noisy_", noisy)
            images = {
                f"W_{name}": Scaled(normalise(M), 1.0)
                for name, M in zip(PAPER_METHODS, W, strict=True)
            }
            at = at._replace(right=zeros)
            yield Frame(at, metrics, images, done=at.fits == fits)

    def summary(self, last: Frame) -> str:
        """Return the number of classifiers that were trained."""
        return f"Cross-validated: {last.state.fits} classifiers trained."


class NoisePosition(NamedTuple):
    """Progress of a run under noise."""

    machines: tuple[LinearModel, ...]  # four, and four to compare them with
    levels: int  # done


@dataclass(frozen=True)
class NoiseSweep(Experiment):
    """The methods at chosen weights, trained on clean samples and tested on noisy ones."""

    validation: Validation
    chosen: tuple[int, ...]  # number of the weight of each of PAPER_METHODS
    against: tuple[int, ...] = ()  # likewise, of classifiers to compare them with; or none
    noise: Noise = "Gaussian"
    salt: float = 1.0
    repetitions: int = 10

    def __post_init__(self) -> None:
        for number in self.chosen + self.against:
            check("the number of a weight", number, 0, self.validation.count - 1)
        check("the value of the salt", self.salt, -1e6, 1e6)
        check("the number of repetitions", self.repetitions, 2, 100)
        if self.noise not in NOISES:
            raise ValueError(f"the noise must be one of {NOISES}, got {self.noise!r}")

    @property
    def data(self) -> Split | Pattern:
        """The data of the validation."""
        return self.validation.data

    @property
    def weights(self) -> list[Strength]:
        """The chosen weights, one for each of PAPER_METHODS."""
        return [self.validation.weights[number] for number in self.chosen]

    @property
    def fits(self) -> list[tuple[str, Strength]]:
        """Method and weight of each fit."""
        weights = self.validation.weights
        return [
            (method, weights[number])
            for numbers in (self.chosen, self.against)
            for method, number in zip(PAPER_METHODS, numbers, strict=False)
        ]

    @property
    def levels(self) -> tuple[float, ...]:
        """No noise, then deviations in ratios of 1.3 to 1.7, or densities in steps of 0.005."""
        if self.noise == "Gaussian":
            small = 0.0, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2
            return *small, VALIDATION_NOISE, 0.5, 0.7, 1.0
        return 0.0, 0.001, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035

    def frames(self, prepared: Prepared, state: NoisePosition | None = None) -> Iterator[Frame]:
        """Yield a resume point after each fit, then one frame per level of noise."""
        levels, fits, few = self.levels, self.fits, len(PAPER_METHODS)
        at = state or NoisePosition((), 0)
        (X, y, _), (X_test, y_test, _) = self.validation.parts(prepared)
        for method, weights in fits[len(at.machines) :]:
            machine = fit(method, X, y, weights)
            at = NoisePosition((*at.machines, machine), 0)
            yield Frame(at)
        trained = at.machines[:few]
        sample = X_test[np.argmax(y_test)]
        distances = [float(np.median(m.margins(X_test, y_test))) for m in at.machines]
        gaussian = self.noise == "Gaussian"  # salt and pepper has no exact accuracy
        for number in range(at.levels, len(levels)):
            level = levels[number]
            shares = accuracies(
                at.machines,
                X_test,
                y_test,
                self.noise,
                level,
                salt=self.salt,
                repetitions=self.repetitions,
                random_state=[0, number],  # the same noise for all methods
            )
            exact = [
                m.exact_accuracy(X_test, y_test, level) if gaussian else np.nan for m in trained
            ]
            metrics = {
                "level": level,
                **_by_name("", shares.mean(axis=0)[:few]),
                **_by_name("sd_", shares.std(axis=0, ddof=1)[:few]),  # over the draws of noise
                **_by_name("exact_", exact),
                **_by_name("distance_", distances[:few]),
            }
            if self.against:
                metrics |= _by_name("against_", shares.mean(axis=0)[few:])
                metrics |= _by_name("against_distance_", distances[few:])
            at = NoisePosition(at.machines, number + 1)
            images = {"sample": self._with_noise(sample, level)}
            yield Frame(at, metrics, images, trained, number + 1 == len(levels))

    def _with_noise(self, sample: Array, level: float) -> Array:
        """Return one sample with noise, the same noise at each level but for its size."""
        random = np.random.default_rng(0)
        if self.noise == "Gaussian":
            return add_gaussian_noise(sample, level, random)
        return add_salt_and_pepper(sample, level, random, salt=self.salt)

    def summary(self, last: Frame) -> str:
        """Return the number of draws behind the means."""
        return f"{self.repetitions} draws of the noise at each level."


def _by_name(prefix: str, values: Sequence[float] | Array) -> dict[str, float]:
    """Return one metric per method."""
    return {f"{prefix}{method}": value for method, value in zip(PAPER_METHODS, values, strict=True)}


STRENGTHS = {"small": 2, "large": 6}  # of seven, of the two W in the picture of the noise


@dataclass(frozen=True)
class NoiseOnMargins(Experiment):
    """Two SMMs of a validation, and how noise moves their margins; one frame.

    Its images are vectors: a new sample, its noise of size 1, and for each SMM its W, the margins
    y f(X) / ||W|| of the clean new samples, and what noise of size 1 adds to them.
    """

    validation: Validation

    @property
    def data(self) -> Split | Pattern:
        """The data of the validation."""
        return self.validation.data

    def frames(self, prepared: Prepared, state: object = None) -> Iterator[Frame]:
        """Yield the frame."""
        (X, y, _), (X_test, y_test, _) = self.validation.parts(prepared)
        noise = np.random.default_rng(0).standard_normal(X_test.shape)
        shown = int(np.argmax(y_test))
        metrics, images = {}, {"sample": X_test[shown].ravel(), "noise": noise[shown].ravel()}
        for name, number in STRENGTHS.items():
            machine = fit(SMM.key, X, y, strengths(7)[number])
            moved = np.tensordot(noise, machine.W, 2) / np.linalg.norm(machine.W)
            metrics[f"rank_{name}"] = int(np.linalg.matrix_rank(machine.W))
            images |= {
                f"W_{name}": machine.W.ravel(),
                f"margins_{name}": machine.margins(X_test, y_test),
                f"shifts_{name}": y_test * moved,
            }
        yield Frame(None, metrics, images, None, True)

    def summary(self, last: Frame) -> str:
        """Return the names of the two W."""
        return f"W of {' and of '.join(STRENGTHS)}."


def model_arrays(experiment: NoiseSweep, machines: Sequence[LinearModel]) -> dict[str, object]:
    """Return the classifiers of a run as arrays: for each method W (p, q), b and its weights."""
    arrays: dict[str, object] = {"unit": experiment.validation.unit, "experiment": repr(experiment)}
    for method, machine, weights in zip(PAPER_METHODS, machines, experiment.weights, strict=True):
        arrays |= {
            f"W_{method}": machine.W,
            f"b_{method}": machine.b,
            f"C_spread2_{method}": weights.c,
            f"share_{method}": weights.share,
        }
    return arrays


def figure_2(n: int, p: int, q: int, rank: int, count: int = 7) -> Validation:
    """Return the validation of data as in section 5.2 of the SMM paper."""
    data = BlockCorrelated(n, p, q, groups=10, noise=0.01, rank=rank, scaling="as printed")
    return Validation(Split(data, test_size=1 / 3), count=count)


FIGURE_2 = {
    "Small": figure_2(360, 16, 20, rank=4),
    "Paper 5.2": figure_2(1_500, 80, 100, rank=20, count=4),
}


# The page opens with what validation chooses here: by the first rule, and by the second.
START = NoiseSweep(FIGURE_2["Small"], chosen=(1, 2, 1, 2), against=(6, 4, 4, 5))
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    "Validation of robustness": START.validation,
    "Noise on margins": NoiseOnMargins(START.validation),
}


def validation_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a validation: each W, and accuracies without and with noise."""
    noisy = f"Exact accuracy with noise of s = {VALIDATION_NOISE}"
    return matrices(labels(PAPER_METHODS)), [
        by_method(PAPER_METHODS, "Accuracy", format="percent"),
        by_method(PAPER_METHODS, noisy, "noisy_", format="percent"),
    ]


def weight_axis(count: int) -> Axis:
    """Return the axis of a validation: a frame for each weight."""
    return Axis(
        "C spread² =",
        "C spread²",
        "c",
        count=count,
        at=np.linspace(0, 1, count).tolist(),
        ticks=[(decade / 3, f"{10**decade / 10:g}") for decade in range(4)],  # see `strengths`
    )


def noise_panels(experiment: NoiseSweep, others: str) -> tuple[list[Panel], list[Lines]]:
    """Return the panels of a run under noise: a sample, the accuracy, and further curves.

    Dashed are the classifiers that it compares with, whose settings `others` names.
    """
    title = "Right of new samples" + (f"; dashed: {others} settings" if experiment.against else "")
    mean = by_method(PAPER_METHODS, title, format="percent")
    dashed = by_method(PAPER_METHODS, "", "against_").fields if experiment.against else ()
    dashed = [
        replace(line, label=f"{line.label}, {others}", dash="dash", aside=True) for line in dashed
    ]
    mean = replace(mean, fields=[*mean.fields, *dashed])
    sample = Picture("sample", "A new sample", own=True)
    spreads = [
        by_method(PAPER_METHODS, "Standard deviation over the draws of noise", "sd_", (0, 0.01))
    ]
    if experiment.noise == "Gaussian":
        exact = by_method(
            PAPER_METHODS, "Exact: mean of Φ(y f(X) / (s ‖W‖))", "exact_", format="percent"
        )
        spreads.insert(0, exact)
    return [sample, mean], spreads


NO_NOISE_SHARE = 0.12  # of a log axis, between no noise and the lowest level


def noise_axis(experiment: NoiseSweep) -> Axis:
    """Return the axis of a run under noise: a log axis with a separate 0, or a linear axis."""
    least, most = experiment.levels[1], experiment.levels[-1]
    if experiment.noise == "Gaussian":
        name, ticks = "s", [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    else:
        name, ticks = "density", [0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035]

    def place(level: float) -> float:
        if experiment.noise != "Gaussian" or not level:
            return float(level / most)
        decades, all_decades = np.log10(level / least), np.log10(most / least)
        return float(NO_NOISE_SHARE + (1 - NO_NOISE_SHARE) * decades / all_decades)

    return Axis(
        f"{name} =",
        name,
        "level",
        count=len(experiment.levels),
        at=[place(level) for level in experiment.levels],
        ticks=[(place(level), f"{level:g}") for level in ticks],
        opens=experiment.levels.index(VALIDATION_NOISE)
        if VALIDATION_NOISE in experiment.levels
        else None,
    )
