"""How many threads BLAS has: one in the loop of a solver, all for a large Gram matrix.

A solver makes many small products, in which several threads only wait for each other. The number
belongs to the whole process. So the first of several solvers that run at the same time sets it, and
the last one restores what the first had found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import OpenBLASController, ThreadpoolController

_lock = Lock()
_users = 0  # solvers that run now, in any thread
_found: Any = None  # the limit of the first one, which can restore what it found


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # which takes 11 ms, and a limit 15 us


def _limit() -> Any:
    return _controller().limit(limits=1, user_api="blas")


@contextmanager
def _changes() -> Iterator[None]:
    """Let this thread change the number.

    From threadpoolctl 3.8 on, the first thread that does so is the only one until it is released.
    """
    release = getattr(OpenBLASController, "clear_controlling_thread", lambda force: None)
    with _lock:
        release(force=True)
        yield
        release(force=True)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS have one thread until the end; also a decorator."""
    global _users, _found
    with _changes():
        if not _users:
            _found = _limit()
        _users += 1
    try:
        yield
    finally:
        with _changes():
            _users -= 1
            if not _users:
                _found.restore_original_limits()


@contextmanager
def all_blas_threads() -> Iterator[None]:
    """Let BLAS have as many threads until the end as it had before `one_blas_thread`."""
    with _changes():
        is_limited = _users > 0
        if is_limited:
            _found.restore_original_limits()
    try:
        yield
    finally:
        with _changes():
            if is_limited and _users:
                _limit()
