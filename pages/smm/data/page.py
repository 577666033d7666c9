"""How the data are made: matrices with groups of columns."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

import smmcore.datasets.synthetic
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import NOISES
from pages.shared.engine import session
from pages.shared.engine.moves import Moves
from pages.shared.numbers import latex
from pages.shared.parts import charts, downloads, heatmaps, prose
from pages.shared.parts.charts import format_figure
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url
from pages.shared.widgets.states import State, choose_state
from pages.smm.data.runs import AXIS, SampleOverview, move, stage_panels
from pages.smm.data.survey import make_survey


def draw_singular_values(sigma: NDArray[np.floating], title: str) -> go.Figure:
    """Draw singular values as bars, in descending order."""
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, len(sigma) + 1),
            y=sigma,
            hovertemplate="σ<sub>%{x}</sub> = %{y:.4g}<extra></extra>",
        )
    )
    figure.update_xaxes(title="i", dtick=max(1, len(sigma) // 5))
    figure.update_yaxes(title="σ<sub>i</sub>", rangemode="tozero", exponentformat="power")
    return format_figure(figure, title, 320)


head = introduce(
    "The columns of a sample come in groups; within a group they differ by noise only."
)
experiment, knobs = recipe.draw_recipe(QUICK, head.recipe, by_hand=["delta"])
n = experiment.data.n
head.ask(
    f"How much noise δ hides the groups? There are n = {n:,} samples.",
    (
        Answer("δ near 1/n", "Too small: an entry is about 1/√n in size, far above 1/n."),
        Answer("δ near 1/√n", "An entry is about as large before scaling.", right=True),
        Answer("δ near 1", "Long before: an entry is only about 1/√n in size."),
    ),
    shows={"delta": min(noise for noise in NOISES if noise >= 1 / np.sqrt(n))},
)
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs(knobs)
    choose_state([State("Groups", {"delta": 0.01}), State("No groups", {"delta": 0.5})])
moves = Moves({"noise": next(knob for knob in knobs if knob.key == "delta")}, move)
with st.container(key="stage"):
    run = session.subscribe("data", SampleOverview(experiment.data), moves=moves)
    data = run.experiment.data  # where the hand is by now
    show_run("data", run, stage_panels(data), AXIS, knobs=knobs)
survey = session.run_task("data: survey", "The samples are being made", make_survey, data)
coef = survey.coef
assert coef is not None  # synthetic data have a true W
with st.expander("How this was made"):
    st.markdown(
        f"{prose.describe_data(replace(experiment, data=data))} {survey.counts[0]:,} samples are "
        f"in class −1, {survey.counts[1]:,} in class +1."
    )

shared = 1 / (1 + data.n * data.noise**2)  # correlation within a group
size = f"An entry without noise is about 1/√n = {1 / np.sqrt(data.n):.2g} in size"
if shared > 0.8:
    prose.show_notes(
        "**Squares on the diagonal.** The columns of a group differ by noise only. Columns of "
        "different groups are unrelated.",
        "**Stripes in the samples.** All rows of a block are nearly equal, too. A sample is V "
        "numbers, each repeated over its block: nearly rank 1.",
        "**Many W give the same labels.** The labels depend almost only on the sum of W over each "
        "block. So no classifier can find the true W.",
    )
elif shared > 0.2:
    prose.show_notes(
        f"**The squares fade.** {size}, and the noise is δ = {data.noise:g}: columns of a group "
        "still have much in common.",
        "**Stripes under noise.** A sample is a matrix of rank 1 plus noise of full rank.",
        "**The labels** depend on the sums of W over the blocks and, with more noise, on its "
        "single entries.",
    )
else:
    prose.show_notes(
        f"**The squares are gone.** {size}, and the noise is δ = {data.noise:g}: it hides what the "
        "columns of a group have in common.",
        "**No stripes in the samples.** The entries of a block differ, and a sample has no low "
        "rank.",
        "**The labels** depend on every entry of W, because the features are nearly independent.",
    )
st.markdown(
    "**What will the SMM make of this?** Equal columns of the samples get equal columns of W, so W "
    "can have low rank even though the true W does not."
)
url.link("smm/meet/page.py", label="Train an SMM on these data →")

st.header("The true W")
left, right = st.columns(2)
charts.draw(left, heatmaps.heatmap(coef, f"The true W: rank {data.rank}"))
sigma = np.linalg.svd(coef, compute_uv=False)
charts.draw(right, draw_singular_values(sigma, "Its singular values"))
st.header("The recipe in formulas")
st.markdown(
    "Group g has one random number for each sample: a vector $\\nu_g$ of n numbers with norm 1, so "
    "each of them is about 1/√n in size. The vectors of two groups are orthogonal. The true W is "
    f"random and of rank {data.rank}; the noise is added before the features are scaled."
)
st.latex(
    r"\begin{gathered} [X_i]_{jl} = [\nu_{g(l)}]_i + [\epsilon_{jl}]_i \\ "
    r"\epsilon_{jl} \sim \mathcal N(0, \delta^2 I_n), \quad "
    rf"\delta = {latex(data.noise)} \end{{gathered}}"
)
if data.scaling != "as printed":
    divisor = r"\| f_{jl} \|" if data.scaling == "unit length" else r"\mathrm{std}(f_{jl})"
    st.latex(
        rf"\begin{{gathered}} f_{{jl}} \leftarrow f_{{jl}} / {divisor} \\ "
        r"f_{jl} = ([X_1]_{jl}, \dots, [X_n]_{jl}) \text{, over the samples} \end{gathered}"
    )
labels = r"\langle W, X_i \rangle"
if data.positives is not None:
    labels = rf"({labels} - c), \quad \#\{{y_i = 1\}} = {data.positive_count}"
st.latex(
    rf"\begin{{gathered}} g(l) = \lceil l V / q \rceil = \lceil {data.groups}\, l / {data.q} "
    rf"\rceil \\ y_i = \mathrm{{sign}} {labels} \end{{gathered}}"
)
st.latex(
    r"\begin{gathered} \text{correlation within a group} \\ "
    rf"\approx \frac{{1}}{{1 + n \delta^2}} = {latex(shared)} \end{{gathered}}"
)
st.caption(
    "Measured: the norm of a feature over the samples is between "
    f"{survey.lengths[0]:.3g} and {survey.lengths[1]:.3g}."
)

prose.end_lesson(
    "Columns come in groups: within a group they are equal up to noise, so a sample has nearly "
    "rank 1.",
    (
        "how many numbers describe a sample with V = 4 groups and no noise?",
        "Four, one for each group: every entry of a block equals the number of its group.",
    ),
    (
        "choose δ = 0.05, then n = 800. Do the squares become weaker or stronger, and why?",
        "Weaker: an entry is about 1/√n in size, and the noise δ stays the same. The correlation "
        "within a group is 1 / (1 + n δ²).",
    ),
)
with prose.draw_tools(smmcore.datasets.synthetic):
    downloads.draw_data_downloads(data)
