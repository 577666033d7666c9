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

from pages.shared.data.samples import Labelled, check_size
from pages.shared.engine.experiment import Dataset

MAX_SPOOL = 2_000_000_000  # bytes of all uploads that are held at one time


@dataclass(frozen=True)
class Upload(Dataset):
    """Uploaded samples, identified by the hash of their content; `spool` makes them.

    Uploads of the same content are equal, wherever their arrays are stored and however a script
    reads them.
    """

    sha256: str
    shape: tuple[int, int, int]
    classes: tuple[Any, ...]  # the original labels, sorted
    known: tuple[str, ...]  # besides the label of each sample: "groups", "test"
    path: str = field(compare=False, repr=False)
    statements: str = field(default="", compare=False, repr=False)

    private = True

    def prepare(self) -> Labelled:
        """Read the spooled arrays."""
        try:
            with np.load(self.path) as arrays:
                return Labelled(**arrays)
        except FileNotFoundError:
            sentence = "the uploaded samples are gone: please upload the file again"
            raise ValueError(sentence) from None

    def script(self) -> str:
        """Return the statements that make X, y and, if they are known, groups and test."""
        return self.statements


def spool(
    X: NDArray[Any],
    y: NDArray[Any],
    groups: NDArray[Any] | None = None,
    test: NDArray[Any] | None = None,
    statements: str = "",
) -> Upload:
    """Write samples to a temporary file, once for each content, and return the data set.

    The file is deleted when no session and no run of this process refers to the data set any more.
    """
    check_size(*X.shape)
    labelled = Labelled.of(X, y, groups, test)
    arrays = {name: value for name, value in labelled._asdict().items() if value is not None}
    classes = tuple(labelled.classes.tolist())
    content = hashlib.sha256(repr((X.shape, classes)).encode())
    for name, array in arrays.items():
        content.update(name.encode() + array.tobytes())
    sha256 = content.hexdigest()
    with _spool_lock:
        held = _spooled.get(sha256)
        if held is not None and held.statements == statements:
            return held
        if sum(other.memory_bytes for other in _spooled.values()) + X.nbytes > MAX_SPOOL:
            raise ValueError("the server holds as many uploads as it can: please try again later")
        # a new name, because the finalizer of an older upload of this content deletes its own file.
        path = Path(_spool_directory().name, f"{next(_numbers)}.npz")
        np.savez(path, **arrays)
        known = tuple(name for name in ("groups", "test") if name in arrays)
        upload = Upload(sha256, X.shape, classes, known, str(path), statements)
        _spooled[sha256] = upload
    weakref.finalize(upload, path.unlink, missing_ok=True)
    return upload


# Weak values: an entry disappears with the last session or run that refers to the upload.
_spooled: weakref.WeakValueDictionary[str, Upload] = weakref.WeakValueDictionary()
_spool_lock = threading.Lock()
_numbers = count()


@cache
def _spool_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="smm-lab-")
