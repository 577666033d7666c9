"""What is said about a test: each number against scikit-learn, SciPy or one made by hand."""

import numpy as np
import pytest

from pages.shared.numbers import percent
from pages.your_data.results.metrics import (
    Score,
    confident_mistakes,
    evaluate,
    majority_rate,
    pool_scores,
)
from pages.your_data.results.report import table_label
from pages.your_data.results.trial_results import accuracy_warnings
from pages.your_data.trial.splits import first_copies, split_warnings


def folds_of(*sizes):
    """Splits of samples of which each is tested once, in parts of these sizes."""
    every = np.arange(sum(sizes))
    tests = np.split(every, np.cumsum(sizes)[:-1])
    return [(np.setdiff1d(every, test), test) for test in tests]


def test_balanced_accuracy_is_over_the_classes_that_were_tested():
    truth, decision = np.array([0, 0, 1, 1]), np.eye(4)[[0, 3, 1, 1]]  # class 2 and 3: no test
    assert evaluate([(truth, decision)], 4).balanced_accuracy.mean == 0.75


def test_majority_rate_is_the_share_of_the_largest_class_in_the_test():
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    splits = [
        (np.array([0, 1, 2, 3]), np.array([4, 5, 6, 7])),
        (np.array([3, 4, 5, 6]), np.array([0, 1, 2, 7])),
    ]
    assert majority_rate(y, splits[:1]) == 1
    assert majority_rate(y, splits) == 5 / 8
    # Of equal classes the largest of each training set is another one, and would be wrong.
    y, every = np.repeat([0, 1, 2], 4), np.arange(12)
    folds = [(np.delete(every, i), every[i : i + 1]) for i in every]  # leaves one out
    assert majority_rate(y, folds) == 1 / 3


def test_folds_are_counted_together_and_repeated_splits_are_not():
    folds = folds_of(10, 20)
    scores = [Score(9, 10), Score(16, 20)]
    pooled = pool_scores(scores, folds)
    assert str(pooled) == "25 of 30"
    assert pooled.format_interval() == f"66.4 to {percent(0.927)}"
    assert pooled.wilson_interval == Score(25, 30).wilson_interval
    assert pool_scores(scores, [folds[0], folds[0]]) is None


def test_mistakes_come_by_the_size_of_the_decision_or_by_the_lead_over_the_true_class():
    rows, truth = np.array([7, 8, 9, 7]), np.array([0, 1, 1, 0])
    decision = np.array([[0.5], [-2.0], [3.0], [0.7]])
    found = confident_mistakes(rows, truth, decision)
    assert found == [(8, 1, 0, 2.0), (7, 0, 1, 0.7)]  # 7 once, at its worst
    # Of several classes, by the lead over the true one.
    truth = np.array([0, 1, 2])
    decision = np.array([[-1.0, -0.5, -3], [-2, -1.5, 0.5], [0, 0, 1]])
    found = confident_mistakes(np.array([3, 4, 5]), truth, decision)
    assert found == [(4, 1, 2, 2.0), (3, 0, 1, 0.5)]


Y = np.repeat([0, 1], [12, 20])
X = np.random.default_rng(0).normal(size=(32, 2, 3))
SPLIT = (np.r_[0:8, 12:26], np.r_[8:12, 26:32])


def test_an_honest_split_has_no_warnings():
    groups = np.isin(np.arange(32), SPLIT[1]).astype(int)
    assert split_warnings(X, Y, "ab", [SPLIT], groups) == []


def test_small_classes_are_named():
    few = np.r_[0:3, 12:32]
    split = np.r_[0:2, 3:18], np.r_[2, 18:23]
    (sentence,) = split_warnings(X[few], Y[few], ["left", "right"], [split])
    assert "1 class: left (3)." in sentence
    assert "right" not in sentence


def test_classes_without_a_test_are_named():
    every = np.arange(32)
    (sentence,) = split_warnings(X, Y, "ab", [(every[6:], every[:6])])
    assert sentence == (
        "The test set of split 1 has no sample of b: its accuracy says nothing about them."
    )
    folds = [(every[16:], every[:16]), (every[:16], every[16:])]
    (sentence,) = split_warnings(X, Y, "ab", folds)
    assert sentence.startswith("The test set of split 2 has no sample of a (1 of 2 splits lack")


def test_identical_samples_on_both_sides_are_counted():
    assert first_copies(np.array([[[0.0]], [[-0.0]], [[1.0]]])).tolist() == [0, 0, 2]
    twice = X.copy()
    twice[[8, 26]] = twice[[0, 13]]
    twice[27] = twice[26]
    (sentence,) = split_warnings(twice, Y, "ab", [SPLIT])
    assert sentence.startswith("3 of 10 test samples are identical to a training sample")
    other = (np.delete(np.arange(32), [5, 31]), np.array([5, 31]))
    assert "in split 2" in split_warnings(twice, Y, "ab", [other, SPLIT])[0]
    assert split_warnings(twice, Y, "ab", [other]) == []


def test_groups_on_both_sides_are_counted():
    groups = np.arange(32) // 4
    (sentence,) = split_warnings(X, Y, "ab", [SPLIT], groups)
    assert sentence.startswith("1 of 8 groups has samples on both sides")  # 24 to 27


def test_a_test_says_how_wide_it_is_and_what_is_below_the_majority():
    scores = {"SMM": [Score(9, 10)], "L-SVM": [Score(8, 10)]}
    wide, below = accuracy_warnings(scores, [SPLIT], 0.8, {})
    assert wide.startswith("Only 10 test samples: the accuracy of SMM on new samples can be")
    assert f"{percent(0.6, 0)} to {percent(0.98, 0)}" in wide
    assert below.startswith(
        f"L-SVM ({percent(0.8)}) gets no more right than always predicting one class"
    )
    split, certified = (np.arange(100), np.arange(100, 200)), {"SMM": np.ones(3, bool)}
    assert accuracy_warnings({"SMM": [Score(90, 100)]}, [split], 0.8, certified) == []


def test_one_sentence_names_all_classifiers_and_counts_fits_that_are_not_certified():
    scores = {name: [Score(50, 100)] for name in ("L-SVM", "R-GLM", "SMM")}
    certified = {"L-SVM": np.ones(9, bool), "R-GLM": np.arange(9) > 1, "SMM": np.zeros(9, bool)}
    split = np.arange(100), np.arange(100, 200)
    below, loose = accuracy_warnings(scores, [split], 0.5, certified)
    half = percent(0.5)
    assert below.startswith(f"L-SVM ({half}), R-GLM ({half}) and SMM ({half}) get no more right")
    assert "these show nothing learned" in below
    assert loose.startswith("Not certified: R-GLM 2 of 9 solutions and SMM 9 of 9 solutions.")


def test_folds_are_one_test_together_and_repeated_splits_are_not():
    scores = {"SMM": [Score(9, 10), Score(18, 20)]}
    folds = folds_of(10, 20)
    assert accuracy_warnings(scores, folds, 0.5, {}) == []
    again = [folds[0], (folds[1][0], np.arange(5, 25))]
    (sentence,) = accuracy_warnings(scores, again, 0.5, {})
    assert sentence.startswith("Only 10 test samples in the smallest of the splits: ")
    (sentence,) = accuracy_warnings({"SMM": [Score(9, 10)]}, [SPLIT], 0.5, {})
    assert sentence.startswith("Only 10 test samples: ")


@pytest.mark.parametrize(
    ("label", "written"),
    [
        (-1, "-1"),
        (-0.5, "-0.5"),
        ("+1.5e-3", "+1.5e-3"),
        ("=1+1", "'=1+1"),
        ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" \t+x", "' \t+x"),
        ("＝1+1", "'＝1+1"),
    ],
)
def test_a_label_is_never_a_formula_and_a_number_stays_one(label, written):
    assert str(table_label(label)) == written
