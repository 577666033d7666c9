"""Scripts take turns, so that the server's event loop answers the hands in between.

Python runs one thread at a time. Twenty scripts that run side by side end no sooner than one after
another, and the loop, which wants the interpreter for each message, then waits behind all of them.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 10.0  # seconds after which a script runs beside another that does not end

_turn = threading.Lock()
_own = threading.local()


@contextmanager
def take_turn() -> Iterator[None]:
    """Run while no other script does."""
    _take()
    try:
        yield
    finally:
        _give()


@contextmanager
def step_aside() -> Iterator[None]:
    """Let other scripts run while this one, if it is one, waits."""
    had_turn = _give()
    try:
        yield
    finally:
        if had_turn:
            _take()


def _take() -> None:
    _own.turn = _turn.acquire(timeout=PATIENCE)


def _give() -> bool:
    had_turn, _own.turn = getattr(_own, "turn", False), False
    if had_turn:
        _turn.release()
    return had_turn
