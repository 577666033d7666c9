"""Tables 2 and 3 of the SMM paper: accuracies and training times of four methods on real data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from pages.shared.methods import BILINEAR_SVM, PAPER_METHODS, R_GLM, SMM, labels
from pages.shared.numbers import one_two_five
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
from pages.your_data.trial.trial import Grid, MethodSpec, Trial

NAMES = labels(PAPER_METHODS)
C_GRID = one_two_five(-3, 4)[:-1]  # the paper's, here in units of 1 / s^2
TAU_SHARES, LAM_SHARES = (
    tuple(float(f"{share:.3g}") for share in np.geomspace(1, 0.01, number)) for number in (10, 11)
)
RANKS = tuple(2**power for power in range(10))
_Rows = dict[str, list[Row]]  # by method, in the order of the splits

SPLITS = 10  # 70 % to train, drawn anew
# Accuracy in percent, the mean over the splits, by data set and method.
PRINTED_ACCURACY: Mapping[str, Mapping[str, float]] = {
    "EEG alcoholism": {"lsvm": 71.11, "bsvm": 71.67, "rglm": 71.39, "smm": 73.33},
    "EEG emotion": {"lsvm": 88.76, "bsvm": 87.73, "rglm": 82.26, "smm": 90.01},
    "Students face": {"lsvm": 91.67, "bsvm": 95.42, "rglm": 94.25, "smm": 96.83},
    "INRIA person": {"lsvm": 84.88, "bsvm": 85.09, "rglm": 84.65, "smm": 85.95},
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
        grid = Grid(Cs, Cs, TAU_SHARES, LAM_SHARES[1:], RANKS, by_accuracy=True)
        search = Trial((MethodSpec(self.method),), scheme=scheme, search=True, grid=grid)
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
    unit: ClassVar[str]  # of the printed figures

    @abstractmethod
    def figures(self, data: str) -> dict[str, float]:
        """Return the printed figures of a data set, by what they are."""

    @abstractmethod
    def compare_rows(self, data: str, reading: str, rows: _Rows) -> list[Comparison]:
        """Compare the printed figures of a data set with rows of ours."""

    def cells(self, size: Size, available: Sequence[str]) -> list[TrialCell]:
        """Return a cell for each data set, split and method."""
        kinds = [(source, "class") for source in available]
        kinds += [(name, "group") for name in (EEG.name, EEG_ARCHIVE.name) if name in available]
        quick = {"every": 4, "grid_step": 8} if size == "small" else {}
        return [
            TrialCell(source, by, split, method, **quick)
            for source, by in kinds
            for split in range(2 if size == "small" else SPLITS)
            for method in PAPER_METHODS
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return each figure beside ours on each kind of split, or why there is none."""
        comparisons = []
        for data in PRINTED_ACCURACY:
            notes = {source.name: note for source, note in INSTEAD.get(data, ())}
            found: dict[tuple[str, str], _Rows] = {}  # by source and kind of split
            for cell, row in results.items():
                if isinstance(cell, TrialCell) and cell.source in notes:
                    rows = found.setdefault(
                        (cell.source, cell.by), {name: [] for name in PAPER_METHODS}
                    )
                    rows[cell.method].append(row)
            if not found:
                files = " or ".join(source.note for source, _ in INSTEAD.get(data, ()))
                reason = "No data like the paper's are at hand."
                reason = f"Give {files}, by --data." if files else reason
                missing = [not_tried(*figure, reason) for figure in self.figures(data).items()]
                comparisons += in_part(f"{data}, {self.unit}", missing)
            for (source, by), rows in found.items():
                split = "by subject" if by == "group" else "at random"
                part = f"{data}, {self.unit}: our {source}, split {split}"
                comparisons += in_part(part, self.compare_rows(data, notes[source], rows))
        return comparisons


class SMMTable2(_Trials):
    """Accuracies, and the lead of the SMM over the best of the others."""

    name = "table2"
    title = "Luo, Xie, Zhang, Li 2015, Table 2: accuracy of four methods on real data"
    unit = "percent"

    def figures(self, data: str) -> dict[str, float]:
        """Return the accuracy of each method, and the lead of the SMM."""
        printed = PRINTED_ACCURACY[data]
        lead = printed[SMM.key] - max(printed[method] for method in printed if method != SMM.key)
        return {NAMES[method]: each for method, each in printed.items()} | {LEAD: lead}

    def compare_rows(self, data: str, reading: str, rows: _Rows) -> list[Comparison]:
        """Compare the accuracies, and the lead of the SMM, paired by split."""
        figures = self.figures(data)
        ours = {method: [row["accuracy"] for row in rows[method]] for method in PAPER_METHODS}
        best = max(
            (name for name in PAPER_METHODS if name != SMM.key), key=lambda m: np.mean(ours[m])
        )
        leads = np.subtract(ours[SMM.key], ours[best]).tolist()
        reason = f"the best of the others is the {NAMES[best]}"
        return [
            *(
                on_other_data(label, reading, figures[label], mean_and_error(ours[method]))
                for method, label in NAMES.items()
            ),
            judge_order(LEAD, reading, figures[LEAD], mean_and_error(leads), reason),
        ]


class SMMTable3(_Trials):
    """Ratios of training times at the chosen weights."""

    name = "table3"
    title = "Luo, Xie, Zhang, Li 2015, Table 3: training time at the chosen weights, as ratios"
    unit = "ratio of seconds"

    def figures(self, data: str) -> dict[str, float]:
        """Return the seconds of B-SVM and R-GLM divided by those of the SMM."""
        seconds = PRINTED_SECONDS[data]
        return {
            f"{method.label} : SMM": seconds[method.key] / seconds[SMM.key]
            for method in (BILINEAR_SVM, R_GLM)
        }

    def compare_rows(self, data: str, reading: str, rows: _Rows) -> list[Comparison]:
        """Compare the ratios, paired by split."""
        seconds = {method: [row["seconds"] for row in rows[method]] for method in PAPER_METHODS}
        figures = zip((BILINEAR_SVM, R_GLM), self.figures(data).items(), strict=True)
        return [
            judge_order(
                item,
                reading,
                printed,
                ratio_and_error(seconds[method.key], seconds[SMM.key]),
                OTHER_SOLVERS,
                ratio=True,
            )
            for method, (item, printed) in figures
        ]
