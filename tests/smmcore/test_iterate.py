import itertools

import pytest

from smmcore.iterate import last, until


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
