"""Recipes of regression data: a curve, steps or features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pages.shared.recipes.samples import Array, check
from smmcore.datasets import make_feature_groups, make_sinc, make_steps
from smmcore.experiments.experiment import Dataset
from smmcore.problems import gaussian_design

MOST = 300  # samples, and parameters: ADMM decomposes a matrix of this order


class Regressed(NamedTuple):
    """Samples of a regression, and where its curve is drawn."""

    Phi: Array  # (n, b)
    y: Array  # (n,)
    x: Array  # (n,), where the samples lie; none of features
    truth: Array  # (n,), y without its noise; of features their coefficients, (b,)
    grid: Array  # (m,), where a fit is drawn
    basis: Array  # (m, b), which makes the fit of theta


@dataclass(frozen=True)
class Sinc(Dataset):
    """The book's noisy curve, and the Gaussian kernel model on its samples."""

    n: int = 50
    noise: float = 0.2
    h: float = 0.3
    seed: int = 0

    points = 241  # at which a fit is drawn

    def __post_init__(self) -> None:
        _check_data(self.n, self.noise, self.seed)
        check("h, the width of the basis functions,", self.h, 0.01, 10)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1)."""
        return self.n, self.n, 1

    def prepare(self) -> Regressed:
        """Generate the samples."""
        x, y, truth = make_sinc(self.n, self.noise, self.seed)
        grid = np.linspace(-3, 3, self.points)
        return Regressed(
            gaussian_design(x, x, self.h), y, x, truth, grid, gaussian_design(grid, x, self.h)
        )

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        return f"""\
from smmcore.datasets import make_sinc
from smmcore.problems import gaussian_design

x, y, truth = make_sinc({self.n}, {self.noise!r}, {self.seed})
Phi = gaussian_design(x, x, {self.h!r})
"""


@dataclass(frozen=True)
class Steps(Dataset):
    """A noisy signal of a few steps, a parameter for each of its samples."""

    n: int = 100
    noise: float = 0.3
    pieces: int = 6
    seed: int = 0

    def __post_init__(self) -> None:
        _check_data(self.n, self.noise, self.seed)
        check("the number of steps", self.pieces, 1, self.n // 2, "n / 2")

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1)."""
        return self.n, self.n, 1

    @property
    def points(self) -> int:
        """At how many a fit is drawn: at the samples."""
        return self.n

    def prepare(self) -> Regressed:
        """Generate the signal."""
        x, y, truth = make_steps(self.n, self.pieces, self.noise, self.seed)
        return Regressed(np.eye(self.n), y, x, truth, x, np.eye(self.n))

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        return f"""\
import numpy as np

from smmcore.datasets import make_steps

x, y, truth = make_steps({self.n}, {self.pieces}, {self.noise!r}, {self.seed})
Phi = np.eye({self.n})
"""


@dataclass(frozen=True)
class Features(Dataset):
    """Eight groups of five features that are nearly copies; the first two groups count."""

    n: int = 30
    spread: float = 0.003  # of the copies
    noise: float = 0.5
    seed: int = 0

    groups, size = 8, 5
    points = 0  # no fit is drawn

    def __post_init__(self) -> None:
        _check_data(self.n, self.noise, self.seed)
        check("the spread of the copies", self.spread, 0, 10)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1)."""
        return self.n, self.groups * self.size, 1

    def prepare(self) -> Regressed:
        """Generate the samples."""
        X, y, coef = make_feature_groups(
            self.n, self.groups, self.size, 2, self.spread, self.noise, self.seed
        )
        return Regressed(X, y, np.zeros(0), coef, np.zeros(0), np.zeros((0, len(coef))))

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        numbers = f"{self.groups}, {self.size}, 2, {self.spread!r}, {self.noise!r}, {self.seed}"
        return f"""\
from smmcore.datasets import make_feature_groups

Phi, y, coef = make_feature_groups({self.n}, {numbers})
"""


Regression = Sinc | Steps | Features


def _check_data(n: int, noise: float, seed: int) -> None:
    check("n, the number of samples,", n, 10, MOST)
    check("the noise", noise, 0, 100)
    check("the seed", seed, 0, 2**32 - 1)
