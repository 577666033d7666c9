"""Trials of regression: the estimators on the same split, certificates, and what a test may see."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score

from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.regression_trial import (
    SHARES,
    PreparedRegression,
    RegressionPart,
    RegressionTrial,
)
from smmcore import TraceNormRegressor
from smmcore.datasets import make_low_rank
from smmcore.penalties import TraceNorm, WeightedNorm
from smmcore.problems.regression import RegularizedLS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 6, 5))
Y = 5 + np.tensordot(X, np.outer(RNG.normal(size=6), RNG.normal(size=5)), 2) + RNG.normal(size=60)
GIVEN = RegressionTrial(lam=0.1, ridge=0.01)


def outcomes(trial, X=X, y=Y):
    return {result.method: result for result in trial.run(X, y)}


@pytest.mark.parametrize("scaling", ["none", "unit length", "z-score"])
def test_the_results_are_those_of_the_estimators_on_the_same_split(scaling):
    trial = replace(GIVEN, scaling=scaling)
    found = outcomes(trial)
    prepared = PreparedRegression(trial, X, Y)
    ((train, test),) = prepared.splits
    assert len(test) == 18
    scaled = found["trace"].scaling
    trace = TraceNormRegressor(found["trace"].fit.weight).fit(scaled(X[train]), Y[train])
    # The prediction of training samples by the minimiser is unique: 1/2 ||f - f*||^2 <= gap.
    distance = 2 * np.sqrt(2 * trace.dual_gap_ + 2e-6 * np.var(Y[train]) * len(train) / 2)
    mine = np.tensordot(scaled(X[train]), found["trace"].fit.W, 2) + found["trace"].fit.b
    assert np.linalg.norm(mine - trace.predict(scaled(X[train]))) <= distance
    np.testing.assert_allclose(found["trace"].predicted, trace.predict(scaled(X[test])), atol=0.05)
    assert found["trace"].rank == trace.rank_
    flat = [scaled(part).reshape(-1, 30) for part in (X[train], X[test])]
    ridge = Ridge(found["ridge"].fit.weight).fit(flat[0], Y[train])
    np.testing.assert_allclose(found["ridge"].predicted, ridge.predict(flat[1]), rtol=1e-9)
    assert found["ridge"].r2 == pytest.approx(r2_score(Y[test], ridge.predict(flat[1])))
    np.testing.assert_allclose(found["mean"].predicted, Y[train].mean())
    assert found["mean"].r2 == pytest.approx(r2_score(Y[test], found["mean"].predicted))


def test_ridge_is_scikit_learns_with_fewer_samples_than_entries_too():
    part = RegressionPart(X[:20], Y[:20])
    fit, _ = part.fit("ridge", 1e-3)
    ridge = Ridge(fit.weight, solver="svd").fit(X[:20].reshape(20, -1), Y[:20])
    np.testing.assert_allclose(fit.W.ravel(), ridge.coef_, rtol=1e-9)
    assert fit.b == pytest.approx(ridge.intercept_)


def test_the_certificate_of_the_nuclear_norm_can_be_recomputed_by_hand():
    result = outcomes(GIVEN)["trace"]
    ((train, _),) = PreparedRegression(GIVEN, X, Y).splits
    fit, rows, y = result.fit, X[train].reshape(-1, 30), Y[train] - Y[train].mean()
    assert fit.certified
    assert fit.gap <= 1e-6
    r = y - (rows - rows.mean(0)) @ fit.W.ravel()
    primal = r @ r / 2 + fit.weight * np.linalg.norm(fit.W, "nuc")
    slope = np.linalg.norm(((rows - rows.mean(0)).T @ r).reshape(6, 5), 2)
    r *= min(1.0, fit.weight / slope)  # feasible for the dual
    gap = primal - (y @ r - r @ r / 2)
    assert gap <= 1.01e-6 * (y @ y / 2)
    problem = RegularizedLS(rows - rows.mean(0), y, WeightedNorm(TraceNorm((6, 5)), 1.0))
    assert fit.weight == pytest.approx(0.1 * problem.lam_max(TraceNorm((6, 5))))
    everything = outcomes(replace(GIVEN, lam=1.0))["trace"]
    assert not everything.fit.W.any()


@pytest.mark.parametrize("trial", [GIVEN, RegressionTrial()])
def test_the_test_part_is_not_used_in_training(trial):
    trial = replace(trial, scaling="z-score")
    ((_, test),) = PreparedRegression(trial, X, Y).splits
    other_X, other_y = X.copy(), Y.copy()
    other_X[test], other_y[test] = 1e6, -1e6
    others = outcomes(trial, other_X, other_y)
    for method, one in outcomes(trial).items():
        other = others[method]
        np.testing.assert_array_equal(one.fit.W, other.fit.W)
        assert (one.fit.b, one.share, one.tried) == (other.fit.b, other.share, other.tried)


def test_the_search_takes_the_least_error_of_the_folds_of_the_training_part():
    trial = RegressionTrial()
    found, prepared = outcomes(trial), PreparedRegression(trial, X, Y)
    for method in ("trace", "ridge"):
        shares, errors = zip(*found[method].tried, strict=True)
        assert list(shares) == SHARES[method]
        assert found[method].share == shares[int(np.argmin(errors))]
    squares = []
    for train, held_out in prepared.inner(0):
        part = RegressionPart(X[train], Y[train])
        alpha = found["ridge"].share * np.linalg.norm(part.problem.Phi, 2) ** 2
        ridge = Ridge(alpha).fit(X[train].reshape(-1, 30), Y[train])
        squares.append((Y[held_out] - ridge.predict(X[held_out].reshape(-1, 30))) ** 2)
    chosen = dict(found["ridge"].tried)[found["ridge"].share]
    assert chosen == pytest.approx(np.sqrt(np.mean(np.concatenate(squares))))


def test_the_nuclear_norm_is_better_than_ridge_where_the_truth_has_low_rank():
    X, y, _ = make_low_rank(300, (12, 10), rank=1, noise=0.3, random_state=0)
    found = outcomes(RegressionTrial(), X, y)
    assert found["trace"].r2 > found["ridge"].r2 > found["mean"].r2
    assert found["trace"].rank < 10


def test_gaps_are_filled_and_steps_applied_as_in_other_trials():
    holes = X.copy()
    holes[::7, 2, 3] = np.nan
    trial = replace(GIVEN, preprocessing=Preprocessing(rows=(0, 4), blocks=(2, 1), each=True))
    found = outcomes(trial, holes)["trace"]
    assert found.fit.W.shape == (2, 5)
    ((_, test),) = PreparedRegression(trial, holes, Y).splits
    again = np.tensordot(found.scaling(holes[test]), found.fit.W, 2) + found.fit.b
    np.testing.assert_allclose(found.predicted, again)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_units_of_the_samples_and_of_the_target_change_nothing_but_the_units(size):
    mine, other = outcomes(RegressionTrial()), outcomes(RegressionTrial(), size * X, Y / size)
    for method, one in mine.items():
        assert one.share == other[method].share
        np.testing.assert_allclose(other[method].predicted * size, one.predicted, rtol=1e-4)
        assert other[method].fit.certified


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.full(60, 3.5), "the target is 3.5, up to rounding, in all 42 samples"),
        (np.where(np.arange(60) == 3, np.nan, Y), "the largest number of the target is nan"),
        (np.where(np.arange(60) == 3, np.inf, Y), "the largest number of the target is inf"),
        (1e300 * Y, "it must be finite and between 1e-40 and 1e\\+40"),
        (np.zeros(60), "the largest number of the target is 0"),
        (Y.astype(str), "the target must be a vector of numbers, got 1-D <U"),
        (Y + 1j, "the target must be a vector of numbers, got 1-D complex128"),
    ],
)
def test_a_target_that_cannot_be_used_is_refused_with_a_sentence(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        outcomes(RegressionTrial(), y=y)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"lam": 0.0}, "lam must be positive and finite, got 0.0"),
        ({"ridge": np.inf}, "ridge must be positive and finite, got inf"),
        ({"scaling": "log"}, "the scaling must be one of"),
    ],
)
def test_settings_out_of_range_are_refused(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        RegressionTrial(**settings)
