"""A regression by itself: trained on all samples, and its file."""

import io
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import loadmat
from sklearn.linear_model import Ridge

from pages.shared.parts.array_files import to_mat
from pages.your_data.trial import (
    Machine,
    RegressionMachine,
    RegressionTrial,
    SavedMachine,
    Scaling,
    most_frequent_share,
    train_regression_on_all,
)
from pages.your_data.trial.regression_trial import TOL, RegressionPart
from smmcore import TraceNormRegressor
from smmcore.datasets import make_low_rank
from tests.pages.your_data.scalings import machine_file, random_scaling

P, Q = 4, 3
X, Y, _ = make_low_rank(60, (6, 5), random_state=0)


def machine(kind="none", steps="", seed=0):
    """A machine of random numbers; `steps` are letters: gaps, left, right, each."""
    rng = np.random.default_rng(seed)
    scaling, (p, q) = random_scaling((P, Q), kind, steps, rng)
    return RegressionMachine("ridge", rng.normal(size=(p, q)), 0.3, scaling, rng.random(), 2)


@pytest.mark.parametrize("steps", ["", "g", "l", "r", "e", "glre"])
@pytest.mark.parametrize("kind", ["none", "unit length", "z-score"])
def test_a_regression_comes_back_from_its_file_and_the_file_says_how_to_use_it(kind, steps):
    samples = np.random.default_rng(1).normal(size=(7, P, Q))
    samples[2, 1, 1] = np.nan if "g" in steps else 0.0
    before = machine(kind, steps)
    for suffix in (".npz", ".mat"):
        after = SavedMachine.load(machine_file(before, suffix))
        np.testing.assert_array_equal(after.predict(samples), before.predict(samples))
        ours, theirs = before.to_arrays(), after.to_arrays()
        assert ours.keys() == theirs.keys()
        for name, array in ours.items():
            np.testing.assert_array_equal(array, theirs[name])
    with np.load(io.BytesIO(machine_file(before, ".npz"))) as file:
        names = {name: file[name] for name in file.files} | {"X": samples[2], "np": np}
    exec(str(names["use_numpy"]), names)
    assert names["y"] == pytest.approx(before.predict(samples[2:3])[0], rel=1e-12)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"method": "lasso"}, "loads the methods .*smm, .*trace, got 'lasso'"),
        ({"method": "smm"}, "it has no classes, C, tau_or_lambda"),
        ({"W": None}, "it has no W"),
        ({"W": np.ones((2, P, Q))}, "W must be a matrix, got 2 x 4 x 3"),
        ({"b": np.ones(2)}, "b must be a single number, got 2 x 1"),
        ({"rank": np.ones(2)}, "rank must be a single number, got 2"),
        ({"method": "mean"}, "W must be 0 for the method 'mean'"),
        ({"rank": 4.0}, "rank must be 0 to 3 for W of 4 x 3, got 4"),
        ({"each": np.nan}, "each must be 0 or 1"),
    ],
)
def test_a_file_that_holds_no_regression_gets_a_sentence(changes, sentence):
    arrays = loadmat(io.BytesIO(machine_file(machine(), ".mat")))
    arrays = {name: each for name, each in arrays.items() if not name.startswith("__")} | changes
    content = to_mat({name: each for name, each in arrays.items() if each is not None})
    with pytest.raises(ValueError, match=sentence):
        SavedMachine.load(content)


def test_the_class_that_loads_a_file_must_be_that_of_the_machine():
    with pytest.raises(ValueError, match=r"Machine loads the methods lsvm.*, got 'ridge'"):
        Machine.load(machine_file(machine(), ".npz"))
    arrays = machine().to_arrays() | {"method": "smm"}
    with pytest.raises(ValueError, match="loads the methods mean, ridge, trace, got 'smm'"):
        RegressionMachine.load(to_mat(arrays))


def test_samples_of_another_shape_and_gaps_get_a_sentence():
    with pytest.raises(ValueError, match="samples must be m x 4 x 3 for this machine, got 2 x 3"):
        machine().predict(np.ones((2, 3)))
    assert machine().predict(np.ones((0, P, Q))).shape == (0,)
    with pytest.raises(ValueError, match="trained on complete samples"):
        machine().predict(np.full((1, P, Q), np.nan))
    with pytest.raises(ValueError, match="predictions are too large"):
        replace(machine(), W=np.full((P, Q), 1e300)).predict(np.full((1, P, Q), 1e300))


def test_the_nuclear_norm_on_all_samples_is_that_of_the_estimator():
    trained = train_regression_on_all(RegressionTrial(lam=0.05), X, Y)
    assert trained.certified
    lam = 0.05 * RegressionPart(X, Y).lam_max
    assert trained.machine.weight == pytest.approx(lam)
    estimator = TraceNormRegressor(lam=lam, tol=TOL).fit(X, Y)
    # Both are within TOL * P(0) of the minimum, where P(0) = 1/2 sum (y - mean)^2; so are the
    # squared distances of their predictions: 1/2 ||f - f*||^2 <= P - P*.
    bound = 2 * np.sqrt(2 * TOL * 0.5 * np.sum((Y - Y.mean()) ** 2))
    distance = np.linalg.norm(trained.machine.predict(X) - estimator.predict(X))
    assert distance <= bound


def test_ridge_and_mean_on_all_samples_are_those_of_their_definitions():
    trial = RegressionTrial(ridge=0.01, scaling="z-score")
    trained = train_regression_on_all(trial, X, Y, "ridge")
    rows = Scaling.fit("z-score", X)(X).reshape(len(X), -1)
    expected = Ridge(alpha=trained.machine.weight).fit(rows, Y).predict(rows)
    np.testing.assert_allclose(trained.machine.predict(X), expected, rtol=1e-9)
    mean = train_regression_on_all(trial, X, Y, "mean").machine
    np.testing.assert_allclose(mean.predict(X), Y.mean(), rtol=1e-12)
    assert mean.rank == 0


def test_the_weight_is_the_one_that_most_splits_have_chosen():
    assert most_frequent_share([0.1, 0.5, 0.1]) == 0.1
    assert most_frequent_share([0.1, 0.5, 0.2]) == 0.5  # among equals the strongest
    trial = RegressionTrial()
    with pytest.raises(ValueError, match="gives no weight of the method 'trace'"):
        train_regression_on_all(trial, X, Y)
    with pytest.raises(ValueError, match=r"method must be one of .*, got 'lasso'"):
        train_regression_on_all(trial, X, Y, "lasso", [0.1])
    with pytest.raises(ValueError, match="there are 60 samples, but 59 values of y"):
        train_regression_on_all(trial, X, Y[:-1], shares=[0.1])
    found = train_regression_on_all(trial, X, Y, shares=np.array([0.1, 0.5, 0.1])).machine
    assert found.weight == pytest.approx(0.1 * RegressionPart(X, Y).lam_max)
