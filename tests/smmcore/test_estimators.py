from fractions import Fraction
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import get_args
from warnings import catch_warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from smmcore import LeastSquaresSMM, LinearSVM, SupportMatrixMachine
from smmcore.datasets import Scaling, make_block_correlated
from smmcore.iterate import last
from smmcore.problems import SMMProblem
from smmcore.solvers import augmented_lagrangian, default_solver, newton, solve_to_gap
from smmcore.solvers.lagrangian import LagrangianState
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.smmcore.conftest import objectives, random_problem, reweighted


@pytest.fixture(scope="module")
def problem():
    return random_problem(1, n=40, shape=(6, 5), C=2.0, tau=6.0)


@pytest.mark.parametrize("estimator", [SupportMatrixMachine, LeastSquaresSMM])
def test_the_gap_recomputed_by_hand(problem, estimator):
    machine = estimator(C=2.0, tau=6.0).fit(problem.X, problem.y)
    W, b, alpha = machine.coef_, machine.intercept_, machine.dual_coef_
    kind = SMMProblem if estimator is SupportMatrixMachine else LSSMMProblem
    P, D = objectives(reweighted(problem, None, kind), W, b, alpha)
    assert machine.objective_ == pytest.approx(P, rel=1e-12)
    assert machine.dual_gap_ == pytest.approx(P - D, abs=1e-12 * P)
    assert machine.dual_gap_ <= 1e-6 * machine.objective_
    assert abs(problem.y @ alpha) <= 1e-12 * np.abs(alpha).sum()
    if kind is SMMProblem:
        assert 0 <= alpha.min() <= alpha.max() <= 2.0
    np.testing.assert_array_equal(machine.support_, np.flatnonzero(alpha))
    sigma = np.linalg.svd(W, compute_uv=False)
    np.testing.assert_allclose(machine.singular_values_, sigma, atol=1e-14)
    assert 1 <= machine.rank_ == np.linalg.matrix_rank(W) < 5


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e10])
@pytest.mark.parametrize("C", [1.0, 1e4, 1e8])
def test_the_objective_in_more_digits_is_within_the_rounding_that_is_documented(offset, C):
    data = random_problem(0)
    X, y, n = data.X + offset, data.y, len(data.y)
    machine = SupportMatrixMachine(C=C, tau=1.0).fit(X, y)
    exact = np.vectorize(Fraction, otypes=[object])
    W, b = machine.coef_, Fraction(float(machine.intercept_))
    margins = y * (np.sum(exact(X) * exact(W), axis=(1, 2)) + b).astype(float)
    P = 0.5 * np.sum(W**2) + machine.singular_values_.sum() + C * np.maximum(1 - margins, 0).sum()
    rounding = 1e-15 * (abs(machine.intercept_) + np.abs(X).max() * np.abs(machine.coef_).max())
    assert abs(P - machine.objective_) <= C * n * rounding + 1e-12 * machine.objective_


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ({"solver": "newton"}, newton),
        ({"solver": "alm"}, augmented_lagrangian),
        ({}, newton),  # as n < 1.5 p q
    ],
)
def test_coef_is_the_certificates_W_of_the_last_state_bit_for_bit(problem, options, states):
    machine = SupportMatrixMachine(problem.C, problem.tau, **options).fit(problem.X, problem.y)
    state = last(islice(states(problem), machine.n_iter_))
    proof = state.certificate(problem)
    np.testing.assert_array_equal(machine.coef_, proof.W)
    assert machine.intercept_ == proof.b
    assert machine.dual_gap_ == proof.gap
    np.testing.assert_array_equal(machine.dual_coef_, state.alpha)


@pytest.mark.parametrize(("n", "state"), [(45, "NewtonState"), (46, "LagrangianState")])
def test_the_default_solver_is_newtons_method_up_to_n_equal_to_3_halves_of_p_q(n, state):
    problem = random_problem(1, n=n, shape=(6, 5))
    assert type(next(default_solver(problem))).__name__ == state
    seen = []
    SupportMatrixMachine().fit(problem.X, problem.y, callback=seen.append)
    assert {type(each).__name__ for each in seen} == {state}


def test_a_working_set_that_outgrows_its_limit_hands_over(monkeypatch):
    monkeypatch.setattr("smmcore.problems.samples._MOST_BYTES", 8 * 300**2)
    problem = random_problem(0, n=400, shape=(24, 30), C=0.02, tau=0.02)  # most alpha are free
    with pytest.raises(ValueError, match=r"Gram matrix of \d* samples, which this method needs"):
        solve_to_gap(problem, newton(problem), 1e-6, 200)
    for name in (
        "problems.smm",
        "solvers.newton",
        "solvers.certified",
    ):  # the package has a function of this name
        monkeypatch.setattr(import_module(f"smmcore.{name}"), "MOST_GRAM", 300)
    proof, state = solve_to_gap(problem, default_solver(problem), 1e-6, 200)
    assert proof.within(1e-6)
    assert (type(state), state.handed) == (LagrangianState, 1)


def test_more_than_two_classes_are_one_against_the_rest():
    digits = load_digits(n_class=3)
    X, y = digits.images[:90], digits.target[:90]
    machine = SupportMatrixMachine(C=0.01, tau=0.1).fit(X, y)
    assert machine.coef_.shape == (3, 8, 8)
    assert machine.decision_function(X).shape == (90, 3)
    assert machine.score(X, y) > 0.95
    alone = SupportMatrixMachine(C=0.01, tau=0.1).fit(X, y == 1)
    np.testing.assert_array_equal(machine.coef_[1], alone.coef_)


def test_too_few_iterations_warn_at_the_callers_line_with_the_class_and_its_gap():
    digits = load_digits(n_class=3)
    machine = SupportMatrixMachine(max_iter=2)
    with pytest.warns(ConvergenceWarning) as caught:
        machine.fit(digits.images[:60], digits.target[:60])
    assert {Path(warning.filename) for warning in caught} == {Path(__file__)}
    gap = machine.dual_gap_[0] / machine.objective_[0]
    assert gap > 1e-6
    start = f"Class 0 against the rest: The relative duality gap is {gap:.1e} after 2 iterations"
    assert str(caught[0].message).startswith(start)
    assert machine.n_iter_[0] == 2


@pytest.mark.parametrize("C", [1e6, 1e10, 1e14])
def test_a_huge_C_on_separable_data_is_the_hard_margin(C):
    # C multiplies a slack of rounding size into the objective; the certificate's scale undoes it.
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 3, 4)), np.tile([1, -1], 10)
    machine = SupportMatrixMachine(C=C, tau=1.0).fit(X, y)
    assert machine.dual_gap_ <= 1e-6 * machine.objective_
    assert (np.where(y > 0, 1, -1) * machine.decision_function(X)).min() >= 1 - 1e-6


@pytest.mark.parametrize("scaling", get_args(Scaling))
@pytest.mark.parametrize("C", [0.1, 100.0, 1e4, 1e6])
def test_the_linear_svms_gap_is_tight_where_C_multiplies_each_margins_error(C, scaling):
    # With the alpha of SVC alone the gap is up to 0.15 of the objective.
    X, y = make_block_correlated(200, (20, 25), 4, 1e-3, 5, scaling, 0)
    machine = LinearSVM(C=C).fit(X, y)
    assert machine.dual_gap_ <= 1e-6 * machine.objective_
    svm = SVC(kernel="linear", C=C, tol=1e-6).fit(X.reshape(200, -1), y)
    W = svm.coef_.reshape(20, 25)
    np.testing.assert_allclose(machine.coef_, W, atol=1e-4 * np.abs(W).max())


@pytest.mark.parametrize("factor", [1e3, 1e7])
def test_the_linear_svm_ends_and_warns_of_a_gap_that_rounding_leaves_open(factor):
    problem = random_problem(3, n=60, shape=(6, 5), C=1.0)
    X = problem.X.copy()
    X[:, 0, 0] *= factor
    with catch_warnings(record=True, action="always") as caught:
        machine = LinearSVM().fit(X, problem.y)
    is_loose = machine.dual_gap_ > 1e-6 * machine.objective_
    assert [str(warning.message)[:27] for warning in caught] == (
        ["The relative duality gap is"] if is_loose else []
    )


@pytest.mark.parametrize("positive", [3, 10])
@pytest.mark.parametrize("value", [0.0, 1.0, 1e6])
def test_samples_that_are_all_equal_give_W_zero(positive, value):
    y = np.where(np.arange(20) < positive, 1, -1)
    with pytest.warns(RuntimeWarning, match="No W was found that does better than a constant"):
        machine = SupportMatrixMachine().fit(np.full((20, 3, 4), value), y)
    assert np.linalg.norm(machine.coef_) * value <= 1e-6
    assert machine.objective_ == pytest.approx(2 * positive)


@pytest.mark.parametrize("estimator", [SupportMatrixMachine, LeastSquaresSMM, LinearSVM])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_radius_holds_a_far_better_solution_and_the_certain_rank_is_one_of_it(
    estimator, classes
):
    data = random_problem(3, n=40, shape=(6, 5))
    y = data.X[:, 0, :classes].argmax(axis=1)
    weights = {} if estimator is LinearSVM else {"tau": 3.0}
    rough = estimator(**weights, tol=1e-2).fit(data.X, y)
    fine = estimator(**weights, tol=1e-12).fit(data.X, y)
    np.testing.assert_array_equal(rough.radius_, np.sqrt(2 * np.array(rough.dual_gap_)))
    for one in (rough, fine):
        above = one.singular_values_ > np.asarray(one.radius_)[..., None]
        np.testing.assert_array_equal(one.certain_rank_, np.count_nonzero(above, axis=-1))
    apart = np.linalg.norm(rough.coef_ - fine.coef_, axis=(-2, -1))
    assert np.all(apart <= rough.radius_ + fine.radius_)
    assert np.all(np.asarray(rough.certain_rank_) <= fine.rank_)
    assert np.all(np.asarray(fine.certain_rank_) >= 1)


def test_tau_max_has_one_value_for_each_class_and_leaves_a_fit_as_it_is():
    X = random_problem(5, n=45, shape=(4, 3)).X
    y = X[:, 0].argmax(axis=1)
    machine = SupportMatrixMachine(shape=(4, 3)).fit(X[:20], y[:20] > 0)
    before = {name: np.copy(value) for name, value in vars(machine).items()}
    top = machine.tau_max(X.reshape(45, 12), y)
    assert top.shape == (3,)
    for k, value in enumerate(top):
        assert value == pytest.approx(machine.tau_max(X, y == k), rel=1e-6)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(machine, name), value)
    with pytest.raises(ValueError, match="at least two classes"):
        machine.tau_max(X, np.zeros(45))
