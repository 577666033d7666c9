"""Download a file once and keep it."""

from __future__ import annotations

import os
import tempfile
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

TIMEOUT = 10.0  # seconds without a byte from the server


def fetch(name: str, url: str, file: str, largest: int, data_home: str | None) -> Path:
    """Return the path of a file in scikit-learn's data home; download the file if it is missing."""
    from sklearn.datasets import get_data_home

    folder = Path(get_data_home(data_home))
    if (folder / file).exists():
        return folder / file
    handle, part = tempfile.mkstemp(prefix=f"{file}.", dir=folder)
    try:
        with open(handle, "wb") as copy, urlopen(url, timeout=TIMEOUT) as answer:
            if urlsplit(answer.url).scheme != "https":
                raise OSError("it redirects to an address without https")
            length = int(answer.headers["Content-Length"] or 0)
            while piece := answer.read(1 << 20):
                copy.write(piece)
                if copy.tell() > largest:
                    raise OSError(f"it is larger than {largest >> 20} MB")
            if copy.tell() < length:
                raise OSError(f"it ended after {copy.tell():,} of {length:,} bytes")
        os.replace(part, folder / file)
    except (OSError, HTTPException, ValueError) as error:
        os.unlink(part)
        reason = getattr(error, "reason", error)
        raise OSError(
            f"{name} could not be fetched from {urlsplit(url).hostname} "
            f"({getattr(reason, 'strerror', None) or reason}); the first use needs an internet "
            "connection."
        ) from error
    return folder / file
