"""The data sets of *Sparse regression*, and its penalties."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pages.shared.data.samples import check
from pages.shared.engine.experiment import Dataset
from smmcore.arrays import Array
from smmcore.datasets import make_sinc, make_steps
from smmcore.sugiyama.regression import gaussian_design

PENALTIES = {
    "l2": "ℓ₂",
    "l1": "ℓ₁",
    "l1 + l2": "ℓ₁ + ℓ₂",
    "l1,2": "ℓ₁,₂, groups",
    "fused": "fused",
}
MAX_SAMPLES = 300  # also of the parameters: ADMM decomposes a matrix of this order
GRID_POINTS = 241  # points at which the fit of a curve is drawn


class PreparedDesign(NamedTuple):
    """The samples of a regression, and the grid on which a fit is drawn."""

    Phi: Array  # (n, b)
    y: Array  # (n,)
    x: Array  # (n,), places of the samples
    truth: Array  # (n,), y without its noise
    grid: Array  # (m,), where a fit is drawn
    basis: Array  # (m, b); the fit of theta is basis @ theta


class RegressionData(Dataset):
    """A data set for a regression; a subclass has the fields ``n``, ``noise`` and ``seed``."""

    n: int
    noise: float
    seed: int

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, 10, MAX_SAMPLES)
        check("the noise", self.noise, 0, 100)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1), where b = n: one parameter for each sample."""
        return self.n, self.n, 1

    @property
    @abstractmethod
    def provenance(self) -> str:
        """Sentences about the data and their scaling, for a caption."""


@dataclass(frozen=True)
class Sinc(RegressionData):
    """The book's noisy curve, and the Gaussian kernel model on its samples."""

    n: int = 50
    noise: float = 0.2
    h: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check("h, the width of the basis functions,", self.h, 0.01, 10)

    @property
    def provenance(self) -> str:
        """The curve, its noise and the basis functions."""
        return (
            f"Data: {self.n} samples of sin(πx) / (πx) + 0.1 x, x in equal steps from −3 to 3, "
            f"plus noise of standard deviation {self.noise:g}, seed {self.seed}. Model: {self.n} "
            "basis "
            f"functions exp(−(x − xⱼ)² / (2h²)), one at each sample, h = {self.h:g}. Nothing is "
            "scaled, and there is no offset."
        )

    def prepare(self) -> PreparedDesign:
        """Generate the samples of the curve."""
        x, y, truth = make_sinc(self.n, self.noise, self.seed)
        grid = np.linspace(-3, 3, GRID_POINTS)
        Phi, basis = (gaussian_design(at, x, self.h) for at in (x, grid))
        return PreparedDesign(Phi, y, x, truth, grid, basis)


@dataclass(frozen=True)
class Steps(RegressionData):
    """A noisy signal of a few steps, with one parameter for each sample."""

    n: int = 100
    noise: float = 0.3
    pieces: int = 6
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check("the number of steps", self.pieces, 1, self.n // 2, "n / 2")

    @property
    def provenance(self) -> str:
        """The signal and its noise."""
        return (
            f"Data: {self.n} samples of a signal with {self.pieces} levels, jumps of 1 to 3, plus "
            f"noise of deviation {self.noise:g}, seed {self.seed}. Model: a parameter for each "
            "sample, Φ = I. Nothing is scaled."
        )

    def prepare(self) -> PreparedDesign:
        """Generate the signal."""
        x, y, truth = make_steps(self.n, self.pieces, self.noise, self.seed)
        return PreparedDesign(np.eye(self.n), y, x, truth, x, np.eye(self.n))
