"""Tables 2 and 3 of the SMM paper: accuracies and training times of four methods on real data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pages.shared.methods import METHODS
from pages.shared.reproduction.reproduction import (
    Cell,
    Comparison,
    Minutes,
    Reproduction,
    Results,
    Row,
    Size,
    in_part,
    judge_order,
    mean_and_error,
    not_tried,
    on_other_data,
    ratio_and_error,
)
from pages.shared.reproduction.sources import EEG, EEG_ARCHIVE, FACE_NONFACE, FACES, SourceSamples
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import C_GRID, MethodSpec, Trial

SPLITS = 10  # 70 % to train, drawn anew
# Accuracy in percent and its deviation over the splits, by data set and method.
PRINTED_ACCURACY: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "EEG alcoholism": {
        "lsvm": (71.11, 8.30),
        "bsvm": (71.67, 7.83),
        "rglm": (71.39, 6.55),
        "smm": (73.33, 5.89),
    },
    "EEG emotion": {
        "lsvm": (88.76, 1.16),
        "bsvm": (87.73, 1.18),
        "rglm": (82.26, 1.65),
        "smm": (90.01, 0.98),
    },
    "Students face": {
        "lsvm": (91.67, 1.57),
        "bsvm": (95.42, 1.72),
        "rglm": (94.25, 2.76),
        "smm": (96.83, 1.66),
    },
    "INRIA person": {
        "lsvm": (84.88, 1.98),
        "bsvm": (85.09, 1.46),
        "rglm": (84.65, 1.38),
        "smm": (85.95, 0.77),
    },
}
PRINTED_SECONDS: Mapping[str, Mapping[str, float]] = {
    "EEG alcoholism": {"bsvm": 86.30, "rglm": 407.59, "smm": 1.36},
    "EEG emotion": {"bsvm": 292.89, "rglm": 33.32, "smm": 6.57},
    "Students face": {"bsvm": 23.88, "rglm": 121.14, "smm": 7.20},
    "INRIA person": {"bsvm": 19.36, "rglm": 580.06, "smm": 6.61},
}
PICTURES = "theirs are men against women, 200 × 200"
TRIALS = "of the same study; theirs are one sample of each of 122 subjects"
LEAD = "SMM minus the best of the others"
OTHER_SOLVERS = "neither the data nor the solvers are the paper's"
# The data sets that we have in place of a printed one, and how they differ.
INSTEAD = {
    "EEG alcoholism": (
        (EEG, f"on 320 trials of 16 subjects {TRIALS}"),
        (EEG_ARCHIVE, f"on all trials of 20 subjects {TRIALS}"),
    ),
    "Students face": (
        (FACES, f"on faces against background, 25 × 25; {PICTURES}"),
        (FACE_NONFACE, f"on faces against other pictures, 19 × 19; {PICTURES}"),
    ),
}


@dataclass(frozen=True)
class TrialCell(Cell):
    """One method on one split: weights by cross-validation in the training set, then the test."""

    source: str = field()  # it has no default, unlike that of `Cell`
    by: str  # a split by "class" or, for EEG, by "group", the subject
    split: int
    method: str
    every: int = 1  # of the samples: 2 leaves half of them out
    grid_step: int = 1  # through the paper's 20 values of C

    def row(self, samples: SourceSamples | None) -> Row:
        """Return accuracy in percent, the chosen weights, and the seconds of one training."""
        assert samples is not None
        X, y = samples.X[:: self.every], samples.y[:: self.every]
        groups = None
        if self.by == "group":
            assert samples.groups is not None
            groups = samples.groups[:: self.every]
        scheme = Scheme(by="group" if self.by == "group" else "class", seed=self.split)
        Cs = tuple(C_GRID[(self.grid_step - 1) // 2 :: self.grid_step])
        search = Trial((MethodSpec(self.method),), scheme=scheme, search=True, Cs=Cs)
        (found,) = search.run(X, y, groups)
        return {
            "accuracy": 100 * found.accuracy,
            "validated": 100 * found.validated,
            "rank of W": int(found.rank[0]),
            "c": found.spec.c,
            "share": found.spec.share,
            "rank": found.spec.rank,
            "seconds": found.seconds,
        }


class _Trials(Reproduction):
    """The cells that both tables share."""

    sources = (FACES, FACE_NONFACE, EEG, EEG_ARCHIVE)
    minutes = Minutes(small=0.1, paper=30)

    def cells(self, size: Size, available: Sequence[str]) -> list[TrialCell]:
        """Return a cell for each data set, split and method."""
        kinds = [(source, "class") for source in available]
        kinds += [(name, "group") for name in (EEG.name, EEG_ARCHIVE.name) if name in available]
        quick = {"every": 4, "grid_step": 8} if size == "small" else {}
        return [
            TrialCell(source, by, split, method, **quick)
            for source, by in kinds
            for split in range(2 if size == "small" else SPLITS)
            for method in METHODS
        ]


class SMMTable2(_Trials):
    """Accuracies, and the lead of the SMM over the best of the others."""

    name = "table2"
    title = "Luo, Xie, Zhang, Li 2015, Table 2: accuracy of four methods on real data"

    def compare(self, results: Results) -> list[Comparison]:
        """Return each accuracy, and the paired lead of the SMM, or why there is none."""
        comparisons = []
        for data, printed in PRINTED_ACCURACY.items():
            found = _kinds(results, data)
            lead = printed["smm"][0] - max(printed[m][0] for m in printed if m != "smm")
            figures = {METHODS[method].label: each[0] for method, each in printed.items()}
            if not found:
                figures[LEAD] = lead
                missing = (not_tried(*figure, _missing(data)) for figure in figures.items())
                comparisons += in_part(f"{data}, percent", missing)
            for (source, by), reading in found.items():
                rows = _rows(results, source, by)
                compared = [
                    on_other_data(item, reading, accuracy, _accuracy(rows[method]))
                    for method, (item, accuracy) in zip(printed, figures.items(), strict=True)
                ]
                compared.append(_compare_lead(lead, reading, rows))
                comparisons += in_part(f"{data}, percent: {_describe(source, by)}", compared)
        return comparisons


class SMMTable3(_Trials):
    """Ratios of training times at the chosen weights."""

    name = "table3"
    title = "Luo, Xie, Zhang, Li 2015, Table 3: training time at the chosen weights, as ratios"

    def compare(self, results: Results) -> list[Comparison]:
        """Return the seconds of B-SVM and R-GLM divided by those of the SMM, paired by split."""
        comparisons = []
        for data, seconds in PRINTED_SECONDS.items():
            found = _kinds(results, data)
            ratios = {
                method: (f"{METHODS[method].label} : SMM", seconds[method] / seconds["smm"])
                for method in ("bsvm", "rglm")
            }
            if not found:
                missing = (not_tried(*ratio, _missing(data)) for ratio in ratios.values())
                comparisons += in_part(f"{data}, ratio of seconds", missing)
            for (source, by), reading in found.items():
                rows = _rows(results, source, by)
                compared = [
                    judge_order(
                        item, reading, printed, _ratio(rows, method), OTHER_SOLVERS, ratio=True
                    )
                    for method, (item, printed) in ratios.items()
                ]
                part = f"{data}, ratio of seconds: {_describe(source, by)}"
                comparisons += in_part(part, compared)
        return comparisons


def _kinds(results: Results, data: str) -> dict[tuple[str, str], str]:
    """Return the sources and splits that stand for a printed data set, and what they are."""
    notes = {source.name: note for source, note in INSTEAD.get(data, ())}
    return {
        (cell.source, cell.by): notes[cell.source]
        for cell in results
        if isinstance(cell, TrialCell) and cell.source in notes
    }


def _describe(source: str, by: str) -> str:
    return f"our {source}, split {'by subject' if by == 'group' else 'at random'}"


def _missing(data: str) -> str:
    files = " or ".join(source.note for source, _ in INSTEAD.get(data, ()))
    if files:
        return f"Give {files}, by --data."
    return "No data like the paper's are at hand."


def _rows(results: Results, source: str, by: str) -> dict[str, list[Row]]:
    """Return the rows of a kind of split by method, in the order of the splits."""
    rows: dict[str, list[Row]] = {method: [] for method in METHODS}
    for cell, row in results.items():
        if isinstance(cell, TrialCell) and (cell.source, cell.by) == (source, by):
            rows[cell.method].append(row)
    return rows


def _accuracy(rows: Sequence[Row]) -> tuple[float, float]:
    return mean_and_error([row["accuracy"] for row in rows])


def _ratio(rows: Mapping[str, Sequence[Row]], method: str) -> tuple[float, float]:
    """Return the ratio of a method's seconds to those of the SMM, paired by split."""
    above, below = ([row["seconds"] for row in rows[name]] for name in (method, "smm"))
    return ratio_and_error(above, below)


def _compare_lead(printed: float, reading: str, rows: Mapping[str, Sequence[Row]]) -> Comparison:
    """Compare the lead of the SMM over the best of the others, paired by split."""
    means = {method: np.mean([row["accuracy"] for row in rows[method]]) for method in rows}
    others = [method for method in means if method != "smm"]
    best = max(others, key=lambda method: means[method])
    leads = [
        own["accuracy"] - other["accuracy"]
        for own, other in zip(rows["smm"], rows[best], strict=True)
    ]
    ours = mean_and_error(leads)
    reason = f"the best of the others is the {METHODS[best].label}"
    return judge_order(LEAD, reading, printed, ours, reason)
