"""The report of a trial of classifiers: settings, figures, tables, warnings and script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import percent, scientific
from pages.shared.player.panels import NAMES
from pages.your_data.html_page import Page, describe_origin, note
from pages.your_data.program import trial_program
from pages.your_data.results import report
from pages.your_data.results.trial_results import TrialResults, class_rows, table_note, table_rows
from pages.your_data.runs import FetchedSamples, TrialRun
from pages.your_data.trial.trial import SplitResult

Rows = Sequence[Mapping[str, str]]


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
    """Return the report."""
    method, page = chosen.spec.method, Page()
    title = f"A trial of {name}"
    page.add(f"<h1>{escape(title)}</h1>", note(describe_origin(run)))
    page.add_table(_facts(results))
    page.head(f"Accuracies on {results.part} samples")
    page.add_table(_accuracies(results))
    page.add(note(results.explanation))
    page.add_cautions([*split_warnings, *results.warnings()])
    page.add_settings(settings)
    page.head("All classifiers")
    page.add_table(table_rows(results))
    page.add(note(table_note(results)))
    page.add_figures(
        [report.Card(report.confusion_figure(results, each), "") for each in results.machines]
        + [report.Card(report.roc_figure(results, method), "")]
    )
    page.head(_heading(results, chosen, k))
    page.add_table(class_rows(results, method))
    page.add(note(report.CLASS_NOTE))
    page.add_figures(report.machine_cards(results, chosen, k, samples))
    page.add(note(_solution(chosen, k)))
    page.add_script(trial_program(results.experiment, results.tested))
    return page.to_html(title)


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
    }
    seen_on = "test samples"
    if results.locked_count:
        found["locked test part"] = f"{results.locked_count:,} samples"
        seen_on = "samples of the locked test part"
    found[f"settings of a classifier seen on {seen_on}"] = f"{results.seen:,}"
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
        f"f(X) = ⟨W, X⟩ + b for scaled samples, b = {scientific(chosen.b[k], 4)}. "
        f"P(W, b) = {scientific(chosen.primal[k], 7)}; relative gap, {bound}: "
        f"{scientific(chosen.gap[k])}."
    )
