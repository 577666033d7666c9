"""Figure 1 of Wolf, Jhuang and Hazan: the diagonal of D at the first and at the last pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import nan

import numpy as np

from pages.shared import wolf
from pages.shared.reproduction.reproduction import (
    Cell,
    Comparison,
    Minutes,
    Reproduction,
    Results,
    Row,
    Size,
    Verdict,
    in_part,
    judge,
    mean_and_error,
)
from pages.shared.reproduction.sources import FACE_NONFACE, FACES, SourceSamples
from smmcore.iterate import last, until
from smmcore.wolf.reweighting import iterative_weighting
from smmcore.wolf.weighted_svm import WeightingProblem

PRINTED_RANK = 2  # of W at the last pass
TOLERANCE, MAX_PASSES = 1e-6, 1_000  # relative change of W at the last pass
RELEVANT = 0.01  # of the largest entry of the diagonal: above this, a direction counts
READINGS = {"Table 1, text": wolf.AS_PRINTED, "Table 1, nearest to its figures": wolf.FITTING}
DATA = {  # of which the rank is computed, in words
    "Table 1, text": "Table 1 as the text says",
    "Table 1, nearest to its figures": "Table 1 in the reading nearest to its figures",
    FACES.name: "our faces",
    FACE_NONFACE.name: "our CBCL faces",
}


@dataclass(frozen=True)
class DiagonalCell(Cell):
    """The first and the last pass of LowRank on a draw of Table 1, or on a quarter of pictures."""

    source: str = field()  # it has no default, unlike that of `Cell`
    reading: str
    repetition: int
    C: float

    def row(self, samples: SourceSamples | None) -> Row:
        """Return passes, numbers of relevant directions, and the diagonals, largest first."""
        if samples is None:
            X, y = wolf.make_data(READINGS[self.reading], 1, self.repetition)
            X, y = X[: wolf.TRAIN], y[: wolf.TRAIN]
        else:
            pictures = samples.X / np.abs(samples.X).max()
            X, _, y, _ = wolf.split(pictures, samples.y, self.repetition)
            y = np.where(y == np.unique(y)[1], 1.0, -1.0)
        problem = WeightingProblem(X, y, self.C)
        first = next(iterative_weighting(problem))
        passes = islice(iterative_weighting(problem), MAX_PASSES)
        end = last(until(passes, lambda state: state.change <= TOLERANCE, MAX_PASSES))
        row: Row = {"passes": end.k}
        for name, state in {"first": first, "last": end}.items():
            diagonal = np.sort(state.diagonal)[::-1]
            row[f"{name} rank"] = np.count_nonzero(diagonal > RELEVANT * diagonal[0])
            row |= {f"{name} {i + 1}": d for i, d in enumerate(diagonal)}
        return row


class WolfFigure1(Reproduction):
    """The number of directions that remain, and how the diagonal falls."""

    name = "wolf-figure1"
    title = "Wolf, Jhuang, Hazan 2007, Figure 1: the diagonal of D at the first and the last pass"
    sources = (FACES, FACE_NONFACE)
    minutes = Minutes(small=0.1, paper=0.1)

    def cells(self, size: Size, available: Sequence[str]) -> list[DiagonalCell]:
        """Return a cell for each reading of Table 1 and each set of pictures, and each draw."""
        kinds = [("", reading, wolf.AS_PRINTED.C) for reading in READINGS]
        kinds += [(source, source, 10.0) for source in available]
        draws = range(2 if size == "small" else wolf.REPETITIONS)
        return [
            DiagonalCell(source, reading, draw, C) for source, reading, C in kinds for draw in draws
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the ranks of W at both passes; the paper does not say on which data."""
        rows: dict[str, list[Row]] = {}
        for cell, row in results.items():
            if isinstance(cell, DiagonalCell):
                rows.setdefault(cell.reading, []).append(row)
        ranks = {
            name: {
                reading: mean_and_error([row[f"{name} rank"] for row in each])
                for reading, each in rows.items()
            }
            for name in ("first", "last")
        }
        sizes = {
            reading: sum(name.startswith("first ") for name in each[0]) - 1
            for reading, each in rows.items()
        }
        reading = next(iter(rows))
        full = ranks["first"][reading][0] > 0.9 * sizes[reading]
        last = {f"on {DATA[name]}": rank for name, rank in ranks["last"].items()}
        found = ", ".join(f"{mean:.1f} {name}" for name, (mean, _) in last.items())
        one = judge("At the last pass", PRINTED_RANK, 0.0, last, "")
        if one.verdict is Verdict.REPRODUCED:
            one = one._replace(verdict=Verdict.OTHER_READING)
        compared = [
            Comparison(
                f"At the first pass: full, {sizes[reading]}",
                f"on {DATA[reading]}",
                nan,
                *ranks["first"][reading],
                Verdict.REPRODUCED if full else Verdict.NOT_REPRODUCED,
                "The paper says that W has full rank there, and does not name its data. Above 90 % "
                "counts as full rank, as a small direction may fall below 1 % of the largest.",
            ),
            one._replace(reason=f"The data are not named, and the rank depends on them: {found}."),
        ]
        return in_part("Rank of W", compared)
