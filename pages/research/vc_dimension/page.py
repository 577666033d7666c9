"""The VC dimension of hyperplanes of rank k: Wolf's theorem, and what can be proved."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from pages.research.vc_dimension.bounds import VCBound, vc_dimension_bound
from pages.shared.parts import charts, programs, prose
from pages.shared.parts.charts import add_legend, add_star, colour, format_figure
from pages.shared.player.panels import BROWN, FAINT, INK, PURPLE
from pages.shared.widgets import url


def vc_chart(bounds: Sequence[VCBound], rank: int, title: str) -> go.Figure:
    """Draw the bounds for the ranks from 1 on, both axes logarithmic, with a star at one rank.

    The mark of the printed bound is open where its proof fails.
    """
    proved, warren, hyperplanes, printed, holds = zip(*bounds, strict=True)
    ranks = list(range(1, len(bounds) + 1))
    figure = go.Figure()
    open_marks = {"symbol": "circle-open", "size": [0 if good else 9 for good in holds]}
    dots = {"size": 6} if len(ranks) == 1 else None  # a single rank makes no line
    lines = {
        "all W: pq + 1": (hyperplanes, FAINT, "dash", dots),
        "sign patterns": (warren, PURPLE, "dot", dots),
        "the paper (○: its proof fails)": (printed, BROWN, "dot", open_marks),
        "proved: the smaller one": (proved, INK, "solid", dots),
    }
    for name, (values, category, dash, marks) in lines.items():
        figure.add_scatter(
            x=ranks,
            y=values,
            mode="lines+markers" if marks else "lines",
            line={"color": colour(category), "width": 4 if dash == "solid" else 2, "dash": dash},
            marker=marks,
            name=name,
            hovertemplate=f"rank %{{x}}: {name.split(' (')[0]} %{{y:,.0f}}<extra></extra>",
        )
    add_star(figure, rank, proved[rank - 1], showlegend=False, hoverinfo="skip")
    grid = {"showgrid": True, "gridcolor": colour(FAINT), "griddash": "dot", "gridwidth": 0.5}
    figure = format_figure(figure, title, 420)
    ticks = [digit * 10**k for k in range(7) for digit in (1, 2, 5)]
    texts = [f"{tick:,}" for tick in ticks]
    figure.update_xaxes(title="rank r", type="log", tickvals=ticks, ticktext=texts)
    figure.update_yaxes(title="samples", type="log", tickvals=ticks, ticktext=texts, **grid)
    return add_legend(figure)


st.markdown(
    "Wolf et al. bound the VC dimension of sign(⟨W, X⟩ + b) if W has rank at most r. Is a bound "
    "based on the rank smaller than one based on the size?"
)
first, second, third = st.columns(3)
p = url.number(first, "p, rows", 1, 500, 50, key="rows")
q = url.number(second, "q, columns", 1, 500, 50, key="columns")
more = "More than min(p, q) is no restriction, and counts as min(p, q)."
r = min(url.number(third, "r, rank", 1, 500, 2, key="at_rank", help=more), p, q)
bounds = [vc_dimension_bound(rank, (p, q)) for rank in range(1, min(p, q) + 1)]
title = f"VC dimension of sign(⟨W, X⟩ + b), {p} × {q}"
charts.draw(st, vc_chart(bounds, r, title))
here, size = bounds[r - 1], r * (p + q)
tex = [f"{d:,}".replace(",", "{,}") for d in (here.warren, here.hyperplanes, here.bound)]
st.latex(
    rf"""\begin{{gathered}}
    Q = r(p+q) + 1 = {size + 1} \\
    \Big(\frac{{8 e d}}{{Q}}\Big)^Q \le 2^d \text{{ from }} d = {tex[0]} \\
    \text{{VC}} \le \min({tex[0]},\; pq + 1 = {tex[1]}) = {tex[2]}
    \end{{gathered}}"""
)
gain = (
    f"the restriction lowers the bound from {here.hyperplanes:,} to {here.bound:,}."
    if here.bound < here.hyperplanes
    else f"the bound is that of all W, {here.hyperplanes:,}; the rank gives no improvement here."
)
st.markdown(
    f"Rank {r}: {gain} The paper: r(p+q) log₂ r(p+q) = {here.printed:,.0f}. Its proof needs "
    f"r(p+q) ≥ 166 with log₂, not 100 as it says, and r(p+q) = {size:,} is "
    f"{'enough' if here.printed_holds else 'less'}. At 50 × 50, where the relevant directions of "
    "Table 1 have rank up to 6, the theorem gives no improvement from rank 4 on; at 10 × 10 it "
    "gives none at any rank."
)
prose.draw_tools(programs.fill(__file__, P=p, Q=q), "vc_dimension", data="")
