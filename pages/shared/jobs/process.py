"""The process of a worker: how it begins, what it does, and when it ends."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable

from threadpoolctl import threadpool_limits

LONGEST = 60.0  # seconds of processor time for one job


def idle() -> None:
    """Import what jobs use besides; a process that has done so answers its first job at once."""
    import sklearn.datasets
    import sklearn.model_selection  # noqa: F401


def do(job: Callable, *arguments: object) -> object:
    """Do a job, and end this process if it takes too long: whoever waits is told, and others go on.

    Parameters
    ----------
    job : function of `jobs`
    *arguments
        What it is called with.
    """
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        return job(*arguments)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)


def answer(call: bytes) -> bytes:
    """Make a call that comes as a pickle; return the pickle of its result and its error.

    Parameters
    ----------
    call : bytes
        The pickle of a function, its arguments and its keyword arguments.
    """
    try:
        fn, args, kwargs = pickle.loads(call)
        outcome = fn(*args, **kwargs), None
    except Exception as error:
        error.add_note(traceback.format_exc())  # for the server's log
        outcome = None, error
    try:
        return pickle.dumps(outcome)
    except Exception as error:
        return pickle.dumps((None, RuntimeError(f"the answer cannot be sent: {error}")))


def begin_worker() -> None:
    """Make a process a good neighbour: behind the server, one thread, gone with its parent."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to answer
    threadpool_limits(1)  # the libraries that are loaded by now
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # those that come later
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # A server that is killed hard sends no signal; its workers would stay for ever.
    multiprocessing.parent_process().join()
    os._exit(0)
