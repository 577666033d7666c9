"""Flat samples of a given shape: what scikit-learn's own tools and data frames need."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel

import smmcore
from smmcore import (
    AROM,
    LowRankSVM,
    SupportMatrixMachine,
    SupportMatrixMachineCV,
    TwoDPCA,
)
from tests.smmcore.conftest import ESTIMATORS

SHAPE = (4, 3)


def flat(estimator):
    return clone(estimator).set_params(shape=SHAPE)


def samples(classes=2, n=60):
    """Matrices of which two entries tell two classes, and each entry of a row its own."""
    X = np.random.default_rng(0).standard_normal((n, *SHAPE))
    return X, (X[:, 1, 0] > X[:, 2, 2]).astype(int) if classes == 2 else X[:, 0].argmax(axis=1)


# One of each kind: what they do with samples is in the base class of them all.
SEARCH = SupportMatrixMachineCV([1.0], n_taus=2, cv=2)
KINDS = [SupportMatrixMachine(), LowRankSVM(), SEARCH, TwoDPCA()]
OF_TENSORS = (LowRankSVM, AROM)


def read(estimator, X):
    return estimator.predict(X) if hasattr(estimator, "predict") else estimator.transform(X)


def test_every_estimator_that_tells_matrices_from_vectors_has_a_shape():
    each = {name: getattr(smmcore, name)().get_params() for name in ESTIMATORS}
    without = {name for name, parameters in each.items() if "shape" not in parameters}
    assert without == {"MatrixScaler"}  # for which they are the same


@pytest.mark.parametrize("estimator", KINDS, ids=str)
def test_flat_samples_of_a_shape_give_the_fit_on_matrices_bit_for_bit(estimator):
    X, y = samples()
    plain = clone(estimator).fit(X, y)
    for given in (X, np.asfortranarray(X.reshape(60, 12))):
        machine = flat(estimator).fit(given, y)
        assert machine.n_features_in_ == 12
        assert clone(machine).get_params()["shape"] == SHAPE
        again = pickle.loads(pickle.dumps(machine))
        for form in (X, X.reshape(60, 12), X.reshape(60, 12).tolist()):
            np.testing.assert_array_equal(read(again, form), read(plain, X))
        fitted = {name: value for name, value in vars(plain).items() if name.endswith("_")}
        assert len(fitted) > 2
        del fitted["n_features_in_"]
        for name in {"coef_", "intercept_"} & set(fitted):  # one row per class, as scikit-learn's
            found = np.reshape(getattr(machine, name), np.shape(fitted[name]))
            np.testing.assert_array_equal(found, fitted.pop(name))
        for name, value in fitted.items():
            np.testing.assert_array_equal(getattr(machine, name), value, strict=True)


@pytest.mark.parametrize("estimator", OF_TENSORS)
def test_samples_of_a_shape_may_be_tensors_where_the_estimator_takes_them(estimator):
    X, y = samples()
    tensors = X.reshape(60, 2, 2, 3)
    machine = estimator(shape=(2, 2, 3)).fit(X.reshape(60, 12), y)
    assert machine.coef_.shape == (1, 12)
    np.testing.assert_array_equal(machine.W_, estimator().fit(tensors, y).coef_)
    np.testing.assert_array_equal(machine.predict(tensors), machine.predict(X.reshape(60, 12)))


@pytest.mark.parametrize("estimator", KINDS, ids=str)
def test_another_number_of_features_is_refused_with_both_numbers(estimator):
    X, y = samples()
    machine = flat(estimator)
    message = r"shape=\(4, 3\) needs flat samples of 4 \* 3 = 12 features, got X of shape "
    with pytest.raises(ValueError, match=message + r"\(60, 11\); .* as RFE does, need shape=None$"):
        machine.fit(X.reshape(60, 12)[:, :11], y)
    with pytest.raises(
        ValueError, match=r"X must have shape \(n, 4, 3\), got \(60, 3, 4\); the samples seem to be"
    ):
        machine.fit(X.swapaxes(1, 2), y)
    machine.fit(X.reshape(60, 12), y)
    for wrong, words in (
        (X.reshape(60, 12)[:, :11], message + r"\(60, 11\)$"),
        (X[0], message + r"\(4, 3\); pass a single sample as X\[np.newaxis\]$"),
        (X[:, :, :2], r"X must have shape \(n, 4, 3\), got \(60, 4, 2\)$"),
        (X[0, 0], "1D array"),
    ):
        with pytest.raises(ValueError, match=words):
            read(machine, wrong)


@pytest.mark.parametrize("shape", [(12,), (), (4, 0), (4, -3), (4, 3.0), (2, 2, 3), ["4", "3"]])
def test_a_shape_must_be_two_positive_integers(shape):
    X, y = samples()
    with pytest.raises(ValueError, match=r"shape must be \(p, q\) with positive integers, got"):
        SupportMatrixMachine(shape=shape).fit(X.reshape(60, 12), y)


def test_the_shape_of_tensors_has_at_least_two_sizes():
    X, y = samples()
    with pytest.raises(ValueError, match=r"must be \(p, q, \.\.\.\) with positive .* got \(12,\)"):
        LowRankSVM(shape=(12,)).fit(X.reshape(60, 12), y)
    with pytest.raises(ValueError, match="The 'shape' parameter of LowRankSVM must be"):
        LowRankSVM(shape=12).fit(X.reshape(60, 12), y)


def test_a_shape_set_after_the_fit_counts_from_the_next_fit():
    X, y = samples()
    machine = SupportMatrixMachine().fit(X, y).set_params(shape=(2, 6))
    np.testing.assert_array_equal(
        machine.predict(X), clone(machine).set_params(shape=None).fit(X, y).predict(X)
    )
    with pytest.raises(ValueError, match=r"X must have shape \(n, 4, 3\), got \(60, 12\)"):
        machine.predict(X.reshape(60, 12))


SELECTING = [SupportMatrixMachine(tau=0.1), LowRankSVM(), SEARCH]


@pytest.mark.parametrize("estimator", SELECTING, ids=str)
@pytest.mark.parametrize("shape", [(4, 3), (12, 1), (1, 12)])
def test_tools_that_read_coef_find_the_feature_that_decides(estimator, shape):
    X = np.random.default_rng(0).standard_normal((60, 12))
    machine = clone(estimator).set_params(shape=shape)
    y = X[:, -1] > 0
    selector = SelectFromModel(machine, max_features=1, threshold=-np.inf).fit(X, y)
    assert np.flatnonzero(selector.get_support()).tolist() == [11]
    assert selector.transform(X).shape == (60, 1)
