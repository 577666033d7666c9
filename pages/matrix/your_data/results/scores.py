"""Count right answers on test samples: by split, by class and of one method against another.

Labels are codes 0 to K - 1. A decision has one column for two classes, positive towards the second,
and otherwise one column for each class. Arrays of several splits are sequences with one for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy  # which imports its modules when they are used
from numpy.typing import NDArray

from smmcore.decision import predicted_class
from smmcore.model_selection import Split

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


class Score(NamedTuple):
    """The number of right answers among some."""

    right: int
    of: int

    @property
    def share(self) -> float:
        """Return the accuracy."""
        return self.right / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the accuracy on new samples of the same kind."""
        low, high = scipy.stats.binomtest(self.right, self.of).proportion_ci(method="wilson")
        return float(low), float(high)


class Spread(NamedTuple):
    """A number that differs from split to split: its mean and its deviation."""

    mean: float
    deviation: float  # standard deviation over the splits, NaN for a single one

    @classmethod
    def of(cls, values: Sequence[float] | Array) -> Spread:
        """Take the mean and the deviation of the known ones among some values."""
        known = np.asarray(values, float)
        known = known[np.isfinite(known)]
        return cls(
            float(known.mean()) if known.size else np.nan,
            float(known.std(ddof=1)) if known.size > 1 else np.nan,
        )

    def __str__(self) -> str:
        """Write "93.1 % ± 1.2 %"."""
        if np.isnan(self.mean):
            return "–"
        return f"{self.mean:.1%}" + ("" if np.isnan(self.deviation) else f" ± {self.deviation:.1%}")


class Summary(NamedTuple):
    """The right answers of one method."""

    scores: list[Score]  # one for each split
    accuracy: Spread
    balanced: Spread
    confusion: Rows  # (K, K), true by predicted, summed over the splits


def summarise(truths: Sequence[Rows], decisions: Sequence[Array], K: int) -> Summary:
    """Count the right answers of one method among K classes."""
    from sklearn.metrics import confusion_matrix

    counts = [
        confusion_matrix(truth, predicted_class(decision), labels=range(K))
        for truth, decision in zip(truths, decisions, strict=True)
    ]
    scores = [Score(int(np.trace(table)), int(table.sum())) for table in counts]
    return Summary(
        scores,
        Spread.of([score.share for score in scores]),
        Spread.of([_balanced(table) for table in counts]),
        sum(counts),
    )


def _balanced(counts: Rows) -> float:
    """Return the mean over the tested classes of the share of each that is right."""
    of = counts.sum(axis=1)
    return float(np.mean(np.diag(counts)[of > 0] / of[of > 0]))


def majority(y: Rows, splits: Sequence[Split]) -> Spread:
    """Return the test accuracy of always naming the largest class of the training part."""
    return Spread.of(
        [float(np.mean(y[test] == np.bincount(y[train]).argmax())) for train, test in splits]
    )


class Difference(NamedTuple):
    """The difference between two methods on the same samples."""

    mean: float  # of their accuracies, over the splits
    error: float  # its standard error, NaN where one repeated split is known
    only_first: int  # tests that the first passes and the second does not
    only_second: int
    p: float  # of McNemar's exact test, NaN where a sample was tested more than once

    def __str__(self) -> str:
        """Write "+0.8 ± 1.2", in points, the second number being the standard error."""
        error = "" if np.isnan(self.error) else f" ± {100 * self.error:.1f}"
        return f"{100 * self.mean:+.1f}{error}"


def difference(
    first: Sequence[NDArray[np.bool_]], second: Sequence[NDArray[np.bool_]], splits: Sequence[Split]
) -> Difference:
    """Compare two methods by which test samples of each split they get right.

    Where no sample is tested twice (one split, or folds) the error is that of the mean of paired
    differences. Repeated splits share samples: theirs has the correction of Nadeau and Bengio
    (2003), (1 / S + m / n) times the variance over S splits of n training and m test samples. Both
    take samples as independent, which those of one subject or session are not.
    """
    gaps = [a.astype(float) - b for a, b in zip(first, second, strict=True)]
    means = np.array([gap.mean() for gap in gaps])
    mean = float(means.mean())
    only_first, only_second = (sum(int((s * gap > 0).sum()) for gap in gaps) for s in (1, -1))
    if tested_once(splits):
        squares = sum(((gap - mean) ** 2).sum() / len(gap) ** 2 for gap in gaps)
        error = float(np.sqrt(squares)) / len(gaps)
        disagree = only_first + only_second
        p = float(scipy.stats.binomtest(only_first, disagree).pvalue) if disagree else 1.0
    else:
        shares = np.mean([len(test) / len(train) for train, test in splits])
        error = float(np.sqrt((1 / len(means) + shares) * means.var(ddof=1)))
        p = np.nan
    return Difference(mean, error, only_first, only_second, p)


def tested_once(splits: Sequence[Split]) -> bool:
    """Return whether no sample is in the test parts of two splits."""
    return int(np.bincount(np.concatenate([test for _, test in splits])).max()) <= 1


def explain(scores: Sequence[Score], splits: Sequence[Split]) -> str:
    """Explain an accuracy and its deviation in a sentence."""
    if len(scores) == 1:
        low, high = scores[0].interval
        return (
            f"{scores[0].right:,} of {scores[0].of:,} right: an accuracy on new samples of the "
            f"same kind anywhere from {low:.1%} to {high:.1%} agrees with that (Wilson's 95 % "
            "interval)."
        )
    if tested_once(splits):
        of, n = sum(score.of for score in scores), sum(map(len, splits[0]))
        who = "Each sample is tested once." if of == n else f"Of {n:,} samples {of:,} are tested."
        return f"Mean over {len(scores)} folds ± their standard deviation. {who}"
    return (
        f"Mean over {len(scores)} splits ± their standard deviation: how much the number of a "
        "single split depends on chance. It is not the error of the mean, as the splits share "
        "samples."
    )
