"""MatrixScaler: the scaling of samples as a transformer."""

import numpy as np
import pytest
import sklearn
from sklearn.preprocessing import Normalizer, StandardScaler

from smmcore import MatrixScaler, TwoDPCA
from smmcore.estimators.scaling import SCALINGS, Scaling

X = 3 + np.random.default_rng(0).standard_normal((30, 4, 3)) * np.arange(1.0, 13.0).reshape(4, 3)
TRAIN = X[:20]


@pytest.mark.parametrize("kind", SCALINGS)
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


@pytest.mark.parametrize("shape", [(4, 3), (12,)])
@pytest.mark.parametrize("kind", ["none", "z-score"])
def test_the_inverse_gives_the_samples_back(kind, shape):
    scaler = MatrixScaler(kind).fit(TRAIN.reshape(20, *shape))
    samples = X.reshape(30, *shape)
    back = scaler.inverse_transform(scaler.transform(samples))
    np.testing.assert_allclose(back, samples, rtol=1e-14, atol=1e-13, strict=True)


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
