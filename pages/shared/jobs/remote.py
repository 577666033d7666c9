"""Calls from another machine, made by a worker that must run the same version of this app."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from socket import gethostname

import smmcore
from pages.shared.jobs.process import answer

PACKAGES = Path(__file__).parents[2], Path(smmcore.__file__).parent


class Call:
    """A call that is made where its pickle is loaded, and by `pickle.loads` alone."""

    def __init__(self, function: Callable, *arguments: object) -> None:
        self._parts = function, arguments

    def __reduce__(self) -> tuple:
        return self._parts


def pickle_call(fn: Callable, args: tuple, kwargs: dict) -> bytes:
    """Return a pickle which, loaded by a worker, makes the call and becomes its `answer`."""
    # The call is pickled twice: a worker compares versions before it looks for our classes.
    return pickle.dumps(Call(answer_same_version, version(), pickle.dumps((fn, args, kwargs))))


def answer_same_version(wanted: str, call: bytes) -> bytes:
    """Make a pickled call, but only if the server has the same source code as this process.

    Raises
    ------
    ImportError
        If it has other code.
    """
    if version() != wanted:
        raise ImportError(f"{gethostname()} has another version of it")
    return answer(call)


@cache
def version() -> str:
    """Return a digest of the app's source code, as it is at the first call."""
    digest = sha256()
    for package in PACKAGES:
        for file in sorted(package.rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
