"""The lesson When does low rank pay off: what it claims holds in the stored runs."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from pages.shared.data.painted import (
    DIAGONAL,
    PAINTINGS,
    PLAID,
    RANK_2,
    SIDE,
    SMILEY,
    exact_accuracy,
)
from pages.smm.structure.runs import (
    BLOCKS,
    BUILT_IN,
    DIGITS,
    OPENS,
    PAINTED_COUNTS,
    TOLERANCE,
    choose,
)
from pages.smm.structure.tiles import Tile
from smmcore import SupportMatrixMachine
from smmcore.problems import SMMProblem
from tests.pages.runs import load_stored
from tests.pages.visit import visit, words

RANK_OF = {PLAID: 1, RANK_2: 2, SMILEY: 4, "Rank 10": 10, DIAGONAL: 20}


def means(run, n):
    """Return the means over all draws at one n."""
    found = load_stored(run).metrics
    at_n = found[found["n"] == n]
    assert at_n["draws"].tolist() == list(range(1, run.draws + 1))
    return at_n[-1]


def points(name, n, field="gain"):
    """Return a mean of a painting in percentage points."""
    return 100 * means(BUILT_IN[name], n)[field]


def test_all_stored_classifiers_are_certified():
    for run in (*BUILT_IN.values(), BLOCKS, DIGITS):
        assert (load_stored(run).metrics["gap"] <= TOLERANCE).all()


def test_paintings_have_the_ranks_that_the_lesson_names():
    assert {name: np.linalg.matrix_rank(W) for name, W in PAINTINGS.items()} == RANK_OF


def test_low_rank_wins_and_the_diagonal_does_not_where_the_lesson_opens():
    for name in (PLAID, RANK_2, SMILEY):
        assert points(name, OPENS) > 2 * points(name, OPENS, "error_gain")
    assert points(PLAID, OPENS) > max(points(name, OPENS) for name in RANK_OF if name != PLAID)
    for n in PAINTED_COUNTS:
        assert points(DIAGONAL, n) <= 2 * points(DIAGONAL, n, "error_gain")  # no win anywhere
    assert points(DIAGONAL, 800) == 0  # where it chooses tau = 0, it is the SVM


def test_the_smm_may_choose_to_be_the_linear_svm():
    for rank, n in ((1, 200), (20, 100)):
        problem = Tile("equal", rank, n).prepare().problem
        choices = choose(problem.X, problem.y, 64.0, {})
        assert choices["smm"].score >= choices["svm"].score
    assert choices["smm"] == choices["svm"]


def test_gain_falls_with_the_rank():
    gains = [points(name, 400) for name in RANK_OF]
    assert gains == sorted(gains, reverse=True)


def test_exercises_have_the_numbers_of_the_pictures():
    told = (400, "svm"), (800, "svm"), (400, "smm"), (200, "smm")
    assert [round(10 * points(PLAID, *each)) for each in told] == [729, 811, 897, 832]
    assert points(PLAID, 800) < points(PLAID, 400) - 3
    eye, dot = PAINTINGS[SMILEY].copy(), PAINTINGS[SMILEY].copy()
    eye[5:8, 9:11] = dot[0, 0] = 1
    assert [np.linalg.matrix_rank(W) for W in (eye, dot)] == [4, 5]
    assert round(1000 * exact_accuracy(0.83)) == 812


def test_the_svm_is_as_good_for_every_painting():
    for n in PAINTED_COUNTS:
        found = [points(name, n, "svm") for name in RANK_OF]
        errors = [points(name, n, "error_svm") for name in RANK_OF]
        assert max(found) - min(found) < 4 * max(errors)


@pytest.mark.parametrize("name", [SMILEY, DIAGONAL])
def test_w_accuracy_and_rank_are_those_of_classifiers_that_are_trained_by_hand(name):
    """The SVM by LIBSVM, the SMM by its estimator; accuracies on samples of the test's own."""
    run, W_true = BUILT_IN[name], PAINTINGS[name]
    stored = load_stored(run)
    assert stored.metrics["n"][0] == OPENS
    data = run.data.prepare().problem
    X, y = data.X[:OPENS], data.y[:OPENS]
    np.testing.assert_array_equal(y, np.sign(np.einsum("nij,ij->n", X, W_true)))
    choices = choose(X, y, 64.0, choose(X, y, 1.0, {}))
    svm = SVC(kernel="linear", C=choices["svm"].C, tol=1e-6).fit(X.reshape(len(X), -1), y)
    tau = choices["smm"].share * SMMProblem(X, y, C=choices["smm"].C, tau=0.0).tau_bound()
    smm = SupportMatrixMachine(C=choices["smm"].C, tau=tau, tol=1e-8).fit(X, y)
    new = np.random.default_rng(1).standard_normal((20_000, SIDE, SIDE))
    labels = np.sign(np.tensordot(new, W_true))
    for kind, W in (("svm", svm.coef_.reshape(SIDE, SIDE)), ("smm", smm.coef_)):
        W = W / np.linalg.norm(W)
        step = stored.images[f"W_{kind}_scale"][0] / 127  # of its colours
        np.testing.assert_allclose(stored.images[f"W_{kind}"][0] * step, W, atol=step)
        right = np.mean(np.sign(np.tensordot(new, W)) == labels)
        assert abs(stored.metrics[kind][0] - right) < 4 * np.sqrt(0.25 / len(new))
    assert stored.metrics["rank_smm"][0] == smm.rank_


def test_means_and_standard_errors_are_those_of_the_draws():
    run = replace(BUILT_IN[DIAGONAL], counts=(50,), draws=3)
    seeds = [replace(run, data=replace(run.data, seed=seed)) for seed in range(3)]
    gains = [frame.metrics["gain"] for frame in (next(each.run()) for each in seeds)]
    *_, last = run.run()
    assert last.metrics["gain"] == pytest.approx(np.mean(gains))
    assert last.metrics["error_gain"] == pytest.approx(np.std(gains, ddof=1) / np.sqrt(3))


def test_it_does_not_pay_where_the_page_says_so(contents):
    sigma = np.linalg.svd(BLOCKS.data.data.load().X, compute_uv=False)
    assert np.mean(sigma[:, 0] ** 2 / np.sum(sigma**2, axis=1)) > 0.9  # nearly of rank 1
    visit(contents, "structure")
    for run in (BLOCKS, DIGITS):
        found = means(run, run.counts[0])
        assert found["gain"] < min(0.02, 2 * found["error_gain"])
        svm, smm = (round(1000 * found[name]) for name in ("svm", "smm"))
        assert f"right of 1,000: linear SVM {svm}, SMM {smm})" in words(contents)
