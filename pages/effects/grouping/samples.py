"""How the data are made: the samples under noise, and formulas of the lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from pages.effects.grouping.runs import SampleOverview
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import session
from pages.shared.engine.moves import Moves
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import latex, latex_matrix
from pages.shared.parts.knobs import draw_knobs
from pages.shared.player.panels import Axis, Number, Panel, Picture
from pages.shared.player.show_run import show_run
from pages.shared.settings import Setting
from smmcore.prox import singular_value_threshold

AXIS = Axis("", "", count=1)
EXAMPLE = np.array([[2.0, 2.0, 1.0], [0.0, 2.0, 0.0]])  # Omega of the counterexample, tau = 1


def draw_samples(data: BlockCorrelated, delta: Setting) -> Subscription[SampleOverview]:
    """Draw the picture and the knob of its noise, and return the run where the hand is by now."""
    moves = Moves({"noise": delta}, _move)
    draw_knobs([delta], key="knob of the noise")
    run = session.subscribe("grouping: samples", SampleOverview(data), moves=moves)
    show_run("grouping: samples", run, _panels(run.experiment.data), AXIS, knobs=[delta])
    return run


def _move(run: SampleOverview, noise: float) -> SampleOverview:
    return replace(run, data=replace(run.data, noise=noise))


def _panels(data: BlockCorrelated) -> Sequence[Panel]:
    within = Number("within", "within a group", "number")
    return [
        Picture("correlation", "Correlation of columns", numbers=[within]),
        Picture("samples", "Eight samples", tile=(data.p + 1, data.q + 1)),
    ]


def draw_recipe_in_formulas(run: Subscription[SampleOverview]) -> None:
    """Draw the formulas by which the samples and their labels are made."""
    data = run.experiment.data
    st.markdown(
        "Group g has one random number for each sample: a vector $\\nu_g$ of n numbers with norm "
        "1, so each of them is about 1/√n in size. The vectors of two groups are orthogonal. The "
        f"true W is random and of rank {data.rank}; the noise is added before "
        "the features are scaled."
    )
    st.latex(
        r"\begin{gathered} [X_i]_{jl} = [\nu_{g(l)}]_i + [\epsilon_{jl}]_i, \quad "
        r"\epsilon_{jl} \sim \mathcal N(0, \delta^2 I_n), \quad "
        rf"\delta = {latex(data.noise)} \end{{gathered}}"
    )
    if data.scaling != "as printed":
        divisor = r"\| f_{jl} \|" if data.scaling == "unit length" else r"\mathrm{std}(f_{jl})"
        st.latex(
            rf"\begin{{gathered}} f_{{jl}} \leftarrow f_{{jl}} / {divisor}, \quad "
            r"f_{jl} = ([X_1]_{jl}, \dots, [X_n]_{jl}) \text{, over the samples} \end{gathered}"
        )
    labels = r"\langle W, X_i \rangle"
    if data.positives is not None:
        labels = rf"({labels} - c), \quad \#\{{y_i = 1\}} = {data.positive_count}"
    st.latex(
        rf"\begin{{gathered}} g(l) = \lceil l V / q \rceil = \lceil {data.groups}\, l / {data.q} "
        rf"\rceil, \quad y_i = \mathrm{{sign}} {labels} \end{{gathered}}"
    )
    shared = 1 / (1 + data.n * data.noise**2)
    st.latex(
        r"\text{correlation within a group} "
        rf"\approx \frac{{1}}{{1 + n \delta^2}} = {latex(shared)}"
    )
    for found in run.frames.metrics:
        st.caption(
            "Measured: the norm of a feature over the samples is between "
            f"{found['shortest']:.3g} and {found['longest']:.3g}."
        )


def counterexample_formula() -> str:
    """Return a matrix Omega whose equal entries become unequal in W, as a formula."""
    W = singular_value_threshold(EXAMPLE, 1.0)
    return (
        rf"\begin{{aligned}} \Omega &= {latex_matrix(EXAMPLE, '{:g}')} \\ "
        rf"W &= {latex_matrix(W, '{:.2f}')} \end{{aligned}}"
    )
