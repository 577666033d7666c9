"""scikit-learn's contract: its checks for one class per family, the essentials for the others."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from smmcore import (
    AROM,
    BilinearSVM,
    LeastSquaresSMM,
    LinearSVM,
    LowRankSVM,
    MatrixScaler,
    RegularizedGLM,
    SupportMatrixMachine,
    SupportMatrixMachineCV,
    TwoDPCA,
)
from tests.smmcore.conftest import ESTIMATORS

# The classifiers share `fit`, `predict` and scikit-learn's tags through their base class; those of
# tensors check other shapes, and the search has problems of its own. The weights of all are checked
# in test_sample_weight.
# With the tolerance of 1e-6, the same problem in two forms has two solutions that differ by 5e-7.
CHECKED = [
    *(SupportMatrixMachine(tol=1e-9), LowRankSVM(), TwoDPCA()),
    *(MatrixScaler(), MatrixScaler("whitened")),
]
SEARCH = SupportMatrixMachineCV(Cs=[1.0], n_taus=2, cv=2, tol=1e-9)  # its checks take 7 seconds
OTHERS = [
    SEARCH,
    *(LeastSquaresSMM(), LinearSVM(), RegularizedGLM(), AROM()),
    BilinearSVM(n_init=1, random_state=0),
]


# Of random labels and targets nothing may be learned.
NOTHING = pytest.mark.filterwarnings("ignore:.* found W = 0", "ignore:.* coefficients that are all")


@parametrize_with_checks(CHECKED)
@NOTHING
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.sweep
@parametrize_with_checks([SEARCH])
@NOTHING
def test_scikit_learns_own_checks_of_the_search(estimator, check):
    check(estimator)


def test_every_estimator_is_tested_here():
    assert {type(each).__name__ for each in [*CHECKED, *OTHERS]} == {*ESTIMATORS}


@pytest.mark.parametrize("estimator", OTHERS, ids=repr)
@pytest.mark.parametrize("features", [1, 4])
def test_a_class_of_a_checked_family_is_cloned_fitted_and_pickled(estimator, features):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, features))
    scores = X[:, 0] + 0.1 * rng.standard_normal(30)
    regressor = "Regressor" in type(estimator).__name__
    y = scores if regressor else np.where(scores > 0, "yes", "no")
    X.setflags(write=False)
    assert estimator._parameter_constraints.keys() == estimator.get_params().keys()
    copy = clone(estimator)
    fitted = copy.fit(X, y)
    assert fitted is copy
    assert copy.get_params() == estimator.get_params()
    assert copy.n_features_in_ == features
    assert copy.score(X, y) > 0.6
    again = pickle.loads(pickle.dumps(copy))
    np.testing.assert_array_equal(again.predict(X), copy.predict(X))
    np.testing.assert_array_equal(again.fit(X, y).predict(X), copy.predict(X))
    for wrong, message in (
        (X[:, 0], "1D array"),
        (np.full_like(X, np.nan), "NaN"),
        (np.c_[X, X], "features"),
    ):
        with pytest.raises(ValueError, match=message):
            copy.predict(wrong)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        copy.fit(X, y[:-1])


def test_an_estimator_that_another_version_saved_is_read_with_a_warning(monkeypatch):
    X = np.random.default_rng(0).standard_normal((40, 3, 2))
    machine = SupportMatrixMachine().fit(X, X[:, 0, 0] > 0)
    saved = pickle.dumps(machine)
    monkeypatch.setattr("smmcore.estimators.base.__version__", "99.0.0")
    with pytest.warns(UserWarning, match=r"was saved by smmcore .* 99\.0\.0: "):
        again = pickle.loads(saved)
    np.testing.assert_array_equal(again.predict(X), machine.predict(X))
