"""Recipe of the low-rank SVM's data: 100 features, six of them relevant, behind A and B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from pages.shared.data.samples import Prepared, Samples, check
from smmcore.datasets import Protocol, make_low_rank_relevant
from smmcore.experiments.experiment import Dataset

PROTOCOLS: dict[str, tuple[Protocol, bool]] = {  # and whether features are permuted
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
    size: int | None = None  # rows of A and of B; None: X as it is, 10 x 10
    noise: float = 0.0
    protocol: Protocol = "as printed"
    permute: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, 20, 2_000)
        check("the number of samples to train on", self.train, 10, self.n - 1, "n - 1")
        if self.size is not None:
            check("the size of A X Bᵀ", self.size, 10, 64)
        check("the deviation of the noise", self.noise, 0, 100)
        check("the seed", self.seed, 0, 2**32 - 1)
        if self.protocol not in get_args(Protocol):
            raise ValueError(
                f"the protocol must be one of {get_args(Protocol)}, got {self.protocol!r}"
            )

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q), of the whole; nobody needs more than the bound."""
        return self.n, self.size or 10, self.size or 10

    @property
    def tests(self) -> int:
        """How many samples are kept for testing."""
        return self.n - self.train

    def prepare(self) -> Prepared:
        """Make both parts."""
        return Prepared.of(*self.parts())

    def load(self) -> Samples:
        """Return the samples to train on."""
        return self.parts()[0]

    def parts(self) -> tuple[Samples, Samples]:
        """Return the samples to train on and those to test on."""
        X, y, coef = make_low_rank_relevant(
            self.n,
            self.size,
            self.noise,
            self.seed,
            coef=True,
            protocol=self.protocol,
            permute=self.permute,
        )
        head, tail = slice(self.train), slice(self.train, None)
        return Samples(X[head], y[head], coef), Samples(X[tail], y[tail], coef)

    def script(self) -> str:
        """Return the statements that make X and y, and X_test and y_test."""
        return f"""\
from smmcore.datasets import make_low_rank_relevant

X, y = make_low_rank_relevant(
    {self.n},
    {self.size},
    {self.noise!r},
    {self.seed},
    protocol={self.protocol!r},
    permute={self.permute},
)
X, X_test, y, y_test = X[:{self.train}], X[{self.train}:], y[:{self.train}], y[{self.train}:]
"""
