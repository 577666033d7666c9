"""Samples that somebody brought, spooled to a file that lives as long as somebody needs them."""

from __future__ import annotations

import hashlib
import tempfile
import threading
import weakref
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pages.shared.recipes.samples import Samples, check_size, footprint

MAX_SPOOL = 2_000_000_000  # bytes of all uploads that are held at one time


@dataclass(frozen=True)
class Upload:
    """Samples that somebody brought: known by the hash of their content, made by `spool`.

    Where the arrays lie is no part of what they are: two uploads of one content are equal.
    """

    sha256: str
    shape: tuple[int, int, int]
    path: str = field(compare=False, repr=False)

    def load(self) -> Samples:
        """Read the spooled arrays."""
        try:
            with np.load(self.path) as arrays:
                return Samples(arrays["X"], arrays["y"], None)
        except FileNotFoundError:
            sentence = "the uploaded samples are gone: please upload the file again"
            raise ValueError(sentence) from None

    def script(self) -> str:
        """Return the statements that make X and y."""
        return """\
import numpy as np

with np.load("samples.npz") as arrays:  # the download beside this script
    X, y = arrays["X"], arrays["y"]
"""


def spool(X: NDArray, y: NDArray) -> Upload:
    """Write samples to a temporary file, once for each content, and return their recipe.

    The file lives as long as anybody in this process holds the recipe (a session, one of its
    runs), so nothing is left behind by sessions that are gone.

    Parameters
    ----------
    X : ndarray of shape (n, p, q)
    y : ndarray of shape (n,)
        Labels -1 and +1.
    """
    check_size(*X.shape)
    X, y = np.ascontiguousarray(X, dtype=float), np.ascontiguousarray(y, dtype=float)
    sha256 = hashlib.sha256(repr(X.shape).encode() + X.tobytes() + y.tobytes()).hexdigest()
    with _spool_lock:
        if (held := _spooled.get(sha256)) is not None:
            return held
        if sum(footprint(other) for other in _spooled.values()) + X.nbytes > MAX_SPOOL:
            raise ValueError("the server holds as many uploads as it can: please try again later")
        # Its own name: what finalizes an older upload of this content must not delete this file.
        path = Path(_spool_directory().name, f"{next(_numbers)}.npz")
        np.savez(path, X=X, y=y)
        upload = _spooled[sha256] = Upload(sha256, X.shape, str(path))
    weakref.finalize(upload, path.unlink, missing_ok=True)
    return upload


# Weak values: an entry goes with the last session or run that holds its recipe.
_spooled: weakref.WeakValueDictionary[str, Upload] = weakref.WeakValueDictionary()
_spool_lock = threading.Lock()
_numbers = count()


@cache
def _spool_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="smm-lab-")
