"""The argument `callback` of `fit` receives each state of the solver and may end its run."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning

from smmcore import SupportMatrixMachine
from tests.smmcore.conftest import one_of_each_estimator

PREDICTORS = [each for each in one_of_each_estimator() if hasattr(each, "predict")]


def samples(estimator, classes=2):
    X = np.random.default_rng(0).standard_normal((40, 4, 3))
    y = X[:, 0].argmax(axis=1) if classes == 3 else X[:, 1, 0] > X[:, 2, 2]
    return X, (y if is_classifier(estimator) else y.astype(float))


class Stop:
    """Ends each run that it observes at the state of a given number."""

    def __init__(self, k):
        self.k, self.seen = k, []

    def __call__(self, state):
        self.seen.append(state.k)
        if state.k >= self.k:
            raise StopIteration


@pytest.mark.parametrize("estimator", PREDICTORS, ids=str)
def test_each_state_is_received_and_the_fit_is_the_one_without_a_callback(estimator):
    X, y = samples(estimator)
    states = []
    machine = clone(estimator).fit(X, y, callback=states.append)
    assert [state.k for state in states] == [*range(1, machine.n_iter_ + 1)]
    plain = clone(estimator).fit(X, y)
    for name, value in vars(plain).items():
        if name.endswith("_"):
            np.testing.assert_array_equal(getattr(machine, name), value, strict=True)


@pytest.mark.parametrize("estimator", PREDICTORS, ids=str)
def test_stop_iteration_ends_the_fit_with_the_state_that_was_observed(estimator):
    X, y = samples(estimator)
    stop = Stop(2)
    with pytest.warns(ConvergenceWarning, match="was not reached"):
        machine = clone(estimator).set_params(tol=1e-14).fit(X, y, callback=stop)
    assert stop.seen == [1, 2]
    assert machine.n_iter_ == 2
    with pytest.warns(ConvergenceWarning):
        limited = clone(estimator).set_params(tol=1e-14, max_iter=2).fit(X, y)
    np.testing.assert_array_equal(machine.coef_, limited.coef_)


def test_classes_follow_each_other_and_a_stop_ends_the_run_of_one():
    X, y = samples(SupportMatrixMachine(), classes=3)
    machine = SupportMatrixMachine()
    seen = []
    iterations = machine.fit(X, y, callback=lambda state: seen.append(state.k)).n_iter_
    assert seen == [k for n_iter in iterations for k in range(1, n_iter + 1)]
    stop = Stop(5)
    with pytest.warns(ConvergenceWarning):
        machine.set_params(tol=1e-14).fit(X, y, callback=stop)
    assert stop.seen == [1, 2, 3, 4, 5] * 3
    np.testing.assert_array_equal(machine.n_iter_, [5, 5, 5])


def test_what_a_callback_returns_is_not_used_and_what_it_raises_is_passed_on():
    X, y = samples(SupportMatrixMachine())
    assert SupportMatrixMachine().fit(X, y, callback=lambda state: True).n_iter_ > 1

    def fail(state):
        raise KeyError(state.k)

    with pytest.raises(KeyError, match="1"):
        SupportMatrixMachine().fit(X, y, callback=fail)
