"""MatrixScaler: the scaling of samples as a transformer."""

import numpy as np
import pytest
import sklearn
from sklearn.covariance import ledoit_wolf
from sklearn.preprocessing import Normalizer, StandardScaler

from smmcore import MatrixScaler, SupportMatrixMachine, TwoDPCA
from smmcore.estimators.scaling import Scaling

X = 3 + np.random.default_rng(0).standard_normal((30, 4, 3)) * np.arange(1.0, 13.0).reshape(4, 3)
TRAIN = X[:20]


@pytest.mark.parametrize("kind", ["none", "unit length", "z-score"])
def test_matrices_and_flat_samples_are_scaled_as_by_scaling_and_by_scikit_learn(kind):
    expected = Scaling.fit(kind, TRAIN)(X)
    scaler = MatrixScaler(kind).fit(TRAIN)
    np.testing.assert_array_equal(scaler.transform(X), expected, strict=True)
    flat = MatrixScaler(kind).fit(TRAIN.reshape(20, 12)).transform(X.reshape(30, 12))
    assert flat.shape == (30, 12)
    np.testing.assert_allclose(flat, expected.reshape(30, 12), rtol=1e-14)  # by other sums
    theirs = {"none": None, "unit length": Normalizer(), "z-score": StandardScaler()}[kind]
    if theirs:
        theirs = theirs.fit(TRAIN.reshape(20, 12)).transform(X.reshape(30, 12))
        np.testing.assert_allclose(flat, theirs, rtol=1e-12, atol=1e-14)
    if kind == "z-score":
        np.testing.assert_allclose(scaler.mean_, TRAIN.mean(axis=0), strict=True)
        np.testing.assert_allclose(scaler.scale_, TRAIN.std(axis=0), strict=True)
    else:
        assert scaler.mean_ is scaler.scale_ is None


def correlated(random, n, p, q, shared=1.0):
    """Samples whose rows, and whose columns, are correlated and of unequal size."""
    sides = [
        np.eye(d) + shared * random.normal(size=(d, 2)) @ random.normal(size=(2, d)) / d
        for d in (p, q)
    ]
    return 5 + sides[0] @ random.normal(size=(n, p, q)) @ sides[1]


@pytest.mark.parametrize(("n", "p", "q"), [(2, 7, 5), (40, 9, 3), (40, 1, 60), (300, 6, 6)])
def test_whitening_is_by_the_shrunk_covariances_of_rows_then_of_columns(n, p, q):
    X = correlated(np.random.default_rng(n), n, p, q)
    scaler = MatrixScaler("whitened").fit(X)
    centred = X - X.mean(axis=0)
    for side, samples in (
        (scaler.left_, centred.swapaxes(1, 2)),
        (scaler.right_, scaler.left_ @ centred),
    ):
        shrunk, _ = ledoit_wolf(samples.reshape(-1, len(side)), assume_centered=True)
        np.testing.assert_allclose(side @ shrunk @ side, np.eye(len(side)), atol=1e-9)
        np.testing.assert_allclose(side, side.T, atol=1e-12 * np.abs(side).max())
    np.testing.assert_allclose(scaler.transform(X), scaler.left_ @ centred @ scaler.right_)


def test_whitening_is_the_same_in_any_unit_and_for_a_row_that_never_changes():
    samples = correlated(np.random.default_rng(0), 50, 4, 6)
    samples[:, 2] = 7.0
    one = MatrixScaler("whitened").fit_transform(samples)
    assert np.isfinite(one).all()
    for unit in (1e-20, 1e20):
        other = MatrixScaler("whitened").fit_transform(unit * samples)
        np.testing.assert_allclose(other, one, rtol=1e-7, atol=1e-9)
    same = MatrixScaler("whitened").fit(np.ones((3, 2, 2)))  # all samples are equal
    np.testing.assert_array_equal(same.transform(np.ones((1, 2, 2))), np.zeros((1, 2, 2)))


def test_weights_of_whitened_samples_have_the_same_decisions_on_raw_samples():
    samples = correlated(np.random.default_rng(1), 60, 5, 4)
    y = samples[:, 0, 0] > np.median(samples[:, 0, 0])
    scaler = MatrixScaler("whitened").fit(samples)
    machine = SupportMatrixMachine(C=0.1, tau=0.5).fit(scaler.transform(samples), y)
    W = scaler.left_ @ machine.coef_ @ scaler.right_
    raw = np.einsum("ipq,pq->i", samples - scaler.mean_, W) + machine.intercept_
    np.testing.assert_allclose(raw, machine.decision_function(scaler.transform(samples)), atol=1e-9)
    assert np.linalg.matrix_rank(W) == machine.rank_


@pytest.mark.parametrize("shape", [(4, 3), (12,)])
@pytest.mark.parametrize("kind", ["none", "z-score", "whitened"])
def test_the_inverse_gives_the_samples_back(kind, shape):
    scaler = MatrixScaler(kind).fit(TRAIN.reshape(20, *shape))
    samples = X.reshape(30, *shape)
    back = scaler.inverse_transform(scaler.transform(samples))
    np.testing.assert_allclose(back, samples, rtol=1e-13, atol=1e-12, strict=True)


def test_unit_length_has_no_inverse():
    scaler = MatrixScaler("unit length").fit(TRAIN)
    with pytest.raises(ValueError, match="the lengths of the samples are lost"):
        scaler.inverse_transform(X)


def test_entries_that_are_constant_up_to_rounding_and_zero_samples_are_not_divided():
    samples = TRAIN.copy()
    samples[:, 0, 0] = 0.1
    scaler = MatrixScaler().fit(samples)
    assert scaler.scale_[0, 0] == 1
    assert np.abs(scaler.transform(samples)[:, 0, 0]).max() < 1e-15
    np.testing.assert_array_equal(
        MatrixScaler("unit length").fit(X).transform(np.zeros((2, 4, 3))), np.zeros((2, 4, 3))
    )


def test_names_of_flat_arrays_are_those_of_scikit_learn_and_matrices_have_none():
    flat = MatrixScaler().fit(X.reshape(30, 12))
    theirs = StandardScaler().fit(X.reshape(30, 12)).get_feature_names_out()
    np.testing.assert_array_equal(flat.get_feature_names_out(), theirs)
    with sklearn.config_context(transform_output="pandas"):  # no data frame holds matrices
        found = MatrixScaler().fit_transform(X)
        np.testing.assert_array_equal(found, MatrixScaler().fit(X).transform(X), strict=True)
        assert isinstance(TwoDPCA().fit_transform(X), np.ndarray)


def test_an_unknown_kind_and_another_shape_are_refused():
    with pytest.raises(ValueError, match="The 'kind' parameter of MatrixScaler must be"):
        MatrixScaler("minmax").fit(X)
    with pytest.raises(ValueError, match=r"X must have shape \(n, 4, 3\), got \(30, 12\)"):
        MatrixScaler().fit(X).transform(X.reshape(30, 12))
