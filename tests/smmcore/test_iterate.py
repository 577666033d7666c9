import itertools

import pytest

from smmcore.iterate import last, until
from smmcore.solvers import fast_admm, solve_to_gap
from tests.smmcore.conftest import random_problem


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


def test_solve_to_gap_certifies_the_last_state_of_an_iterable_that_ends():
    problem = random_problem(0)
    for k in range(1, 7):  # also those whose gap is not due
        states = [*itertools.islice(fast_admm(problem, rho=1.0), k)]
        proof, state = solve_to_gap(problem, states, 0.0, 100)
        assert state is states[-1]
        assert proof.primal == state.certificate(problem).primal
    with pytest.raises(ValueError, match="needs at least one state, got none"):
        solve_to_gap(problem, [], 1e-6, 100)
