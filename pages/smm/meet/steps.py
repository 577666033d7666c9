"""The model in four steps: a decision, its loss, the price of rank, and eq. 6."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from pages.shared.algorithm1 import Algorithm1
from pages.shared.numbers import latex, signed
from pages.shared.parts import charts
from pages.shared.parts.charts import FONT_SIZE, colour, format_figure
from pages.shared.player.panels import BROWN, INK, MAGENTA
from pages.shared.widgets import url
from pages.smm.meet.runs import EXAMPLES, Example, TrainedMachine, subtract_penalties
from smmcore.arrays import Array

HEIGHT = 190  # pixels, of a picture
TERMS = RIDGE, NUCLEAR, LOSS = INK, BROWN, MAGENTA  # the colours of the terms of eq. 6
ON_EDGE = 1e-6  # what is nearer to 1 than this is 1


def draw_steps(experiment: Algorithm1[Any], machine: TrainedMachine) -> None:
    """Draw the four steps: the one with matrices beside two others, and their sum below."""
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        example = _draw_decision(machine)
    with right.container(border=True):
        _draw_loss(machine, example)
    with right.container(border=True):
        _draw_nuclear_norm(experiment.tau, machine)
    with st.container(border=True):
        _draw_objective(experiment.tau, machine)


def _coloured(term: int, formula: str) -> str:
    return rf"\textcolor{{{colour(term)}}}{{{formula}}}"


def _draw_decision(machine: TrainedMachine) -> Example:
    st.markdown("**1. W decides about a sample X**")
    st.latex(r"f(X) = \langle W, X \rangle + b = \textstyle\sum_{j,l} W_{jl} X_{jl} + b")
    chosen = url.choice(
        st, "segmented_control", "Training sample with the", EXAMPLES, EXAMPLES[0], key="sample"
    )
    example, (W, b) = machine.examples[chosen], (machine.proof.W, machine.proof.b)
    charts.draw(st, decision_chart(example, W))
    total, sign = example.decision - b, "+" if b >= 0 else "−"
    digits = ".2f" if abs(example.decision) >= 1 else ".3g"  # so that the sum can be checked
    score, decision = signed(total, digits), signed(example.decision, digits)
    answer, right = ("+1", example.label > 0) if example.decision > 0 else ("−1", example.label < 0)
    st.markdown(
        f"The entries of the product add up to {score}. With b: {score} {sign} "
        f"{abs(b):{digits}} = **{decision}**, so the SMM predicts class **{answer}**. "
        f"That is {'right' if right else 'wrong'}."
    )
    return example


def decision_chart(example: Example, W: Array) -> go.Figure:
    """Draw a sample, W and their entrywise product side by side, each on its own scale."""
    figure = go.Figure()
    names = f"X, sample {example.number}", "W", "X ∘ W"
    for place, (name, M) in enumerate(zip(names, (example.X, W, example.X * W), strict=True), 1):
        limit = float(np.abs(M).max()) or 1.0
        figure.add_heatmap(
            **{"z": M, "x0": 1, "y0": 1, "zmin": -limit, "zmax": limit},
            **{"xaxis": f"x{place}", "yaxis": f"y{place}"},
            showscale=False,
            autocolorscale=True,  # for signed limits Plotly uses the diverging scale of the theme
            hovertemplate=f"{name}: row j %{{y}}, column l %{{x}}: %{{z:.4g}}<extra></extra>",
        )
        left = (place - 1) * 0.36
        axis = {"visible": False, "domain": [left, left + 0.28]}
        up = {"visible": False, "autorange": "reversed", "anchor": f"x{place}"}
        figure.update_layout({f"xaxis{place}": axis, f"yaxis{place}": up})
        title = {"text": name, "x": left + 0.14, "y": 1.0, "xanchor": "center", "yanchor": "bottom"}
        figure.add_annotation(title, xref="paper", yref="paper", showarrow=False)
    for x, sign in ((0.32, "∘"), (0.68, "=")):
        figure.add_annotation(
            {"text": sign, "x": x, "y": 0.5, "xanchor": "center", "font": {"size": FONT_SIZE + 6}},
            **{"xref": "paper", "yref": "paper", "showarrow": False},
        )
    return format_figure(figure, "", HEIGHT).update_layout(margin={"t": 30})


def _draw_loss(machine: TrainedMachine, example: Example) -> None:
    st.markdown("**2. Inside the margin, a sample has a loss**")
    st.latex(
        r"\begin{gathered} m_i = y_i \, f(X_i) \\ "
        + _coloured(LOSS, r"\text{loss}_i = [1 - m_i]_+ = \max(0,\, 1 - m_i)")
        + r"\end{gathered}"
    )
    margins = machine.margins
    below, wrong = np.count_nonzero(margins < 1 - ON_EDGE), np.count_nonzero(margins <= 0)
    support = np.count_nonzero(machine.proof.alpha)
    st.markdown(
        "The loss is the thread of lesson 1: what y f(X) misses to the edge, 1. For the sample of "
        f"step 1 it is **{max(0.0, 1 - example.label * example.decision):.3g}**. Of the "
        f"{len(margins):,} training samples {below:,} are below the edge, and {wrong:,} of these "
        f"on the wrong side of 0. Ω is a sum over the {support:,} on the edge or below it: the "
        "support matrices."
    )


def _draw_nuclear_norm(tau: float, machine: TrainedMachine) -> None:
    st.markdown("**3. Each singular value of W costs τ times its height**")
    st.latex(
        _coloured(NUCLEAR, r"\tau \, \|W\|_*") + r", \quad \|W\|_* = \sigma_1 + \sigma_2 + \dots"
    )
    proof = machine.proof
    sigma = proof.singular_values[: proof.rank]
    st.markdown(
        f"The nuclear norm ‖W‖∗ is the sum of the singular values: {sigma.sum():.3g}. "
        f"Times τ = {tau:g} it costs {tau * sigma.sum():.3g}. A sum of heights "
        "makes zeros, like the ℓ₁ norm of a vector. Here singular values become 0, so **W has low "
        "rank**."
        if proof.rank
        else "All singular values are 0: W = 0."
    )


def _draw_objective(tau: float, machine: TrainedMachine) -> None:
    proof = machine.proof
    sigma = proof.singular_values
    square, nuclear = 0.5 * float(sigma @ sigma), tau * float(sigma.sum())
    terms = square, nuclear, subtract_penalties(proof.primal, square, nuclear)
    formulas = r"\tfrac12 \|W\|_F^2", r"\tau \|W\|_*", r"C \textstyle\sum_i [1 - m_i]_+"
    symbols = map(_coloured, TERMS, formulas)
    numbers = map(_coloured, TERMS, (latex(term, 4) for term in terms))
    words, chart = st.columns(2)
    words.markdown("**4. The SMM minimises the sum of three terms**")
    words.latex(
        rf"\begin{{aligned}} P &= {' + '.join(symbols)} \\ &= {' + '.join(numbers)} \\ "
        rf"&= {latex(proof.primal, 5)} \end{{aligned}}"
    )
    charts.draw(chart, objective_chart(terms, proof.dual))
    chart.markdown(
        "The first term keeps W small, the second keeps its rank low, the third makes it fit the "
        "samples (eq. 6 of the SMM paper)."
    )


def objective_chart(terms: tuple[float, float, float], dual: float) -> go.Figure:
    """Draw the three terms end to end, and the lower bound D."""
    figure = go.Figure()
    names = "½ ‖W‖²", "τ ‖W‖∗", "C Σ loss"
    for value, name, term in zip(terms, names, TERMS, strict=True):
        figure.add_bar(
            **{"x": [value], "y": [""], "orientation": "h", "width": 0.6, "name": name},
            marker={"color": colour(term)},
            hovertemplate=f"{name}: {value:.4g}<extra></extra>",
        )
    figure.add_vline(dual, line={"color": colour("textColor"), "width": 3, "dash": "dash"})
    label = {"text": "D", "font": {"size": FONT_SIZE}}
    figure.add_annotation(label, x=dual, y=1, yref="paper", yanchor="bottom", showarrow=False)
    figure.update_layout(barmode="stack")
    figure.update_xaxes(rangemode="tozero", nticks=6)
    figure.update_yaxes(visible=False)
    return format_figure(figure, "", HEIGHT - 50).update_layout(margin={"t": 28})


def draw_proof(machine: TrainedMachine) -> None:
    """Say what the gap between P and D proves about W."""
    proof = machine.proof
    norm = float(np.linalg.norm(proof.singular_values))
    words, formula = st.columns([2, 3])
    words.markdown(
        "**How good is this W?** Every choice of α between 0 and C with Σ αᵢ yᵢ = 0 gives a number "
        "D(α) that no W can go below (the dashed line above). The true minimum lies between D and "
        "P, and so W is close to the exact solution $W_{\\min}$:"
    )
    formula.latex(
        r"\begin{aligned} \Omega &= \textstyle\sum_i \alpha_i y_i X_i, \quad "
        r"D(\alpha) = \textstyle\sum_i \alpha_i - \tfrac12 \|\mathcal D_\tau(\Omega)\|_F^2 "
        rf"= {latex(proof.dual, 5)} \\ "
        rf"\text{{gap}} &= P - D = {latex(proof.gap, 2)} \\ "
        rf"\|W - W_{{\min}}\|_F &\le \sqrt{{2 \, \text{{gap}}}} = {latex(proof.radius, 2)}"
        + (rf" = {latex(proof.radius / norm, 2)} \, \|W\|_F" if norm else "")
        + r" \end{aligned}"
    )
    words.markdown(
        f"This W has rank {proof.rank}; the gap guarantees that the exact solution has rank at "
        f"least {proof.certain_rank}."
    )
