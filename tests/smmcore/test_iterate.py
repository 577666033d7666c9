import itertools

import pytest

from smmcore import iterate
from smmcore.iterate import geometric, last, timed, until


def test_until_ends_with_the_first_state_that_stops_and_asks_no_further():
    numbers = itertools.count()
    assert list(until(numbers, lambda k: k == 3)) == [0, 1, 2, 3]
    assert next(numbers) == 4


def test_until_yields_at_most_max_iter_states():
    assert list(until(itertools.count(), lambda k: False, max_iter=2)) == [0, 1]
    with pytest.raises(ValueError, match="max_iter must be at least 1, got 0"):
        next(until(itertools.count(), lambda k: False, max_iter=0))


def test_last_returns_the_last_state_and_needs_one():
    assert last(iter("abc")) == "c"
    with pytest.raises(ValueError, match="needs at least one state, got none"):
        last([])


def test_timed_counts_the_time_of_the_solver_alone(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(iterate, "perf_counter", lambda: clock[0])

    def solver():
        for k in range(3):
            clock[0] += 1
            yield k

    seen = []
    for seconds, k in timed(solver()):
        clock[0] += 100  # the consumer looks
        seen.append((seconds, k))
    assert seen == [(1, 0), (2, 1), (3, 2)]


def test_geometric_thins_out_and_keeps_the_last_state():
    assert list(geometric(range(1, 30), ratio=2)) == [1, 2, 4, 8, 16, 29]
    with pytest.raises(ValueError, match="ratio must be above 1, got 1"):
        next(geometric(range(3), ratio=1))
