"""Draw the results of a trial: the methods side by side, then one machine in full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from pages.shared.engine import session
from pages.shared.losses import subtract_penalties
from pages.shared.numbers import latex, percent
from pages.shared.parts import charts, heatmaps
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.panels import NAMES, NAMES_BY_COLOUR
from pages.shared.widgets import url
from pages.your_data.controls import choose_split
from pages.your_data.results import charts as trial_charts
from pages.your_data.results.metrics import (
    Mistake,
    confident_mistakes,
    have_disjoint_tests,
    heaviest_support,
    majority_rate,
    roc_curves,
)
from pages.your_data.results.trial_results import TrialResults, class_rows, table_note, table_rows
from pages.your_data.runs import (
    FetchedSamples,
    SampleRequest,
    TrainTestSplits,
    TrialRun,
    fetch_samples,
)
from pages.your_data.trial.trial import SplitResult

MAX_PICTURES = 12  # samples in a gallery
CARD_WIDTH = 140  # pixels, of an accuracy: three side by side on a laptop, two on a phone
CARD_PIXELS = 370  # width: two cards fit side by side in a narrow window
CLASS_NOTE = (
    "Precision: the share that is right of the samples that are predicted to be of the class. "
    "Recall: the share that is right of the samples of the class. F1: 2 / (1 / precision + "
    "1 / recall). –: not defined, because no sample was predicted to be of the class, or none is."
)
BOUND_SHARE = 1 - 1e-6  # alpha = C from this share of C on


def draw_accuracies(results: TrialResults) -> None:
    """Draw the accuracy of each method, the majority rate, and warnings."""
    cards = {}
    for method, evaluation in results.evaluations.items():
        mean, _, deviation = str(evaluation.accuracy).partition(" ± ")
        lines = [f"± {deviation}"] if deviation else []
        if pooled := results.pooled_scores[method]:
            lines += [f"{pooled} right", pooled.format_interval()]
        cards[NAMES[method]] = mean, lines
    _draw_cards(cards, results.majority_rate, results.explanation, results.part)
    for sentence in results.warnings():
        st.caption(f"⚠️ {escape_markdown(sentence)}")


def draw_pending_accuracies(experiment: TrialRun, train_test: TrainTestSplits, note: str) -> None:
    """Hold the place of the accuracies, with a note, until the methods have been tested."""
    splits = train_test.splits
    lines = [""] * (2 * have_disjoint_tests(splits) + (len(splits) > 1) - 1)
    cards = {
        NAMES[spec.method]: ("…", ["not tested yet", *lines]) for spec in experiment.trial.specs
    }
    majority = majority_rate(train_test.y, splits)
    _draw_cards(cards, majority, note, experiment.trial.scheme.part)


def _draw_cards(
    cards: dict[str, tuple[str, list[str]]], majority: float, note: str, part: str
) -> None:
    """Draw a value with lines of text below for each method, the majority rate and a note."""
    row = st.container(horizontal=True, gap="small")

    def card(name: str, value: str, lines: list[str], explanation: str | None = None) -> None:
        with row.container(width=CARD_WIDTH, gap=None):
            st.metric(name, value, help=explanation)
            st.caption("  \n".join(line or "&nbsp;" for line in lines))

    for name, (value, lines) in cards.items():
        card(name, value, lines)
    explanation = (
        f"The share of the largest class among the {part} samples: a classifier that always "
        "predicts one class gets no more right. With K classes of equal size it is 1 / K."
    )
    card("Majority rate", percent(majority), ["always one class"], explanation)
    st.caption(note)


def draw_table(results: TrialResults) -> None:
    """Draw all numbers of all methods."""
    st.dataframe(table_rows(results), hide_index=True, height="content")
    st.caption(table_note(results))


def choose_machine(results: TrialResults) -> SplitResult:
    """Draw the choice of a method and a split, and return its machine."""
    left, right, _ = st.columns([3, 1, 1])
    trained = list(results.machines)
    method = url.choice(
        left,
        "segmented_control",
        "Classifier",
        trained,
        "smm" if "smm" in trained else trained[0],
        NAMES.__getitem__,
        key="machine",
    )
    found = results.machines[method]
    return found[choose_split(right, len(found))]


def draw_tests(results: TrialResults, method: str) -> None:
    """Draw the confusion matrix of a method, the ROC curves of all methods, and class scores."""
    left, right = st.columns(2, gap="large")
    charts.draw(left, confusion_figure(results, method))
    charts.draw(right, roc_figure(results, method))
    if all(score.correct == score.total for score in results.evaluations[method].scores):
        st.caption(f"This classifier made no mistakes in the {results.part}.")
    with st.expander(f"Precision, recall and F1 of each class, {NAMES[method]}"):
        st.dataframe(class_rows(results, method), hide_index=True, height="content")
        st.caption(CLASS_NOTE)


def confusion_figure(results: TrialResults, method: str) -> go.Figure:
    """Return the confusion matrix of a method."""
    evaluation = results.evaluations[method]
    count = sum(score.total for score in evaluation.scores)
    title = f"{NAMES[method]}: {count:,} {results.part} samples by class"
    return trial_charts.confusion_matrix(evaluation.confusion, results.html_names, title)


def roc_figure(results: TrialResults, method: str) -> go.Figure:
    """Return the ROC curves of all methods, and behind them those of the classes of one."""
    names = results.html_names
    curves = {name: results.rocs.get(each) for each, name in NAMES_BY_COLOUR.items()}
    each = roc_curves(results.truths(method), results.decisions(method))
    behind = dict(zip(names, each, strict=True)) if len(each) > 1 else None
    positive = f"positive: {names[1]}" if len(each) == 1 else "mean of the classes"
    return trial_charts.roc(curves, f"ROC, {positive}", behind)


def choose_class(results: TrialResults, chosen: SplitResult) -> int:
    """Draw the choice of a class against the rest, and return the index of its W."""
    if len(chosen.W) == 1:
        return 0
    names = list(results.names)
    name = url.choice(st, "selectbox", "Class against the rest", names, names[0], key="shown_class")
    return names.index(name)


def fetch_shown_samples(results: TrialResults, chosen: SplitResult, k: int) -> FetchedSamples:
    """Return the samples that the cards of a machine show: its support, then its mistakes."""
    support = [row for row, _ in _support(results, chosen, k)]
    wrong = [mistake.row for mistake in _mistakes(results, chosen.spec.method)]
    request = SampleRequest(results.experiment.data, (*support, *wrong))
    return session.run_task("your data: samples", "Loading some samples", fetch_samples, request)


class Card(NamedTuple):
    """A figure with a sentence below."""

    figure: go.Figure
    caption: str


def draw_cards(cards: Sequence[Card]) -> None:
    """Draw cards of one width side by side."""
    row = st.container(horizontal=True, gap="small")
    for figure, caption in cards:
        with row.container(width=CARD_PIXELS):
            charts.draw(st, figure)
            if caption:
                st.caption(caption)


def machine_cards(
    results: TrialResults, chosen: SplitResult, k: int, fetched: FetchedSamples
) -> list[Card]:
    """Return W, its singular values, class means, support and mistakes."""
    method, names = chosen.spec.method, results.html_names
    support_rows = _support(results, chosen, k)
    wrong = _mistakes(results, method)
    draw_samples = partial(heatmaps.samples, signed=fetched.signed)
    cards: list[Card] = []

    def card(figure: go.Figure, caption: str = "") -> None:
        cards.append(Card(figure, caption))

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
    card(draw_samples(fetched.means, names, "The mean of each class"))
    if support_rows:
        alpha, C = chosen.alpha[k], chosen.C[k] * results.loss_weights(chosen, k)
        bound = "Cᵢ" if results.experiment.trial.class_weight else "C"
        count, full = np.count_nonzero(alpha > 0), np.count_nonzero(alpha >= BOUND_SHARE * C)
        C_of = dict(zip(results.train_test.splits[chosen.split][0], C, strict=True))
        labels = [
            f"{results.rows[row] + 1:,}: {names[results.train_test.y[row]]}<br>"
            + (f"α = {bound}" if a >= BOUND_SHARE * C_of[row] else f"{a / C_of[row]:.2g} {bound}")
            for row, a in support_rows
        ]
        title = f"{len(support_rows)} of {count:,} support matrices, those with the largest α"
        card(
            draw_samples(fetched.samples[: len(support_rows)], labels, title),
            f"{full:,} have α = {bound}: they lie within the margin or on the wrong side. "
            f"{count - full:,} with 0 < α < {bound} lie on the margin.",
        )
    if wrong:
        lead = "f(X) of that class minus f(X) of its own" if several else "|f(X)|"
        labels = [mistake.caption(names, results.rows[mistake.row] + 1) for mistake in wrong]
        card(
            draw_samples(
                fetched.samples[len(support_rows) :], labels, "The most confident mistakes"
            ),
            f"Number of the sample, its class → the predicted one; {lead}.",
        )
    if chosen.tried and method == "smm":
        card(
            _search_grid(chosen), "The paper's grid of C and rank. The star marks the chosen cell."
        )
    return cards


def _support(results: TrialResults, chosen: SplitResult, k: int) -> list[tuple[int, float]]:
    """Return row and weight of the heaviest support matrices; an R-GLM has none."""
    if chosen.spec.method == "rglm":
        return []
    train, _ = results.train_test.splits[chosen.split]
    return heaviest_support(chosen.alpha[k], train, MAX_PICTURES)


def _mistakes(results: TrialResults, method: str) -> list[Mistake]:
    """Return the most confident mistakes of a method in all its splits."""
    rows = np.concatenate([test for _, test in results.splits(method)])
    truth = np.concatenate(results.truths(method))
    return confident_mistakes(rows, truth, np.concatenate(results.decisions(method)), MAX_PICTURES)


def _search_grid(chosen: SplitResult) -> go.Figure:
    weights = np.unique([tried.spec.c for tried in chosen.tried]).tolist()
    ranks = np.unique([tried.spec.rank for tried in chosen.tried]).tolist()
    values = np.full((len(weights), len(ranks)), np.nan)
    for machine, right, of in chosen.tried:
        values[weights.index(machine.c), ranks.index(machine.rank)] = right / of
    best = weights.index(chosen.spec.c), ranks.index(chosen.spec.rank)
    return trial_charts.grid(values, weights, ranks, best, "Accuracy in cross-validation")


def write_formulas(results: TrialResults, chosen: SplitResult, k: int) -> None:
    """Write the decision function of a machine and the objective of its training in numbers."""
    scaling = results.experiment.trial.scaling
    if chosen.scaling.fill is not None:
        st.caption(
            "Missing numbers are filled in first, with the mean of the entry over the training "
            "part, or with 0 if the training part has none."
        )
    left, right = chosen.scaling.left is not None, chosen.scaling.right is not None
    if left or right:
        st.latex(rf"X \leftarrow {'A ' if left else ''}X{' B' if right else ''}")
        st.caption("The preprocessing crops, averages or filters by these matrices.")
    if chosen.scaling.each:
        st.latex(r"X \leftarrow (X - \operatorname{mean} X) / \operatorname{std} X")
        st.caption("Mean and standard deviation of the entries of X itself.")
    if scaling == "unit length":
        st.latex(r"X \leftarrow X / \|X\|_F")
    if scaling == "z-score":
        st.latex(r"X_{jl} \leftarrow (X_{jl} - m_{jl}) / s_{jl}")
        st.caption("m and s: mean and standard deviation of each entry over the training part.")
    st.latex(_decision_formula(chosen, k))
    if len(chosen.W) == 1:
        first, second = map(escape_markdown, results.names)
        st.caption(f"f(X) > 0 predicts {second}, any other value {first}.")
    class_weight = results.experiment.trial.class_weight
    st.latex(_objective_formula(chosen, k, class_weight))
    if class_weight:
        st.caption(
            "wᵢ = n / (2 m) for each of the m samples on its side, of n samples for training; "
            "Cᵢ = C wᵢ."
        )
    if chosen.spec.method == "bsvm":
        st.caption("This problem is not convex: no D(α) bounds P from below.")


def _decision_formula(chosen: SplitResult, k: int) -> str:
    """Return f(X), and with several classes the rule that predicts one of them."""
    b = latex(chosen.b[k], 4)
    if len(chosen.W) > 1:
        return (
            r"\hat y(X) = \arg\max_k f_k(X), \quad f_k(X) = \langle W_k, X \rangle + b_k, \quad "
            rf"b_{{{k + 1}}} = {b}"
        )
    return rf"f(X) = \langle W, X \rangle + b, \quad b = {b}"


def _objective_formula(chosen: SplitResult, k: int, class_weight: str | None) -> str:
    """Return P(W, b), term by term, and the dual objective that bounds it from below."""
    losses = r"\textstyle\sum_i w_i" if class_weight else r"\textstyle\sum_i"
    method = chosen.spec.method
    sigma = np.linalg.svd(chosen.W[k], compute_uv=False)
    square, nuclear = 0.5 * float(sigma @ sigma), float(sigma.sum())
    primal, gap, weight = chosen.primal[k], chosen.gap[k], chosen.weight[k]
    terms, sizes = [r"\tfrac12 \|W\|_F^2"], [square]
    if method == "smm":
        terms.append(rf"{latex(weight)} \, \|W\|_*")
        sizes.append(weight * nuclear)
    if method == "rglm":
        terms, sizes = [rf"{latex(weight)} \, \|W\|_*"], [weight * nuclear]
        terms.append(rf"{losses} \log(1 + e^{{-y_i f(X_i)}})")
    else:
        terms.append(rf"{latex(chosen.C[k])} {losses} [1 - y_i f(X_i)]_+")
    sizes.append(subtract_penalties(primal, *sizes))
    rank = rf" \\ & \text{{over rank}}(W) \le {chosen.spec.rank}" if method == "bsvm" else ""
    dual = primal - gap * abs(primal)
    plus = r" \\ & + "  # narrow enough for a phone
    values = plus.join(latex(size, 4) for size in sizes)
    proof = (
        rf"\\ D(\alpha) &= {latex(dual, 7)} "
        rf"\\ (P - D) / P &= {latex(gap, 2)}"
    )
    return (
        rf"\begin{{aligned}} P(W, b) &= {plus.join(terms)}{rank} \\ &= {values} \\ &= "
        rf"{latex(primal, 7)} {proof if method != 'bsvm' else ''} \end{{aligned}}"
    )
