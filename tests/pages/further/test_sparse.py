"""The lesson on sparse regression: experiments, their frames, and the page."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, Ridge

from pages.further.sparse.runs import OPENING, SparseRegression
from pages.further.sparse.stochastic import draw_samples, stochastic_gradient
from pages.shared.data.curves import PENALTIES, Sinc, Steps
from smmcore.datasets import make_sinc
from smmcore.sugiyama.regression import differences, gaussian_design
from tests.pages.runs import load_stored, run_to_the_end
from tests.pages.visit import players, visit

CURVE = Sinc(n=20)
RUNS = [
    SparseRegression(CURVE, "l2"),
    SparseRegression(CURVE, "l1"),
    SparseRegression(CURVE, "l1 + l2", tau=0.25),
    SparseRegression(CURVE, "l1,2", 0.5, size=4),
    SparseRegression(Steps(n=20, pieces=3), "fused", 1.0),
]


def test_solutions_of_50_draws_have_as_many_zeros_as_the_lesson_says():
    counts = []
    for seed in range(50):
        x, y, _ = make_sinc(50, 0.2, seed)
        lasso = Lasso(0.1 / 50, fit_intercept=False, tol=1e-12, max_iter=10**6)
        counts.append(np.sum(lasso.fit(gaussian_design(x, x, 0.3), y).coef_ == 0))
    assert (min(counts), max(counts)) == (33, 40)


def test_most_heights_become_zero_as_the_run_goes_on():
    zeros = load_stored(OPENING).metrics["zeros"]
    assert zeros[1] < 20  # Play shows them come
    assert (np.diff(zeros[1:]) < 0).sum() < 0.02 * len(zeros)
    assert zeros[-1] == 37


def test_each_penalty_makes_the_zeros_that_the_lesson_names():
    zeros, groups = {}, 0
    for penalty, lam in (("l2", 0.1), ("l1", 0.1), ("l1 + l2", 0.1), ("l1,2", 0.5)):
        piece = run_to_the_end(SparseRegression(Sinc(), penalty, lam))
        zeros[penalty] = piece.metrics["zeros"][-1]
        assert penalty == "l2" or (piece.metrics["zeros"][:5] > 0).all()
        groups = np.count_nonzero(piece.certificate.theta.reshape(-1, 5), axis=1)
    assert zeros["l1"] > zeros["l1 + l2"] > zeros["l2"] == 0
    assert set(groups.tolist()) == {0, 5}


def test_a_stochastic_round_is_the_books_updates():
    data = CURVE.prepare()
    theta, second = islice(stochastic_gradient(data.Phi, data.y, 0.5, 0.02, 3), 2)
    for i in draw_samples(2, 20, 3):
        theta = theta + 0.02 * data.Phi[i] * (data.y[i] - data.Phi[i] @ theta)
    theta = [max(0, t - 0.5 * 0.02) if t > 0 else min(0, t + 0.5 * 0.02) for t in theta]
    np.testing.assert_allclose(second, theta, atol=1e-15)


@pytest.mark.parametrize(
    ("run", "model"),
    [  # scikit-learn divides the squares by n = 20, but not for ridge regression
        (RUNS[0], Ridge(0.2, fit_intercept=False)),
        (RUNS[1], Lasso(0.1 / 20, fit_intercept=False, tol=1e-10, max_iter=20_000)),
        (RUNS[2], ElasticNet(0.125 / 20, l1_ratio=0.6, fit_intercept=False, max_iter=20_000)),
    ],
)
def test_scikit_learn_finds_the_same(run, model):
    data, ours = run.data.prepare(), run_to_the_end(run).certificate
    theirs = model.fit(data.Phi, data.y).coef_
    gap = run.problem(data).primal(theirs) - ours.dual
    apart = np.linalg.norm(data.Phi @ (theirs - ours.theta))
    assert apart <= np.sqrt(2 * max(gap, 0)) + np.sqrt(2 * max(ours.gap, 0)) + 1e-9
    assert gap <= 1e-4


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
            {"lam": "1"},
            [r"F \in \mathbb R^{19 \times 20}", r"F^\top (\rho z - u)", r"\rho F^\top F"],
        ),
    ],
)
def test_page_opens_with_each_penalty_and_the_numbers_of_its_run(contents, penalty, query, parts):
    visit(contents, "sparse", penalty=PENALTIES[penalty], n_samples="20", **query)
    assert not contents.error
    assert contents.session_state["sparse"].experiment.penalty == penalty
    assert len(players(contents)) == 1
    text = contents.latex[0].value
    for part in parts:
        assert part in text


def test_what_is_written_is_what_is_run():
    # The updates of `admm_formulas`, by hand, for the first iteration of each form.
    for run in RUNS:
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
