"""The results of a trial: its classifiers, the evaluation of their tests, warnings, and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.methods import LINEAR_SVM, SMM
from pages.shared.numbers import percent, scientific, smallest_to_largest
from pages.shared.words import count_noun, join_names, join_words
from pages.your_data.results.metrics import (
    Evaluation,
    MeanStd,
    Mistake,
    Rows,
    Score,
    compare,
    confident_mistakes,
    evaluate,
    explain_accuracies,
    majority_rate,
    pool_scores,
)
from pages.your_data.runs import TrainTestSplits, TrialExperiment
from pages.your_data.trial.splits import Split
from pages.your_data.trial.trial import CHOSEN, LOGISTIC, NAMES, SplitResult

MIN_TEST_SAMPLES = 30  # a warning gives the interval of an accuracy of fewer


class Bar(NamedTuple):
    """An accuracy, and the range in which it may lie."""

    accuracy: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class TrialResults:
    """The classifiers of a trial, at least one, and their tests."""

    experiment: TrialExperiment
    train_test: TrainTestSplits
    tested: Sequence[SplitResult]
    classes: NDArray[Any]  # (K,), the labels
    names: Sequence[str]  # of the classes
    rows: Rows  # (n,), place of each sample in its source, from 0

    @property
    def explanation(self) -> str:
        """Sentences that explain the accuracies."""
        splits = self.splits(next(iter(self.machines)))
        grouped = "groups" in self.experiment.data.known
        text = explain_accuracies(splits, grouped)
        if len(self.classes) > 2:
            text += (
                " Each class is trained against the rest; programs that train each pair of "
                "classes, as scikit-learn's SVC does, may give other accuracies."
            )
        return text

    @property
    def weights_sentence(self) -> str:
        """How the weights and the scaling of the classifiers came about."""
        trial = self.experiment.trial
        scaling = "" if trial.scaling == CHOSEN else f", scaling: {trial.scaling}"
        if not trial.search:
            return f"At given weights{scaling}."
        chosen = "Weights and scaling" if trial.scaling == CHOSEN else "Weights"
        return f"{chosen} by cross-validation within each training set{scaling}."

    def comparisons(self) -> list[str]:
        """Compare the SMM with the best of the rivals that take samples as vectors, in Markdown."""
        rivals = [key for key in (LINEAR_SVM.key, LOGISTIC.key) if key in self.machines]
        if SMM.key not in self.machines:
            return []
        return [
            compare(
                [(one.is_right, other.is_right) for one, other in pairs],
                [test for _, test in self.splits(rival)],
                f"SMM − {NAMES[rival]}",
            )
            for rival in rivals
            if (pairs := [*zip(self.machines[SMM.key], self.machines[rival], strict=False)])
        ]

    @property
    def html_names(self) -> list[str]:
        """Names of the classes for Plotly."""
        return [escape(name) for name in self.names]

    @cached_property
    def machines(self) -> dict[str, list[SplitResult]]:
        """Classifiers by method, one for each split."""
        found = {
            method: [one for one in self.tested if one.spec.method == method] for method in NAMES
        }
        return {method: machines for method, machines in found.items() if machines}

    def splits(self, method: str) -> list[Split]:
        """Return the splits on which a method was tested."""
        return [self.train_test.splits[one.split] for one in self.machines[method]]

    def mistakes(self, method: str) -> list[Mistake]:
        """Return the samples that a method assigned to another class, the most confident first."""
        found = self.machines[method]
        return confident_mistakes(
            np.concatenate([test for _, test in self.splits(method)]),
            np.concatenate([one.truth for one in found]),
            np.concatenate([one.decision for one in found]),
        )

    @cached_property
    def evaluations(self) -> dict[str, Evaluation]:
        """Evaluations by method."""
        return {
            method: evaluate([(one.truth, one.decision) for one in found], len(self.classes))
            for method, found in self.machines.items()
        }

    def pooled_score(self, method: str) -> Score | None:
        """Return the counts of a method over all splits; None if a sample was tested twice."""
        return pool_scores(self.evaluations[method].scores, self.splits(method))

    @property
    def majority_rate(self) -> float:
        """The largest accuracy that always predicting one class can have in these tests."""
        return majority_rate(self.train_test.y, self.splits(next(iter(self.machines))))

    @property
    def bars(self) -> dict[str, Bar]:
        """The accuracy of each method with its interval, or with its deviation over the splits."""
        found = {}
        for method, evaluation in self.evaluations.items():
            mean, std = evaluation.accuracy
            low, high = mean - std, min(mean + std, 1.0)
            if pooled := self.pooled_score(method):
                low, high = pooled.wilson_interval
            found[NAMES[method]] = Bar(mean, min(low, mean), max(high, mean))
        return found

    def warnings(self) -> list[str]:
        """Return sentences that say why the results may mislead.

        They contain the names of classes unchanged: escape the sentences before showing them.
        """
        certified = {
            NAMES[method]: np.concatenate([one.certified for one in found])
            for method, found in self.machines.items()
        }
        scores = {NAMES[method]: each.scores for method, each in self.evaluations.items()}
        splits = self.splits(next(iter(self.machines)))
        sentences = accuracy_warnings(scores, splits, self.majority_rate, certified)
        counts = {NAMES[method]: len(found) for method, found in self.machines.items()}
        if len(set(counts.values())) > 1:
            each = ", ".join(f"{name} {count:,}" for name, count in counts.items())
            sentences.append(
                "You stopped when the classifiers had finished different numbers of splits "
                f"({each}): their means are over different test samples."
            )
        if zero := self._zero_classes():
            sentences.append(
                f"SMM: W = 0 is optimal{zero}. A smaller τ may help; not where the mean of the "
                "smaller class lies among the samples of the larger one. Then always predicting "
                "the larger class minimises the hinge loss, whatever C and τ: balance the classes, "
                "or choose classes of more similar sizes."
            )
        return sentences

    def _zero_classes(self) -> str:
        """Name the classes whose W is 0 below the bound of tau_max; empty if there is none."""
        found = [
            one for one in self.machines.get(SMM.key, ()) if one.spec.share and one.spec.share < 1
        ]
        zero = np.any([(one.rank == 0) & one.certified for one in found], axis=0)
        if not np.any(zero):
            return ""
        if len(zero) == 1:
            return " for these two classes"
        names = [name for name, is_zero in zip(self.names, zero, strict=True) if is_zero]
        return f" for {join_names(names, 5)} against the rest"


def accuracy_warnings(
    scores: Mapping[str, Sequence[Score]],  # by method, one for each split
    splits: Sequence[Split],
    rate: float,  # of always predicting one class, at most
    certified: Mapping[str, NDArray[np.bool_]],  # by method, one for each classifier
) -> list[str]:
    """Return sentences that say why the accuracies of a test may mislead."""
    sentences = []
    name, tests = next(iter(scores.items()))
    pooled = pool_scores(tests, splits)
    smallest = pooled or min(tests, key=lambda test: test.total)
    if smallest.total < MIN_TEST_SAMPLES:
        low, high = smallest.wilson_interval
        where = "" if pooled else " in the smallest of the splits"
        sentences.append(
            f"Only {count_noun(smallest.total, 'test sample')}{where}: the accuracy of {name} on "
            f"new samples can be anywhere from {percent(low, 0)} to {percent(high, 0)} (Wilson's "
            "95 % interval)."
        )
    means = {
        name: MeanStd.of([score.accuracy for score in each]).mean for name, each in scores.items()
    }
    low_ones = {name: mean for name, mean in means.items() if mean <= rate}
    if low_ones:
        each = [f"{name} ({percent(mean)})" for name, mean in low_ones.items()]
        one = len(each) == 1
        sentences.append(
            f"{join_words(each)} {'gets' if one else 'get'} no more right than always predicting "
            f"one class would, {percent(rate)}: {'this accuracy shows' if one else 'these show'} "
            "nothing learned. See the balanced accuracy."
        )
    loose = {name: int(np.count_nonzero(~good)) for name, good in certified.items()}
    each = [
        f"{name} {count} of {count_noun(len(certified[name]), 'solution')}"
        for name, count in loose.items()
        if count
    ]
    if each:
        sentences.append(
            f"Not certified: {join_words(each)}. Training reached its limit before the gap was "
            "small enough; more iterations may give other numbers."
        )
    return sentences


def table_columns(results: TrialResults) -> dict[str, list[str]]:
    """Return a column for each method, after one that names the quantities."""
    columns = {NAMES[method]: _column(results, method) for method in results.machines}
    quantities = next(iter(columns.values()))
    return {"": [*quantities]} | {name: [*column.values()] for name, column in columns.items()}


def _column(results: TrialResults, method: str) -> dict[str, str]:
    found, evaluation = results.machines[method], results.evaluations[method]
    pooled = results.pooled_score(method)
    write = partial(scientific, digits=3)
    column = {
        "accuracy": str(evaluation.accuracy),
        "correct": str(pooled) if pooled else "–",
        "Wilson's 95 % interval": pooled.format_interval() if pooled else "–",
        "balanced accuracy": str(evaluation.balanced_accuracy),
        "AUC": str(evaluation.auc),
        "F1": str(evaluation.f1),
        "scaling": join_words([*dict.fromkeys(one.scaling.kind for one in found)]),
        "C s²": smallest_to_largest([one.spec.c for one in found]),
        "τ / τₘₐₓ or λ / λₘₐₓ": smallest_to_largest(
            [one.spec.share for one in found], "{:.3g}".format
        ),
        "C": smallest_to_largest([one.C for one in found], write),
        "τ or λ": smallest_to_largest([one.weight for one in found], write),
        "rank wanted": smallest_to_largest([one.spec.rank for one in found]),
        "rank of W": smallest_to_largest(np.concatenate([one.rank for one in found])),
        "largest relative gap": f"{scientific(max(one.gap.max() for one in found), 1)}",
    }
    if results.experiment.trial.search:
        column["cross-validated"] = smallest_to_largest([one.validated for one in found], percent)
    return column | {"seconds of training": f"{sum(one.seconds for one in found):.3g}"}
