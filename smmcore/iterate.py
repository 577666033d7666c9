"""Drive a generator of states: when to stop, what to keep, how long. Knows no mathematics."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import NamedTuple, TypeVar

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
        Asked once for each state, after the consumer has had it.
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


class Timed(NamedTuple):
    """A state and the seconds its solver has worked for it, all earlier states included."""

    seconds: float
    state: object


def timed(states: Iterable[State]) -> Iterator[Timed]:
    """Yield (seconds, state); the clock runs in the solver only, not while a consumer looks."""
    iterator, seconds = iter(states), 0.0
    while True:
        begin = perf_counter()
        try:
            state = next(iterator)
        except StopIteration:
            return
        seconds += perf_counter() - begin
        yield Timed(seconds, state)


def geometric(states: Iterable[State], ratio: float = 1.5) -> Iterator[State]:
    """Yield the states number 1, 2, 3, 4, 6, 9, ..., each about `ratio` times the one before.

    For watching at a cost that grows with the logarithm of the number of iterations. Where the
    states end, the last one is yielded too.

    Raises
    ------
    ValueError
        If `ratio` is not above 1.
    """
    if not ratio > 1:
        raise ValueError(f"ratio must be above 1, got {ratio}")
    due, k, shown = 1, 0, 0
    for k, state in enumerate(states, start=1):
        if k == due:
            yield state
            shown, due = k, max(due + 1, round(due * ratio))
    if k > shown:
        yield state
