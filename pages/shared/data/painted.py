"""A painted W*: as a text for links, and samples with labels from it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from math import acos, pi

import numpy as np

from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.engine.experiment import Dataset
from smmcore.arrays import Array

SIDE = 20  # rows and columns of a sample
LAST_PAINTING = "painting"  # of the reader, as a text, in the session
PLACES = 3 ** np.arange(5)  # five cells of -1, 0 and 1 are the digits of a byte


def encode(W: Array) -> str:
    """Return a painting as 107 letters that may stand in an address."""
    codes = (W.reshape(-1, len(PLACES)).astype(int) + 1) @ PLACES
    return urlsafe_b64encode(codes.astype(np.uint8).tobytes()).decode().rstrip("=")


def decode(text: str) -> Array:
    """Return the painting of a text, (20, 20); a `ValueError` says why there is none."""
    try:
        codes = np.frombuffer(urlsafe_b64decode(text + "="), np.uint8)
        W: Array = np.asarray(codes[:, None] // PLACES % 3 - 1.0).reshape(SIDE, SIDE)
    except ValueError:
        W = np.zeros((SIDE, SIDE))
    if encode(W) != text:
        raise ValueError(f"a painting must be {SIDE} × {SIDE} cells as 107 letters, got {text!r}")
    if not W.any():
        raise ValueError("W* must have a cell that is not 0, as it gives no sample a label")
    return W


def _smiley() -> Array:
    W = np.zeros((SIDE, SIDE))
    W[5:8, [5, 6, 13, 14]] = 1  # eyes
    W[10:12, 9:11] = -1
    W[13, [4, 5, 14, 15]] = W[14, 5:15] = 1  # mouth
    return W


def _plaid() -> Array:
    stripes = np.sign(np.sin(np.arange(SIDE) * 2 * np.pi / 8 + 0.1)) * (np.arange(SIDE) % 4 != 3)
    return np.outer(stripes, stripes)


def _random(rank: int) -> Array:
    """Return random signs whose rows are those of `rank` rows, or their opposites."""
    rng = np.random.default_rng(rank)
    rows, signs = rng.choice([-1.0, 1.0], (rank, SIDE)), rng.choice([-1.0, 1.0], (SIDE, 1))
    return np.asarray(signs * rows[np.arange(SIDE) % rank])


SMILEY, PLAID, DIAGONAL, RANK_2 = "Smiley", "Plaid", "Diagonal", "Rank 2"
PAINTINGS = {  # that are built in
    SMILEY: _smiley(),
    PLAID: _plaid(),
    DIAGONAL: np.eye(SIDE),
    RANK_2: _random(2),
    "Rank 10": _random(10),
}


def truth_of(text: str) -> Array:
    """Return the W* of a painting, by its name or its letters."""
    return PAINTINGS[text] if text in PAINTINGS else decode(text)


def cells_of(W: Array) -> list[int]:
    """Return the cells of a painting for the browser."""
    return [int(cell) for cell in W.ravel()]


def unit(M: Array) -> Array:
    """Return a matrix scaled to norm 1; 0 stays 0."""
    return np.asarray(M / (np.linalg.norm(M) or 1.0))


def exact_accuracy(cosine: float) -> float:
    """Return the share of normal samples to which a W at this cosine from W* gives their labels."""
    return 1 - acos(max(-1.0, min(1.0, cosine))) / pi


@dataclass(frozen=True)
class Painted(Dataset):
    """Matrices of independent normal entries, with labels from a painted W*."""

    painting: str  # see `encode`
    n: int = 800
    seed: int = 0

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, 10, 2_000)
        decode(self.painting)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, SIDE, SIDE

    def prepare(self) -> Prepared:
        """Make the samples, which are the same for all paintings."""
        W = decode(self.painting)
        X = np.random.default_rng(self.seed).standard_normal(self.shape)
        return Prepared.of(Samples(X, np.where(np.tensordot(X, W) > 0, 1.0, -1.0), W))

    def script(self) -> str:
        """Return the statements that make X, y and W."""
        return f"""\
from base64 import urlsafe_b64decode
import numpy as np

codes = np.frombuffer(urlsafe_b64decode("{self.painting}="), np.uint8)
W = (codes[:, None] // 3 ** np.arange(5) % 3 - 1.0).reshape({SIDE}, {SIDE})
X = np.random.default_rng({self.seed}).standard_normal(({self.n}, {SIDE}, {SIDE}))
y = np.where(np.tensordot(X, W) > 0, 1.0, -1.0)
"""
