"""Four methods under noise: cross-validation of their weights, then their accuracies by level."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pages.shared.films.frame import Array, Film, Frame, Taken, in_steps, matrices
from pages.shared.recipes import NOISY, RobustnessRun, Samples, Split, ValidationRun
from smmcore.robustness import METHODS, accuracies, fit, fold_of, in_unit, summary

MAPS = [f"W_{method}" for method in METHODS]


class Tried(NamedTuple):
    """How far a validation has got."""

    fits: int
    right: Array  # (2, 4), samples that each method got right at the weights under way: as they
    # are, and expected with noise
    W: Array  # (4, p, q), of the first fold of the first draw


class Validation(Film):
    """The weights of a `ValidationRun`, from strong to weak."""

    curves = np.dtype(
        [
            ("c", "<f8"),
            ("share", "<f8"),
            ("samples", "<u4"),  # that each accuracy is the mean of
            *((method, "<f8") for method in METHODS),
            *((f"noisy_{method}", "<f8") for method in METHODS),  # exact, at a deviation of NOISY
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the four W, each in units of its largest entry."""
        return matrices(MAPS, p, q)

    def frames(self, data: Taken, state: Tried | None) -> Iterator[Frame]:
        """Yield the weights, and a state without a frame after each fit before."""
        recipe: ValidationRun = self.recipe
        at = state or Tried(0, np.zeros((2, 4)), np.zeros((4, *recipe.data.shape[1:])))
        order = len(recipe.weights), recipe.draws, len(METHODS), recipe.folds
        loaded = None
        for number in range(at.fits, np.prod(order)):
            weight, draw, method, fold = np.unravel_index(number, order)
            if draw != loaded:
                loaded, ((X, y, _), _) = draw, parts(recipe, data, draw)
                folds = fold_of(y, recipe.folds)
            kept = folds == fold
            machine = fit(METHODS[method], X[~kept], y[~kept], recipe.weights[weight])
            right, W = at.right.copy(), at.W.copy()
            held = X[kept], y[kept]
            shares = machine.accuracy(*held), machine.exact_accuracy(*held, NOISY)
            right[:, method] += np.multiply(shares, np.count_nonzero(kept))
            if draw == fold == 0:
                W[method] = machine.W
            at = Tried(number + 1, right, W)
            if at.fits % np.prod(order[1:]):
                yield Frame(None, None, at, None, False)
                continue
            samples = len(y) * recipe.draws
            curve = *recipe.weights[weight], samples, *(right / samples).ravel()
            at = at._replace(right=np.zeros((2, 4)))
            picture = tuple(field for M in W for field in (1.0, in_steps(M)[1]))
            yield Frame(curve, picture, at, None, at.fits == np.prod(order))

    def verdict(self, end: Frame) -> str:
        """Return how much was trained."""
        return f"Cross-validated: {end.state.fits} machines trained."


class Learned(NamedTuple):
    """How far a run under noise has got."""

    machines: tuple  # of Machine, four for each draw
    levels: int  # done


class Robustness(Film):
    """The levels of noise of a `RobustnessRun`, from none upwards."""

    curves = np.dtype(
        [
            ("level", "<f8"),
            *((method, "<f8") for method in METHODS),  # mean accuracy
            *((f"sd_{method}", "<f8") for method in METHODS),  # over the draws of noise
            *((f"between_{method}", "<f8") for method in METHODS),  # over the data sets
            *((f"exact_{method}", "<f8") for method in METHODS),
            *((f"margin_{method}", "<f8") for method in METHODS),  # median y f / ||W||_F
            *((f"rank_{method}", "<u4") for method in METHODS),  # on the first draw
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return a record of nothing but its number."""
        return np.dtype([("frame", "<u4")])

    def frames(self, data: Taken, state: Learned | None) -> Iterator[Frame]:
        """Yield the levels, and a state without a frame after each fit before."""
        recipe: RobustnessRun = self.recipe
        validation = recipe.validation
        at = state or Learned((), 0)
        for number in range(len(at.machines), validation.draws * len(METHODS)):
            draw, method = divmod(number, len(METHODS))
            (X, y, _), _ = parts(validation, data, draw)
            weights = validation.weights[recipe.chosen[method]]
            at = Learned((*at.machines, fit(METHODS[method], X, y, weights)), 0)
            yield Frame(None, None, at, None, False)
        draws = [
            (at.machines[len(METHODS) * draw :][: len(METHODS)], parts(validation, data, draw)[1])
            for draw in range(validation.draws)
        ]
        Gaussian = recipe.noise == "Gaussian"
        for number in range(at.levels, len(recipe.levels)):
            level = recipe.levels[number]
            simulated = [
                accuracies(
                    machines,
                    held.X,
                    held.y,
                    recipe.noise,
                    level,
                    salt=recipe.salt,
                    repetitions=recipe.repetitions,
                    random_state=[draw, number],
                )
                for draw, (machines, held) in enumerate(draws)
            ]
            exact = [
                [m.exact_accuracy(held.X, held.y, level) if Gaussian else np.nan for m in machines]
                for machines, held in draws
            ]
            margins = [
                [np.median(m.margins(held.X, held.y)) for m in machines] for machines, held in draws
            ]
            curve = (
                level,
                *np.concatenate(summary(simulated)),
                *np.mean(exact, axis=0),
                *np.mean(margins, axis=0),
                *(np.linalg.matrix_rank(machine.W) for machine in at.machines[: len(METHODS)]),
            )
            at = Learned(at.machines, number + 1)
            yield Frame(curve, (), at, at.machines, number + 1 == len(recipe.levels))

    def verdict(self, end: Frame) -> str:
        """Return what the numbers are means of."""
        times = self.recipe.repetitions
        draws = self.recipe.validation.draws
        return f"{times} draws of the noise at each level" + (
            f", on each of {draws} data sets." if draws > 1 else "."
        )


def parts(recipe: ValidationRun, data: Taken, draw: int) -> tuple[Samples, Samples]:
    """Return the samples to train on and to test on of a draw, in the unit of the recipe."""
    first = Samples(data.problem.X, data.problem.y, data.coef), data.held
    train, held = first if draw == 0 else _made(recipe.splits[draw])
    X, X_held = in_unit(recipe.unit, train.X, held.X)
    return train._replace(X=X), held._replace(X=X_held)


@lru_cache(maxsize=1)  # at the paper's size 0.6 s to make, in every slice, and 100 MB to keep
def _made(split: Split) -> tuple[Samples, Samples]:
    return split.parts()
