"""The samples of reproductions: those that come with a package, and files that the user names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class SourceSamples(NamedTuple):
    """Matrices with their labels."""

    X: NDArray[Any]  # (n, p, q)
    y: NDArray[Any]  # (n,)
    groups: NDArray[Any] | None = None  # (n,), the subject of each sample

    @property
    def digest(self) -> str:
        """A digest of all arrays."""
        hashed = sha256()
        for array in self:
            hashed.update(repr(None if array is None else (array.shape, array.dtype.str)).encode())
            hashed.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
        return hashed.hexdigest()[:16]


@dataclass(frozen=True)
class Source:
    """Samples by name: they are loaded, or recognised by the shape of what a user's file holds."""

    name: str
    note: str  # for the list of reproductions: what it is, and the usual name of the file
    shape: tuple[int, int, int]  # (n, p, q); 0 stands for any n
    classes: int  # number of classes
    # Loads samples that come with a package; None if the user gives a file
    load: Callable[[], SourceSamples] | None = None

    def matches(self, samples: SourceSamples) -> bool:
        """Return whether samples have the shape and the number of classes of this source."""
        n, *shape = samples.X.shape
        same = [self.shape[0] or n, *self.shape[1:]] == [n, *shape]
        return same and self.classes == len(np.unique(samples.y))


def _load_digits() -> SourceSamples:
    from sklearn.datasets import load_digits

    digits = load_digits()
    return SourceSamples(digits.images, digits.target)


def _load_faces() -> SourceSamples:
    from pages.shared.data.faces import load_faces

    return SourceSamples(*load_faces())


DIGITS = Source("digits", "digits 8 × 8, from scikit-learn", (1797, 8, 8), 10, _load_digits)
FACES = Source(
    "faces", "faces and background 25 × 25, from scikit-image", (200, 25, 25), 2, _load_faces
)
FACE_NONFACE = Source(
    "CBCL faces", "FaceNonFace.mat, faces and non-faces 19 × 19", (200, 19, 19), 2
)
ORL = Source("ORL", "ORL_32x32.mat, 40 people", (400, 32, 32), 40)
YALE = Source("Yale", "imdb.mat, Yale faces 28 × 28, 15 people", (150, 28, 28), 15)
PALMS = Source("palm prints", "Temp.mat, palm prints 32 × 32 of 100 people", (600, 32, 32), 100)
EEG = Source("EEG", "eeg_alcohol_S1_64x64.mat, 16 subjects", (320, 64, 64), 2)
EEG_ARCHIVE = Source(
    "EEG archive", "SMNI_CMI_TRAIN.tar.gz, the official archive, 20 subjects", (0, 61, 256), 2
)
