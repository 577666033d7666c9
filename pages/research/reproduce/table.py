"""The comparisons of a table or figure as a table in HTML: the verdict first, each reason once."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import floor, isnan, log10

from pages.research.reproduce.results import MARKS
from pages.shared.numbers import scientific, with_minus
from pages.shared.reproduction.report import Part, arrange, capitalize
from pages.shared.reproduction.reproduction import Comparison, Verdict

SHORT = {Verdict.OTHER_READING: "other reading"}  # in a cell
HEAD = """<thead><tr>
<th scope="col">quantity</th><th scope="col">verdict</th>
<th scope="col" class="number">printed</th><th scope="col" class="number">ours</th>
<th scope="col" class="number">ours − printed</th>
</tr></thead>"""


def table(name: str, comparisons: Iterable[Comparison]) -> str:
    """Return comparisons as a table in HTML, with its notes below."""
    parts, notes = arrange(comparisons)
    bodies = "\n".join(map(_body, parts))
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f'<table class="comparisons" aria-label="{escape(name)}">\n{HEAD}\n{bodies}\n</table>\n'
        f'<ol class="comparison-notes">{listed}</ol>'
    )


def _body(part: Part) -> str:
    heading = f"<strong>{escape(part.title)}</strong>" if part.title else ""
    if part.reading:
        heading += f"<br>{escape(capitalize(part.reading))}."
    first = f'<tr><th colspan="5" scope="rowgroup">{heading}</th></tr>\n' if heading else ""
    return f"<tbody>\n{first}{''.join(_row(*row) for row in part.rows)}</tbody>"


def _row(each: Comparison, notes: list[int]) -> str:
    mark = MARKS[each.verdict]
    verdict = SHORT.get(each.verdict, str(each.verdict))
    return (
        f'<tr><th scope="row">{escape(capitalize(each.item))}</th>'
        f'<td><span class="verdict" aria-hidden="true" style="background: {mark.colour}; '
        f'color: {mark.ink}">{mark.symbol}</span> {verdict}'
        f"<sup>{', '.join(map(str, notes))}</sup></td>"
        f'<td class="number">{format_number(each.printed, 6)}</td>'
        f'<td class="number">{format_measured(each.ours, each.standard_error)}</td>'
        f'<td class="number">{format_difference(each)}</td></tr>\n'
    )


def format_measured(ours: float, error: float) -> str:
    """Return our figure with its standard error, both to two digits of the error.

    Examples
    --------
    >>> from pages.research.reproduce.table import format_measured
    >>> format_measured(-0.18992, 0.044405)
    '−0.190 ± 0.044'
    """
    if isnan(error) or error == 0:
        return format_number(ours, 4)
    decimals = _decimals(error)
    return with_minus(f"{ours:.{decimals}f} ± {error:.{decimals}f}")


def format_difference(each: Comparison) -> str:
    """Return ours minus printed, to as many decimals as ours, or a dash if one is unknown.

    Examples
    --------
    >>> from pages.research.reproduce.table import format_difference
    >>> from pages.shared.reproduction.reproduction import Comparison, Verdict
    >>> format_difference(Comparison("", "", 70.0, 74.68, 0.93, Verdict.NOT_TRIED, ""))
    '+4.68'
    """
    difference, error = each.difference, each.standard_error
    if isnan(difference) or isnan(error) or error == 0:
        number = format_number(difference, 3)
        return f"+{number}" if difference > 0 else number
    return with_minus(f"{difference:+.{_decimals(error)}f}")


def _decimals(error: float) -> int:
    """Return how many decimals show two digits of a standard error."""
    return max(0, 1 - floor(log10(error)))


def format_number(number: float, digits: int) -> str:
    """Return a number with so many digits, or a dash if there is none.

    Examples
    --------
    >>> from pages.research.reproduce.table import format_number
    >>> format_number(9.8e-06, 4), format_number(0.00078125, 6), format_number(float("nan"), 4)
    ('9.8 × 10⁻⁶', '0.00078125', '–')
    """
    if isnan(number):
        return "–"
    text = f"{number:.{digits}g}"
    return scientific(number) if "e" in text else with_minus(text)
