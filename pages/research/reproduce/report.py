"""The results of a reproduction as CSV, and as a table for a terminal."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from threadpoolctl import threadpool_info

from pages.research.reproduce.runner import versions
from pages.shared import system
from pages.shared.reproduction.reproduction import Comparison, Reproduction, Results, Size
from pages.shared.reproduction.sources import SourceSamples

COLUMNS = (
    "part",
    "item",
    "reading",
    "printed",
    "ours",
    "standard error",
    "difference",
    "verdict",
    "reason",
)


def header(
    reproduction: Reproduction,
    size: Size,
    files: Iterable[str],
    samples: Mapping[str, SourceSamples],
) -> list[str]:
    """Return the lines that are enough to repeat a run: command, data, versions, processor."""
    names = [Path(file).name for file in files]
    given = "".join(f" --data {name}" for name in names)
    digests = ", ".join(f"{name} {each.digest}" for name, each in samples.items())
    return [
        reproduction.title,
        f"command: python -m pages.research.reproduce {reproduction.name} --size {size}{given}",
        f"samples and their digests: {digests or 'generated'}",
        f"versions: {versions()}",
        f"processor: {processor()}, one BLAS thread for each process",
    ]


def processor() -> str:
    """Return the processor, and the kernels of its BLAS, which decide the last digits."""
    kernels = {
        f"{each['internal_api']} {each['version']} {each.get('architecture', '')}".strip()
        for each in threadpool_info()
        if each["user_api"] == "blas"
    }
    return ", ".join([system.processor_name(), *sorted(kernels)])


def comparison_csv(lines: Iterable[str], comparisons: Iterable[Comparison]) -> str:
    """Return the comparisons as CSV, below the lines of a header."""
    rows = [dict(zip(COLUMNS, _cells(each), strict=True)) for each in comparisons]
    return _csv(lines, COLUMNS, rows)


def cells_csv(lines: Iterable[str], results: Results) -> str:
    """Return the row of each cell as CSV: its settings, then its results."""
    rows = [
        {"kind": type(cell).__name__, **_settings(cell), **row} for cell, row in results.items()
    ]
    names = dict.fromkeys(name for row in rows for name in row)
    return _csv(lines, [*names], rows)


class TablePart(NamedTuple):
    """A part of a printed table or figure; each of its comparisons has the numbers of its notes."""

    title: str
    reading: str  # that all its comparisons share, or empty
    rows: list[tuple[Comparison, list[int]]]


def arrange(comparisons: Iterable[Comparison]) -> tuple[list[TablePart], list[str]]:
    """Return the parts of a table, and its notes: readings and reasons, each written once."""
    by_title: dict[str, list[Comparison]] = {}
    for each in comparisons:
        by_title.setdefault(each.part, []).append(each)
    numbers: dict[str, int] = {}
    parts = []
    for title, members in by_title.items():
        shared = len(members) > 1 and len({each.reading for each in members}) == 1
        rows = []
        for each in members:
            reading = "" if shared or not each.reading else f"{capitalize(each.reading)}."
            texts = [text for text in (reading, each.reason) if text]
            rows.append((each, [numbers.setdefault(text, len(numbers) + 1) for text in texts]))
        parts.append(TablePart(title, members[0].reading if shared else "", rows))
    return parts, [*numbers]


def capitalize(text: str) -> str:
    """Return a text with a capital first letter; the others stay, unlike `str.capitalize`."""
    return text[:1].upper() + text[1:]


def comparison_table(comparisons: Sequence[Comparison]) -> str:
    """Return the comparisons as text for a terminal, with numbered notes below."""
    parts, notes = arrange(comparisons)
    text = []
    for part in parts:
        if heading := "; ".join(filter(None, (part.title, part.reading))):
            text += [*textwrap.wrap(f"{heading}:", 100)]
        rows = [
            dict(zip(COLUMNS, _cells(each), strict=True)) | {"notes": ", ".join(map(str, numbers))}
            for each, numbers in part.rows
        ]
        text += [*_align(rows), ""]
    for number, note in enumerate(notes, 1):
        text += textwrap.wrap(f"{number}. {note}", 100, subsequent_indent="   ")
    return "\n".join(text)


def _align(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the lines of a table, without its empty columns and the texts that stand elsewhere."""
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    names = [name for name in names if name not in ("part", "reading", "reason")]
    columns = [[name, *(row[name] for row in rows)] for name in names]
    widths = [max(map(len, column)) for column in columns]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in zip(*columns, strict=True)]


def _cells(each: Comparison) -> tuple[str, ...]:
    numbers = each.printed, each.ours, each.standard_error, each.difference
    texts = ("" if isnan(number) else f"{number:.5g}" for number in numbers)
    return (each.part, each.item, each.reading, *texts, str(each.verdict), each.reason)


def _settings(cell: Any) -> dict[str, Any]:
    """Return the settings of a cell; nested values as text."""
    plain = (str, int, float, bool)
    return {
        name: value if isinstance(value, plain) or value is None else str(value)
        for name, value in asdict(cell).items()
    }


def _csv(lines: Iterable[str], names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    out = StringIO()
    out.writelines(f"# {line}\n" for line in lines)
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
