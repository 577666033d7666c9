"""Draw how far the accuracies carry: a learning curve, a permutation test and advice."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from pages.shared.engine import precomputed, session
from pages.shared.methods import LINEAR_SVM, SMM
from pages.shared.numbers import percent
from pages.shared.parts import charts
from pages.shared.parts.charts import format_figure
from pages.shared.player.panels import Axis, Number, Readout
from pages.shared.player.show_run import show_run, wait_once
from pages.your_data.results.report import PERCENT
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.runs import (
    LearningCurve,
    PermutationRequest,
    learning_curve,
    shuffled_accuracies,
)
from pages.your_data.trial.quality import Difference
from pages.your_data.trial.trial import LOGISTIC, METHODS, NAMES, SplitResult, Trial

SLOT = "your data: learning curve"
STRONG = 0.95  # accuracy of the linear SVM from which a matrix can hardly gain


def draw_evidence(results: TrialResults, chosen: SplitResult, trial: Trial) -> None:
    """Draw the advice, the learning curve and the permutation test.

    The results may be those at given weights, while the trial still chooses better ones.
    """
    data = results.experiment.data
    st.markdown(advise(results))
    curve = learning_curve(data, trial, results.train_test.group_count)
    if curve is not None:
        _draw_curve(curve)
    _draw_permutations(results, chosen)


def advise(results: TrialResults) -> str:
    """Say whether the matrix can pay here, from n, p, q, the noise and the whitening."""
    _, p, q = results.experiment.data.shape
    p, q = results.experiment.trial.preprocessing.shape(p, q)
    (train, _), *_ = results.train_test.splits
    n, smm = len(train), results.machines.get(SMM.key)
    flat = results.evaluations.get(LINEAR_SVM.key)
    sizes = f"n = {n:,} training samples, p + q = {p + q:,}, p × q = {p * q:,}"
    if min(p, q) == 1:
        return f"**Does the matrix pay?** No: samples of one row or column are vectors ({sizes})."
    advice = []
    if n <= p + q:
        advice.append(f"n is at most p + q: about {2 * (p + q):,} samples would be better")
    elif n >= p * q:
        advice.append("n is more than p × q, so vectors are learned as well")
    if flat is not None and flat.accuracy.mean >= STRONG:
        accuracy = percent(flat.accuracy.mean)
        advice.append(
            f"the linear SVM is right in {accuracy}: so little noise leaves little to gain"
        )
    if smm and not any(one.scaling.kind == "whitened" for one in smm):
        advice.append(
            "rows and columns were not whitened, which helps where channels or moments share their "
            "noise (*Settings*, scaling *Rows and columns*)"
        )
    verdict = f"Against it here: {'; '.join(advice)}." if advice else "All of this holds here."
    return (
        "**Does the matrix pay?** It does when rows and columns are different things, such as "
        "channels and moments, the noise is strong, and there are more samples than p + q, but "
        f"clearly fewer than p × q. Here {sizes}. {verdict}"
    )


def _draw_curve(curve: LearningCurve) -> None:
    """Draw the learning curve if it is stored, or asked for."""
    if precomputed.is_stored(curve):
        draw_stored_curve(curve, "learning curve")
        return
    if st.session_state.get("learning curve asked for") != curve:
        st.button(
            "Draw the learning curve",
            on_click=lambda: st.session_state.update({"learning curve asked for": curve}),
            help=f"Trains on {curve.sizes[0]:,} to {curve.sizes[-1]:,} samples, in "
            f"{curve.splits} splits each. You can stop it and keep what is done.",
        )
        return
    run = session.subscribe(SLOT, curve)
    wait_once(SLOT, run)
    if run.status != "finished":
        shown = [Number("split", "split", "int"), Number("n", "training samples", "int")]
        show_run(SLOT, run, [Readout(shown)], Axis("step", "steps"))
    if not run.ended or not len(run.frames.metrics):
        return
    _draw_rows(run.frames.metrics, curve, "learning curve")


def draw_stored_curve(curve: LearningCurve, key: str) -> None:
    """Draw a learning curve that was computed in advance."""
    _draw_rows(precomputed.metrics(curve), curve, key)


def _draw_rows(metrics: NDArray[Any], curve: LearningCurve, key: str) -> None:
    rows = last_of_each_size(metrics, len(curve.sizes))
    charts.draw(st, curve_figure(rows, curve), key=key)
    st.caption(describe_curve(rows, curve))


def last_of_each_size(metrics: NDArray[Any], sizes: int) -> NDArray[Any]:
    """Return the last frame of each size, in ascending order: their means are over all splits."""
    rows = metrics[-sizes:]
    return rows[np.argsort(rows["n"], kind="stable")]


def curve_figure(rows: NDArray[Any], curve: LearningCurve) -> go.Figure:
    """Draw accuracy against n, with a standard error on each side."""
    tested = [spec.method for spec in curve.trial.specs]
    by_colour = {METHODS[key].colour: key for key in tested}
    figure = go.Figure()
    for number in range(max(by_colour) + 1):  # the theme colours by place
        key = by_colour.get(number)
        figure.add_scatter(
            x=rows["n"] if key else [None],
            y=rows[f"held_{key}"] if key else [None],
            error_y={"array": rows[f"error_{key}"], "thickness": 2, "width": 5} if key else None,
            name=NAMES[key] if key else "",
            showlegend=bool(key),
            mode="lines+markers",
            marker={"size": 9},
            hovertemplate="n = %{x:.0f}: %{y:.1%}<extra>%{fullData.name}</extra>",
        )
    ticks = {"tickvals": rows["n"], "ticktext": [f"{n:,.0f}" for n in rows["n"]]}
    figure.update_xaxes(title="n, training samples", type="log", **ticks)
    figure.update_yaxes(tickformat=".0%", labelalias=PERCENT)
    title = f"Learning curve, mean of {int(rows['split'].min())} splits"
    return charts.add_legend(format_figure(figure, title, 380), y=-0.25)


def describe_curve(rows: NDArray[Any], curve: LearningCurve) -> str:
    """Say at which sizes the SMM is ahead of its rivals by two standard errors."""
    tested = [spec.method for spec in curve.trial.specs]
    lead = []
    if tested[-1] == SMM.key:
        for key in (LINEAR_SVM.key, LOGISTIC.key):
            if key in tested:
                each = [
                    f"{Difference(*row[[f'lead_{key}', f'lead_error_{key}']]).short} (n = "
                    f"{row['n']:,.0f})"
                    for row in rows
                ]
                lead.append(f"SMM − {NAMES[key]} in points: {', '.join(each)}.")
    how = "chosen in each training set" if curve.trial.search else "as given"
    return (
        f"{' '.join(lead)} Bars and ±: one standard error, over splits and test samples; the same "
        f"splits for all, tested on all other samples; weights {how}."
    )


def _draw_permutations(results: TrialResults, chosen: SplitResult) -> None:
    """Draw the permutation test of a method, if it is asked for."""
    method = chosen.spec.method
    found = results.machines[method]
    data, trial = results.experiment.data, results.experiment.trial
    request = PermutationRequest(data, trial, tuple(one.spec for one in found))
    asked = data, method
    if st.session_state.get("permutations asked for") != asked:
        st.button(
            f"What would chance reach? ({NAMES[method]})",
            on_click=lambda: st.session_state.update({"permutations asked for": asked}),
            help="Trains again on shuffled labels, with the same splits and weights.",
        )
        return
    accuracies = session.run_task(
        "your data: permutations",
        "Training on shuffled labels",
        shuffled_accuracies,
        request,
        long=True,
    )
    st.markdown(describe_permutations(results.evaluations[method].accuracy.mean, accuracies))


def describe_permutations(accuracy: float, shuffled: NDArray[np.float64]) -> str:
    """Compare an accuracy with those on shuffled labels."""
    as_good = 1 + int(np.count_nonzero(shuffled >= accuracy - 1e-12))
    total = len(shuffled) + 1
    level = np.sort(shuffled)[-max(1, total // 20)]
    return (
        f"With shuffled labels, chance would reach {percent(level)} in 1 of 20. It reaches the "
        f"{percent(accuracy)} of this classifier in {as_good} of {total} (this trial included): "
        f"p = {as_good / total:.2g}."
    )
