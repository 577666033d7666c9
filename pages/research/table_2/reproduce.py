"""Table 2 of Xia and Fan: both losses cross-validated on pairs of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan, sqrt

from pages.research.table_2.cross_validation import (
    FOLDS,
    GRID,
    MACHINES,
    PRINTED,
    PrintedRow,
    accuracy_error,
    best_weights,
    cross_validate,
    resize,
    two_classes,
)
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
    judge_order,
    not_tried,
    on_other_data,
    ratio_and_error,
)
from pages.shared.reproduction.sources import DIGITS, ORL, PALMS, YALE, Source, SourceSamples

SHAPES = {ORL.name: (14, 12), PALMS.name: (16, 16), YALE.name: (15, 12)}  # theirs: 14 x 11.5
UNITS = {ORL.name: 255, PALMS.name: 1, YALE.name: 255}  # the grey level that becomes 1
PALM400 = "Palm400"  # the paper's palm prints, which are not public
SOURCES: dict[str, Source] = {"ORL": ORL, PALM400: PALMS, "Yale": YALE}  # by the printed name
DIGITS_PAIR, MOST_DIGITS = (3, 8), 60  # classes, and samples
BEST = "at the best weights of the grid"
OWN = "at their own C and τ"
OURS = "with our programs, over the whole grid"
SECONDS = "how far they are apart depends on the solver of the SMM, and ours is another"
OTHER_YALE = "on 10 of their 11 pictures of each person"
OTHER_PALMS = "on 6 palm prints each of 100 people; theirs are 20 each of 400 others"
ERROR_COLUMN = "Column “Error”"
SMALL_STEP = 8  # of the exponents of the grid


@dataclass(frozen=True)
class CrossValidationCell(Cell):
    """Both losses on two classes at one C, over several tau."""

    source: str = field()  # it has no default, unlike that of `Cell`
    pair: tuple[int, int]
    C: float
    taus: tuple[float, ...]

    def row(self, samples: SourceSamples | None) -> Row:
        """Return the best accuracy over tau, its deviation over the folds, ties and seconds."""
        assert samples is not None
        X, y = two_classes(samples.X, samples.y, *self.pair)
        if self.source == DIGITS.name:
            X, y = X[:MOST_DIGITS] / 16, y[:MOST_DIGITS]
        else:
            X = resize(X / UNITS[self.source], SHAPES[self.source])
        weights = [(self.C, tau) for tau in self.taus]
        points = list(cross_validate(X, y, weights=weights))
        row: Row = {"samples": len(X)}
        for name in MACHINES:
            best = best_weights(points, name)
            row |= {
                f"accuracy {name}": 100 * best.accuracy,
                f"deviation {name}": 100 * best.deviation,
                f"tau {name}": best.chosen.tau,
                f"as good {name}": best.as_good,
                f"seconds {name}": sum(point.seconds[name] for point in points),
            }
        return row


class LSSMMTable2(Reproduction):
    """Accuracies and ratios of seconds of nine pairs of people."""

    name = "lssmm-table2"
    title = "Xia, Fan 2016, Table 2: hinge and squared loss, cross-validated on pairs of people"
    sources = (DIGITS, ORL, PALMS, YALE)
    minutes = Minutes(small=0.1, paper=3)

    def cells(self, size: Size, available: Sequence[str]) -> list[CrossValidationCell]:
        """Return the cells of their own weights, and one for each C of the grid."""
        grid = GRID if size == "paper" else GRID[::SMALL_STEP]
        pairs = [
            (SOURCES[data].name, pair, row.C, row.tau)
            for (data, *pair), row in PRINTED.items()
            if SOURCES[data].name in available
        ]
        pairs.append((DIGITS.name, [*DIGITS_PAIR], 8.0, 0.1))
        return [
            cell
            for source, (first, second), C, tau in pairs
            for cell in (
                CrossValidationCell(source, (first, second), C, (tau,)),
                *(CrossValidationCell(source, (first, second), c, grid[::-1]) for c in grid),
            )
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the accuracies and the ratios of all pairs, or why there are none."""
        accuracies: dict[str, list[Comparison]] = {data: [] for data in SOURCES}
        seconds: dict[str, list[Comparison]] = {data: [] for data in SOURCES}
        for (data, *pair), printed in PRINTED.items():
            source = SOURCES[data]
            own, grid = (
                _rows(results, source.name, (pair[0], pair[1]), grid=each) for each in (False, True)
            )
            people = _people(pair)
            items = {name: f"{people}, {name}" for name in MACHINES}
            if not grid:
                missing = f"Give {source.note}, by --data."
                accuracies[data] += [
                    not_tried(item, printed.accuracy[name], missing) for name, item in items.items()
                ]
                seconds[data].append(not_tried(people, printed.ratio, missing))
                continue
            for name, item in items.items():
                if data == PALM400:
                    reading = f"{BEST}, {OTHER_PALMS}"
                    figure, best = printed.accuracy[name], _best(grid, name)
                    compared = on_other_data(item, reading, figure, best)
                else:
                    pictures = f", {OTHER_YALE}" if data == "Yale" else ""
                    compared = _compare_accuracy(item, pictures, printed, name, own, grid)
                accuracies[data].append(compared)
            reading = f"{OURS}, {OTHER_PALMS}" if data == PALM400 else OURS
            seconds[data].append(_compare_seconds(people, reading, printed.ratio, grid))
        comparisons = []
        for data in SOURCES:
            comparisons += in_part(
                f"{data}, pairs of people: accuracy in percent", accuracies[data]
            )
            comparisons += in_part(
                f"{data}, pairs of people: seconds of SMM : LS-SMM", seconds[data]
            )
        comparisons += _compare_errors()
        is_stand_in = all(cell.source == DIGITS.name for cell in results)
        return comparisons + (_digits(results) if is_stand_in else [])


def _compare_accuracy(
    item: str,
    pictures: str,
    printed: PrintedRow,
    name: str,
    own: Sequence[Row],
    grid: Sequence[Row],
) -> Comparison:
    """Compare an accuracy: at the best weights of the grid, and at those that are printed.

    `pictures` says how ours differ, and is part of the reading.
    """
    best = _best(grid, name)
    as_good = sum(
        row[f"as good {name}"] for row in grid if row[f"accuracy {name}"] >= best[0] - 1e-9
    )
    return judge(
        item,
        printed.accuracy[name],
        printed.deviation[name] / sqrt(FOLDS),
        {f"{BEST}{pictures}": best, f"{OWN}{pictures}": _best(own, name)},
        f"One picture is a large step of the accuracy, and {as_good} pairs of weights tie for the "
        "best, so that the choice among them is arbitrary.",
    )


def _compare_errors() -> list[Comparison]:
    """Compare each printed "Error", which is not defined, with the printed deviation."""
    figures = [
        (f"{data}, {_people(pair)}, {name}", row.error[name], accuracy_error(row.deviation[name]))
        for (data, *pair), row in PRINTED.items()
        for name in MACHINES
    ]
    # Whether it rounds to the printed figure, of three decimals or more.
    same = [abs(expected - printed) <= 5e-4 for _, printed, expected in figures]
    reason = (
        f"The paper does not define this column; the formula gives {sum(same)} of the "
        f"{len(same)} figures, and needs no data."
    )
    reading = "as the sum of the squared deviations of the folds, from the printed deviation"
    verdicts = (Verdict.OTHER_READING if each else Verdict.NOT_REPRODUCED for each in same)
    return in_part(
        ERROR_COLUMN,
        (
            Comparison(item, reading, printed, expected, nan, verdict, reason)
            for (item, printed, expected), verdict in zip(figures, verdicts, strict=True)
        ),
    )


def _people(pair: Sequence[int]) -> str:
    return f"{pair[0]} and {pair[1]}"


def _digits(results: Results) -> list[Comparison]:
    """Return our accuracies on digits, which stand in where no file is given."""
    grid = _rows(results, DIGITS.name, DIGITS_PAIR, grid=True)
    if not grid:
        return []
    reason = "The paper has no digits; they show that the program works without its data."
    item = _people(DIGITS_PAIR)
    return in_part(
        "Digits, accuracy in percent",
        (
            Comparison(f"{item}, {name}", BEST, nan, *_best(grid, name), Verdict.NOT_TRIED, reason)
            for name in MACHINES
        ),
    )


def _rows(results: Results, source: str, pair: tuple[int, int], *, grid: bool) -> list[Row]:
    """Return the rows of a pair: those of the grid, by growing C, or that of their weights."""
    return [
        row
        for cell, row in results.items()
        if isinstance(cell, CrossValidationCell)
        and (cell.source, cell.pair) == (source, pair)
        and (len(cell.taus) > 1) == grid
    ]


def _best(rows: Sequence[Row], name: str) -> tuple[float, float]:
    """Return the best accuracy and its standard error over the folds; of equals the smallest C.

    The error is at least half a picture, so that a difference of one picture never counts.
    """
    best = max(rows, key=lambda row: row[f"accuracy {name}"])
    error = best[f"deviation {name}"] / sqrt(FOLDS - 1)
    return best[f"accuracy {name}"], max(error, 50 / best["samples"])


def _compare_seconds(item: str, reading: str, printed: float, grid: Sequence[Row]) -> Comparison:
    """Compare which loss is the faster, with one ratio of seconds for each C of the grid."""
    ratio = ratio_and_error(*([row[f"seconds {name}"] for row in grid] for name in MACHINES))
    return judge_order(item, reading, printed, ratio, SECONDS, ratio=True)
