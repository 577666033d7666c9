"""Run a generator of states until a condition holds, and keep the last state."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

State = TypeVar("State")


def until(
    states: Iterable[State], stop: Callable[[State], bool], max_iter: int | None = None
) -> Iterator[State]:
    """Yield states up to and including the first for which `stop` holds.

    Parameters
    ----------
    states : iterable
        Usually an endless solver.
    stop : callable
        Called once for each state, after the consumer has received it.
    max_iter : int, optional
        Yield at most this many states.

    Raises
    ------
    ValueError
        If `max_iter` is below 1.
    """
    if max_iter is not None and max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter}")
    for state in islice(states, max_iter):
        yield state
        if stop(state):
            return


def last(states: Iterable[State]) -> State:
    """Return the last state; the states must end.

    Raises
    ------
    ValueError
        If there is no state at all.
    """
    tail = deque(states, maxlen=1)
    if not tail:
        raise ValueError("last() needs at least one state, got none")
    return tail.pop()
