"""TraceNormRegressor as scikit-learn's users meet it."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from smmcore import TraceNormRegressor
from smmcore.datasets import make_low_rank
from smmcore.penalties import TraceNorm


def linear_data(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 9)) + 3
    return X, X @ [2.0, 0, 0, -1, 0, 0, 0, 0, 1] + 5 + 0.3 * rng.standard_normal(40)


@pytest.mark.parametrize("radius", [None, 1.2])
def test_the_trace_norm_regressor_is_certified_and_of_low_rank(radius):
    X, y, truth = make_low_rank(120, (12, 10), 2, 0.1, 0)
    model = TraceNormRegressor(4.0, radius=radius).fit(X + 1, y + 7)
    r = y + 7 - model.predict(X + 1)
    size = TraceNorm((12, 10)).value(model.coef_.ravel())
    if radius:
        assert size == pytest.approx(radius, rel=1e-12)
    assert model.objective_ == pytest.approx(0.5 * r @ r + (0 if radius else 4 * size))
    assert 0 <= model.dual_gap_ <= 1e-6 * 0.5 * np.sum((y - y.mean()) ** 2)
    assert abs(r.sum()) <= 1e-9 * np.abs(r).sum()  # optimality in the offset
    assert 2 <= model.rank_ == np.count_nonzero(model.singular_values_ > 1e-12) <= 4
    assert np.linalg.norm(model.coef_ - truth) < 0.3


@pytest.mark.parametrize("radius", [None, 1.0])
def test_targets_that_are_all_equal_need_no_features(radius):
    X, _ = linear_data()
    model = TraceNormRegressor(radius=radius).fit(X[:24], np.full(24, 0.1))  # whose mean is not 0.1
    assert not model.coef_.any()
    assert model.intercept_ == 0.1
    assert model.n_iter_ == 1


def test_too_few_iterations_warn_with_the_gap_that_was_reached():
    X, y = linear_data()
    with pytest.warns(
        ConvergenceWarning, match=r"duality gap is \d.* after 2 iterations, tol=1e-12"
    ):
        TraceNormRegressor(max_iter=2, tol=1e-12).fit(X, y)
