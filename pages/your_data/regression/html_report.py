"""The report of a trial of regression: settings, figures, tables, warnings and script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import scientific, signed
from pages.your_data.html_page import Page, describe_origin, note
from pages.your_data.regression.results import (
    TABLE_NOTE,
    RegressionResults,
    ResidualSamples,
    model_figures,
    residual_figure,
    table_rows,
)
from pages.your_data.regression.runs import RegressionRun
from pages.your_data.trial.regression_trial import REGRESSIONS, RegressionResult

OBJECTIVES = {
    "mean": "",
    "ridge": " Training minimises Σ (y − f(X))² + α ‖W‖² on scaled samples with α = {}.",
    "trace": " Training minimises ½ Σ (y − f(X))² + λ ‖W‖∗ on scaled samples with λ = {}.",
}


def make_report(
    results: RegressionResults,
    model: RegressionResult,
    samples: ResidualSamples,
    run: Subscription[RegressionRun],
    name: str,
    settings: Sequence[tuple[str, str]],
    description: str,
) -> bytes:
    """Return the report."""
    page, title = Page(), f"A trial of {name}"
    page.add(f"<h1>{escape(title)}</h1>", note(describe_origin(run)))
    page.add_table(_facts(results))
    page.add(note(description))
    page.add_cautions([*results.parts.warnings, *results.warnings()])
    page.add_settings(settings)
    page.head("All methods")
    page.add_table(table_rows(results))
    page.add(note(results.explanation), note(TABLE_NOTE))
    split = f", split {model.split + 1}" if len(results.parts.splits) > 1 else ""
    page.head(f"{REGRESSIONS[model.method]} in detail{split}".capitalize())
    page.add_figures([(figure, "") for figure in model_figures(results, model)])
    page.add(note(_describe_model(model)))
    page.add_figures([residual_figure(results, samples)])
    page.add_script(results.experiment.script())
    return page.to_html(title)


def _facts(results: RegressionResults) -> Sequence[dict[str, str]]:
    """Return what is known of the samples."""
    data, y = results.experiment.data, results.parts.y
    n, p, q = data.shape
    found = {
        "samples": f"{n:,}, each {p} × {q}",
        "target": "{} to {}, mean {}".format(
            *(signed(float(each), ".4g") for each in (y.min(), y.max(), y.mean()))
        ),
        "known besides": ", ".join(data.known) or "nothing",
        "settings of a method seen on test samples": f"{results.seen:,}",
        "SHA-256 of the samples": data.sha256,
    }
    return [{"": name, " ": value} for name, value in found.items()]


def _describe_model(model: RegressionResult) -> str:
    value = f"f(X) = ⟨W, X⟩ + b, b = {signed(model.fit.b, '.4g')}."
    return value + OBJECTIVES[model.method].format(scientific(model.fit.weight, 3))
