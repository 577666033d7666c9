"""Samples as workers have them, and limits on their size for a server that many readers share.

Uploaded samples are spooled to a temporary file for as long as a session or a run uses them.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.spool_folder import folder
from pages.shared.engine.experiment import Dataset
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.problems import Certificate, SMMProblem

log = logging.getLogger(__name__)


MAX_SIDE = 512  # the shorter of rows and columns, to which singular values are cubic
MAX_LENGTH = 4_096  # the longer one: a filter over it is a square matrix
MAX_ROW = 2_048  # columns of a single row: the bilinear SVM takes 3 s of the processor
MAX_SAMPLES, MAX_ENTRIES = 3_000, 20_000_000  # n and n p q: their Gram matrix takes 10 seconds
# Environment variable: the most samples of a visitor. Without it, a server that others can reach
# takes `MAX_SAMPLES`, and one's own machine as many as there are.
SAMPLES_SETTING = "SMM_LAB_SAMPLES"
MAX_SPOOL = 2_000_000_000  # bytes of all uploads that are held at one time
# Synthetic data need not be larger than in the paper, and a worker serves many readers.
MAX_SAMPLES_MADE, MAX_ENTRIES_MADE = 2_000, 12_000_000


class Samples(NamedTuple):
    """Matrices with labels -1 and +1, and the true W if the labels were made from one."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    coef: Array | None  # (p, q)


class Prepared(NamedTuple):
    """A prepared data set of two classes: the problem, the true W and the held-out part."""

    problem: SMMProblem  # on the training part, at arbitrary weights
    coef: Array | None = None  # (p, q), the true W
    held: Samples | None = None  # the test part of a split

    @classmethod
    def of(cls, samples: Samples, held: Samples | None = None) -> Prepared:
        """Prepare the training part and, if there is one, the test part."""
        X, y, coef = samples
        return cls(SMMProblem(X, y, C=1.0, tau=1.0), coef, held)

    def held_accuracy(self, proof: Certificate) -> float:
        """Return the accuracy of a classifier on the test part."""
        assert self.held is not None
        X, y, _ = self.held
        return accuracy(X.reshape(len(y), -1) @ proof.W.ravel() + proof.b, y)


class Labelled(NamedTuple):
    """Matrices of two classes or more, with what a split needs to know about each sample."""

    X: Array  # (n, p, q)
    y: NDArray[np.intp]  # (n,), indices into `classes`
    classes: NDArray[Any]  # (K,), the original labels, sorted
    groups: NDArray[np.intp] | None = None  # (n,): subject, session
    test: NDArray[np.bool_] | None = None  # (n,), the test part that came with the data

    @classmethod
    def of(
        cls,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> Labelled:
        """Replace labels and groups by their indices in sorted order."""
        classes, codes = np.unique(_plain(y), return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"every label is {classes[0]}; there must be two classes or more")
        if groups is not None:
            groups = np.unique(_plain(groups), return_inverse=True)[1]
        X = np.ascontiguousarray(X, dtype=float)
        return cls(X, codes, classes, groups, None if test is None else np.asarray(test, bool))


def _plain(labels: NDArray[Any]) -> NDArray[Any]:
    # An array of objects cannot be saved without pickle.
    return np.array(labels.tolist()) if labels.dtype == object else np.asarray(labels)


def most_samples(is_own_machine: bool) -> int:
    """Return the most samples that a visitor may use, by the setting of the server's owner."""
    text = os.environ.get(SAMPLES_SETTING, "")
    if not text:
        return MAX_ENTRIES if is_own_machine else MAX_SAMPLES
    if not text.isdecimal() or int(text) < 2:
        raise ValueError(f"{SAMPLES_SETTING} must be a whole number, at least 2, got {text!r}")
    return int(text)


def check_size(
    n: int, p: int, q: int, samples: int = MAX_SAMPLES, entries: int = MAX_ENTRIES
) -> None:
    """Refuse data that are too large for a shared server."""
    check_sides(p, q)
    check_numbers(n, p, q, samples, entries)


def check_sides(p: int, q: int) -> None:
    """Refuse matrices with too many rows or columns to train on."""
    check("the smaller of rows and columns", min(p, q), 1, MAX_SIDE)
    check("the larger of rows and columns", max(p, q), 1, MAX_ROW if p == 1 else MAX_LENGTH)


def check_numbers(
    n: int, p: int, q: int, samples: int = MAX_SAMPLES, entries: int = MAX_ENTRIES
) -> None:
    """Refuse data with too many numbers; their rows and columns may be made fewer afterwards."""
    check("n, the number of samples,", n, 2, samples)
    if n * p * q > entries:
        raise ValueError(
            f"n × p × q must be at most {entries:,}, got {n:,} × {p:,} × {q:,} = {n * p * q:,}"
        )


def check(name: str, value: float, low: float, high: float, limit: str = "") -> None:
    """Refuse a value outside its range."""
    if not low <= value <= high:  # a NaN fails as well
        at_most = f"{limit} = {high:g}" if limit else f"{high:,}"
        raise ValueError(f"{name} must be at least {low:g} and at most {at_most}, got {value:g}")


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
    n, p, q = X.shape
    check_numbers(n, p, q, samples=MAX_ENTRIES)  # `most_samples` has limited n before
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
        path = _write(arrays)
        known = tuple(part for part in ("groups", "test") if part in arrays)
        upload = Upload(sha256, X.shape, classes, known, str(path), name)
        _spooled[sha256] = upload
    weakref.finalize(upload, _delete, path)
    return upload


def _delete(path: Path) -> None:
    """Delete a spooled file, and those that a worker was reading when it was their turn."""
    _dropped.add(path)
    for each in [*_dropped]:
        with suppress(OSError):  # Windows deletes no file that is open
            each.unlink(missing_ok=True)
            _dropped.discard(each)


def _write(arrays: dict[str, Any]) -> Path:
    """Write arrays to a new file, or leave none behind."""
    try:
        path = folder() / f"{next(_numbers)}.npz"
        try:
            np.savez(path, **arrays)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    except OSError as error:
        log.error("samples could not be spooled: %s", error)
        sentence = "the server's disk is full or cannot be written: please try again later"
        raise ValueError(sentence) from None
    return path


def samples_to_hand_out(data: Labelled) -> dict[str, NDArray[Any]]:
    """Return X, y and what else is known of labelled samples."""
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
_dropped: set[Path] = set()
