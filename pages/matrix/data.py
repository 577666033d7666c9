"""Data: matrices with groups of columns."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

import smmcore.datasets.synthetic
from pages.shared.algorithm1 import QUICK
from pages.shared.engine import session
from pages.shared.parts import charts, downloads, heatmaps, prose
from pages.shared.parts.charts import format_figure
from pages.shared.survey import make_survey
from pages.shared.widgets import sidebar


def draw_singular_values(sigma: NDArray[np.floating], title: str) -> go.Figure:
    """Draw singular values as bars, in descending order.

    Parameters
    ----------
    sigma : ndarray of shape (r,)
    title : str
    """
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


def draw_class_balance(counts: dict[str, int], title: str) -> go.Figure:
    """Draw the number of samples of each class.

    Parameters
    ----------
    counts : dict of str to int
        By the name of the class.
    title : str
    """
    total = max(1, sum(counts.values()))
    figure = go.Figure(
        go.Bar(
            y=list(counts),
            x=list(counts.values()),
            orientation="h",
            text=[f"{count:,} ({count / total:.0%})" for count in counts.values()],
            textposition="inside",
            insidetextanchor="start",
            hovertemplate="class %{y}: %{x} samples<extra></extra>",
        )
    )
    figure.update_xaxes(title="samples", rangemode="tozero")
    figure.update_yaxes(type="category", autorange="reversed")
    return format_figure(figure, title, 200)


experiment = sidebar.read_experiment(QUICK)
data = experiment.data
survey = session.run_task("survey", "The samples are being made", make_survey, data)
groups, coef = data.group_of_column, survey.coef
assert coef is not None  # synthetic data have a true W

st.title("Matrices with groups of columns")
prose.ask_prediction(
    "guess-noise",
    "The squares below are groups of columns that say nearly the same. Which δ makes them fade?",
    ("δ near 1/n", "δ near 1/√n", "δ near 1"),
    "Without noise an entry of a sample is about 1/√n in size, for the n samples share a vector of "
    "length 1. So the squares fade where δ comes near 1/√n. Try δ in the side bar.",
)

left, right = st.columns(2)
charts.draw(left, heatmaps.correlations(survey.correlation, groups, "Correlation between columns"))
charts.draw(
    right,
    heatmaps.gallery(
        survey.samples,
        [f"class {'+' if label > 0 else '−'}1" for label in survey.labels],
        "The first samples of each class",
    ),
)
st.caption(prose.describe_data(experiment))
charts.draw(left, heatmaps.heatmap(coef, f"The true W, of rank {data.rank}"))
charts.draw(
    right,
    draw_singular_values(np.linalg.svd(coef, compute_uv=False), "Singular values of the true W"),
)
charts.draw(
    right,
    draw_class_balance(
        dict(zip(("−1", "+1"), survey.counts, strict=True)), "Samples in each class"
    ),
)

shared = 1 / (1 + data.n * data.noise**2)  # correlation within a group
if shared > 0.8:
    prose.show_notes(
        "**Squares on the diagonal.** Features in columns of one group share a basis vector and "
        "differ by noise only; features of different groups have nothing in common.",
        "**Stripes in the samples.** Within a group all p rows say the same too, so a sample is "
        "nearly a matrix of rank one: V numbers, repeated.",
        "**A true W that nobody can find.** It is drawn at random, without groups. But the labels "
        "hardly depend on more than the sum of W over each group: very different W give the same "
        "labels.",
    )
elif shared > 0.2:
    prose.show_notes(
        f"**Squares that begin to fade.** An entry without noise is about 1/√n = "
        f"{1 / np.sqrt(data.n):.2g} in size, the noise is δ = {data.noise:g}: columns of one group "
        "still share a part of what they say.",
        "**Stripes under noise.** A sample is a matrix of rank one, plus noise of full rank.",
        "**A true W in between.** The labels depend on the sums of W over each group and, the more "
        "noise there is, on its single entries.",
    )
else:
    prose.show_notes(
        f"**Squares that fade.** An entry without noise is about 1/√n = {1 / np.sqrt(data.n):.2g} "
        f"in size, the noise is δ = {data.noise:g}: what the columns of a group share is lost in "
        "what each has to itself.",
        "**No stripes in the samples.** The p rows of a group say different things, and a sample "
        "has no low rank to speak of.",
        "**More of the true W in the labels.** Where features are nearly independent the labels "
        "depend on every entry of W, not on its sums over groups alone.",
    )

st.subheader("The recipe, with these numbers")
st.latex(
    r"\begin{gathered} [X_i]_{kl} = [\nu_{g(l)}]_i + [\epsilon_{kl}]_i \\ "
    r"\epsilon_{kl} \sim \mathcal N(0, \delta^2 I_n), \quad "
    rf"\delta = {prose.latex_number(data.noise)} \end{{gathered}}"
)
if data.scaling != "as printed":
    size = r"\| f_{kl} \|" if data.scaling == "unit length" else r"\mathrm{std}(f_{kl})"
    st.latex(
        rf"\begin{{gathered}} f_{{kl}} \leftarrow f_{{kl}} / {size} \\ "
        r"f_{kl} = ([X_1]_{kl}, \dots, [X_n]_{kl}) \text{, over the samples} \end{gathered}"
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
    rf"\approx \frac{{1}}{{1 + n \delta^2}} = {prose.latex_number(shared)} \end{{gathered}}"
)
same = groups[:, None] == groups[None, :]
pairs = {
    "within a group": survey.correlation[same & ~np.eye(data.q, dtype=bool)],
    "between groups": survey.correlation[~same],
}
measured = [f"{name} {values.mean():.3f}" for name, values in pairs.items() if values.size]
st.caption(
    f"Measured, averaged over pairs of columns and over rows: {', '.join(measured)}. A feature's "
    f"length over the samples lies between {survey.lengths[0]:.3g} and {survey.lengths[1]:.3g}. "
    "The paper writes ⌈l / (0.2 q)⌉ for the group, which makes five; it says and draws four."
)

prose.show_source("The source that ran", smmcore.datasets.synthetic)
st.subheader("Take it with you")
downloads.draw_data_downloads(data)
prose.show_link()
