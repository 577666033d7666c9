"""The results in assets/results, one file for each table or figure, and where to see each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from math import floor, isnan, log10
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import plotly.graph_objects as go

from pages.shared.parts import charts
from smmcore.experiments.report import read_csv
from smmcore.experiments.reproduction import Comparison, Verdict

FOLDER = Path(__file__).parents[3] / "assets" / "results"
# Distinct for the colour-blind, and visible in both themes.
COLOURS = {
    Verdict.REPRODUCED: "#0072b2",
    Verdict.OTHER_READING: "#56b4e9",
    Verdict.NOT_REPRODUCED: "#d55e00",
    Verdict.NOT_TRIED: "#8a939c",
}
BAR_HEIGHT = 27  # pixels
NUMBERS = "printed", "ours", "standard error"


@dataclass(frozen=True)
class Shown:
    """A table or figure, and the lesson whose settings show it."""

    place: str  # in the paper
    content: str
    lesson: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Address of the lesson with its settings, relative to this one."""
        return f"./{self.lesson}" + (f"?{urlencode(self.settings)}" if self.settings else "")


PAPERS = {
    "Luo et al.": {
        "figure1": Shown(
            "Figure 1",
            "groups of columns in W",
            "compare",
            {"C": "0.01", "tau": "0.2", "compare_lambda": "1e-05"},
        ),
        "figure2": Shown("Figure 2", "accuracy on noisy test samples", "robustness"),
        "table2": Shown(
            "Table 2",
            "accuracy of four methods on real data, in percent",
            "yours",
            {"yours_source": "Faces"},
        ),
        "table3": Shown("Table 3", "training times, as ratios", "yours", {"yours_source": "Faces"}),
    },
    "Wolf et al.": {
        "wolf-table1": Shown("Table 1", "four methods on generated data, in percent", "table_1"),
        "wolf-figure1": Shown("Figure 1", "directions that the weighting keeps", "low_rank_svm"),
        "wolf-faces": Shown("Section 6", "faces and pedestrians, in percent", "table_1"),
        "wolf-tensors": Shown("Section 6, tensors", "actions, in percent", "low_rank_svm"),
    },
    "Xia and Fan": {
        "lssmm-table2": Shown("Table 2", "hinge and squared loss on pairs of people", "table_2"),
    },
    "Sugiyama": {
        "sugiyama-figure24-5": Shown(
            "Figure 24.5",
            "zeros in a kernel model",
            "sparse",
            {"sparse_further": "The book's listing, twice"},
        ),
        "sugiyama-figure24-8": Shown(
            "Figure 24.8",
            "a ball between ℓ₁ and ℓ₂",
            "corners",
            {"corners_ball": "l1 + l2"},
        ),
        "sugiyama-selection": Shown("Section 24.3", "feature selection", "sparse"),
    },
}


class Results(NamedTuple):
    """A file of results."""

    command: str
    comparisons: tuple[Comparison, ...]
    text: str

    def verdicts(self) -> Counter[Verdict]:
        """Count the printed figures by verdict."""
        return Counter(each.verdict for each in self.comparisons)


@cache
def read(name: str) -> Results:
    """Read the results of a table or figure."""
    text = (FOLDER / f"{name}.csv").read_text(encoding="utf-8")
    header, rows = read_csv(text)
    (command,) = (line.split(": ", 1)[1] for line in header if line.startswith("command: "))
    return Results(command, tuple(map(_comparison, rows)), text)


def _comparison(row: dict[str, str]) -> Comparison:
    printed, ours, error = (float(row[name] or "nan") for name in NUMBERS)
    verdict = Verdict(row["verdict"])
    return Comparison(row["item"], row["reading"], printed, ours, error, verdict, row["reason"])


def verdict_chart() -> go.Figure:
    """Return a bar for each table or figure: its printed figures by verdict."""
    rows = {
        f"{paper}, {shown.place}": read(name)
        for paper, names in PAPERS.items()
        for name, shown in names.items()
    }
    bars = [
        go.Bar(
            y=[*rows],
            x=[results.verdicts()[verdict] for results in rows.values()],
            name=str(verdict),
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{y}: %{x} " + str(verdict) + "<extra></extra>",
        )
        for verdict, colour in COLOURS.items()
    ]
    figure = charts.format_figure(go.Figure(bars), "", BAR_HEIGHT * len(rows) + 90)
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="comparisons", showgrid=True)
    return charts.add_legend(figure, y=1.02, yanchor="bottom", traceorder="normal")


def describe_all() -> str:
    """Return how many of all printed figures have each verdict."""
    total: Counter[Verdict] = Counter()
    for names in PAPERS.values():
        for name in names:
            total += read(name).verdicts()
    parts = [f"{total[verdict]} {verdict}" for verdict in COLOURS]
    return f"Of {total.total()} comparisons with what is printed: {', '.join(parts)}."


def table(comparisons: tuple[Comparison, ...]) -> str:
    """Return the comparisons as a table in Markdown; equal reasons in a row are written once."""
    rows = []
    for reason, group in groupby(comparisons, lambda each: each.reason):
        for number, each in enumerate(group):
            cells = (
                each.item,
                each.reading,
                _format(each.printed, ".6g"),
                _measured(each),
                _format(each.difference, "+.3g"),
                each.verdict,
                "as above" if number else reason,
            )
            rows.append(f"| {' | '.join(cells)} |")
    head = (
        "| | read as, or on | printed | ours | difference | verdict | why |\n"
        "|---|---|--:|--:|--:|---|---|\n"
    )
    return head + "\n".join(rows)


def _measured(each: Comparison) -> str:
    """Return our figure with its standard error, both to two digits of the error."""
    error = each.standard_error
    if isnan(error) or error == 0:
        return _format(each.ours)
    decimals = max(0, 1 - floor(log10(error)))
    mean = f"{each.ours:.{decimals}f}".replace("-", "−")
    return f"{mean}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{error:.{decimals}f}"


def _format(number: float, form: str = ".4g") -> str:
    """Return a number, or a dash if there is none."""
    return "–" if isnan(number) else f"{number:{form}}".replace("-", "−")
