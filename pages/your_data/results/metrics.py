"""Evaluate predictions on test samples: accuracies, paired differences and mistakes.

Labels are the integers 0 to K - 1. Decision values have one column for two classes, positive for
the second class, and otherwise one column for each class. Lists of arrays have one array per split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy  # which imports its modules when they are used
from numpy.typing import NDArray

from pages.shared.numbers import percent
from pages.your_data.trial.quality import Difference, Quality
from pages.your_data.trial.splits import Split
from smmcore.arrays import Array
from smmcore.decision import predicted_class

Rows = NDArray[np.intp]


class Score(NamedTuple):
    """The number of correct predictions in a test."""

    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        """Return the share of correct predictions."""
        return self.correct / self.total

    @property
    def wilson_interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the accuracy on new samples of the same kind."""
        test = scipy.stats.binomtest(self.correct, self.total)
        low, high = test.proportion_ci(method="wilson")
        return float(low), float(high)

    def format_interval(self) -> str:
        """Return the interval as a text such as "94.9 to 99.8 %"."""
        low, high = self.wilson_interval
        return f"{100 * low:.1f} to {percent(high)}"

    def __str__(self) -> str:
        """Return a text such as "1,432 of 1,797"."""
        return f"{self.correct:,} of {self.total:,}"


class MeanStd(NamedTuple):
    """The mean and the standard deviation of a number over the splits."""

    mean: float
    std: float  # NaN for a single split

    @classmethod
    def of(cls, values: Sequence[float] | Array) -> MeanStd:
        """Compute the mean and the standard deviation of the finite values."""
        known = np.asarray(values, float)
        known = known[np.isfinite(known)]
        return cls(
            float(known.mean()) if known.size else np.nan,
            float(known.std(ddof=1)) if known.size > 1 else np.nan,
        )

    def __str__(self) -> str:
        """Return a text such as "93.1 % ± 1.2 %"."""
        if np.isnan(self.mean):
            return "–"
        return percent(self.mean) + ("" if np.isnan(self.std) else f" ± {percent(self.std)}")


def compare(
    pairs: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]],
    tests: Sequence[Rows],
    name: str,
) -> str:
    """Return a sentence about a difference, which counts from two standard errors on."""
    difference = Difference.of(pairs, tests)
    if abs(difference.mean) < 2 * difference.error or not difference.mean:
        return f"{name}: no difference that these samples can show ({difference.short} points)."
    return f"**{name}: {difference.short} points** (± one standard error)."


class Evaluation(NamedTuple):
    """The test results of one method."""

    scores: list[Score]  # one for each split
    accuracy: MeanStd
    balanced_accuracy: MeanStd  # the mean recall of the classes that have test samples
    auc: MeanStd  # area under the ROC curve; of more than two classes their mean
    f1: MeanStd  # of the second class; of more than two their mean
    confusion: Rows  # (K, K), true by predicted, summed over the splits


def evaluate(tests: Sequence[tuple[Rows, Array]], K: int) -> Evaluation:
    """Count the correct predictions of one method among K classes: labels and decisions by test."""
    from sklearn.metrics import confusion_matrix, f1_score, recall_score

    pairs = [(truth, predicted_class(decision)) for truth, decision in tests]
    counts = [confusion_matrix(*pair, labels=range(K)) for pair in pairs]
    scores = [Score(int(np.trace(table)), int(table.sum())) for table in counts]
    recalls = [recall_score(*pair, labels=np.unique(pair[0]), average="macro") for pair in pairs]
    average = {"average": "macro"} if K > 2 else {}
    f1 = [
        f1_score(*pair, labels=np.unique(pair[0]) if K > 2 else None, zero_division=0, **average)
        for pair in pairs
    ]
    areas = [Quality.of(truth, decision).auc for truth, decision in tests]
    return Evaluation(
        scores,
        MeanStd.of([score.accuracy for score in scores]),
        MeanStd.of(recalls),
        MeanStd.of(areas),
        MeanStd.of(f1),
        sum(counts),
    )


def majority_rate(y: Rows, splits: Sequence[Split]) -> float:
    """Return the largest share of the test samples that is of one class.

    No constant prediction is better. For classes of equal size the rate is 1 / K. The largest class
    of each training set would not do: among equal classes it is the one that the test set lacks.
    """
    counts = np.bincount(np.concatenate([y[test] for _, test in splits]))
    return float(counts.max() / counts.sum())


def have_disjoint_tests(splits: Sequence[Split]) -> bool:
    """Return whether no sample is in the test sets of two splits."""
    return int(np.bincount(np.concatenate([test for _, test in splits])).max()) <= 1


def pool_scores(scores: Sequence[Score], splits: Sequence[Split]) -> Score | None:
    """Return the sums over the splits, or None if a sample was tested twice."""
    if not have_disjoint_tests(splits):
        return None
    correct, total = map(sum, zip(*scores, strict=True))
    return Score(correct, total)


def explain_accuracies(splits: Sequence[Split], grouped: bool) -> str:
    """Return sentences that explain an accuracy, its deviation and its interval."""
    (train, test), count = splits[0], len(splits)
    assumes = "assumes independent samples"
    if grouped:
        assumes += "; those of one group are not"
    if count == 1:
        return (
            f"Trained on {len(train):,} samples, tested on {len(test):,} others. Ranges: "
            f"Wilson's 95 % interval, which {assumes}."
        )
    if have_disjoint_tests(splits):
        total, n = sum(len(test) for _, test in splits), len(train) + len(test)
        return (
            f"Mean over {count} folds ± their standard deviation; of {n:,} samples {total:,} are "
            f"tested, each once. Ranges: Wilson's 95 % interval of the count, which takes "
            f"the {count} machines of a classifier for one and {assumes}."
        )
    return (
        f"Mean over {count} splits ± their standard deviation. It is not the error of the mean, "
        "because the splits share samples."
    )


class Mistake(NamedTuple):
    """A test sample that was assigned to another class."""

    row: int
    true: int  # places in the classes
    predicted: int
    lead: float  # of the predicted class over the true one: |f(X)|, or the difference of their f(X)

    def caption(self, names: Sequence[str], number: int) -> str:
        """Return the sample's number, its true and predicted class and the lead, as HTML."""
        pair = [names[self.true], f"→ {names[self.predicted]}"]
        value = f"{self.lead:.2f}"
        if sum(map(len, pair)) <= 6:
            return f"{number:,}: {' '.join(pair)}<br>{value}"
        return "<br>".join([f"{number:,}", *pair, value])


def confident_mistakes(rows: Rows, truth: Rows, decision: Array) -> list[Mistake]:
    """Return the mistakes of several tests, each sample once, the most confident first."""
    prediction = predicted_class(decision)
    if decision.shape[1] == 1:
        lead = np.abs(decision[:, 0])
    else:
        every = np.arange(len(rows))
        lead = decision[every, prediction] - decision[every, truth]
    worst: dict[int, Mistake] = {}
    wrong = np.flatnonzero(prediction != truth)
    for i in wrong[np.argsort(-lead[wrong], kind="stable")]:
        mistake = Mistake(int(rows[i]), int(truth[i]), int(prediction[i]), float(lead[i]))
        worst.setdefault(mistake.row, mistake)
    return list(worst.values())
