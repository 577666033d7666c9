"""The evidence of the page: differences, learning curve, chance, leaks, and the opening example."""

import re

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from pages.shared.data.bundled import P300
from pages.shared.data.samples import MAX_ENTRIES, most_samples, spool
from pages.shared.engine import precomputed
from pages.your_data.results.evidence import describe_permutations, last_of_each_size
from pages.your_data.results.layer import first_layer
from pages.your_data.results.metrics import compare, evaluate
from pages.your_data.runs import (
    PRECOMPUTED,
    LearningCurve,
    PermutationRequest,
    learning_curve,
    shuffled_accuracies,
)
from pages.your_data.trial.quality import Difference
from pages.your_data.trial.splits import (
    Scheme,
    find_overlaps,
    fingerprints,
    neighbour_correlation,
    split_warnings,
)
from pages.your_data.trial.trial import CHOSEN, NAMES, MethodSpec, PreparedTrial, Trial
from tests.files.make import mat
from tests.pages.visit import finish, visit
from tests.pages.your_data.lesson import (
    GIVEN,
    button,
    digits,
    finish_runs,
    numbers,
    open_lesson,
    samples,
    texts,
    upload,
)

RNG = np.random.default_rng(0)


def test_the_page_opens_with_eeg_by_pieces_searched_and_with_its_stored_curve(contents):
    page = finish_runs(visit(contents, "yours"))
    finish(page.session_state["your data: search"])
    page.run()
    assert page.session_state["your data"].experiment.data == P300()
    search = page.session_state["your data: search"]
    assert (search.status, search.experiment.trial.scaling) == ("finished", CHOSEN)
    assert search.experiment.trial.scheme.by == "group"
    assert [*numbers(page)] == [*NAMES.values(), "Majority rate"]
    assert not page.warning
    said = texts([*page.markdown, *page.caption])
    assert "Measured before" not in said  # which is there until the first results
    assert "10.5281/zenodo.2649006" in said
    assert "CC BY 4.0" in said
    assert "SMM − linear SVM" in said
    assert "Weights and scaling by cross-validation within each training set." in said
    drawn = " ".join(chart.proto.spec for chart in page.get("plotly_chart"))
    for title in ("Learning curve, mean of 15 splits", "on the head", "its wave"):
        assert title in drawn


@pytest.mark.parametrize(
    ("by", "n", "published", "error"),
    [
        ("class", 80, {"lsvm": 75.7, "logistic": 75.7, "smm": 78.9}, 0.8),
        ("class", 160, {"lsvm": 79.7, "logistic": 80.6, "smm": 82.4}, 1.0),
        ("group", 80, {"lsvm": 69.7, "logistic": 71.2, "smm": 74.8}, 2.3),
        ("group", 160, {"lsvm": 79.8, "logistic": 80.2, "smm": 81.5}, 1.4),
    ],
)
def test_the_stored_curve_is_within_the_errors_of_an_independent_measurement(
    by, n, published, error
):
    """Of another program with its own splits; see the credit of the data."""
    rows = last_of_each_size(precomputed.metrics(PRECOMPUTED[f"Learning curve of P300 by {by}"]), 4)
    (row,) = rows[np.abs(rows["n"] - n) < 3]
    for method, percent in published.items():
        both = np.hypot(error, 100 * row[f"error_{method}"])
        assert abs(100 * row[f"held_{method}"] - percent) < 2 * both
    assert row["lead_lsvm"] > 0


def test_a_difference_has_the_error_of_its_splits_and_of_its_samples():
    one, other = RNG.random((2, 3, 50)) < 0.7
    rows = [np.arange(50)] * 3
    mean, error = Difference.of([*zip(one, other, strict=True)], rows)
    each = one.astype(float) - other
    assert mean == pytest.approx(each.mean())
    variance = each.mean(axis=0).var(ddof=1) / 50 + each.mean(axis=1).var(ddof=1) / 3
    assert error == pytest.approx(np.sqrt(variance))
    folds = [np.arange(50), np.arange(50, 100), np.arange(100, 150)]  # each tested once
    assert Difference.of([*zip(one, other, strict=True)], folds).error == pytest.approx(
        each.std(ddof=1) / np.sqrt(150)
    )


def test_a_difference_below_two_standard_errors_is_none():
    right, few = np.ones(100, bool), np.arange(100) >= 3
    rows = [np.arange(100)]
    assert "no difference that these samples can show (+3.0 ± 1.7 points)" in compare(
        [(right, few)], rows, "a − b"
    )
    assert "**a − b: +10.0 ± 3.0 points**" in compare(
        [(right, np.arange(100) >= 10)], rows, "a − b"
    )
    assert "no difference" in compare([(right, right)], rows, "a − b")


@pytest.mark.parametrize("K", [2, 3])
def test_auc_and_f1_are_those_of_scikit_learn(K):
    truth, decision = RNG.integers(0, K, 60), RNG.normal(size=(60, 1 if K == 2 else K)).round(1)
    predicted = (decision[:, 0] > 0).astype(int) if K == 2 else decision.argmax(axis=1)
    found = evaluate([(truth, decision)], K)
    target = truth if K == 2 else np.eye(K)[truth]
    assert found.auc.mean == pytest.approx(roc_auc_score(target, decision.squeeze()))
    average = "binary" if K == 2 else "macro"
    assert found.f1.mean == pytest.approx(f1_score(truth, predicted, average=average))


def curve_of(by="class", n=80):
    X, y = samples(n=n)
    data = spool(X, y, np.arange(n) // 5)
    trial = Trial(GIVEN, scheme=Scheme(by=by))
    found = learning_curve(data, trial, n // 5)
    return LearningCurve(found.data, found.trial, found.sizes, splits=2)


@pytest.mark.parametrize("by", ["class", "group"])
def test_all_methods_of_a_learning_curve_have_the_same_splits_and_it_resumes_anywhere(by):
    curve = curve_of(by)
    assert [spec.method for spec in curve.trial.specs] == ["lsvm", "smm", "logistic"]
    prepared = curve.data.prepare()
    whole = [*curve.frames(prepared)]
    steps = [frame.metrics for frame in whole if frame.metrics]
    assert len(steps) == 2 * len(curve.sizes)
    middle = len(whole) // 2
    again = [*curve.frames(prepared, whole[middle].state)]
    assert [f.metrics for f in again if f.metrics] == steps[-len([f for f in again if f.metrics]) :]
    _, last = steps[0], steps[-1]
    scheme = Scheme("hold-out", by, share=1 - curve.sizes[-1] / 80, seed=1)
    (tested,) = Trial(curve.trial.specs[:1], scheme=scheme).run(*prepared[:2], prepared.groups)
    first = Scheme("hold-out", by, share=1 - curve.sizes[-1] / 80, seed=0)
    (before,) = Trial(curve.trial.specs[:1], scheme=first).run(*prepared[:2], prepared.groups)
    assert last["held_lsvm"] == pytest.approx((tested.accuracy + before.accuracy) / 2)
    for train, _ in scheme.splits(prepared.y, prepared.groups):
        assert abs(len(train) - curve.sizes[-1]) <= 5


def test_few_samples_have_no_learning_curve():
    X, y = samples(n=16)
    assert learning_curve(spool(X, y), Trial(GIVEN), 0) is None


def test_a_button_draws_the_learning_curve_and_chance(contents):
    page = open_lesson(contents, trained=["linear SVM", "SMM"])
    button(page, "What would chance reach? (SMM)").click().run()
    assert re.search(r"chance would reach \d+\.\d\s% in 1 of 20", texts(page.markdown))
    button(page, "Draw the learning curve").click().run()
    assert "your data: learning curve" in page.session_state


def test_chance_is_chance_and_labels_are_shuffled_within_groups():
    X, y = samples(n=60)
    groups = np.arange(60) // 10
    trial = Trial(GIVEN[:1])
    request = PermutationRequest(spool(X, y, groups), trial, GIVEN[:1])
    found = shuffled_accuracies(request)
    assert 19 <= len(found) <= 99
    assert abs(found.mean() - 0.5) < 0.1
    (real,) = PreparedTrial(trial, X, y).trial.run(X, y)
    assert found.max() < real.accuracy
    assert "in 1 of" in describe_permutations(real.accuracy, found)
    assert "p = 1" in describe_permutations(0.0, found)


@pytest.mark.parametrize("axes", [None, (1, 2), (2,)])
def test_windows_that_overlap_are_found_also_if_each_was_standardised(axes):
    record = RNG.normal(size=(6, 88))
    windows = np.array([record[:, 8 * i : 8 * i + 16] for i in range(10)])
    if axes:
        windows = windows - windows.mean(axis=axes, keepdims=True)
        windows /= windows.std(axis=axes, keepdims=True)
    assert find_overlaps(windows) == [(i, i + 1) for i in range(9)]
    alone = RNG.normal(size=(40, 6, 16))
    alone = (alone - alone.mean(axis=(1, 2), keepdims=True)) / alone.std(axis=(1, 2), keepdims=True)
    assert find_overlaps(alone) == []


def test_moments_of_a_recording_are_not_split_at_random_without_a_word():
    steps = RNG.normal(size=(400, 2, 4))
    moments, y = np.cumsum(steps, axis=0), np.arange(400) // 50 % 2
    assert neighbour_correlation(moments, y) > 0.9
    assert abs(neighbour_correlation(steps, y)) < 0.2
    splits = Scheme().splits(y)
    (sentence,) = split_warnings(moments, y, "ab", splits)
    assert "Samples that follow one another are alike" in sentence
    assert split_warnings(steps, y, "ab", splits) == []
    pieces = np.arange(400) // 50
    assert split_warnings(moments, y, "ab", Scheme(by="group").splits(y, pieces), pieces) == []


def test_new_samples_that_were_trained_on_are_said_to_be_so_and_not_scored(contents):
    page = open_lesson(contents, digits=["1", "7"], trained="linear SVM")
    page.button(key="train on everything").click().run()
    finish_runs(page)
    images, labels = digits(1, 7, count=20)
    mixed = images.copy()
    mixed[::2] += 0.5  # half of them are new
    upload(page, mat(X=mixed, y=labels), "new.mat", "upload new samples")
    assert f"{len(images) // 2} of these {len(images)} samples were trained on" in texts(
        page.warning
    )
    (metric,) = (each for each in page.metric if each.label == "Accuracy on the new samples")
    assert metric.delta.endswith(f"of {len(images) - len(images) // 2} correct")


def test_equal_samples_have_equal_fingerprints_whatever_their_type():
    X = RNG.integers(0, 9, (200, 3, 2))
    X[7] = X[5]
    found = fingerprints(X)
    np.testing.assert_array_equal(found, fingerprints(X.astype(np.float32)))
    assert found[7] == found[5]
    assert len(np.unique(found)) == len(np.unique(X.reshape(200, -1), axis=0))


def test_the_first_layer_of_whitened_samples_is_the_pattern_in_their_own_units():
    X, y = samples(n=200)
    X = np.linalg.cholesky(np.eye(5) + 0.8) @ X
    (one,) = Trial((MethodSpec("smm", 1.0, share=0.5, scaling="whitened"),)).run(X, y)
    u, v, share = first_layer(one, 0)
    A, B = np.linalg.inv(one.scaling.white_left), np.linalg.inv(one.scaling.white_right)
    pattern = A @ one.W[0] @ B
    sigma = np.linalg.svd(pattern, compute_uv=False)
    assert abs(u @ pattern @ v) == pytest.approx(sigma[0])
    assert share == pytest.approx(sigma[0] / sigma.sum())
    means = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)  # the pattern is of rank 1
    left, _, right = np.linalg.svd(means)
    assert abs(u @ left[:, 0]) > 0.95
    assert abs(v @ right[0]) > 0.95


def test_only_a_server_that_others_can_reach_limits_the_samples_unless_its_owner_does(monkeypatch):
    monkeypatch.delenv("SMM_LAB_SAMPLES", raising=False)
    assert (most_samples(False), most_samples(True)) == (3_000, MAX_ENTRIES)
    monkeypatch.setenv("SMM_LAB_SAMPLES", "500")
    assert most_samples(False) == most_samples(True) == 500
