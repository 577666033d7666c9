"""The grouping effect: equal features get equal columns of W, and similar ones similar columns."""

from dataclasses import replace
from math import prod

import numpy as np
import streamlit as st

import smmcore.datasets.synthetic
import smmcore.theory
from pages.matrix.grouping import charts as grouping_charts
from pages.matrix.grouping import theorem
from pages.matrix.grouping.runs import (
    CORRELATIONS,
    CURVE_SECONDS,
    MIXED,
    PRESETS,
    SCORE_TOL,
    TIGHT,
    Pair,
    distance_curve,
    grouping_scores,
    solve_pair,
    without_correlation,
)
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import session
from pages.shared.parts import charts, downloads, prose
from pages.shared.widgets import sidebar, url

SMALL_ENTRIES = 1_000_000  # n p q up to which an answer takes less than a second
FAST_CURVE_ENTRIES = 100_000  # n p q up to which a curve takes less than a second


def can_be_mixed(pair: Pair) -> bool:
    """Return whether the correlation of the pair can be set."""
    return pair.correlation is not None and pair.changed


def draw_options(key: str, label: str, options: tuple[str, str], help: str | None = None) -> str:
    """Draw two options side by side, bound to the address, and return the chosen one."""
    return url.choice(st, "segmented_control", label, options, options[0], key=key, help=help)


def draw_place(place, label: str, key: str, default: int, choices: list[int]) -> int:
    """Draw the choice of a column or a row, and return its number."""
    first = default if default in choices else choices[-1]
    return url.choice(place, "selectbox", label, choices, first, key=key)


def set_to_preset(own: dict[str, object], shared: dict[str, object]) -> None:
    """Set controls of the lesson and of the side bar; a callback."""
    url.set_values(own)
    st.session_state.update(shared)


def choose_pair(data: BlockCorrelated) -> Pair:
    """Draw the controls of the pair and return it; they offer only pairs that can be made."""
    rows = draw_options("lines", "Pairs of", ("columns", "rows")) == "rows"
    line, letter, count = ("Row", "k", data.p) if rows else ("Column", "l", data.q)
    left, right = st.columns(2)
    first = draw_place(left, f"{line} {letter}", f"{letter}1", 1, list(range(1, count + 1)))
    others = [place for place in range(1, count + 1) if place != first]
    second = draw_place(right, f"{line} {letter}′", f"{letter}2", 20, others)
    made = draw_options(
        "pair",
        f"{letter}′ made from {letter} by",
        (MIXED, TIGHT),
        "Mixed to the correlation below; or f′ = f + s y, the tight case of Lemma 1.",
    )
    pair = Pair(data, first - 1, second - 1, 1.0 if made == MIXED else None, rows)
    correlation = url.slider(
        st,
        "Correlation r of the two",
        CORRELATIONS,
        0.9,
        key="corr",
        disabled=not can_be_mixed(pair),
    )
    with st.container(horizontal=True, gap="small"):
        for name, (*settings, note) in PRESETS.items():
            st.button(name, help=note, on_click=set_to_preset, args=settings)
    if can_be_mixed(pair):
        return replace(pair, correlation=correlation)
    if made == MIXED:
        st.caption(
            f"{line}s {first} and {second} have the same features, there is no noise (δ = 0): r is "
            "1, whatever the slider says. "
            + ("Add noise." if rows else "Add noise, or take columns of two groups.")
        )
    return pair


def describe_change(pair: Pair) -> str:
    """Describe how the features of the second column, or row, were made."""
    across, line = ("column", "row") if pair.rows else ("row", "column")
    old, first = f"{line} {pair.second + 1}", f"{line} {pair.first + 1}"
    if not pair.changed:
        return f"Nothing is replaced: without noise {first} and {old} have the same features."
    if pair.correlation is None:
        how = (
            f"f′ = f + s y, where f is the feature of {first} and s its deviation. Of the larger "
            "class the last samples are left out, so that both have the same number."
        )
    else:
        how = (
            f"f′ = r f + √(1 − r²) g about the mean of f, where f is the feature of {first} and g "
            "the part of the old one that is orthogonal to f, at the length of f."
        )
    return f"In each {across} the feature of {old} is then replaced, the labels stay: {how}"


def draw_curve(chosen: SMMRun, measured: float) -> None:
    """Draw the distance of a pair and its bound at every r; `measured` is that at the chosen r."""
    curve = session.run_task(
        "grouping: curve",
        "The machine is being trained at every r",
        distance_curve,
        without_correlation(chosen),
        long=prod(chosen.data.data.shape) > FAST_CURVE_ENTRIES,
    )
    charts.draw(
        st,
        grouping_charts.distance_curve(
            CORRELATIONS,
            curve.measured,
            curve.bound,
            (chosen.data.correlation, measured),
            "What happens when the slider moves",
        ),
    )
    if missing := np.count_nonzero(np.isnan(curve.bound)):
        st.caption(
            f"{missing} of {len(curve.bound)} points were not reached within "
            f"{CURVE_SECONDS:g} seconds; the lines lead over them."
        )


def draw_scores(chosen: SMMRun) -> None:
    """Draw the grouping scores of three machines, each at three strengths."""
    pair = chosen.data
    data = pair.data
    if not 1 < data.groups < data.q:
        st.info(
            f"There is no grouping score for V = {data.groups} and q = {data.q}: it needs at least "
            "two groups, one of them with two columns."
        )
        return
    scores = session.run_task(
        "grouping: scores",
        "Nine machines are being trained",
        grouping_scores,
        SMMRun(data, C=chosen.C, tau=chosen.tau),
        long=True,
    )
    st.table(theorem.scores_table(scores, chosen.C))
    st.caption(
        f"Grouping scores of the data{' without the change' if pair.changed else ''}, at "
        f"τ = {chosen.tau:g}. A machine is not solved if its gap is not {SCORE_TOL:g} "
        "of its objective in time."
    )


experiment = sidebar.read_experiment(QUICK)
data = experiment.data

st.title("Grouping effect")
prose.ask_prediction(
    "guess-grouping",
    "The features of two columns become more and more alike. What do their columns of W do?",
    ("They become equal", "They become equal if C is small", "One of them becomes 0"),
    "They become equal, whatever C and τ are: Theorem 2 bounds their distance by that of the "
    "features. C decides how much alike the features must be before one sees it.",
)

settings, picture = st.columns([2, 5], gap="medium")
with settings:
    pair = choose_pair(data)
chosen = SMMRun(pair, C=experiment.C, tau=experiment.tau)
with picture:
    found = session.run_task(
        "grouping",
        "The machine is being trained",
        solve_pair,
        chosen,
        long=prod(data.shape) > SMALL_ENTRIES,
    )

lines, m = "rows" if pair.rows else "columns", len(found.bound)
places = pair.first, pair.second
with picture:
    st.latex(theorem.distance_formula(found, pair))
    along = st.container()
    if not found.measured.any():
        st.info(
            f"There are no pairs to draw: all {lines} of W are equal"
            + ("." if found.W.any() else ", for W = 0. Choose a smaller τ or a larger C.")
        )
if found.measured.any():
    charts.draw(
        st if can_be_mixed(pair) else picture,
        grouping_charts.distances_and_bounds(
            found.bound,
            found.measured,
            found.groups,
            places,
            f"Theorem 2 on all pairs of {lines} ({m * (m - 1) // 2:,})",
            lines=lines,
        ),
    )
st.caption(
    f"{prose.describe_data(experiment)} {describe_change(pair)} The correlation of the two is "
    f"{found.correlation:.3g}."
)

prose.show_notes(
    *theorem.describe_pairs(found, pair),
    "**The tight case.** Where features differ by the labels, the classes are equal and every α "
    f"is C (here {found.at_C:.0%} are), Ω meets its bound; raise τ, and W falls below.",
)

st.subheader("Theorem 2, with these numbers")
st.latex(theorem.theorem_formula(found, pair, experiment.C))
st.markdown(
    f"This form holds in any unit. {theorem.describe_printed_form(found, pair, experiment.C)} A "
    "pair mixed to "
    "the correlation r has the bound 2 (1 − r) n C² Σ ‖f − mean f‖². The solution is certified to "
    f"a relative gap of ${prose.latex_number(found.relative_gap)}$; the bound holds for "
    "W = D_τ(Ω(α)) with any α between 0 and C, the best one or not."
)

st.subheader("From Ω to W")
for place, name, M in zip(
    st.columns(2),
    ("Ω = Σ αᵢ yᵢ Xᵢ", "W = D<sub>τ</sub>(Ω)"),
    (found.Omega, found.W),
    strict=True,
):
    charts.draw(place, grouping_charts.heatmap_with_arrows(M, name, places, rows=pair.rows))
st.caption(
    f"Each map has its own scale: the largest entry of the {lines} that no arrow points at is its "
    f"last colour. σ₁ is {found.sigma:.3g} in Ω and "
    f"{max(found.sigma - experiment.tau, 0):.3g} in W."
)
left, right = st.columns(2)
with left:
    st.markdown("Lemma 1 bounds entries of Ω. Those of the chosen two that are farthest apart:")
    st.latex(theorem.lemma_formula(found, pair))
    st.markdown(
        "Theorem 2 bounds columns and rows of W. Between them stands "
        f"a matrix that multiplies all {lines} of Ω alike, so that equal ones stay equal:"
    )
    st.latex(theorem.threshold_formula(found, pair, experiment.tau))
    st.markdown(
        "**Not so for single entries.** Two samples ±Ω/10 with y = ±1, C = 5, τ = 1 have all α = C "
        "and this Ω. The entries (1, 1) and (2, 2) have the same feature and the same 2 in Ω. In W "
        "they differ, for the threshold looks at the whole matrix:"
    )
    st.latex(theorem.counterexample_formula())
if found.measured.any():
    charts.draw(
        right,
        grouping_charts.distances_and_bounds(
            found.factor**2 * found.of_omega,
            found.measured,
            found.groups,
            places,
            "Distances in W against those in Ω",
            lines=lines,
        ),
    )

st.subheader("Who groups, and when it stops")
st.markdown(theorem.describe_machines(found))
scores = st.container()

prose.show_source("The source that ran", smmcore.theory, smmcore.datasets.synthetic)
st.subheader("Take it with you")
downloads.draw_array_downloads(
    {
        "W": found.W,
        "Omega": found.Omega,
        "measured": found.measured,
        "bound": found.bound,
        "lines": lines,
    },
    chosen,
    "smm_grouping",
)
prose.show_link()

# The slow parts fill their places after the rest of the page has been drawn.
if can_be_mixed(pair):
    with along:
        draw_curve(chosen, found.measured[places])
with scores:
    draw_scores(chosen)
