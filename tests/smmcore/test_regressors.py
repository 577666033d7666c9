"""SparseRegressor and TraceNormRegressor as scikit-learn's users meet them."""

import tracemalloc

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import ElasticNet, Lasso
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from smmcore import SparseRegressor, TraceNormRegressor
from smmcore.datasets import make_feature_groups, make_low_rank, make_sinc, make_steps
from smmcore.penalties import L12, TraceNorm
from smmcore.problems import gaussian_design


def linear_data(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 9)) + 3
    return X, X @ [2.0, 0, 0, -1, 0, 0, 0, 0, 1] + 5 + 0.3 * rng.standard_normal(40)


@pytest.mark.parametrize("eta", [0.0, 4.0])
def test_l1_and_l1_and_l2_are_scikit_learns_in_their_own_units(eta):
    X, y = linear_data()
    ours = SparseRegressor(lam=8.0, eta=eta, tol=1e-12).fit(X, y)
    theirs = Lasso(alpha=8 / 40, tol=1e-12)
    if eta:
        theirs = ElasticNet(alpha=(8 + 2 * eta) / 40, l1_ratio=8 / (8 + 2 * eta), tol=1e-12)
    theirs.fit(X, y)
    # The least curvature of the centred design turns sqrt(2 gap) into a distance of coefficients.
    least = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[-1]
    radius = np.sqrt(2 * 1e-12 * 0.5 * np.sum((y - y.mean()) ** 2)) / least
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2 * radius + 1e-8)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)
    np.testing.assert_array_equal(ours.coef_ != 0, theirs.coef_ != 0)


def test_the_objective_and_the_gap_are_those_of_the_coefficients():
    X, y = linear_data()
    model = SparseRegressor("l1,2", lam=6.0, groups=list("aabbbcccc")).fit(X, y)
    r = y - model.predict(X)
    norm = L12((0, 0, 1, 1, 1, 2, 2, 2, 2))
    assert model.objective_ == pytest.approx(0.5 * r @ r + 6 * norm.value(model.coef_))
    assert 0 <= model.dual_gap_ <= 1e-6 * 0.5 * np.sum((y - y.mean()) ** 2)
    # Optimality in the offset: the residuals add up to 0.
    assert abs(r.sum()) <= 1e-9


def test_the_kernel_model_is_that_of_the_book():
    x, y, truth = make_sinc(50, 0.2, 0)
    model = SparseRegressor(lam=0.1, h=0.3, fit_intercept=False).fit(x[:, None], y)
    assert model.coef_.shape == (50,)
    assert np.count_nonzero(model.coef_) < 25
    assert model.intercept_ == 0
    np.testing.assert_allclose(model.predict(x[:, None]), gaussian_design(x, x, 0.3) @ model.coef_)
    assert np.linalg.norm(model.predict(x[:, None]) - truth) < 0.7 * np.linalg.norm(y - truth)


def test_features_are_selected():
    X, y = linear_data()
    chosen = SelectFromModel(SparseRegressor(lam=8.0)).fit(X, y).get_support()
    np.testing.assert_array_equal(np.flatnonzero(chosen), [0, 3, 8])


def test_the_fused_regressor_denoises():
    _, y, truth = make_steps(100, 4, 0.3, 1)
    model = SparseRegressor("fused", lam=1.5, fit_intercept=False).fit(np.eye(100), y)
    assert np.linalg.norm(model.coef_ - truth) < 0.6 * np.linalg.norm(y - truth)
    assert np.count_nonzero(np.abs(np.diff(model.coef_)) > 1e-9) < 15


def test_groups_come_and_go_together():
    X, y, coef = make_feature_groups(random_state=0)
    model = SparseRegressor("l1,2", lam=20.0, groups=np.arange(40) // 5).fit(X, y)
    counts = np.count_nonzero(model.coef_.reshape(8, 5), axis=1)
    np.testing.assert_array_equal(counts, 5 * (coef[::5] != 0))


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
    assert 2 <= model.rank_ == np.count_nonzero(model.singular_values_ > 1e-12) <= 4
    assert np.linalg.norm(model.coef_ - truth) < 0.3


def test_ridge_on_singular_values_keeps_the_rank_low_and_the_coefficients_small():
    X, y, _ = make_low_rank(120, (12, 10), 2, 0.1, 0)
    plain, net = (TraceNormRegressor(4.0, eta=eta).fit(X, y) for eta in (0.0, 20.0))
    assert np.linalg.norm(net.coef_) < np.linalg.norm(plain.coef_)
    assert net.rank_ < 10


def test_pipeline_and_grid_search():
    X, y, _ = make_low_rank(60, (4, 3), 1, 0.1, 0)
    fold = FunctionTransformer(lambda X: X.reshape(-1, 4, 3))
    pipeline = make_pipeline(fold, TraceNormRegressor())
    search = GridSearchCV(pipeline, {"tracenormregressor__lam": [0.1, 3.0, 10.0]}, cv=3)
    assert search.fit(X.reshape(60, -1), y).best_score_ > 0.9


@pytest.mark.parametrize("penalty", ["l1", "l1,2"])
def test_many_features_need_no_square_of_them(penalty):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 3000))
    y = X[:, :3].sum(axis=1)
    tracemalloc.start()
    model = SparseRegressor(penalty, 20.0, groups=np.arange(3000)).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * X.nbytes
    lasso = Lasso(alpha=20 / 20, tol=1e-10).fit(X, y)  # groups of one are no groups
    theirs = 0.5 * np.sum((y - lasso.predict(X)) ** 2) + 20 * np.abs(lasso.coef_).sum()
    assert abs(model.objective_ - theirs) <= 2e-6 * 0.5 * np.sum((y - y.mean()) ** 2)


@pytest.mark.parametrize("radius", [None, 1.0])
def test_targets_that_are_all_equal_need_no_features(radius):
    X, _ = linear_data()
    model = SparseRegressor(radius=radius).fit(X[:24], np.full(24, 0.1))  # whose mean is not 0.1
    assert not model.coef_.any()
    assert model.intercept_ == 0.1
    assert model.n_iter_ == 1


def test_a_perfect_fit_without_a_penalty_is_one():
    X, _ = linear_data()  # y is the sum of the features: coefficients that do not differ
    model = SparseRegressor("fused", fit_intercept=False).fit(X, X.sum(axis=1))
    np.testing.assert_allclose(model.coef_, 1)
    assert model.n_iter_ <= 2


def test_too_few_iterations_warn_with_the_gap_that_was_reached():
    X, y = linear_data()
    with pytest.warns(
        ConvergenceWarning, match=r"duality gap is \d.* after 2 iterations, tol=1e-12"
    ):
        SparseRegressor(max_iter=2, tol=1e-12).fit(X, y)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SparseRegressor("l2"), "The 'penalty' parameter of SparseRegressor must be"),
        (SparseRegressor(lam=0.0), "The 'lam' parameter of SparseRegressor must be"),
        (SparseRegressor(radius=0.0), "The 'radius' parameter of SparseRegressor must be"),
        (
            SparseRegressor("l1,2"),
            r'"l1,2" needs groups of shape \(9,\), one label per coefficient, got',
        ),
        (SparseRegressor("l1,2", groups=[1, 2]), r"got \(2,\)"),
        (TraceNormRegressor(eta=-1.0), "The 'eta' parameter of TraceNormRegressor must be"),
    ],
)
def test_parameters_out_of_range_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*linear_data())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_sinc(0), "n must be at least 1, got 0"),
        (lambda: make_sinc(5, -1.0), "noise must be at least 0 and finite, got -1.0"),
        (lambda: make_steps(10, 6), "n_steps must be between 1 and n / 2 = 5, got 6"),
        (lambda: make_feature_groups(n_active=9), "n_active must be between 0 and n_groups = 8"),
        (lambda: make_low_rank(rank=11), "rank must be between 1 and 10, got 11"),
    ],
)
def test_data_out_of_range_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_books_recipe_has_no_hole_in_the_middle():
    x, y, truth = make_sinc(51, 0.0)
    assert x[25] == 0
    assert y[25] == truth[25] == 1


def test_steps_are_steps_and_low_rank_is_low():
    _, _, truth = make_steps(60, 5, 0.3, 3)
    assert np.count_nonzero(np.diff(truth)) == 4
    assert np.abs(np.diff(truth))[np.diff(truth) != 0].min() >= 1
    coef = make_low_rank(10, (6, 5), 2, random_state=0).coef
    assert np.linalg.matrix_rank(coef) == 2
    assert np.linalg.norm(coef) == pytest.approx(1)
