"""Uploaded samples, spooled to a temporary file for as long as a session or a run uses them."""

from __future__ import annotations

import hashlib
import tempfile
import threading
import weakref
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Array, Labelled, check_numbers
from pages.shared.engine.experiment import Dataset

MAX_SPOOL = 2_000_000_000  # bytes of all uploads that are held at one time


@dataclass(frozen=True)
class Upload(Dataset):
    """Uploaded samples, identified by the hash of their content; `spool` makes them.

    Uploads of the same content are equal, wherever their arrays are stored and whatever they are
    called.
    """

    sha256: str
    shape: tuple[int, int, int]
    classes: tuple[Any, ...]  # the original labels, sorted
    known: tuple[str, ...]  # besides the label of each sample: "groups", "test"
    path: str = field(compare=False, repr=False)
    name: str = field(default="", compare=False, repr=False)  # of the files that the app hands out

    private = True
    opener = "open_samples"

    @property
    def file(self) -> str:
        """The name of the file of samples."""
        return f"{self.name}_samples.npz"

    def prepare(self) -> Labelled:
        """Read the spooled arrays."""
        try:
            with np.load(self.path) as arrays:
                return Labelled(**arrays)
        except FileNotFoundError:
            sentence = "the uploaded samples are gone: please upload the file again"
            raise ValueError(sentence) from None


def spool(
    X: NDArray[Any],
    y: NDArray[Any],
    groups: NDArray[Any] | None = None,
    test: NDArray[Any] | None = None,
    name: str = "your",
) -> Upload:
    """Write samples to a temporary file, once for each content, and return the data set.

    The file is deleted when no session and no run of this process refers to the data set any more.
    """
    check_numbers(*X.shape)
    labelled = Labelled.of(X, y, groups, test)
    arrays = {part: value for part, value in labelled._asdict().items() if value is not None}
    classes = tuple(labelled.classes.tolist())
    content = hashlib.sha256(repr((X.shape, classes)).encode())
    for part, array in arrays.items():
        content.update(part.encode() + array.tobytes())
    sha256 = content.hexdigest()
    with _spool_lock:
        held = _spooled.get(sha256)
        if held is not None and held.name == name:
            return held
        if sum(other.memory_bytes for other in _spooled.values()) + X.nbytes > MAX_SPOOL:
            raise ValueError("the server holds as many uploads as it can: please try again later")
        # a new name, because the finalizer of an older upload of this content deletes its own file.
        path = Path(_spool_directory().name, f"{next(_numbers)}.npz")
        np.savez(path, **arrays)
        known = tuple(part for part in ("groups", "test") if part in arrays)
        upload = Upload(sha256, X.shape, classes, known, str(path), name)
        _spooled[sha256] = upload
    weakref.finalize(upload, path.unlink, missing_ok=True)
    return upload


def open_samples(file: str) -> Upload:
    """Spool the samples in a file that the app has handed out."""
    with np.load(file) as arrays:
        known = {name: arrays[name] for name in ("groups", "test") if name in arrays}
        return spool(
            arrays["X"], arrays["y"], **known, name=Path(file).name.removesuffix("_samples.npz")
        )


def samples_to_hand_out(data: Labelled) -> dict[str, NDArray[Any]]:
    """Return X, y and what else is known of labelled samples, for `open_samples`."""
    X, y, classes, groups, test = data
    arrays = {"X": compact(X), "y": classes[y], "groups": groups, "test": test}
    return {name: array for name, array in arrays.items() if array is not None}


def compact(X: Array) -> NDArray[Any]:
    """Return the same numbers in the smallest type that holds them: pixels need no doubles."""
    for dtype in (np.uint8, np.int16, np.float32):
        with np.errstate(invalid="ignore", over="ignore"):
            smaller = X.astype(dtype)
        if np.array_equal(smaller, X, equal_nan=dtype is np.float32):
            return smaller
    return X


# Weak values: an entry disappears with the last session or run that refers to the upload.
_spooled: weakref.WeakValueDictionary[str, Upload] = weakref.WeakValueDictionary()
_spool_lock = threading.Lock()
_numbers = count()


@cache
def _spool_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="smm-lab-")
