"""The lesson on sparse regression: experiments, films, panels, and the page."""

import json
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from pages.foundations.sparse.regression import PENALTIES, Features, Sinc, Steps
from pages.foundations.sparse.runs import (
    SparseComparison,
    SparseRun,
    StochasticRun,
    listing_comparison,
    listing_rows,
    selection_comparison,
    selection_rows,
    solve_with_scikit_learn,
    sparse_panels,
)
from pages.foundations.sparse.selection import backward_elimination, best_subset
from pages.foundations.sparse.subsets import (
    CORRELATIONS,
    SELECTIONS,
    TRUE,
    HiddenPairs,
    SubsetRun,
    select,
)
from pages.shared.engine import precomputed
from pages.shared.numbers import percent
from smmcore.datasets import make_hidden_pair, make_sinc
from smmcore.problems import differences, gaussian_design
from smmcore.solvers import stochastic_gradient
from tests.pages.runs import run_to_the_end
from tests.pages.visit import link, players, visit

CURVE = Sinc(n=20)
RUNS = [
    SparseRun(CURVE, "l2"),
    SparseRun(CURVE, "l1"),
    SparseRun(CURVE, "l1 + l2", tau=0.25),
    SparseRun(CURVE, "l1,2", 0.5, size=4),
    SparseRun(Steps(n=20, pieces=3), "fused", 1.0),
    SparseRun(CURVE, "l1", rho=1.0, max_iter=40),
]


# Recipes


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Sinc(n=9), "n, the number of samples, must be at least 10 and at most 300, got 9"),
        (lambda: Sinc(h=0.0), "h, the width of the basis functions, must be at least 0.01"),
        (lambda: Sinc(noise=float("nan")), "the noise must be at least 0 and at most 100, got nan"),
        (lambda: Steps(n=20, pieces=11), "the number of steps must .* at most n / 2 = 10, got 11"),
        (lambda: Features(spread=-1.0), "the spread of the copies must be at least 0"),
        (lambda: SparseRun(CURVE, "l3"), r"the penalty must be one of \['l2', .*, got 'l3'"),
        (lambda: SparseRun(CURVE, lam=0.0), "lambda, the weight of the penalty, must be at least"),
        (lambda: SparseRun(CURVE, tau=1.5), "tau, the share of the squares, must be .*, got 1.5"),
        (lambda: SparseRun(CURVE, size=21), "the size of a group must be .* at most b = 20, got 2"),
        (lambda: SparseRun(CURVE, rho=0.0), "rho, the penalty of ADMM, must be at least 1e-06"),
        (lambda: SparseComparison((RUNS[0], RUNS[4])), "the runs must have data, tolerance and li"),
        (lambda: StochasticRun(RUNS[0]), "the penalty must be 'l1', got 'l2'"),
        (lambda: HiddenPairs(n=11), "n, the number of samples, must be at least 12 .*, got 11"),
        (lambda: HiddenPairs(draws=0), "the number of draws must be at least 1 .*, got 0"),
        (lambda: StochasticRun(RUNS[1], step=2.0), "epsilon, the step, must be .* got 2"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


@pytest.mark.parametrize("every", [1, 7, 50])
def test_the_stochastic_gradient_has_a_frame_for_each_pass(every):
    run = StochasticRun(RUNS[1], every=every, passes=12)
    piece = run_to_the_end(run)
    (last,) = islice(run.states(CURVE.prepare()), run.last_round - 1, run.last_round)
    np.testing.assert_array_equal(last.theta, piece.state.theta)
    assert len(piece.metrics) == run.last_round / run.stride + 1
    assert piece.metrics["passes"][-1] == pytest.approx(12, rel=0.2)


def test_tau_goes_from_l1_to_l2():
    ends = [replace(RUNS[2], tau=tau) for tau in (0.0, 1.0)]
    for end, other in zip(ends, (RUNS[1], RUNS[0]), strict=True):
        data = CURVE.prepare()
        assert end.problem(data).penalty == other.problem(data).penalty
        assert end.problem(data).eta == other.problem(data).eta


# Films


@pytest.mark.parametrize("run", RUNS[:5], ids=lambda run: run.label)
def test_film_holds_what_the_solver_has_found(run):
    piece, data = run_to_the_end(run), run.data.prepare()
    problem = run.problem(data)
    for state, curve, picture in zip(
        islice(run.states(problem), 5), piece.metrics, piece.images, strict=False
    ):
        proof = state.certificate(problem)
        assert (curve["zeros"], curve["rho"]) == (np.sum(state.z == 0), state.rho)
        assert curve["small"] == np.sum(np.abs(state.theta) < 1e-3)
        assert curve["primal"] == proof.primal == pytest.approx(problem.primal(proof.theta))
        assert curve["gap"] == pytest.approx((proof.primal - proof.dual) / proof.at_zero)
        np.testing.assert_allclose(picture["z"], state.z, rtol=1e-6)
        np.testing.assert_allclose(picture["theta"], state.theta, rtol=1e-6)
    # Where the samples are of the grid, the fit is that of the solution within its radius.
    end, fit = piece.metrics[-1], np.interp(data.x, data.grid, piece.images[-1]["fit_z"])
    assert end["gap"] <= run.tol
    assert np.linalg.norm(data.Phi @ piece.certificate.theta - fit) < 0.05
    assert piece.summary.startswith(f"Certified after {end['k']} iteration")


def test_rho_decides_how_long_it_takes_and_nothing_else():
    # What the lesson says of its first settings: 301, 949, more than 3,000.
    balanced, one = (run_to_the_end(SparseRun(Sinc(), rho=rho)) for rho in (None, 1.0))
    assert len(balanced.metrics) < 400
    assert 2 * len(balanced.metrics) < len(one.metrics) < 1_200
    data, small = Sinc().prepare(), SparseRun(Sinc(), rho=0.01)
    problem = small.problem(data)
    *_, state = islice(small.states(problem), small.max_iter)
    assert state.k == 3_000
    assert not state.certificate(problem).within(small.tol)
    apart = data.Phi @ (balanced.certificate.theta - one.certificate.theta)
    assert np.linalg.norm(apart) <= balanced.metrics["radius"][-1] + one.metrics["radius"][-1]


def test_a_run_that_does_not_reach_its_tolerance_ends_at_its_limit():
    ended = "Ended at its limit, after 40 iterations: relative gap"
    assert run_to_the_end(RUNS[5]).summary.startswith(ended)


@pytest.mark.parametrize(("lam", "fewest", "most"), [(0.1, 33, 40), (1.0, 41, 44)])
def test_solutions_of_50_draws_have_as_many_zeros_as_the_lesson_says(lam, fewest, most):
    counts = []
    for seed in range(50):
        x, y, _ = make_sinc(50, 0.2, seed)
        lasso = Lasso(lam / 50, fit_intercept=False, tol=1e-12, max_iter=10**6)
        counts.append(np.sum(lasso.fit(gaussian_design(x, x, 0.3), y).coef_ == 0))
    assert (min(counts), max(counts)) == (fewest, most)


def test_rows_of_the_listing_are_those_of_the_listing():
    comparison = listing_comparison(Sinc())
    rows = listing_rows(comparison, run_to_the_end(comparison).metrics)
    x, y, _ = make_sinc(50, 0.2, 0)
    K = gaussian_design(x, x, 0.3)
    A = np.linalg.inv(K @ K + np.eye(50))
    for row, threshold in zip(rows, (0.1, 1.0), strict=True):
        o, t0, z, u = 0, *np.zeros((3, 50))
        while o < 1000:  # Fig. 24.4, line for line
            o += 1
            t = A @ (K @ y + z - u)
            z = np.maximum(0, t + u - threshold) + np.minimum(0, t + u + threshold)
            u = u + t - z
            if np.linalg.norm(t - t0) < 0.0001:
                break
            t0 = t
        assert row["the listing stops after"] == o
        assert row["it counts |θⱼ| < 0.001"] == np.sum(np.abs(t) < 0.001)
    assert [row["zeros in z at the end"] for row in rows] == [37, 43]


def test_listing_on_steps_takes_the_books_curve():
    assert listing_comparison(Steps()).data == Sinc()


def test_stochastic_gradient_is_held_against_the_optimum_of_the_same_problem():
    run = StochasticRun(SparseRun(CURVE, lam=0.2), step=0.05, every=10, passes=60)
    piece, data = run_to_the_end(run), CURVE.prepare()
    problem = run.admm.problem(data)
    states = stochastic_gradient(
        data.Phi, data.y, 0.2 * 10 / 20, run.epsilon(data.Phi), every=10, seed=0
    )
    theta = list(islice(states, 120))[-1].theta
    solution = run_to_the_end(run.admm).certificate
    nothing = 0.5 * data.y @ data.y
    assert piece.metrics["excess"][0] == pytest.approx(1 - solution.dual / nothing)
    excess = (problem.primal(theta) - solution.dual) / nothing
    assert piece.metrics["excess"][-1] == pytest.approx(excess)
    assert piece.metrics["excess"][-1] < 0.1 * piece.metrics["excess"][0]
    assert piece.metrics["admm_excess"][-1] <= 1e-6
    assert piece.metrics["admm_zeros"][[0, -1]].tolist() == [20, np.sum(solution.theta == 0)]


def test_stochastic_gradient_stays_as_far_above_the_optimum_as_the_lesson_says():
    def means(step, every):
        curves = run_to_the_end(StochasticRun(SparseRun(Sinc()), step, every)).metrics[-50:]
        return curves["excess"].mean(), curves["zeros"].mean()

    assert means(0.1, 50)[0] == pytest.approx(0.005, abs=0.0005)
    assert means(1.0, 50)[0] == pytest.approx(0.06, abs=0.005)
    assert [round(float(means(0.1, every)[1])) for every in (1, 100)] == [1, 9]


def test_l1_takes_at_most_n_features_and_one_of_near_copies():
    def rows(features, lam):
        comparison = selection_comparison(features, lam)
        return selection_rows(comparison, run_to_the_end(comparison).images[-1])

    few = rows(Features(20, 1.0, seed=0), 0.1)
    assert (few[0]["features"], few[1]["features"]) == (20, 29)
    copies = rows(Features(30, 0.003, seed=1), 10.0)
    taken = [[row[f"group {g}"] for g in (1, 2)] for row in copies]
    assert taken == [[1, 1], [5, 5], [5, 5]]
    assert {copies[2][f"group {g}"] for g in range(1, 9)} == {0, 5}


@pytest.mark.parametrize(("spread", "fewest", "most"), [(0.1, 2, 4), (0.003, 1, 2)])
def test_how_near_copies_must_be_for_l1_to_take_one(spread, fewest, most):
    taken = []
    for seed in range(6):
        # Of the same problem, which ADMM solves as well: its last digits take seconds.
        theta = solve_with_scikit_learn(SparseRun(Features(30, spread, seed=seed), lam=10.0)).theta
        taken += [np.count_nonzero(theta[group : group + 5]) for group in (0, 5)]
    assert (min(taken), max(taken)) == (fewest, most)


def test_shares_of_the_subsets_are_those_of_the_draws():
    piece = run_to_the_end(SubsetRun(HiddenPairs(n=12, draws=3, seed=5)))
    assert piece.metrics["correlation"].tolist() == pytest.approx(CORRELATIONS)
    for row, picture, c in zip(piece.metrics, piece.images, CORRELATIONS, strict=True):
        draws = [select(*make_hidden_pair(12, 10, c, random_state=seed)[:2]) for seed in (5, 6, 7)]
        assert row["true"] == pytest.approx(np.mean([found["all"] == TRUE for found in draws]))
        for method in ("all", *SELECTIONS):
            takes = [[j in found[method] for j in range(10)] for found in draws]
            np.testing.assert_allclose(picture[f"features_{method}"], np.mean(takes, axis=0))
            if method in SELECTIONS:
                hits = [found[method] == found["all"] for found in draws]
                assert row[method] == pytest.approx(np.mean(hits))


def test_precomputed_selection_says_what_the_lesson_says():
    run = SubsetRun(HiddenPairs())
    kept = precomputed.load(run).metrics
    fresh = next(run.frames(run.data.prepare(), CORRELATIONS.index(0.95))).metrics
    for name, value in fresh.items():
        assert kept[name][CORRELATIONS.index(0.95)] == pytest.approx(value, abs=0.05), name
    assert (kept["backward"] == 1).all()  # the hidden pair stays
    for method in ("forward", "l1", "hard"):
        assert kept[method][0] > 0.95
        assert kept[method][-1] < 0.4
    assert kept["fixed"][0] < 3 < 13 < kept["fixed"][-1]


def test_backward_elimination_misses_the_best_subset_of_few_samples_as_the_lesson_says():
    missed = [
        np.mean([backward_elimination(X, y)[3] != best_subset(X, y, 3) for X, y in draws])
        for draws in HiddenPairs(12).prepare()
    ]
    assert (min(missed), max(missed)) == pytest.approx((0.175, 0.35), abs=0.001)


def test_each_penalty_makes_the_zeros_that_the_lesson_names():
    zeros, groups = {}, 0
    for penalty, lam in (("l2", 0.1), ("l1", 0.1), ("l1 + l2", 0.1), ("l1,2", 0.5)):
        piece = run_to_the_end(SparseRun(Sinc(), penalty, lam))
        zeros[penalty] = piece.metrics["zeros"][-1]
        assert (piece.images["theta"] != 0).all()  # it only comes near
        assert penalty == "l2" or (piece.metrics["zeros"][:5] > 0).all()
        groups = np.count_nonzero(piece.certificate.theta.reshape(-1, 5), axis=1)
    assert zeros["l1"] > zeros["l1 + l2"] > zeros["l2"] == 0
    assert set(groups.tolist()) == {0, 5}


# What stands around the player


@pytest.mark.parametrize("run", RUNS[:3], ids=lambda run: run.label)
def test_scikit_learn_finds_the_same(run):
    theirs, ours = solve_with_scikit_learn(run), run_to_the_end(run).certificate
    gap = theirs.primal - ours.dual
    apart = np.linalg.norm(run.data.prepare().Phi @ (theirs.theta - ours.theta))
    assert np.linalg.norm(theirs.fitted - ours.fitted) == pytest.approx(apart)
    assert apart <= np.sqrt(2 * max(gap, 0)) + np.sqrt(2 * max(ours.gap, 0)) + 1e-9
    assert gap <= 1e-5
    assert theirs.call.startswith(theirs.name.removeprefix("scikit-learn, "))


@pytest.mark.parametrize(
    ("penalty", "query", "parts"),
    [
        ("l2", {}, [r"g(z)", r"\underbrace{0}", r"2 \cdot 0.1\, I", r"z \leftarrow v \\ v ="]),
        ("l1", {}, [r"A = I_{20}", r"\max(0, v - 0.1 / \rho)", r"\Phi^\top y + \rho z - u)"]),
        (
            "l1 + l2",
            {"tau_net": "0.25"},
            [r"0.025\, \|\theta\|^2", r"2 \cdot 0.025\, I", r"v - 0.075 / \rho"],
        ),
        ("l1,2", {}, [r"0.5\, \textstyle\sum_g", r"1 - 0.5 / (\rho \|v^{(g)}\|)"]),
        (
            "fused",
            {"lam_steps": "1"},
            [r"F \in \mathbb R^{19 \times 20}", r"F^\top (\rho z - u)", r"\rho F^\top F"],
        ),
    ],
)
def test_page_opens_with_each_penalty_and_the_numbers_of_its_run(contents, penalty, query, parts):
    sizes = {"n_curve": "20", "n_steps": "20"}
    opened(contents, penalty=PENALTIES[penalty], rho_admm="10", **sizes, **query)
    assert not contents.exception
    assert not contents.error
    assert contents.session_state["sparse"].experiment.penalty == penalty
    assert len(players(contents)) == 2
    text = contents.latex[0].value
    for part in [*parts, r"\rho = 10"]:
        assert part in text


def test_what_is_written_is_what_is_run():
    # The updates of `admm_formulas`, by hand, for the first iteration of each form.
    for run in RUNS[:5]:
        data, rho = run.data.prepare(), 0.7
        state = next(replace(run, rho=rho).states(replace(run, rho=rho).problem(data)))
        b = run.data.shape[1]
        F = differences(b) if run.penalty == "fused" else np.eye(b)
        left = data.Phi.T @ data.Phi + 2 * run.eta * np.eye(b) + rho * F.T @ F
        theta = np.linalg.solve(left, data.Phi.T @ data.y)
        v, edge = F @ theta, run.norm_weight / rho
        z = np.maximum(0, v - edge) + np.minimum(0, v + edge)
        if run.penalty == "l1,2":
            parts = [g * max(0, 1 - edge / np.linalg.norm(g)) for g in np.split(v, b // run.size)]
            z = np.concatenate(parts)
        np.testing.assert_allclose(state.theta, theta, atol=1e-10)
        np.testing.assert_allclose(state.z, z, atol=1e-10)
        np.testing.assert_allclose(state.u, rho * (v - z), atol=1e-10)


@pytest.mark.parametrize("run", RUNS[:5], ids=lambda run: run.label)
def test_panels_show_the_samples_and_are_ready_for_json(run):
    curve, *_ = json.loads(json.dumps([panel.to_json() for panel in chain(*sparse_panels(run))]))
    np.testing.assert_array_equal(curve["dots"]["y"], run.data.prepare().y)
    assert curve["step"] == (run.penalty == "fused")
    assert len(curve["x"]) == len(run.data.prepare().grid)


def opened(contents, *slots, **query):
    return visit(contents, "sparse", *slots, **query)


def test_page_opens_with_each_experiment_beside(contents):
    opened(contents, further="Feature selection", n_features="40", spread="0.1", lam_features="2")
    for name, data, lam in (
        ("One of a group", Features(30, 0.003, seed=1), 10.0),  # to what the text tells of
        ("At most n", Features(20, 1.0, seed=0), 0.1),
    ):
        contents.segmented_control(key="sparse_state").set_value(name).run()
        first, *_ = contents.session_state["beside"].experiment.runs
        assert (first.data, first.lam) == (data, lam)
        assert not contents.exception
    contents.segmented_control(key="sparse_further").set_value("The book's listing, twice").run()
    assert contents.session_state["beside"].experiment == listing_comparison(Sinc())
    assert not contents.exception
    assert not contents.error


@pytest.mark.parametrize(("penalty", "lam"), [("ℓ₁", 0.5), ("ℓ₂", 0.1)])
def test_the_stochastic_gradient_takes_the_l1_problem_of_the_lesson(contents, penalty, lam):
    opened(contents, penalty=penalty, lam="0.5", n_curve="20", further="Stochastic gradient")
    assert contents.session_state["beside"].experiment.admm == SparseRun(Sinc(n=20), lam=lam)
    assert not contents.exception
    assert not contents.error


def test_numbers_and_second_opinion_stand_there_when_the_runs_have_ended(contents):
    opened(contents, "sparse", "beside", C="2", further="Three of ten features")
    assert not contents.error
    assert any("37 of 50 entries of z are 0" in text.value for text in contents.markdown)
    assert contents.dataframe[0].value["zeros"].tolist() == [37, 37]
    run = contents.session_state["beside"]
    assert run.experiment == SubsetRun(HiddenPairs())
    told = next(text.value for text in contents.markdown if text.value.startswith("At c = 0.9"))
    row = run.frames.metrics[CORRELATIONS.index(0.9)]
    assert f"ℓ₁ in {percent(row['l1'])}" in told
    assert f"{row['fixed']:.1f} of the 120 subsets are fixed points" in told
    assert any("H_3" in latex.value for latex in contents.latex)
    assert "C" not in link(contents)  # a setting of other lessons


def test_link_restores_the_run(contents, other):
    settings = {"lam": "0.2", "tau_net": "0.25", "rho_admm": "1", "n_curve": "30", "n_pair": "15"}
    settings |= {"further": "Three of ten features", "penalty": "ℓ₁ + ℓ₂"}
    opened(contents, **settings)
    experiment = contents.session_state["sparse"].experiment
    assert experiment == SparseRun(Sinc(n=30), "l1 + l2", 0.2, tau=0.25, rho=1.0)
    opened(other, **link(contents))
    assert other.session_state["sparse"].experiment == experiment
    assert other.session_state["beside"].experiment == contents.session_state["beside"].experiment
    assert other.session_state["beside"].experiment.data.n == 15
