"""What a trial has come to, drawn: the methods side by side, then one of them in full."""

from __future__ import annotations

from functools import partial
from html import unescape

import numpy as np
import streamlit as st

from pages.matrix.your_data.runs import Look, fetch_samples
from pages.shared import address, charts, evaluation, exports, figures, runs
from pages.shared.panels import NAMES
from pages.shared.recipes import METHODS
from pages.shared.uploads import plain
from pages.shared.verdict.cautions import cautions
from pages.shared.verdict.downloads import model, predictions, trial_script
from pages.shared.verdict.found import Verdict
from pages.shared.verdict.objectives import decision, objective
from pages.shared.verdict.quantities import note, rows
from smmcore.model_selection import Tested

MOST = 12  # samples in a gallery
CARD = 370  # pixels: two fit beside each other in a narrow window
FULL = 1 - 1e-6  # of C: a dual variable that has reached it


def numbers(verdict: Verdict) -> None:
    """Draw the accuracy of each method, beside what the largest class alone would give."""
    rate = evaluation.majority(verdict.divided.y, verdict.divided.splits)
    row = st.container(horizontal=True, gap="medium")  # on a phone two beside each other

    def metric(name: str, spread: evaluation.Spread, below: str | None, **rest) -> None:
        mean, _, deviation = str(spread).partition(" ± ")
        below = f"± {deviation}" if deviation else below
        look = {"delta_color": "off", "delta_arrow": "off", "width": "content"}
        row.metric(name, mean, below, **look, **rest)

    for method, summary in verdict.summaries.items():
        right, of = map(sum, zip(*summary.scores, strict=True))
        metric(NAMES[method], summary.accuracy, f"{right:,} of {of:,} right")
    says = "What always naming the largest class of the training part would get right."
    metric("Majority rate", rate, None, help=says)
    first = next(iter(verdict.of))
    if len(verdict.of[first]) > 1:
        st.caption(evaluation.meaning(verdict.summaries[first].scores, verdict.splits(first)))
    for sentence in cautions(verdict, rate):
        st.caption(f"⚠️ {plain(sentence)}")


def table(verdict: Verdict) -> None:
    """Draw all numbers of all methods."""
    st.dataframe(rows(verdict), hide_index=True, height="content")
    st.caption(note(verdict))


def machine(verdict: Verdict) -> Tested:
    """Let the reader choose a machine, and return it."""
    left, right, _ = st.columns([3, 1, 1])
    names = {method: NAMES[method] for method in NAMES}
    method = address.choice(
        left, "segmented_control", "Machine", list(names), "smm", names.get, key="machine"
    )
    found = verdict.of.get(method) or next(iter(verdict.of.values()))
    if found[0].machine.method != method:
        st.caption(f"{NAMES[method]} takes no part: {NAMES[found[0].machine.method]} instead.")
    if len(found) == 1:
        return found[0]
    return found[right.selectbox("Split", range(1, len(found) + 1)) - 1]


def tests(verdict: Verdict, chosen: Tested) -> None:
    """Draw the confusions of a method and the curves of all."""
    method = chosen.machine.method
    summary = verdict.summaries[method]
    left, right = st.columns(2, gap="large")
    count = sum(score.of for score in summary.scores)
    title = f"{NAMES[method]}: {count:,} tests by class"
    charts.draw(left, figures.confusion_matrix(summary.confusion, verdict.names, title))
    curves = {name: verdict.areas.get(m) for m, name in METHODS.items()}  # order of the colours
    each = evaluation.curves(verdict.truths(method), verdict.decisions(method))
    behind = dict(zip(verdict.names, each, strict=True)) if len(each) > 1 else None
    what = f"positive: {verdict.names[1]}" if len(each) == 1 else "mean of the classes"
    charts.draw(right, figures.roc(curves, f"ROC, {what}", behind))


def side(verdict: Verdict, chosen: Tested) -> int:
    """Let the reader choose a class against the rest, and return the place of its W."""
    if len(chosen.W) == 1:
        return 0
    classes = range(len(verdict.names))
    label = "Class against the rest"
    return st.selectbox(label, classes, format_func=lambda k: unescape(verdict.names[k]))


def inside(verdict: Verdict, chosen: Tested, k: int) -> None:
    """Draw W beside the singular values, class means, support matrices and mistakes.

    They are cards of one width, as many beside each other as there is room for.
    """
    names, train, _ = verdict.names, *verdict.divided.splits[chosen.split]
    method, several = chosen.machine.method, len(chosen.W) > 1
    towards = f"{names[k]} against the rest" if several else f"positive: {names[1]}"
    carried = evaluation.support(chosen.alpha[k], train, MOST)
    carried = [] if method == "rglm" else carried
    places = [verdict.divided.splits[one.split][1] for one in verdict.of[method]]
    wrong = evaluation.mistakes(
        np.concatenate(places),
        np.concatenate(verdict.truths(method)),
        np.concatenate(verdict.decisions(method)),
        MOST,
    )
    rows = tuple([row for row, _ in carried] + [mistake.row for mistake in wrong])
    order = Look(verdict.recipe.data, rows)
    seen = runs.ask("your data: samples", "Fetching some samples", fetch_samples, order)
    samples = partial(figures.samples, signed=seen.signed)

    cards = st.container(horizontal=True, gap="small")

    def card(figure, caption: str = "") -> None:
        with cards.container(width=CARD):
            charts.draw(st, figure)
            if caption:
                st.caption(caption)

    p, q = chosen.W[k].shape
    card(
        figures.heatmap(
            chosen.W[k],
            f"W of {NAMES[method]}, {towards}",
            limit=float(np.abs(chosen.W).max()) or None,
            height=95 + int(215 * min(1.0, max(p / q, 0.25))),  # the colour bar no taller than W
        )
    )
    if several:
        card(figures.gallery(chosen.W, names, "W of each class, one scale", compact=True))
    sigma = verdict.singular_values(chosen.split, k)
    card(figures.spectra(sigma, f"Singular values of W, {towards}"))
    card(samples(seen.means, names, "The mean of each class"))
    if carried:
        alpha, C = chosen.alpha[k], chosen.C[k]
        count, full = np.count_nonzero(alpha > 0), np.count_nonzero(alpha >= FULL * C)
        heaviest = [
            f"{verdict.rows[row] + 1:,}: {names[verdict.divided.y[row]]}<br>"
            + ("α = C" if weight >= FULL * C else f"{weight / C:.2g} C")
            for row, weight in carried
        ]
        title = f"The {len(carried)} heaviest of {count:,} support matrices"
        card(
            samples(seen.samples[: len(carried)], heaviest, title),
            f"{full:,} have α = C: they lie inside the margin or on the wrong side. "
            f"{count - full:,} with 0 < α < C lie on the margin.",
        )
    if wrong:
        said = [mistake.caption(names, verdict.rows[mistake.row] + 1) for mistake in wrong]
        card(
            samples(seen.samples[len(carried) :], said, "The most confident mistakes"),
            "Number of the sample, its class → the one that was named; f(X).",
        )
    if chosen.tried and method == "smm":
        card(_grid(chosen), "The paper's grid: C by rank. The star is what was chosen.")
    if not wrong:
        st.caption("No mistakes in the tests of this method.")


def _grid(chosen: Tested):
    weights = sorted({tried.machine.c for tried in chosen.tried})
    ranks = sorted({tried.machine.rank for tried in chosen.tried})
    values = np.full((len(weights), len(ranks)), np.nan)
    for machine, right, of in chosen.tried:
        values[weights.index(machine.c), ranks.index(machine.rank)] = right / of
    best = weights.index(chosen.machine.c), ranks.index(chosen.machine.rank)
    return figures.grid(values, weights, ranks, best, "Accuracy in cross-validation")


def formulas(verdict: Verdict, chosen: Tested, k: int) -> None:
    """Write what a machine computes and what its training minimised, with its numbers."""
    scaling, method = verdict.recipe.trial.scaling, chosen.machine.method
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
        first, second = map(unescape, verdict.names)
        st.caption(f"f(X) > 0 names {plain(second)}, any other value {plain(first)}.")
    st.latex(objective(chosen, k))
    if method == "bsvm":
        st.caption("This problem is not convex: no D(α) bounds P from below.")


def files(verdict: Verdict, chosen: Tested, run: runs.Run, stem: str) -> None:
    """Draw the downloads."""
    name, method = exports.stem(stem), chosen.machine.method
    with st.container(horizontal=True):
        exports.offer_table(
            "Predictions", f"{name}_predictions", partial(predictions, verdict, method)
        )
        exports.offer_table("Trace", f"{name}_trace", lambda: exports.trace(run.frames.metrics))
        exports.offer_arrays("Model", f"{name}_model", partial(model, verdict, chosen))
        exports.offer_script(f"{name}_run.py", partial(trial_script, run, verdict.recipe))
