"""Draw the results of a trial: the methods side by side, then one machine in full."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from pages.matrix.your_data.results import charts as trial_charts
from pages.matrix.your_data.results.downloads import model, predictions, trial_script
from pages.matrix.your_data.results.formulas import decision, objective
from pages.matrix.your_data.results.roc import roc_curves
from pages.matrix.your_data.results.samples import Mistake, mistakes, support
from pages.matrix.your_data.results.scores import Spread, explain, majority
from pages.matrix.your_data.results.table import note, rows
from pages.matrix.your_data.results.trial_results import TrialResults
from pages.matrix.your_data.runs import Look, fetch_samples
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import charts, downloads, heatmaps
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.panels import METHODS, NAMES
from pages.shared.widgets import url
from smmcore.model_selection import Tested

MAX_PICTURES = 12  # samples in a gallery
CARD_WIDTH = 370  # pixels: two fit beside each other in a narrow window
AT_BOUND = 1 - 1e-6  # of C: a dual variable that has reached it


def draw_accuracies(results: TrialResults) -> None:
    """Draw the accuracy of each method, beside the rate of always naming the largest class."""
    rate = majority(results.divided.y, results.divided.splits)
    row = st.container(horizontal=True, gap="medium")  # on a phone two beside each other

    def metric(name: str, spread: Spread, below: str | None, **rest) -> None:
        mean, _, deviation = str(spread).partition(" ± ")
        below = f"± {deviation}" if deviation else below
        look = {"delta_color": "off", "delta_arrow": "off", "width": "content"}
        row.metric(name, mean, below, **look, **rest)

    for method, summary in results.summaries.items():
        right, of = map(sum, zip(*summary.scores, strict=True))
        metric(NAMES[method], summary.accuracy, f"{right:,} of {of:,} right")
    says = "What always naming the largest class of the training part would get right."
    metric("Majority rate", rate, None, help=says)
    first = next(iter(results.of))
    if len(results.of[first]) > 1:
        st.caption(explain(results.summaries[first].scores, results.splits(first)))
    for sentence in results.cautions(rate):
        st.caption(f"⚠️ {escape_markdown(sentence)}")


def draw_table(results: TrialResults) -> None:
    """Draw all numbers of all methods."""
    st.dataframe(rows(results), hide_index=True, height="content")
    st.caption(note(results))


def choose_machine(results: TrialResults) -> Tested:
    """Draw the choice of a method and a split, and return its machine."""
    left, right, _ = st.columns([3, 1, 1])
    method = url.choice(
        left, "segmented_control", "Machine", list(NAMES), "smm", NAMES.get, key="machine"
    )
    found = results.of.get(method) or next(iter(results.of.values()))
    if found[0].machine.method != method:
        st.caption(f"{NAMES[method]} takes no part: {NAMES[found[0].machine.method]} instead.")
    if len(found) == 1:
        return found[0]
    return found[right.selectbox("Split", range(1, len(found) + 1)) - 1]


def draw_tests(results: TrialResults, method: str) -> None:
    """Draw the confusions of a method and the curves of all."""
    summary, names = results.summaries[method], results.html_names
    left, right = st.columns(2, gap="large")
    count = sum(score.of for score in summary.scores)
    title = f"{NAMES[method]}: {count:,} tests by class"
    charts.draw(left, trial_charts.confusion_matrix(summary.confusion, names, title))
    curves = {name: results.areas.get(m) for m, name in METHODS.items()}  # order of the colours
    each = roc_curves(results.truths(method), results.decisions(method))
    behind = dict(zip(names, each, strict=True)) if len(each) > 1 else None
    what = f"positive: {names[1]}" if len(each) == 1 else "mean of the classes"
    charts.draw(right, trial_charts.roc(curves, f"ROC, {what}", behind))


def choose_class(results: TrialResults, chosen: Tested) -> int:
    """Draw the choice of a class against the rest, and return the place of its W."""
    if len(chosen.W) == 1:
        return 0
    classes = range(len(results.names))
    return st.selectbox("Class against the rest", classes, format_func=results.names.__getitem__)


def draw_machine(results: TrialResults, chosen: Tested, k: int) -> None:
    """Draw W beside the singular values, class means, support matrices and mistakes.

    They are cards of one width, as many beside each other as there is room for.
    """
    method, names = chosen.machine.method, results.html_names
    support_rows = _support(results, chosen, k)
    wrong = _mistakes(results, method)
    picked = (*(row for row, _ in support_rows), *(mistake.row for mistake in wrong))
    look = Look(results.experiment.data, picked)
    seen = session.run_task("your data: samples", "Fetching some samples", fetch_samples, look)
    draw_samples = partial(heatmaps.samples, signed=seen.signed)
    cards = st.container(horizontal=True, gap="small")

    def card(figure, caption: str = "") -> None:
        with cards.container(width=CARD_WIDTH):
            charts.draw(st, figure)
            if caption:
                st.caption(caption)

    several = len(chosen.W) > 1
    towards = f"{names[k]} against the rest" if several else f"positive: {names[1]}"
    p, q = chosen.W[k].shape
    card(
        heatmaps.heatmap(
            chosen.W[k],
            f"W of {NAMES[method]}, {towards}",
            limit=float(np.abs(chosen.W).max()) or None,
            height=95 + int(215 * min(1.0, max(p / q, 0.25))),  # the colour bar no taller than W
        )
    )
    if several:
        card(heatmaps.gallery(chosen.W, names, "W of each class, one scale", compact=True))
    sigma = results.singular_values(chosen.split, k)
    card(trial_charts.spectra(sigma, f"Singular values of W, {towards}"))
    card(draw_samples(seen.means, names, "The mean of each class"))
    if support_rows:
        alpha, C = chosen.alpha[k], chosen.C[k]
        count, full = np.count_nonzero(alpha > 0), np.count_nonzero(alpha >= AT_BOUND * C)
        labels = [
            f"{results.rows[row] + 1:,}: {names[results.divided.y[row]]}<br>"
            + ("α = C" if weight >= AT_BOUND * C else f"{weight / C:.2g} C")
            for row, weight in support_rows
        ]
        title = f"The {len(support_rows)} heaviest of {count:,} support matrices"
        card(
            draw_samples(seen.samples[: len(support_rows)], labels, title),
            f"{full:,} have α = C: they lie inside the margin or on the wrong side. "
            f"{count - full:,} with 0 < α < C lie on the margin.",
        )
    if wrong:
        labels = [mistake.caption(names, results.rows[mistake.row] + 1) for mistake in wrong]
        card(
            draw_samples(seen.samples[len(support_rows) :], labels, "The most confident mistakes"),
            "Number of the sample, its class → the one that was named; f(X).",
        )
    if chosen.tried and method == "smm":
        card(_search_grid(chosen), "The paper's grid: C by rank. The star is what was chosen.")
    if not wrong:
        st.caption("No mistakes in the tests of this method.")


def _support(results: TrialResults, chosen: Tested, k: int) -> list[tuple[int, float]]:
    """Return row and weight of the heaviest support matrices; an R-GLM has none."""
    if chosen.machine.method == "rglm":
        return []
    train, _ = results.divided.splits[chosen.split]
    return support(chosen.alpha[k], train, MAX_PICTURES)


def _mistakes(results: TrialResults, method: str) -> list[Mistake]:
    """Return the most confident mistakes of a method in all its splits."""
    tests = [test for _, test in results.splits(method)], results.truths(method)
    return mistakes(*map(np.concatenate, (*tests, results.decisions(method))), MAX_PICTURES)


def _search_grid(chosen: Tested):
    weights = sorted({tried.machine.c for tried in chosen.tried})
    ranks = sorted({tried.machine.rank for tried in chosen.tried})
    values = np.full((len(weights), len(ranks)), np.nan)
    for machine, right, of in chosen.tried:
        values[weights.index(machine.c), ranks.index(machine.rank)] = right / of
    best = weights.index(chosen.machine.c), ranks.index(chosen.machine.rank)
    return trial_charts.grid(values, weights, ranks, best, "Accuracy in cross-validation")


def write_formulas(results: TrialResults, chosen: Tested, k: int) -> None:
    """Write the decision of a machine and the objective of its training, with their numbers."""
    scaling = results.experiment.trial.scaling
    if chosen.scaling.fill is not None:
        st.caption(
            "Missing numbers are filled in first: with the mean of the entry over the training "
            "part, or 0 where that has none."
        )
    if scaling == "unit length":
        st.latex(r"X \leftarrow X / \|X\|_F")
    if scaling == "z-score":
        st.latex(r"X_{kl} \leftarrow (X_{kl} - m_{kl}) / s_{kl}")
        st.caption("m and s: mean and standard deviation of each entry over the training part.")
    st.latex(decision(chosen, k))
    if len(chosen.W) == 1:
        first, second = map(escape_markdown, results.names)
        st.caption(f"f(X) > 0 names {second}, any other value {first}.")
    st.latex(objective(chosen, k))
    if chosen.machine.method == "bsvm":
        st.caption("This problem is not convex: no D(α) bounds P from below.")


def offer_files(results: TrialResults, chosen: Tested, run: Subscription, stem: str) -> None:
    """Draw the downloads."""
    name, method = downloads.file_stem(stem), chosen.machine.method
    with st.container(horizontal=True):
        downloads.offer_table(
            "Predictions", f"{name}_predictions", partial(predictions, results, method)
        )
        downloads.offer_table(
            "Trace", f"{name}_trace", lambda: downloads.to_csv(run.frames.metrics)
        )
        downloads.offer_arrays("Model", f"{name}_model", partial(model, results, chosen))
        downloads.offer_script(f"{name}_run.py", partial(trial_script, run, results.experiment))
