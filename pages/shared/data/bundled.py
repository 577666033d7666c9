"""Labelled data sets that need no upload."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pages.shared.data.faces import load_faces
from pages.shared.data.painted import PAINTINGS, PLAID, SIDE, Painted, encode
from pages.shared.data.samples import Labelled, check
from pages.shared.engine.experiment import Dataset

P300_FILE = Path(__file__).parents[3] / "assets" / "examples" / "p300.npz"


@dataclass(frozen=True)
class P300(Dataset):
    """EEG after flashes of symbols, one of which a person looks for; assets/examples/p300.md."""

    shape = 256, 17, 32  # (n, p, q): channels x moments from the flash on, 31.25 ms apart
    classes = "other", "target"
    moment: ClassVar[float] = 31.25  # milliseconds
    # Places on the head, the nose at the top; the catalogues do not name the last channel
    channels: ClassVar[dict[str, tuple[float, float]]] = {
        **{"F7": (-0.81, 0.59), "F3": (-0.55, 0.67), "F4": (0.55, 0.67), "F8": (0.81, 0.59)},
        **{"T7": (-1.0, 0.0), "C3": (-0.5, 0.0), "Cz": (0.0, 0.0), "C4": (0.5, 0.0)},
        **{"T8": (1.0, 0.0), "P7": (-0.81, -0.59), "P3": (-0.55, -0.67), "Pz": (0.0, -0.5)},
        **{"P4": (0.55, -0.67), "P8": (0.81, -0.59), "O1": (-0.31, -0.95), "O2": (0.31, -0.95)},
        "17": (0.0, -1.0),
    }
    known = ("groups",)  # sixteen pieces of the recording, as trials that follow closely overlap

    def prepare(self) -> Labelled:
        """Read the trials, in microvolts."""
        with np.load(P300_FILE) as arrays:
            labels = np.array(self.classes)[arrays["y"]]
            return Labelled.of(0.25 * arrays["X"], labels, np.arange(256) // 16)


@dataclass(frozen=True)
class Planted(Dataset):
    """Independent normal entries with labels from a W* of rank 1, the plaid of a lesson."""

    shape = 300, SIDE, SIDE  # (n, p, q)
    classes = "-1", "+1"
    known = ()

    def prepare(self) -> Labelled:
        """Make the samples."""
        problem = Painted(encode(PAINTINGS[PLAID]), n=self.shape[0]).prepare().problem
        return Labelled.of(problem.X, np.where(problem.y > 0, "+1", "-1"))


@dataclass(frozen=True)
class Digits(Dataset):
    """Some of scikit-learn's handwritten digits: 8 x 8 matrices of grey values 0 to 16."""

    classes: tuple[int, ...] = (3, 8)
    known = ()

    def __post_init__(self) -> None:
        for digit in self.classes:
            check("a digit", digit, 0, 9)
        if len(set(self.classes)) < max(2, len(self.classes)):
            raise ValueError(f"the digits must be two or more and differ, got {self.classes}")
        object.__setattr__(
            self, "classes", tuple(sorted(self.classes))
        )  # one order, so that equal sets are equal

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return int(np.isin(_digits().target, self.classes).sum()), 8, 8

    def prepare(self) -> Labelled:
        """Select the classes from the bundled set."""
        digits = _digits()
        rows = np.isin(digits.target, self.classes)
        return Labelled.of(digits.images[rows], digits.target[rows])


@dataclass(frozen=True)
class Faces(Dataset):
    """Faces and other image patches, 25 x 25 grey values, bundled with scikit-image."""

    shape = 200, 25, 25  # (n, p, q)
    classes = "background", "face"
    known = ()

    def prepare(self) -> Labelled:
        """Read the bundled set."""
        return Labelled.of(*load_faces())


@cache
def _digits() -> Any:
    from sklearn.datasets import load_digits

    return load_digits()
