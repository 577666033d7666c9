"""Recipes of Figure 2: the weights by cross-validation, then the accuracy under noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import indent

from pages.shared.recipes.data import Split
from pages.shared.recipes.samples import check
from smmcore.robustness import NOISES, UNITS, Weights, strengths

ANY_SEED = 2**32 - 1  # stands in a script where the name of a variable goes
NOISY = 0.3  # deviation of the noise that a validation shows beside none


@dataclass(frozen=True)
class ValidationRun:
    """Four methods, each at the same number of weights: accuracies by cross-validation."""

    data: Split  # of a `BlockCorrelated` as printed
    unit: str = "as printed"  # of the features, fitted on the training part
    count: int = 7  # of weights
    folds: int = 3
    draws: int = 1  # of the data: this seed and those after it

    def __post_init__(self) -> None:
        check("the number of weights", self.count, 2, 20)
        check("the number of folds", self.folds, 2, 20)
        check("the number of data sets", self.draws, 1, 5)
        if self.unit not in UNITS:
            raise ValueError(f"the unit must be one of {UNITS}, got {self.unit!r}")

    @property
    def splits(self) -> list[Split]:
        """The data sets."""
        seeds = range(self.data.data.seed, self.data.data.seed + self.draws)
        return [replace(self.data, data=replace(self.data.data, seed=seed)) for seed in seeds]

    @property
    def weights(self) -> list[Weights]:
        """From strong to weak."""
        return strengths(self.count)

    def script(self) -> str:
        """Return a program that prints the accuracies, a row for each weight."""
        return f"""\
{self._begin()}
for weights in strengths({self.count}):
    right = np.zeros(len(METHODS))
    for X, y, _, _ in draws:
        fold = fold_of(y, {self.folds})
        for k in range({self.folds}):
            train, kept = fold != k, fold == k
            machines = [fit(method, X[train], y[train], weights) for method in METHODS]
            right += [machine.accuracy(X[kept], y[kept]) * kept.sum() for machine in machines]
    print(*weights, *right / sum(len(y) for _, y, _, _ in draws))
"""

    def _begin(self) -> str:
        first, last = self.data.data.seed, self.data.data.seed + self.draws
        named = replace(self.data, data=replace(self.data.data, seed=ANY_SEED)).script()
        lines = [line for line in named.replace(str(ANY_SEED), "seed").splitlines() if line]
        imports = "\n".join(line for line in lines if line.startswith("from "))
        made = "\n".join(line for line in lines if not line.startswith("from "))
        return f'''\
"""Figure 2 in the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np
{imports}
from smmcore.robustness import METHODS, accuracies, fit, fold_of, in_unit, strengths, summary

draws = []
for seed in range({first}, {last}):
{indent(made, " " * 4)}
    X, X_test = in_unit({self.unit!r}, X, X_test)
    draws.append((X, y, X_test, y_test))

'''


@dataclass(frozen=True)
class RobustnessRun:
    """The methods at chosen weights, trained on clean samples and tested on noisy ones."""

    validation: ValidationRun
    chosen: tuple[int, int, int, int]  # numbers of the weights, for each of METHODS
    noise: str = "Gaussian"
    salt: float = 1.0
    repetitions: int = 10

    def __post_init__(self) -> None:
        for number in self.chosen:
            check("the number of a weight", number, 0, self.validation.count - 1)
        check("the value of the salt", self.salt, -1e6, 1e6)
        check("the number of repetitions", self.repetitions, 2, 100)
        if self.noise not in NOISES:
            raise ValueError(f"the noise must be one of {NOISES}, got {self.noise!r}")

    @property
    def data(self) -> Split:
        """What is trained on, and what is kept for testing."""
        return self.validation.data

    @property
    def levels(self) -> tuple[float, ...]:
        """No noise, then deviations in ratios of 1.3 to 1.7, or 0.001 and steps of 0.005."""
        if self.noise == "Gaussian":
            return 0.0, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, NOISY, 0.5, 0.7, 1.0
        return 0.0, 0.001, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035

    def script(self) -> str:
        """Return a program that prints level, mean, both deviations and exact accuracy."""
        # Of salt and pepper there is no exact value.
        gaussian = self.noise == "Gaussian"
        exact = "machine.exact_accuracy(X, y, level)" if gaussian else "np.nan"
        return f"""\
{self.validation._begin()}
weights = strengths({self.validation.count})
chosen = dict(zip(METHODS, {self.chosen}))
learned = [[fit(method, X, y, weights[chosen[method]]) for method in METHODS]
           for X, y, _, _ in draws]

for number, level in enumerate({self.levels}):
    shares = [
        accuracies(machines, X, y, {self.noise!r}, level, salt={self.salt!r},
                   repetitions={self.repetitions}, random_state=[draw, number])
        for draw, (machines, (_, _, X, y)) in enumerate(zip(learned, draws))
    ]
    exact = [[{exact} for machine in machines]
             for machines, (_, _, X, y) in zip(learned, draws)]
    print(level, *np.concatenate(summary(shares)), *np.mean(exact, axis=0))
"""
