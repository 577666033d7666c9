"""Configure a worker process and run calls in it, on this machine or on another.

A worker on another machine must run the same version of this app.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from socket import gethostname
from typing import Any

from threadpoolctl import threadpool_limits

import smmcore

PACKAGES = Path(__file__).parents[2], Path(smmcore.__file__).parent
# The server comes first, but not so much that its scripts, which write words, delay the first frame
# of a run: of 100 students who move knobs, 95 % see it after 0.3 s with 3, after 0.5 s with 10.
NICENESS = 3
MAX_SECONDS = 60.0  # of processor time, for one call


def preload(modules: tuple[str, ...] = ()) -> None:
    """Import what calls need later, so that the first call is not delayed."""
    for name in ("pages.shared.engine.slices", *modules):
        import_module(name)


def run_limited(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function, and end this process if the call takes more than `MAX_SECONDS`."""
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        return function(*arguments)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)


def run_pickled(call: bytes) -> bytes:
    """Run a pickled call; return the pickle of (result, error), one of which is None."""
    try:
        fn, args, kwargs = pickle.loads(call)
        outcome: tuple[Any, Exception | None] = fn(*args, **kwargs), None
    except Exception as error:
        error.add_note(traceback.format_exc())  # for the server's log
        outcome = None, error
    try:
        return pickle.dumps(outcome)
    except Exception as error:
        return pickle.dumps((None, RuntimeError(f"the answer cannot be sent: {error}")))


def configure_worker() -> None:
    """Configure a worker: low priority, one BLAS thread, exits with its parent."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    threadpool_limits(1)  # of the libraries loaded so far
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # of libraries loaded later
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # a killed server sends no signal: its workers would run for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(0)


class Call:
    """A call that `pickle.loads` makes, on the machine that loads the pickle."""

    def __init__(self, function: Callable[..., Any], *arguments: object) -> None:
        self._parts = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self._parts


def pickle_call(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bytes:
    """Return a pickle that, loaded by a worker, runs the call and becomes its pickled outcome."""
    # Pickled twice: a worker compares versions before it loads our classes.
    return pickle.dumps(Call(run_same_version, version(), pickle.dumps((function, args, kwargs))))


def run_same_version(wanted: str, call: bytes) -> bytes:
    """Run a pickled call, provided that the server has the same source code as this process."""
    if version() != wanted:
        raise ImportError(f"{gethostname()} has another version of it")
    return run_pickled(call)


@cache
def version() -> str:
    """Return a digest of the app's source code, as read by the first call."""
    digest = sha256()
    for package in PACKAGES:
        for file in sorted(package.rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
