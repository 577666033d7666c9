"""A frame, and what makes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.recipes.samples import Prepared as Taken
from pages.shared.recipes.samples import accuracy
from smmcore.problems import Certificate, LSCertificate, SMMCertificate

__all__ = ["Taken", "accuracy"]
Array = NDArray[np.float64]


# One, one of each contestant by name, or machines that have none.
Proof = SMMCertificate | LSCertificate | dict[str, Certificate | LSCertificate] | tuple | None


class Frame(NamedTuple):
    """One moment of a run: what is drawn of it, and where it goes on."""

    curve: tuple | None  # of the film's curves; None: the run has got on, and shows nothing new
    picture: tuple | None  # of the film's pictures, without the number of the frame
    state: Any
    certificate: Proof
    finished: bool


class Film(ABC):
    """The frames of one kind of run.

    Attributes
    ----------
    curves : numpy.dtype
        A record for each frame.
    """

    curves: np.dtype

    def __init__(self, recipe: Any) -> None:
        self.recipe = recipe

    @abstractmethod
    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of a picture of p x q samples; its first field is ``frame``."""

    @abstractmethod
    def frames(self, data: Taken, state: Any) -> Iterator[Frame]:
        """Yield the frames after a state, from the beginning where it is None."""

    @abstractmethod
    def verdict(self, end: Frame) -> str:
        """Return a sentence about the last frame."""


def matrices(names: Sequence[str], p: int, q: int) -> np.dtype:
    """Return the record of pictures of p x q matrices, by name."""
    fields = [field for M in names for field in ((f"{M}_scale", "<f4"), (M, "i1", (p, q)))]
    return np.dtype([("frame", "<u4"), *fields])


def in_steps(M: Array) -> tuple[float, NDArray[np.int8]]:
    """Return (scale, levels): a matrix in 255 steps of scale / 127, as pictures have it."""
    scale = float(np.abs(M).max())
    levels = np.rint(M * (127 / scale)) if scale else np.zeros_like(M)
    return scale, levels.astype(np.int8)


EMPTY = -128  # a cell of a picture that shows nothing


def tiles(n: int) -> tuple[int, int]:
    """Return rows and columns of a picture with a cell for each of n samples, row by row."""
    columns = 10 * ceil(sqrt(2 * n) / 10)
    return ceil(n / columns), columns


def in_tiles(values: Array, n: int) -> NDArray[np.int8]:
    """Return numbers between -1 and 1, one a sample, as a picture that has room for n."""
    cells = np.full(tiles(n), EMPTY, np.int8)
    cells.flat[: len(values)] = np.rint(127 * values)
    return cells


def after(k: int) -> str:
    """Say after how many iterations."""
    return f"after {k:,} iteration{'s' if k > 1 else ''}"


def proved(done: int, loose: int, tol: float) -> str:
    """Say how many solutions were proved to a tolerance, all but the loose ones."""
    which = f"all but {loose}" if loose else "each"
    return f"{done} solutions, {which} to a relative gap of {tol:.0e}"
