"""What fit and predict allocate, and that neither type nor order of X changes the solution."""

import pickle
from itertools import product

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from smmcore import BilinearSVM, LinearSVM, LowRankSVM, MatrixScaler, SupportMatrixMachine, TwoDPCA
from smmcore.problems import SMMProblem
from smmcore.problems.samples import STORED, CentredSamples
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers import augmented_lagrangian, newton, solve_to_gap
from tests.smmcore.conftest import apart, objectives, one_of_each_estimator, peak

EPS = np.finfo(float).eps
DOUBLE, BLOCK = 8, 2**20  # bytes of a number, and of a block of samples


def samples(n, p, q, dtype=float, mean=0.0):
    """Gaussian samples and noisy labels; integers are a hundredth apart."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p, q))
    scores = np.tensordot(X, rng.standard_normal((p, 2)) @ rng.standard_normal((2, q)))
    y = np.where(scores > 0.3 * scores.std() * rng.standard_normal(n), 1, -1)
    if np.issubdtype(dtype, np.integer):
        X = np.clip(np.round(20 * X + 128), 0, 255)
    return (X + mean).astype(dtype), y


def machine(X, solver="auto", c=1.0):
    """A machine with C = c / spread^2 and tau = 1 / spread."""
    spread = SMMProblem(X, np.resize([1, -1], len(X)), 1.0, 1.0).spread
    return SupportMatrixMachine(c / spread**2, 1 / spread, solver=solver)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
@pytest.mark.parametrize("mean", [0.0, 100.0])
def test_a_fit_never_holds_all_samples_in_double_precision(dtype, mean):
    """Newton's method holds few times n^2 numbers and some blocks, together less than X.size."""
    X, y = samples(300, 60, 80, dtype, 0.0 if dtype == np.uint8 else mean)
    assert peak(lambda: machine(X).fit(X, y)) < DOUBLE * X.size


@pytest.mark.parametrize("kind", [SupportMatrixMachine, LinearSVM])
def test_of_more_than_2000_samples_nothing_of_their_number_squared_is_stored(kind):
    n = MOST_GRAM + 100
    X, y = samples(n, 46, 46, np.uint8)  # n <= p q, so Newton's method
    estimator = machine(X) if kind is SupportMatrixMachine else LinearSVM(machine(X).C)
    assert peak(lambda: estimator.fit(X, y)) < DOUBLE * n * n
    assert estimator.dual_gap_ <= 1e-6 * estimator.objective_


def test_the_augmented_lagrangian_allocates_less_than_three_times_x():
    X, y = samples(4000, 12, 12)
    assert peak(lambda: machine(X).fit(X, y)) < 3 * X.nbytes


ALL = one_of_each_estimator()
FORMS = ["float32", "uint8", "flat", "Fortran", "transposed"]
OF_ALL_FORMS = [SupportMatrixMachine(), TwoDPCA(), MatrixScaler()]


@pytest.mark.parametrize(
    ("estimator", "form"),
    [*((each, "float64") for each in ALL), *product(OF_ALL_FORMS, FORMS)],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.filterwarnings("ignore:.* found W = 0")  # of twelve samples
def test_what_predict_allocates_does_not_depend_on_the_number_of_samples(estimator, form):
    """Beside the result and a few arrays of its length."""
    n, shape = 2000, (40, 30)
    few, y = samples(12, *shape)
    flat = form == "flat" and "shape" in estimator.get_params()
    estimator = clone(estimator).set_params(**({"shape": shape} if flat else {}))
    estimator.fit(few, y if is_classifier(estimator) else y.astype(float))
    X = np.zeros((n, *shape), dtype=form if form in ("float32", "uint8") else float)
    X[:] = few[0] if form != "uint8" else 1
    if flat:
        X = np.asfortranarray(X.reshape(n, -1))
    elif form == "Fortran":
        X = np.asfortranarray(X)
    elif form == "transposed":
        X = np.ascontiguousarray(X.swapaxes(1, 2)).swapaxes(1, 2)
    if hasattr(estimator, "predict"):
        assert peak(lambda: estimator.predict(X)) < 5 * BLOCK + 4 * DOUBLE * n
    else:
        result = estimator.transform(X[:1]).nbytes * n
        assert peak(lambda: estimator.transform(X)) < 5 * BLOCK + 1.01 * result


@pytest.mark.parametrize(
    ("estimator", "shape"),
    [
        (LowRankSVM(10.0), (8, 4000)),
        (LowRankSVM(10.0), (8, 2000, 2, 1)),
        (BilinearSVM(n_init=1), (6, 5000)),
    ],
    ids=str,
)
def test_a_long_axis_needs_no_square_of_it(estimator, shape):
    X, y = np.random.default_rng(0).standard_normal(shape), np.resize([0, 1], shape[0])
    assert peak(lambda: estimator.fit(X, y)) < 50 * X.nbytes


def test_other_orders_in_memory_give_the_same_fit_bit_for_bit():
    X, y = samples(60, 8, 6)
    one = machine(X).fit(X, y)
    spaced = np.repeat(X, 2, axis=0)
    for form in (np.asfortranarray(X), X.transpose(0, 2, 1).copy().swapaxes(1, 2), spaced[::2]):
        assert not form.flags.c_contiguous
        again = clone(one).fit(form, y)
        np.testing.assert_array_equal(again.coef_, one.coef_)
        np.testing.assert_array_equal(again.decision_function(form), one.decision_function(X))


@pytest.mark.parametrize("dtype", STORED)
def test_the_type_of_the_samples_does_not_change_the_solution(dtype):
    X, y = samples(60, 8, 6)
    X = (X > 0 if dtype == np.bool_ else np.clip(10 * X + 30, 0, 60)).astype(dtype)
    one, two = (clone(machine(X)).fit(form, y) for form in (X, X.astype(float)))
    assert np.linalg.norm(one.coef_ - two.coef_) <= 1.01 * (one.radius_ + two.radius_) + 1e-12
    np.testing.assert_allclose(
        one.decision_function(X), one.decision_function(X.astype(float)), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("solver", ["newton", "alm"])
@pytest.mark.parametrize("mean", [0.0, 10.0, 1000.0])
def test_the_certificate_in_single_precision_is_that_of_the_same_numbers_as_doubles(solver, mean):
    """P and D are sums of n terms that are rounded in double precision."""
    X, y = samples(80, 9, 7, np.float32, mean)
    fit = machine(X, solver).fit(X, y)
    assert fit.dual_gap_ <= 1e-6 * fit.objective_
    Z, W, alpha = X.astype(float), fit.coef_, fit.dual_coef_
    assert abs(alpha @ y) <= 1e-12 * alpha.sum()
    primal, _ = objectives(SMMProblem(Z, y, fit.C, fit.tau), W, fit.intercept_, alpha)
    centred = SMMProblem(Z - Z.mean(axis=0), y, fit.C, fit.tau)
    _, dual = objectives(centred, W, fit.intercept_, alpha)
    # A margin of samples far from 0 is rounded in units of ||W|| times the mean.
    margin = EPS * np.linalg.norm(W) * np.linalg.norm(Z[0]) * fit.C * len(y)
    assert abs(primal - fit.objective_) <= 1e-12 * primal + 8 * margin
    assert abs(dual - (fit.objective_ - fit.dual_gap_)) <= 1e-12 * primal
    assert primal - dual <= 1e-6 * primal + 8 * margin


def test_a_fit_neither_changes_nor_keeps_the_samples():
    X, y = samples(200, 20, 30)
    before = X.copy()
    X.setflags(write=False)
    for estimator in (SupportMatrixMachine(), LinearSVM()):
        fitted = clone(estimator).set_params(C=0.01).fit(X, y)
        assert len(pickle.dumps(fitted)) < 0.1 * X.nbytes
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("mean", [0.0, 3.0, 1e4])
def test_products_with_centred_samples_are_rounded_in_units_of_their_distance(dtype, mean):
    X, _ = samples(500, 20, 30, dtype, mean)
    centred = CentredSamples(X)
    Z = X.reshape(500, -1).astype(float) - centred.mean
    w, a = np.random.default_rng(1).standard_normal((2, 600)), np.zeros(500)
    sizes = np.linalg.norm(Z, axis=1)
    # Each sum of m products has at most m roundings; near samples are up to 1 + 4 times as large.
    scores = 5 * 600 * EPS * np.linalg.norm(w[0]) * sizes
    assert (np.abs(centred.scores(w[0]) - Z @ w[0]) <= scores).all()
    for some in (slice(0, 20), slice(None)):
        a[some] = w[1][:500][some]
        bound = 5 * 500 * EPS * np.abs(a) @ sizes
        assert np.linalg.norm(centred.combine(a) - a @ Z) <= bound
    of = np.array([3, 1, 499])
    for gram, rows in (
        (centred.gram(), Z),
        (centred.gram(of), Z[of]),
        (centred.covariance(np.ones(500)), Z.T),
    ):
        np.testing.assert_array_equal(gram, gram.T)
        np.testing.assert_allclose(gram, rows @ rows.T, atol=600 * EPS * sizes.max() ** 2 * 500)


@pytest.mark.parametrize("c", [0.1, 10.0])
def test_newtons_method_on_many_samples_finds_the_solution(c):
    X, y = samples(MOST_GRAM + 50, 4, 3)
    C = c / SMMProblem(X, y, 1.0, 1.0).spread ** 2
    tau = 0.3 * SMMProblem(X, y, C, 1.0).tau_bound()
    problem = SMMProblem(X, y, C, tau)
    one, state = solve_to_gap(problem, newton(problem), 1e-9, 200)
    two, _ = solve_to_gap(problem, augmented_lagrangian(problem), 1e-9, 500)
    assert one.within(1e-9)
    assert two.within(1e-9)
    assert np.linalg.norm(one.W - two.W) <= apart(one, one.gap, two.gap)
    assert "whole_gram" not in vars(problem._samples)
    # An exact continuation, and a warm start at other weights.
    states = newton(problem)
    first, second = next(states), next(states)
    np.testing.assert_array_equal(next(newton(problem, start=first)).alpha, second.alpha)
    other = problem.with_weights(C=0.5 * C, tau=0.7 * tau)
    assert solve_to_gap(other, newton(other, start=state), 1e-8, 200)[0].within(1e-8)
