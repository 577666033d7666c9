"""Weights of samples and classes: duplicates, CVXPY, starts from other weights, messages."""

from itertools import islice, product
from warnings import catch_warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

from smmcore import (
    AROM,
    BilinearSVM,
    LeastSquaresSMM,
    LinearSVM,
    LowRankSVM,
    RegularizedGLM,
    SupportMatrixMachine,
)
from smmcore.path import tau_max
from smmcore.problems import SMMProblem
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import fast_admm, proximal_gradient, solve_to_gap
from smmcore.wolf.weighted_svm import WeightingProblem
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.reference import cvxpy_solution
from tests.smmcore.conftest import (
    MATRIX_SOLVERS,
    apart,
    problems,
    random_problem,
    random_weights,
    reweighted,
    seeds,
    solved,
    zero_from,
)

SOLVERS = "newton", "augmented_lagrangian", "fast_admm", "admm"  # which have certificates
KINDS = [*product(SOLVERS, [SMMProblem]), ("fast_admm", LSSMMProblem), ("admm", LSSMMProblem)]
CONVEX = [
    *(SupportMatrixMachine(solver=solver, tau=0.3) for solver in ("newton", "alm")),
    *(LeastSquaresSMM(tau=0.3), LinearSVM(), RegularizedGLM()),
]
NOT_CONVEX = [
    *(BilinearSVM(n_init=1), BilinearSVM(n_init=1, fit_intercept=True)),
    *(LowRankSVM(C=10.0), AROM(C=10.0)),
]
CLASSIFIERS = [*CONVEX, *NOT_CONVEX]
FEW = settings(max_examples=settings().max_examples // 5)  # of slow examples


def data(seed, classes, n=24, shape=(4, 3)):
    """Samples of two or three classes, each with a mean of its own, and labels."""
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c"])[np.append(np.arange(classes), rng.integers(classes, size=n))]
    means = dict(zip("abc", rng.standard_normal((3, *shape)), strict=True))
    return rng.standard_normal((len(y), *shape)) + [means[label] for label in y], y


# A weight of 2 is the sample twice, a weight of 0 no sample.


def fit_both(estimator, classes, seed, class_weight):
    """The estimator fitted with counts as weights and with repeated samples, and the samples."""
    X, y = data(seed, classes, n=12, shape=(3, 2))
    counts = np.random.default_rng(seed).integers(0, 3, len(y))
    counts[:classes] = 1  # one of each class
    estimator = clone(estimator).set_params(class_weight=class_weight)
    with catch_warnings(action="ignore", category=RuntimeWarning):  # W = 0
        one = clone(estimator).fit(X, y, counts)
        two = clone(estimator).fit(X.repeat(counts, axis=0), y.repeat(counts))
    return one, two, X


class_weights = st.sampled_from([None, "balanced", {"a": 2.0, "b": 0.5}])


@pytest.mark.parametrize("estimator", CONVEX, ids=repr)
@FEW
@given(classes=st.sampled_from([2, 3]), seed=seeds, class_weight=class_weights)
def test_weights_of_a_fit_are_repeated_and_removed_samples(estimator, classes, seed, class_weight):
    one, two, _ = fit_both(estimator, classes, seed, class_weight)
    apart = np.abs(np.subtract(one.objective_, two.objective_))
    assert np.all(apart <= np.maximum(one.dual_gap_, two.dual_gap_) + 1e-12 * one.objective_)
    if hasattr(one, "radius_"):  # not of the GLM
        apart = np.linalg.norm(np.subtract(one.coef_, two.coef_), axis=(-2, -1))
        rounding = 2 * np.sqrt(6e-14 * one.objective_)  # as in `apart`, for sum(alpha) <= 2 P
        assert np.all(apart <= one.radius_ + two.radius_ + rounding)


@pytest.mark.parametrize("estimator", NOT_CONVEX, ids=repr)
@FEW
@given(classes=st.sampled_from([2, 3]), seed=seeds, class_weight=class_weights)
def test_all_steps_with_weights_are_those_with_repeated_samples(
    estimator, classes, seed, class_weight
):
    one, two, X = fit_both(estimator, classes, seed, class_weight)
    scores = [each.decision_function(X) for each in (one, two)]
    np.testing.assert_allclose(*scores, rtol=1e-3, atol=1e-3)  # up to tol, which ends the fit


@pytest.mark.parametrize("estimator", CONVEX[:4], ids=repr)
def test_dual_coefficients_and_support_are_those_of_the_samples_of_the_caller(estimator):
    X, y = data(0, 2)
    weights = random_weights(0, len(y))
    weights[4::3] = 0
    machine = clone(estimator).fit(X, y, weights)
    alpha = machine.dual_coef_
    assert alpha.shape == y.shape
    assert not alpha[4::3].any()
    np.testing.assert_array_equal(machine.support_, np.flatnonzero(alpha))
    used = weights > 0
    signs = np.where(y == machine.classes_[1], 1.0, -1.0)
    problem = machine._problem(X[used], signs[used], weights[used])
    # D(alpha) is what the objective and the gap say.
    assert problem.dual(alpha[used]) == pytest.approx(machine.objective_ - machine.dual_gap_)
    if not isinstance(machine, LeastSquaresSMM):
        assert np.all(alpha <= machine.C * weights)


# The best intercept, and independent references.


@given(problem=problems(), seed=seeds)
def test_the_best_intercept_is_best_with_weights(problem, seed):
    w = random_weights(seed, len(problem.y), 3)
    W = np.random.default_rng(seed).standard_normal(problem.shape[1:])
    turns = problem.y - np.tensordot(problem.X, W)
    hinge = reweighted(problem, w)
    best = hinge.primal(W, hinge.best_intercept(W))
    assert best <= min(hinge.primal(W, turn) for turn in turns) * (1 + 1e-12)
    for smooth in (
        reweighted(problem, w, LSSMMProblem),
        GLMProblem(problem.X, problem.y, 1.0, sample_weight=w),
    ):
        b = smooth.best_intercept(W)
        best = smooth.primal(W, b)
        near = [smooth.primal(W, b + e) for e in (-1.0, -1e-3, 1e-3, 1.0)]
        assert best <= min(near) + 1e-13 * best


def test_the_best_intercept_is_the_middle_of_those_that_are_best():
    # Both margins are at least 1 for b from -11 to -9.
    problem = SMMProblem(np.array([[[6.0]], [[4.0]]]), [1, -1], 1.0, 0.0)
    assert problem.best_intercept(np.array([[2.0]])) == -10.0
    # 0.1 + 0.2 is not 0.3 in floating point, but all b between the margins are equally good.
    X = np.array([[[1.0]], [[1.0]], [[-1.0]]])
    problem = SMMProblem(X, [1, 1, -1], 1.0, 0.0, sample_weight=[0.1, 0.2, 0.3])
    assert problem.best_intercept(np.zeros((1, 1))) == 0.0
    assert problem.with_labels([-1, -1, 1]).best_intercept(np.zeros((1, 1))) == 0.0


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@pytest.mark.parametrize("n", [12, 60])  # below and above p q = 20
@pytest.mark.parametrize(("C", "share"), [(0.1, 0.3), (10.0, 0.01), (1.0, 0.0)])
def test_cvxpy_finds_the_same_matrix(kind, n, C, share):
    data = random_problem(3, n=n, shape=(4, 5), C=C)
    problem = reweighted(data, random_weights(n, n), kind)
    problem = problem.with_weights(tau=share * zero_from(problem))
    W = cvxpy_solution(problem)
    for name in (name for name, of in KINDS if of is kind):
        proof = solved(problem, 1e-9, MATRIX_SOLVERS[name][2])
        gap = problem.duality_gap(W, problem.best_intercept(W), proof.alpha)
        bound = apart(proof, proof.gap, gap)
        assert np.linalg.norm(proof.W - W) <= bound <= 2e-2 * np.linalg.norm(W)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"a": 3.0, "b": 0.2}])
def test_svms_at_full_rank_are_scikit_learns(class_weight):
    X, y = data(5, 2, n=60)
    weights = random_weights(5, len(y))
    theirs = SVC(kernel="linear", C=0.5, class_weight=class_weight, tol=1e-10)
    if class_weight == "balanced":  # which SVC counts without the weights of samples
        counts = np.array([weights[y == label].sum() for label in "ab"])
        factors = counts.sum() / (2 * counts)
        theirs.set_params(class_weight=dict(zip("ab", factors, strict=True)))
    W = theirs.fit(X.reshape(len(y), -1), y, weights).coef_.reshape(4, 3)
    for machine in (
        LinearSVM(0.5, class_weight=class_weight),
        SupportMatrixMachine(0.5, 0.0, class_weight=class_weight, tol=1e-10),
        BilinearSVM(3, 0.5, fit_intercept=True, n_init=1, class_weight=class_weight, tol=1e-10),
    ):
        machine.fit(X, y, weights)
        np.testing.assert_allclose(machine.coef_, W, atol=1e-4 * np.linalg.norm(W))


# The smallest weight at which W = 0, the path, and weights over six decades.


@FEW
@given(problem=problems(), seed=seeds)
def test_tau_max_is_where_the_solution_leaves_zero(problem, seed):
    zero = np.zeros(problem.shape[1:])
    weights = random_weights(seed, len(problem.y), 1.5)
    for base in (reweighted(problem, weights), reweighted(problem, weights, LSSMMProblem)):
        with catch_warnings(action="error"):
            top = zero_from(base)
        at_zero = base.primal(zero, base.best_intercept(zero))
        scale = base.sample_C @ base._samples.norms
        assume(top > 1e-3 * scale)  # else rounding decides
        above = solved(base.with_weights(tau=1.0001 * top), 1e-10)
        assert above.dual == pytest.approx(at_zero, rel=1e-9)
        below = base.with_weights(tau=0.97 * top)
        proof, _ = solve_to_gap(below, fast_admm(below, rho="auto"), 1e-9, 1500)
        assert proof.primal < at_zero - proof.gap
        assert proof.rank >= 1


@pytest.mark.parametrize("extra", [0.0, 1e-16, 1e-12, 1e-8])
def test_tau_max_where_the_classes_weigh_the_same_or_nearly(extra):
    X = np.random.default_rng(0).standard_normal((10, 3, 4))
    y = np.tile([1.0, -1.0], 5)
    weights = random_weights(1, 5).repeat(2)
    weights[0] += extra
    expected = 2.0 * np.linalg.norm(np.tensordot(weights * y, X, 1), 2)
    problem = SMMProblem(X, y, 2.0, 0.1, sample_weight=weights)
    assert tau_max(problem) == pytest.approx(expected, rel=1e-6 if extra else 1e-14)


def test_lam_max_is_where_the_solution_of_the_glm_leaves_zero():
    data = random_problem(0, n=30, unequal=True)
    problem = GLMProblem(data.X, data.y, 1.0, sample_weight=random_weights(3, 30, 3))
    for share, rank in ((1.0001, 0), (0.9, 1)):
        at_share = problem.with_weight(share * problem.lam_max())
        proof, _ = solve_to_gap(at_share, proximal_gradient(at_share), 1e-9, 10_000)
        assert proof.within(1e-9)
        assert proof.rank == rank


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_weights_over_six_decades_are_certified(name, kind):
    for seed in (2, 5):
        n = (15, 40, 60)[seed % 3]
        data = random_problem(seed, n=n, C=10.0 ** (seed - 3), unequal=seed > 2)
        problem = reweighted(data, random_weights(seed, n, 3), kind)
        problem = problem.with_weights(tau=zero_from(problem) * 10.0 ** -(seed % 4))
        solved(problem, 1e-8, MATRIX_SOLVERS[name][2])


# Starts from other weights. That runs with weights resume exactly is in test_resume.


@pytest.mark.parametrize(("name", "kind"), [*KINDS, ("bilevel", SMMProblem)])
@pytest.mark.parametrize("weights", [{"C": 0.05, "tau": 0.0}, {"C": 3.0, "tau": 0.1}])
def test_a_state_of_other_weights_is_a_safe_start(name, kind, weights):
    run = MATRIX_SOLVERS[name][2]
    data = random_problem(2)
    here = reweighted(data, random_weights(3, 24), kind).with_weights(**weights)
    for there in (reweighted(data, None, kind), reweighted(data, random_weights(4, 24, 2), kind)):
        *_, state = islice(run(there), 30)
        states = run(here, start=state)
        first = next(states)
        assert first.k == 1
        assert here.dual(first.alpha) > -np.inf
        proof, _ = solve_to_gap(here, states, 1e-8, 3000)
        cold = solved(here, 1e-8, run)
        assert proof.within(1e-8)
        assert np.linalg.norm(proof.W - cold.W) <= apart(proof, proof.gap, cold.gap)


@pytest.mark.parametrize("solver", ["alternating_svm", "iterative_weighting"])
def test_solvers_without_warm_starts_refuse_a_state_of_other_weights(solver):
    kind, numbers, run = MATRIX_SOLVERS[solver]
    data, weights = random_problem(0), random_weights(0, 24)

    def problem(weights):
        return kind(data.X, data.y, *numbers, sample_weight=weights)

    state = next(run(problem(None)))
    assert next(run(problem(np.ones(24)), state)) is not None
    with pytest.raises(ValueError, match="start must be a state of the same sample weights"):
        next(run(problem(weights), state))


# Weights of classes, and messages.


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=repr)
def test_balanced_classes_equal_the_corresponding_sample_weights(estimator):
    X, y = data(1, 3, n=12, shape=(3, 2))  # each against the rest, so two classes as well
    factors = dict(zip("abc", (2.0, 0.5, 3.0), strict=True))
    for class_weight in ("balanced", factors):
        weights = compute_sample_weight(class_weight, y)
        with catch_warnings(action="ignore", category=RuntimeWarning):  # W = 0
            one = clone(estimator).set_params(class_weight=class_weight).fit(X, y)
            two = clone(estimator).fit(X, y, weights)
        np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-9)
        np.testing.assert_allclose(one.intercept_, two.intercept_, rtol=1e-9)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.r_[np.ones(26), np.nan], "sample_weight contains NaN"),
        (np.r_[np.ones(26), np.inf], "sample_weight contains infinity"),
        (np.r_[np.ones(26), -2.0], r"sample_weight must be at least 0, got -2\.0"),
        (np.ones(5), r"sample_weight\.shape == \(5,\), expected \(27,\)"),
        ("b", "positive for at least one sample of each class, got 0 for all of class b"),
    ],
)
@pytest.mark.parametrize("estimator", [SupportMatrixMachine(), RegularizedGLM()], ids=repr)
def test_wrong_sample_weights_of_a_fit_are_refused(estimator, weights, message):
    X, y = data(0, 3)
    if isinstance(weights, str):
        weights = (y != weights).astype(float)
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"a": 0.0}, r"class_weight must be positive and finite, got 0\.0 for class a"),
        ({"a": 1.0, "z": 2.0}, r"The classes, \['b', 'c'\], are not in class_weight"),
        ("uniform", "'class_weight' parameter of SupportMatrixMachine must be"),
    ],
)
def test_wrong_class_weights_are_refused(class_weight, message):
    with pytest.raises(ValueError, match=message):
        SupportMatrixMachine(class_weight=class_weight).fit(*data(0, 3))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(3), r"sample_weight must have shape \(24,\), one weight per sample, got \(3,\)"),
        (np.r_[np.ones(23), 0.0], r"must be between 1e-100 and 1e100, got 0\.0"),
        (np.ones(24) * 1j, "sample_weight must be real"),
        (np.r_[np.ones(23), 1e-90], "C times sample_weight must lie between 1e-150 and 1e150"),
    ],
)
def test_wrong_sample_weights_of_a_problem_are_refused(weights, message):
    data = random_problem(0)
    for make in (
        lambda: SMMProblem(data.X, data.y, 1e-80, 1.0, sample_weight=weights),
        lambda: BilinearProblem(data.X, data.y, 1e-80, 1, sample_weight=weights),
        lambda: WeightingProblem(data.X, data.y, 1e-80, sample_weight=weights),
    ):
        with pytest.raises(ValueError, match=message):
            make()
