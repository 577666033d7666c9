"""The report of a trial: one HTML file that needs no network, in light colours, to be printed."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape

import numpy as np
import plotly.graph_objects as go
import sklearn
import streamlit as st
from plotly.offline import get_plotlyjs

import smmcore
from pages.matrix.your_data.results import report
from pages.matrix.your_data.results.downloads import trial_script
from pages.matrix.your_data.results.trial_results import (
    TrialResults,
    class_rows,
    table_note,
    table_rows,
)
from pages.matrix.your_data.runs import FetchedSamples, TrialRun
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import percent, scientific
from pages.shared.parts import charts
from pages.shared.player.panels import NAMES
from smmcore.model_selection import SplitResult

Rows = Sequence[Mapping[str, str]]

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


def make_report(
    results: TrialResults,
    chosen: SplitResult,
    k: int,
    samples: FetchedSamples,
    run: Subscription[TrialRun],
    name: str,
    settings: Sequence[tuple[str, str]],
    split_warnings: Sequence[str],
) -> bytes:
    """Return the report.

    Parameters
    ----------
    results : TrialResults
    chosen : SplitResult
        The machine that is shown in detail.
    k : int
        The class whose W is shown, if there are several.
    samples : FetchedSamples
        Those of `report.fetch_shown_samples`.
    run : Subscription
    name : str
        Name of the data.
    settings : sequence of (str, str)
        The controls that make the trial, and their values.
    split_warnings : sequence of str
        Warnings about the splits, which precede those about the results.
    """
    method, page = chosen.spec.method, _Page()
    title = f"A trial of {name}"
    page.add(f"<h1>{escape(title)}</h1>", _note(_origin(run)))
    page.add_table(_facts(results))
    page.head("Accuracies")
    page.add_table(_accuracies(results))
    page.add(_note(results.explanation))
    if sentences := [*split_warnings, *results.warnings()]:
        page.head("Cautions")
        page.add("<ul>", *(f"<li>{escape(sentence)}</li>" for sentence in sentences), "</ul>")
    page.head("Settings")
    page.add_table([{"setting": label, "value": value} for label, value in settings])
    page.head("All classifiers")
    page.add_table(table_rows(results))
    page.add(_note(table_note(results)))
    page.add_figures(
        [report.Card(report.confusion_figure(results, each), "") for each in results.machines]
        + [report.Card(report.roc_figure(results, method), "")]
    )
    page.head(_heading(results, chosen, k))
    page.add_table(class_rows(results, method))
    page.add(_note(report.CLASS_NOTE))
    page.add_figures(report.machine_cards(results, chosen, k, samples))
    page.add(_note(_solution(chosen, k)))
    page.head("Script")
    page.add(f"<pre>{escape(trial_script(run, results.experiment))}</pre>")
    return page.to_html(title)


class _Page:
    """The parts of a page, and the figures that a script draws into it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.figures: list[str] = []

    def add(self, *parts: str) -> None:
        self.parts += parts

    def head(self, text: str) -> None:
        self.add(f"<h2>{escape(text)}</h2>")

    def add_table(self, rows: Rows) -> None:
        names = rows[0].keys()
        head = f"<tr>{_cells(names, 'th')}</tr>" if any(names) else ""
        body = (f"<tr>{_cells(row.values(), 'td')}</tr>" for row in rows)
        self.add('<div class="wide"><table>', head, *body, "</table></div>")

    def add_figures(self, cards: Iterable[report.Card]) -> None:
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


def _note(text: str) -> str:
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


def _origin(run: Subscription[TrialRun]) -> str:
    """Return when and with what the report was made, and whether the trial was stopped."""
    now = datetime.now(UTC)
    stopped = " The trial was stopped before its end." if run.status == "stopped" else ""
    return (
        f"Made on {now:%Y-%m-%d at %H:%M} UTC with smmcore {smmcore.__version__}, NumPy "
        f"{np.__version__}, scikit-learn {sklearn.__version__} and Python "
        f"{platform.python_version()}.{stopped}"
    )


def _facts(results: TrialResults) -> Rows:
    """Return what is known of the samples."""
    data, y = results.experiment.data, results.train_test.y
    n, p, q = data.shape
    counts = np.bincount(y, minlength=len(results.names))
    classes = ", ".join(
        f"{name} ({count:,})" for name, count in zip(results.names, counts, strict=True)
    )
    train, test = results.train_test.splits[0]
    of = f", in the first of {len(results.train_test.splits)} splits"
    found = {
        "samples": f"{n:,}, each {p} × {q}",
        "classes (samples)": classes,
        "known besides": ", ".join(data.known) or "nothing",
        f"for training, for the {results.part}": f"{len(train):,}, {len(test):,}"
        + of * (len(results.train_test.splits) > 1),
        "settings of a classifier seen on test samples": f"{results.seen:,}",
    }
    if results.locked_count:
        found["locked test part"] = f"{results.locked_count:,} samples"
    if digest := getattr(data, "sha256", ""):
        found["SHA-256 of the samples"] = digest
    return [{"": name, " ": value} for name, value in found.items()]


def _accuracies(results: TrialResults) -> Rows:
    rows = []
    for method, evaluation in results.evaluations.items():
        pooled = results.pooled_scores[method]
        rows.append(
            {
                "classifier": NAMES[method],
                "accuracy": str(evaluation.accuracy),
                "right": str(pooled) if pooled else "–",
                "Wilson's 95 % interval": pooled.format_interval() if pooled else "–",
            }
        )
    majority = percent(results.majority_rate)
    return [*rows, dict(zip(rows[0], ("always one class", majority, "", ""), strict=True))]


def _heading(results: TrialResults, chosen: SplitResult, k: int) -> str:
    split = f", split {chosen.split + 1}" if len(results.train_test.splits) > 1 else ""
    against = f", {results.names[k]} against the rest" if len(chosen.W) > 1 else ""
    return f"{NAMES[chosen.spec.method]} in detail{split}{against}"


def _solution(chosen: SplitResult, k: int) -> str:
    """Return the offset and the certified objective of a machine."""
    bound = "what moving one factor can gain" if chosen.spec.method == "bsvm" else "(P − D) / P"
    return (
        f"f(X) = ⟨W, X⟩ + b for scaled samples, b = {chosen.b[k]:.4g}. P(W, b) = "
        f"{chosen.primal[k]:.7g}; relative gap, {bound}: {scientific(chosen.gap[k])}."
    )
