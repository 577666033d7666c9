"""Synthetic data sets, and the split of a data set into a training part and a test part."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.bundled import P300, Digits, Faces, Planted
from pages.shared.data.samples import (
    MAX_ENTRIES_MADE,
    MAX_SAMPLES_MADE,
    Prepared,
    Samples,
    Upload,
    check,
    check_size,
)
from pages.shared.engine.experiment import Dataset
from pages.shared.numbers import one_two_five
from smmcore.arrays import Array
from smmcore.datasets import (
    Protocol,
    Scaling,
    column_groups,
    make_block_correlated,
    make_low_rank_relevant,
    positive_count,
)

LabelledDataset = P300 | Faces | Planted | Digits | Upload  # their `prepare()` returns a `Labelled`
SCALINGS = get_args(Scaling)
NOISES = [0.0, *one_two_five(-4, 0), 1.0]


@dataclass(frozen=True)
class BlockCorrelated(Dataset):
    """The synthetic data of the SMM paper's section 5.1: V groups of correlated columns."""

    n: int = 200
    p: int = 20
    q: int = 25
    groups: int = 4
    noise: float = 1e-3
    rank: int = 5
    scaling: Scaling = "unit variance"
    seed: int = 0
    positives: float | None = None  # share of class +1; if None, the sign of <W, X> decides

    def __post_init__(self) -> None:
        check_size(self.n, self.p, self.q, MAX_SAMPLES_MADE, MAX_ENTRIES_MADE)
        check("V, the number of groups,", self.groups, 1, min(self.q, self.n), "min(q, n)")
        check("delta, the noise,", self.noise, 0, 100)
        check("the rank of the true W", self.rank, 1, min(self.p, self.q), "min(p, q)")
        check("the seed", self.seed, 0, 2**32 - 1)
        if self.scaling not in SCALINGS:
            raise ValueError(f"the scaling must be one of {SCALINGS}, got {self.scaling!r}")
        if self.positives is not None:
            check("the share of class +1", self.positives, 0.001, 0.999)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, self.p, self.q

    @property
    def group_of_column(self) -> NDArray[np.intp]:
        """The group of each column, (q,)."""
        return column_groups(self.q, self.groups)

    @property
    def positive_count(self) -> int | None:
        """Number of samples of class +1 if their share is set."""
        return None if self.positives is None else positive_count(self.n, self.positives)

    def prepare(self) -> Prepared:
        """Generate the samples."""
        return Prepared.of(self.load())

    def load(self) -> Samples:
        """Generate the samples."""
        return Samples(
            *make_block_correlated(
                self.n,
                (self.p, self.q),
                n_groups=self.groups,
                noise=self.noise,
                rank=self.rank,
                scaling=self.scaling,
                positives=self.positives,
                random_state=self.seed,
                coef=True,
            )
        )

    def script(self) -> str:
        """Return the statements that make X and y."""
        positives = "" if self.positives is None else f"    positives={self.positives!r},\n"
        return f"""\
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(
    {self.n}, ({self.p}, {self.q}), n_groups={self.groups}, noise={self.noise!r}, \
rank={self.rank}, scaling={self.scaling!r}, random_state={self.seed},
{positives})
"""


@dataclass(frozen=True)
class Split(Dataset):
    """A training part and a test part of other data, with the same shares of the classes."""

    data: BlockCorrelated
    test_size: float = 0.3
    seed: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q) of both parts, an upper bound on the training part."""
        return self.data.shape

    @property
    def tests(self) -> int:
        """Number of samples in the test part; scikit-learn rounds up."""
        return ceil(self.test_size * self.shape[0])

    def prepare(self) -> Prepared:
        """Make both parts."""
        return Prepared.of(*self.parts())

    def load(self) -> Samples:
        """Return the training part."""
        return self.parts()[0]

    def parts(self) -> tuple[Samples, Samples]:
        """Return the training part and the test part."""
        X, y, coef = self.data.load()
        train, test = self.rows(y)
        return Samples(X[train], y[train], coef), Samples(X[test], y[test], coef)

    def rows(self, y: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows of the training part and of the test part."""
        from sklearn.model_selection import train_test_split

        if min(np.count_nonzero(y < 0), np.count_nonzero(y > 0)) < 2:
            raise ValueError("each class needs at least 2 samples, one to train on and one to test")
        train, test = train_test_split(
            np.arange(len(y)), test_size=self.test_size, stratify=y, random_state=self.seed
        )
        return train, test

    def script(self) -> str:
        """Return the statements that make X and y, and X_test and y_test."""
        return f"""\
from sklearn.model_selection import train_test_split
{self.data.script()}\
X, X_test, y, y_test = train_test_split(X, y, test_size={self.test_size!r}, \
stratify=y, random_state={self.seed})
"""


PROTOCOLS: dict[str, tuple[Protocol, bool]] = {  # with whether features are permuted
    "as printed": ("as printed", True),
    "Weston's own": ("Weston", True),
    "one triple": ("one triple", True),
    "one triple, in one row": ("one triple", False),
}


@dataclass(frozen=True)
class Relevant(Dataset):
    """The synthetic data of Wolf et al., section 6: the first samples train, the others test."""

    n: int = 500
    train: int = 50
    size: int | None = None  # rows of A and of B; if None, X itself, 10 x 10
    noise: float = 0.0
    protocol: Protocol = "as printed"
    permute: bool = True
    seed: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q) of both parts, an upper bound on the training part."""
        return self.n, self.size or 10, self.size or 10

    @property
    def tests(self) -> int:
        """Number of samples in the test part."""
        return self.n - self.train

    def prepare(self) -> Prepared:
        """Make both parts."""
        return Prepared.of(*self.parts())

    def load(self) -> Samples:
        """Return the training part."""
        return self.parts()[0]

    def parts(self) -> tuple[Samples, Samples]:
        """Return the training part and the test part."""
        X, y, coef = Samples(
            *make_low_rank_relevant(
                self.n,
                self.size,
                self.noise,
                self.seed,
                coef=True,
                protocol=self.protocol,
                permute=self.permute,
            )
        )
        head, tail = slice(self.train), slice(self.train, None)
        return Samples(X[head], y[head], coef), Samples(X[tail], y[tail], coef)
