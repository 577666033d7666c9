"""One HTML file that needs no network, in light colours, to be printed: the page of a report."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
import sklearn
import streamlit as st
from plotly.offline import get_plotlyjs

import smmcore
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import charts

FIGURE_PIXELS = 440  # width: two side by side on paper
# A browser then fetches nothing, whatever the report holds.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
)
STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2229; background: white; margin: 2rem auto;
  padding: 0 1rem; max-width: 60rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 2.2rem; break-after: avoid; }
table { border-collapse: collapse; font-size: 0.9rem; } .wide { overflow-x: auto; }
th, td { border-bottom: 1px solid #ccd5dd; padding: 0.25rem 0.8rem 0.25rem 0; text-align: left;
  vertical-align: top; }
.figures { display: flex; flex-wrap: wrap; gap: 0.5rem; }
figure { margin: 0; width: 440px; max-width: 100%; overflow-x: auto; break-inside: avoid; }
figcaption, .note { color: #4a545d; font-size: 0.9rem; }
pre { background: #f3f6f9; padding: 0.8rem; white-space: pre-wrap; font-size: 0.8rem; }
@media print { body { margin: 0; max-width: none; } .modebar { display: none; } }
"""
DRAW = """
const figures = JSON.parse(document.getElementById("figures").textContent);
figures.forEach((figure, i) => Plotly.newPlot("figure-" + i, figure.data, figure.layout,
  {displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"]}));
"""


class Page:
    """The parts of a page, and the figures that a script draws into it.

    Examples
    --------
    >>> page = Page()
    >>> page.head("R² & RMSE")
    >>> page.parts
    ['<h2>R² &amp; RMSE</h2>']
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.figures: list[str] = []

    def add(self, *parts: str) -> None:
        """Add HTML; escape what is a text."""
        self.parts += parts

    def head(self, text: str) -> None:
        """Add a heading."""
        self.add(f"<h2>{escape(text)}</h2>")

    def add_table(self, rows: Sequence[Mapping[str, str]]) -> None:
        """Add a table, whose header is left out if all names are empty."""
        names = rows[0].keys()
        head = f"<tr>{_cells(names, 'th')}</tr>" if any(names) else ""
        body = (f"<tr>{_cells(row.values(), 'td')}</tr>" for row in rows)
        self.add('<div class="wide"><table>', head, *body, "</table></div>")

    def add_cautions(self, sentences: Sequence[str]) -> None:
        """Add a list of warnings, if there are any."""
        if sentences:
            self.head("Cautions")
            self.add("<ul>", *(f"<li>{escape(each)}</li>" for each in sentences), "</ul>")

    def add_settings(self, settings: Sequence[tuple[str, str]]) -> None:
        """Add a table of controls and their values."""
        self.head("Settings")
        self.add_table([{"setting": label, "value": value} for label, value in settings])

    def add_script(self, script: str) -> None:
        """Add a program."""
        self.head("Script")
        self.add(f"<pre>{escape(script)}</pre>")

    def add_figures(self, cards: Iterable[tuple[go.Figure, str]]) -> None:
        """Add figures of Plotly with their captions."""
        self.add('<div class="figures">')
        for figure, caption in cards:
            label = escape(charts.describe(figure))
            figure.update_layout(template=_template(), width=FIGURE_PIXELS)
            for title in figure.layout.annotations:  # for fonts that are wider than the app's
                title.font.size *= 0.85
            if figure.layout.showlegend:  # room for the title of the axis
                figure.layout.legend.y -= 0.08
            self.add(
                f'<figure><div id="figure-{len(self.figures)}" role="img" aria-label="{label}">'
                f"</div><figcaption>{escape(caption)}</figcaption></figure>"
            )
            self.figures.append(str(figure.to_json()))
        self.add("</div>")

    def to_html(self, title: str) -> bytes:
        """Return the page; "<" would end the script that holds the figures."""
        figures = f"[{','.join(self.figures)}]".replace("<", r"\u003c")
        parts = "\n".join(self.parts)
        return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}</style></head><body>
{parts}
<script>{get_plotlyjs()}</script>
<script type="application/json" id="figures">{figures}</script>
<script>{DRAW}</script></body></html>
""".encode()


def _cells(texts: Iterable[str], tag: str) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def note(text: str) -> str:
    """Return a paragraph in a smaller font."""
    return f'<p class="note">{escape(text)}</p>'


@cache
def _template() -> go.layout.Template:
    """Return the colours of the light theme."""

    def colours(name: str) -> list[str]:
        return list(st.get_option(f"theme.light.chart{name}Colors"))

    def scale(name: str) -> list[tuple[float, str]]:
        found = colours(name)
        return list(zip(np.linspace(0, 1, len(found)).tolist(), found, strict=True))

    sequential, ink = scale("Sequential"), st.get_option("theme.light.textColor")
    return go.layout.Template(
        data={"heatmap": [{"colorscale": sequential}]},
        layout={
            "colorway": colours("Categorical"),
            "colorscale": {"diverging": scale("Diverging"), "sequential": sequential},
            "font": {"family": "system-ui, sans-serif", "color": ink},
            "title": {"x": 0, "xref": "container", "font": {"weight": 600}},
            "paper_bgcolor": "white",
            "plot_bgcolor": "white",
            "xaxis": {"linecolor": ink, "ticks": "outside"},
            "yaxis": {"linecolor": ink, "ticks": "outside"},
        },
    )


def describe_origin(run: Subscription[Any]) -> str:
    """Return when and with what the report was made, and whether the trial was stopped."""
    now = datetime.now(UTC)
    stopped = " The trial was stopped before its end." if run.status == "stopped" else ""
    return (
        f"Made on {now:%Y-%m-%d at %H:%M} UTC with smmcore {smmcore.__version__}, NumPy "
        f"{np.__version__}, scikit-learn {sklearn.__version__} and Python "
        f"{platform.python_version()}.{stopped}"
    )
