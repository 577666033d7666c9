"""Samples of independent entries, with labels from a hidden matrix of a given rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.engine.experiment import Dataset
from smmcore.datasets import make_low_rank

SIDE = 20  # rows and columns of a sample
TESTS = 2_000  # held-out samples


@dataclass(frozen=True)
class Planted(Dataset):
    """Matrices of independent normal entries, with labels from a W* of a given rank."""

    rank: int = 1
    n: int = 800
    seed: int = 0
    noise: float = 0.0  # added to <W*, X>, whose standard deviation is 1, before the sign is taken

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, 10, 2_000)
        check("the rank of W*", self.rank, 1, SIDE)
        check("the noise of the labels", self.noise, 0, 100)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q) of the training part."""
        return self.n, SIDE, SIDE

    @property
    def tests(self) -> int:
        """Number of held-out samples."""
        return TESTS

    def prepare(self) -> Prepared:
        """Make both parts."""
        sizes = TESTS + self.n, (SIDE, SIDE), self.rank
        X, values, truth = make_low_rank(*sizes, self.noise, self.seed)
        y = np.where(values > 0, 1.0, -1.0)
        test, train = slice(TESTS), slice(TESTS, None)
        return Prepared.of(Samples(X[train], y[train], truth), Samples(X[test], y[test], truth))
