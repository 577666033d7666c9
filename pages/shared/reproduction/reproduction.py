"""The base of all reproductions: a printed table or figure, computed again in independent cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from inspect import isabstract, isclass
from math import exp, hypot, isnan, log, nan, sqrt
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar
from warnings import catch_warnings, filterwarnings

import numpy as np

from pages.shared.reproduction.sources import Source, SourceSamples

T = TypeVar("T", bound=Any)  # an estimator
PAGES = Path(__file__).parents[2]
Size = Literal["small", "paper"]
Row = dict[str, Any]  # plain values by name: str, int, float


class Verdict(StrEnum):
    """What a comparison with a printed figure says.

    A figure is compared on the paper's data alone. The order of two methods is compared on other
    data too, which then count as another reading (`judge_order`).
    """

    REPRODUCED = "reproduced"
    OTHER_READING = "reproduced under another reading"
    NOT_REPRODUCED = "not reproduced"
    NOT_TRIED = "cannot be tried"


class Cell(ABC):
    """One independent computation; a subclass is a frozen dataclass of plain settings."""

    source: str = ""  # name of the `Source` whose samples it needs; empty if it needs none

    @abstractmethod
    def row(self, samples: SourceSamples | None) -> Row:
        """Return its results by name; equal settings give equal results, except for seconds."""


Results = Mapping[Cell, Row]


class Comparison(NamedTuple):
    """A printed figure beside ours; its texts are for readers."""

    item: str
    reading: str  # of the paper's text where it leaves details open, or our data in place of theirs
    printed: float  # NaN if no number is printed
    ours: float  # NaN if nothing was computed
    standard_error: float  # of ours; NaN if unknown
    verdict: Verdict
    reason: str  # in a sentence or two
    part: str = ""  # of the printed table or figure, with its quantity and unit

    @property
    def difference(self) -> float:
        """Ours minus printed."""
        return self.ours - self.printed


class Minutes(NamedTuple):
    """Minutes of one processor that each size takes, roughly."""

    small: float
    paper: float


class Reproduction(ABC):
    """A table or figure of a paper; a subclass lists its cells and compares their rows."""

    name: ClassVar[str]  # its name on the command line
    title: ClassVar[str]  # the paper, the table or figure, and what is in it
    sources: ClassVar[tuple[Source, ...]] = ()  # the samples that it uses
    minutes: ClassVar[Minutes]

    @abstractmethod
    def cells(self, size: Size, available: Sequence[str]) -> Sequence[Cell]:
        """Return the cells, given the names of the sources that are available."""

    @abstractmethod
    def compare(self, results: Results) -> list[Comparison]:
        """Return the printed figures beside ours."""


@cache
def reproductions() -> dict[str, Reproduction]:
    """Return all reproductions by name: those in the `reproduce.py` of a lesson."""
    modules = (
        import_module(".".join(("pages", *file.relative_to(PAGES).with_suffix("").parts)))
        for file in sorted(PAGES.rglob("reproduce*.py"))
    )
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isclass(kind) and issubclass(kind, Reproduction) and not isabstract(kind)
    }
    return {kind.name: kind() for kind in sorted(kinds, key=lambda kind: kind.name)}


def fit_as_given(machine: T, X: Any, y: Any) -> T:
    """Fit an estimator whose weights are given, not chosen: W = 0 is a result then.

    `fit` warns of W = 0 to suggest other weights, and this warning alone is ignored.
    """
    with catch_warnings():
        filterwarnings("ignore", ".* found W = 0", RuntimeWarning)
        fitted: T = machine.fit(X, y)
    return fitted


def rows_with(results: Results, **settings: object) -> list[Row]:
    """Return the rows of the cells that have these settings, in their order."""
    return [
        row
        for cell, row in results.items()
        if all(getattr(cell, name) == setting for name, setting in settings.items())
    ]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of values and its standard error, NaN for a single value."""
    mean = float(np.mean(values)) if len(values) else nan
    if len(values) < 2:
        return mean, nan
    return mean, float(np.std(values, ddof=1) / sqrt(len(values)))


def ratio_and_error(above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
    """Return the geometric mean of paired ratios and its standard error.

    With m and s the mean and the standard error of log(above / below), these are exp(m) and
    s exp(m). For ratios of seconds: a long run does not count more than a short one.
    """
    mean, error = mean_and_error(np.log(np.divide(above, below)).tolist())
    return exp(mean), error * exp(mean)


def agree(difference: float, *errors: float) -> bool:
    """Return whether a difference is at most two standard errors; unknown errors count as 0."""
    error = hypot(*(0.0 if isnan(each) else each for each in errors))
    return abs(difference) <= 2 * error * (1 + 1e-9) + 1e-9


def judge(
    item: str,
    printed: float,
    printed_error: float,
    readings: Mapping[str, tuple[float, float]],
    reason: str,
) -> Comparison:
    """Compare a printed mean with ours under each reading of the text.

    The result shows the first reading that agrees within two standard errors of the difference, or
    else the first one.
    """
    for number, (reading, (ours, error)) in enumerate(readings.items()):
        if agree(ours - printed, printed_error, error):
            verdict = Verdict.OTHER_READING if number else Verdict.REPRODUCED
            near = "The difference is at most two standard errors."
            return Comparison(item, reading, printed, ours, error, verdict, near)
    reading, (ours, error) = next(iter(readings.items()))
    return Comparison(item, reading, printed, ours, error, Verdict.NOT_REPRODUCED, reason)


def judge_order(
    item: str,
    reading: str,
    printed: float,
    ours: tuple[float, float],
    reason: str,
    *,
    ratio: bool = False,
) -> Comparison:
    """Compare the order of two methods: is one ahead by more than two standard errors?

    How far the methods are apart depends on the data, and for seconds on the programs and the
    machine, so that the size of the printed figure is not compared.
    """
    mean, error = (log(ours[0]), ours[1] / ours[0]) if ratio else ours
    verdict = Verdict.NOT_REPRODUCED
    order = "Neither method is ahead by more than two standard errors"
    if mean > 2 * error:  # not if the error is unknown
        verdict, order = Verdict.OTHER_READING, "The order is the printed one"
    elif -mean > 2 * error:
        order = "The order is reversed"
    return Comparison(item, reading, printed, *ours, verdict, f"{order}; {reason}.")


def on_other_data(item: str, reading: str, printed: float, ours: tuple[float, float]) -> Comparison:
    """Return a printed figure beside ours on other data, which cannot confirm or refute it."""
    reason = "The paper's data are not available, and other data say nothing about its figure."
    return Comparison(item, reading, printed, *ours, Verdict.NOT_TRIED, reason)


def not_tried(item: str, printed: float, reason: str) -> Comparison:
    """Return a printed figure that nothing of ours can be compared with."""
    return Comparison(item, "", printed, nan, nan, Verdict.NOT_TRIED, reason)


def in_part(part: str, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return comparisons that belong to a part of the printed table or figure."""
    return [each._replace(part=part) for each in comparisons]
