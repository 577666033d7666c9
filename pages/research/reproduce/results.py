"""The results in assets/results, one file for each table or figure, and their bars."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import plotly.graph_objects as go

from pages.research.reproduce.papers import PAPERS
from pages.shared.parts.charts import add_legend, colour, format_figure
from pages.shared.player.panels import BROWN, MAGENTA, PURPLE
from pages.shared.reproduction.reproduction import Verdict
from pages.shared.reproduction.stored_results import read_results


class VerdictMark(NamedTuple):
    """How a verdict looks, in the bars and in the tables."""

    symbol: str
    ground: int | str  # a colour of the theme, distinct for the colour-blind
    ink: str = "backgroundColor"  # of the symbol and the edge


MARKS = {
    Verdict.REPRODUCED: VerdictMark("✓", PURPLE),
    Verdict.OTHER_READING: VerdictMark("≈", BROWN),
    Verdict.NOT_REPRODUCED: VerdictMark("✗", MAGENTA),
    Verdict.NOT_TRIED: VerdictMark("○", "backgroundColor", "textColor"),
}
BAR_HEIGHT = 27  # pixels


def verdict_chart() -> go.Figure:
    """Return a bar for each table or figure: its printed figures by verdict."""
    rows = {
        f"{paper}, {shown.place}": read_results(name)
        for paper, each in PAPERS.items()
        for name, shown in each.shown.items()
    }
    bars = [
        go.Bar(
            y=[*rows],
            x=[results.verdicts()[verdict] for results in rows.values()],
            name=f"{mark.symbol} {verdict}",
            orientation="h",
            marker={"color": colour(mark.ground), "line": {"color": colour(mark.ink), "width": 1}},
            text=mark.symbol,
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            insidetextfont={"color": colour(mark.ink)},
            hovertemplate="%{y}: %{x} " + str(verdict) + "<extra></extra>",
        )
        for verdict, mark in MARKS.items()
    ]
    figure = format_figure(go.Figure(bars), "", BAR_HEIGHT * len(rows) + 90)
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="comparisons", showgrid=True)
    return add_legend(figure, y=1.02, yanchor="bottom", traceorder="normal")


def describe_all() -> str:
    """Return how many of all printed figures have each verdict."""
    total: Counter[Verdict] = Counter()
    for paper in PAPERS.values():
        for name in paper.shown:
            total += read_results(name).verdicts()
    parts = [f"{total[verdict]} {verdict}" for verdict in MARKS]
    return f"Of {total.total()} comparisons with what is printed: {', '.join(parts)}."
