"""Fetch a file once, from a server that may not be there."""

from __future__ import annotations

import os
import tempfile
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

SECONDS = 10.0  # without a word from the server


def fetch(name: str, url: str, file: str, largest: int, data_home: str | None = None) -> Path:
    """The path of a file in scikit-learn's data home, fetched where it is not there yet.

    Parameters
    ----------
    name : str
        What error messages call the data, to begin a sentence.
    url : str
        Begins with https, and so does where it redirects to.
    file : str
        The name to keep it under.
    largest : int
        Bytes at which the download is given up.
    data_home : str, optional
        As in `sklearn.datasets.get_data_home`.

    Raises
    ------
    OSError
        Where the file cannot be fetched whole; the message is one sentence.
    """
    from sklearn.datasets import get_data_home

    folder = Path(get_data_home(data_home))
    if (folder / file).exists():
        return folder / file
    handle, part = tempfile.mkstemp(prefix=f"{file}.", dir=folder)
    try:
        with open(handle, "wb") as kept, urlopen(url, timeout=SECONDS) as answer:
            if urlsplit(answer.url).scheme != "https":
                raise OSError("it sends on to a place without https")
            length = int(answer.headers["Content-Length"] or 0)
            while piece := answer.read(1 << 20):
                kept.write(piece)
                if kept.tell() > largest:
                    raise OSError(f"it is larger than {largest >> 20} MB")
            if kept.tell() < length:
                raise OSError(f"it ended after {kept.tell():,} of {length:,} bytes")
        os.replace(part, folder / file)
    except (OSError, HTTPException, ValueError) as error:
        os.unlink(part)
        reason = getattr(error, "reason", error)
        raise OSError(
            f"{name} could not be fetched from {urlsplit(url).hostname} "
            f"({getattr(reason, 'strerror', None) or reason}); this takes an internet connection, "
            "once."
        ) from error
    return folder / file
