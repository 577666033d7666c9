"""The results of the reproductions in `assets/results`, for the lessons that show them."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from typing import NamedTuple

from pages.shared.reproduction.reproduction import PAGES, Comparison, Verdict

RESULTS = PAGES.parent / "assets" / "results"  # of the size of the papers
NUMBERS = "printed", "ours", "standard error"


class StoredResults(NamedTuple):
    """A file of results."""

    command: str
    comparisons: tuple[Comparison, ...]
    text: str

    def verdicts(self) -> Counter[Verdict]:
        """Count the printed figures by verdict."""
        return Counter(each.verdict for each in self.comparisons)


def read_csv(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the lines of the header and the rows of a CSV file of results."""
    lines = text.splitlines(keepends=True)
    header = [line for line in lines if line.startswith("#")]
    rows = csv.DictReader(lines[len(header) :])
    return [line[2:].rstrip() for line in header], [*rows]


@cache
def read_results(name: str) -> StoredResults:
    """Read the results of a table or figure that come with the app."""
    text = (RESULTS / f"{name}.csv").read_text(encoding="utf-8")
    header, rows = read_csv(text)
    (command,) = (line.split(": ", 1)[1] for line in header if line.startswith("command: "))
    return StoredResults(command, tuple(map(_comparison, rows)), text)


def read_cells(name: str) -> list[dict[str, str]]:
    """Read the settings and the results of each cell of a table or figure."""
    return read_csv((RESULTS / f"{name}.cells.csv").read_text(encoding="utf-8"))[1]


def _comparison(row: dict[str, str]) -> Comparison:
    printed, ours, error = (float(row[name] or "nan") for name in NUMBERS)
    verdict = Verdict(row["verdict"])
    return Comparison(
        row["item"], row["reading"], printed, ours, error, verdict, row["reason"], row["part"]
    )
