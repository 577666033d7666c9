"""The comparisons of a table or figure as a table in HTML: the verdict first, each reason once."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import isnan

from pages.research.reproduce.report import TablePart, arrange, capitalize
from pages.research.reproduce.results import MARKS
from pages.shared.numbers import decimals_of, or_dash, with_error, with_minus
from pages.shared.parts.charts import colour
from pages.shared.reproduction.reproduction import Comparison, Verdict

SHORT = {Verdict.OTHER_READING: "other reading"}  # in a cell
HEAD = """<thead><tr>
<th scope="col">quantity</th><th scope="col">verdict</th>
<th scope="col" class="number">paper</th><th scope="col" class="number">ours</th>
<th scope="col" class="number">ours − paper</th>
</tr></thead>"""


def table(name: str, comparisons: Iterable[Comparison]) -> str:
    """Return comparisons as a table in HTML, with its notes below."""
    parts, notes = arrange(comparisons)
    bodies = "\n".join(map(_body, parts))
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f'<table class="comparisons" aria-label="{escape(name)}">\n{HEAD}\n{bodies}\n</table>\n'
        f"<ol>{listed}</ol>"
    )


def _body(part: TablePart) -> str:
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
        f'<td><span class="verdict" aria-hidden="true" style="background: {colour(mark.ground)}; '
        f'color: {colour(mark.ink)}">{mark.symbol}</span> {verdict}'
        f"<sup>{', '.join(map(str, notes))}</sup></td>"
        f'<td class="number">{or_dash(each.printed, 6)}</td>'
        f'<td class="number">{with_error(each.ours, each.standard_error)}</td>'
        f'<td class="number">{format_difference(each)}</td></tr>\n'
    )


def format_difference(each: Comparison) -> str:
    """Return ours minus printed, to as many decimals as ours, or a dash if one is unknown."""
    difference, error = each.difference, each.standard_error
    if isnan(difference) or isnan(error) or error == 0:
        number = or_dash(difference, 3)
        return f"+{number}" if difference > 0 else number
    return with_minus(f"{difference:+.{decimals_of(error)}f}")
