"""Observe the states of a solver, end them when a condition holds, and keep the last one."""

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
        Yield at most this many states; a number below 1 raises a ValueError.

    Examples
    --------
    >>> from itertools import count
    >>> from smmcore.iterate import until
    >>> [*until(count(), lambda state: state * state > 20)]
    [0, 1, 2, 3, 4, 5]
    """
    if max_iter is not None and max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter}")
    for state in islice(states, max_iter):
        yield state
        if stop(state):
            return


def observe(states: Iterable[State], callback: Callable[[State], object] | None) -> Iterator[State]:
    """Yield the states, each of which a callback receives first.

    Parameters
    ----------
    states : iterable
        Usually an endless solver.
    callback : callable or None
        Called once for each state; its result is ignored. If it raises StopIteration, as a callback
        of `scipy.optimize` may, this state is the last one.

    Examples
    --------
    >>> from smmcore.iterate import observe
    >>> [*observe(range(3), print)]
    0
    1
    2
    [0, 1, 2]
    """
    for state in states:
        try:
            if callback is not None:
                callback(state)
        except StopIteration:
            yield state
            return
        yield state


def last(states: Iterable[State]) -> State:
    """Return the last state of an iterable that ends; one without states raises a ValueError.

    Examples
    --------
    >>> from smmcore.iterate import last
    >>> last(range(3))
    2
    """
    tail = deque(states, maxlen=1)
    if not tail:
        raise ValueError("last() needs at least one state, got none")
    return tail.pop()
