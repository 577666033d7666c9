"""What holds for every estimator of the package, also for those still to come."""

from pathlib import Path
from warnings import catch_warnings

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils import get_tags

from smmcore import (
    AROM,
    LeastSquaresSMM,
    LinearSVM,
    LowRankSVM,
    RegularizedGLM,
    SupportMatrixMachine,
)
from tests.smmcore.conftest import one_of_each_estimator

ALL = one_of_each_estimator()
PREDICTORS = [estimator for estimator in ALL if hasattr(estimator, "predict")]
CLASSIFIERS = [estimator for estimator in PREDICTORS if is_classifier(estimator)]
OF_MATRICES = [estimator for estimator in ALL if get_tags(estimator).input_tags.three_d_array]


def vectors(classes=2):
    """60 vectors of 8 features, of which 0 and 3 tell two classes, and each of K tells its own."""
    X = np.random.default_rng(0).standard_normal((60, 8))
    return X, (X[:, 0] > X[:, 3]).astype(int) if classes == 2 else X[:, :classes].argmax(axis=1)


@pytest.mark.parametrize("estimator", PREDICTORS, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_of_vectors_have_the_shapes_of_scikit_learns(estimator, classes):
    X, y = vectors(classes)
    theirs = (LogisticRegression() if is_classifier(estimator) else Ridge()).fit(X, y)
    estimator.fit(X, y)
    assert estimator.coef_.shape == theirs.coef_.shape
    assert np.shape(estimator.intercept_) == np.shape(theirs.intercept_)
    scores = estimator.decision_function(X) if is_classifier(estimator) else estimator.predict(X)
    by_hand = X @ estimator.coef_.T + estimator.intercept_
    np.testing.assert_allclose(
        scores, by_hand[:, 0] if classes == 2 and by_hand.ndim == 2 else by_hand
    )


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=str)
def test_coefficients_of_matrices_have_the_shape_of_a_sample(estimator):
    for classes, shape in ((2, (4, 2)), (3, (3, 4, 2))):
        X, y = vectors(classes)
        estimator.fit(X.reshape(60, 4, 2), y)
        assert estimator.coef_.shape == shape
        assert np.shape(estimator.intercept_) == shape[:-2]
        by_hand = np.tensordot(X, estimator.coef_.reshape(-1, 8), (1, 1)) + estimator.intercept_
        scores = estimator.decision_function(X.reshape(60, 4, 2))
        np.testing.assert_allclose(scores.reshape(60, -1), by_hand)


@pytest.mark.parametrize("estimator", OF_MATRICES, ids=str)
def test_matrices_of_another_shape_are_refused_with_both_shapes(estimator):
    X, y = vectors()
    X = X.reshape(60, 4, 2)
    estimator.fit(X, y)
    read = estimator.predict if hasattr(estimator, "predict") else estimator.transform
    for wrong, message in (
        (X.swapaxes(1, 2), r"got \(60, 2, 4\); the samples seem to be transposed"),
        (X[0], r"got \(4, 2\); pass a single sample as X\[np.newaxis\]"),
        (X[0].T, r"got \(2, 4\); pass a single sample as X\[np.newaxis\]"),
        (X[:, :, :1], r"got \(60, 4, 1\)$"),
        (X.reshape(60, 8), r"got \(60, 8\)$"),
        (X[:, :, 0].tolist(), r"got \(60, 4\)$"),
    ):
        with pytest.raises(ValueError, match=rf"X must have shape \(n, 4, 2\), {message}"):
            read(wrong)
    assert len(read(X[0][np.newaxis])) == 1
    estimator.fit(X.reshape(60, 8), y)
    for shape, message in (((60, 8, 1), r"got \(60, 8, 1\)"), ((60, 4, 2), r"got \(60, 4, 2\)")):
        with pytest.raises(ValueError, match=rf"X must have shape \(n, 8\), {message}"):
            read(X.reshape(shape))


@pytest.mark.parametrize("estimator", PREDICTORS, ids=str)
def test_one_warning_where_all_coefficients_are_zero(estimator):
    # Exclusive or: nothing linear tells these two classes apart.
    X, y = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]]), np.array([5, 5, 7, 7])
    with catch_warnings(record=True, action="always") as caught:
        estimator.fit(X, y)
    assert not estimator.coef_.any()
    (warning,) = caught
    assert warning.category is RuntimeWarning
    assert Path(warning.filename) == Path(__file__)
    assert str(warning.message).startswith(f"{type(estimator).__name__} found ")
    said = 5 if is_classifier(estimator) else 6
    assert f"it predicts {said} for every sample" in str(warning.message)
    assert set(estimator.predict(X)) == {said}


@pytest.mark.parametrize(
    ("estimator", "advice"),
    [
        (SupportMatrixMachine(), "choose a smaller tau.*C=1 is 8.5e-10 / spread"),
        (LeastSquaresSMM(), "choose a smaller tau.*C=1 is 8.5e-10 / spread"),
        (RegularizedGLM(), "choose a smaller lam"),
        (LowRankSVM(), "if C is too small.*C=1 is 8.5e-10 / spread"),
        (AROM(), "if C is too small.*C=1 is 8.5e-10 / spread"),
    ],
    ids=str,
)
def test_samples_too_small_for_the_weights_get_advice(estimator, advice):
    digits = load_digits()
    rows = np.isin(digits.target, [3, 8])
    with pytest.warns(RuntimeWarning, match=advice):
        estimator.fit(1e-6 * digits.data[rows], digits.target[rows])


def test_the_warning_names_the_classes_that_are_told_from_no_others():
    # On a line the class in the middle has classes on both sides.
    X = np.concatenate([np.full(5, -1.0), np.zeros(5), np.ones(5)])[:, None]
    y = np.repeat(["left", "middle", "right"], 5)
    with pytest.warns(
        RuntimeWarning, match=r"1 of 3 classes against the rest \(middle\)"
    ) as caught:
        machine = LinearSVM(C=10.0).fit(X, y)
    assert len(caught) == 1
    np.testing.assert_array_equal(machine.rank_, [1, 0, 1])


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=str)
def test_the_dual_value_exceeds_the_primal_one_by_no_more_than_rounding(estimator):
    # The gap hides it. At the solution the two are so close that any other excess shows.
    X, y = vectors()
    signs, weights = np.where(y, 1.0, -1.0), np.ones(60)
    proof, _, _ = estimator.solve(estimator._problem(X.reshape(60, 4, 2), signs, weights))
    assert proof.dual <= proof.primal + 1e-12 * (proof.primal + proof.alpha.sum())
    assert proof.gap == pytest.approx(proof.primal - proof.dual, abs=1e-12 * proof.primal)
