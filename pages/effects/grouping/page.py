"""The grouping effect: equal features get equal columns of W, and similar ones similar columns."""

from dataclasses import replace
from math import prod

import streamlit as st

import smmcore.datasets.synthetic
import smmcore.theory
from pages.effects.grouping import charts as grouping_charts
from pages.effects.grouping import theorem
from pages.effects.grouping.runs import (
    CORRELATIONS,
    MIXED,
    PRESETS,
    SCORE_TOL,
    TIGHT,
    CorrelationRun,
    Pair,
    correlation_axis,
    correlation_panels,
    correlation_run,
    grouping_scores,
    solve_pair,
)
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import latex, percent
from pages.shared.parts import charts, downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, ask
from pages.shared.parts.states import State, choose_state
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url

SMALL_ENTRIES = 1_000_000  # n p q up to which an answer takes less than a second


def can_be_mixed(pair: Pair) -> bool:
    """Return whether the correlation of the pair can be set."""
    return pair.correlation is not None and pair.changed


def draw_run(run: Subscription[CorrelationRun], pair: Pair) -> None:
    """Draw the picture of the lesson: W and two of its columns, or rows, as they get alike."""
    panels, axis = correlation_panels(pair), correlation_axis(pair.correlation)
    show_run("correlations", run, panels, axis, asks=True)


def draw_options(key: str, label: str, options: tuple[str, str], help: str | None = None) -> str:
    """Draw two options side by side, bound to the address, and return the chosen one."""
    return url.choice(st, "segmented_control", label, options, options[0], key=key, help=help)


def draw_place(place, label: str, key: str, default: int, choices: list[int]) -> int:
    """Draw the choice of a column or a row, and return its number."""
    first = default if default in choices else choices[-1]
    return url.choice(place, "selectbox", label, choices, first, key=key)


def set_to_preset(own: dict[str, object], shared: dict[str, object]) -> None:
    """Set controls of the lesson and of the recipe; a callback."""
    url.set_values(own)
    st.session_state.update(shared)


def choose_pair(data: BlockCorrelated) -> Pair:
    """Draw the controls of the pair and return it; they offer only pairs that can be made."""
    rows = draw_options("lines", "Pairs of", ("columns", "rows")) == "rows"
    line, letter, count = ("Row", "j", data.p) if rows else ("Column", "l", data.q)
    key = "k" if rows else "l"  # in the address
    left, right = st.columns(2)
    first = draw_place(left, f"{line} {letter}", f"{key}1", 1, list(range(1, count + 1)))
    others = [place for place in range(1, count + 1) if place != first]
    second = draw_place(right, f"{line} {letter}′", f"{key}2", 20, others)
    made = draw_options(
        "pair",
        f"{letter}′ made from {letter} by",
        (MIXED, TIGHT),
        "Mixed to the correlation below; or f′ = f + s y, the tight case of Lemma 1.",
    )
    pair = Pair(data, first - 1, second - 1, 1.0 if made == MIXED else None, rows)
    correlation = url.slider(
        st,
        "Correlation of the two",
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
    return pair


def describe_change(pair: Pair) -> str:
    """Describe how the features of the second column, or row, were made."""
    across, line = ("column", "row") if pair.rows else ("row", "column")
    old, first = f"{line} {pair.second + 1}", f"{line} {pair.first + 1}"
    if not pair.changed:
        return f"Nothing is replaced: without noise {first} and {old} have the same features."
    if pair.correlation is None:
        how = (
            f"f′ = f + s y, where f is the feature of {first} and s its standard deviation. The "
            "larger class loses its last samples, so that both have the same number."
        )
    else:
        how = (
            "f′ = corr · f + √(1 − corr²) g about the mean of f, where f is the feature of "
            f"{first} and g the part of the old one that is orthogonal to f, at the length of f."
        )
    return f"In each {across} the feature of {old} is then replaced, the labels stay: {how}"


def draw_curve(run: Subscription[CorrelationRun], correlation: float, measured: float) -> None:
    """Draw distance and bound at every correlation; `measured` is the one at the chosen one."""
    found = run.frames.metrics
    if len(found):
        charts.draw(
            st,
            grouping_charts.distance_curve(
                CORRELATIONS[: len(found)],
                found["measured"],
                found["bound"],
                (correlation, measured),
                "Distance and bound along the correlation",
            ),
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
        "Nine classifiers are being trained",
        grouping_scores,
        SMMRun(data, C=chosen.C, tau=chosen.tau),
        long=True,
    )
    st.table(theorem.scores_table(scores, chosen.C))
    st.caption(
        f"Grouping scores of the data{' without the change' if pair.changed else ''}, at "
        f"τ = {chosen.tau:g}. “Not solved”: the gap was still above {SCORE_TOL:g} "
        "of the objective at the limit of iterations."
    )


place = ask(
    "Make two columns of X more alike, and the same two columns of W become alike.",
    "Two columns of X become more and more alike. What happens to these columns of W?",
    (
        Answer("They become equal", "Theorem 2: similar features get similar columns.", right=True),
        Answer("They stay different", "They become equal, for every C."),
        Answer("One becomes 0", "That is the lasso. The SMM treats equal features equally."),
    ),
)
experiment, knobs = recipe.draw_recipe(QUICK, place)
data = experiment.data
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs(knobs)
    choose_state(
        (
            State("Correlation 0", {"pair": MIXED, "corr": 0.0}),
            State("Correlation 1", {"pair": MIXED, "corr": 1.0}),
        )
    )
stage = st.container(key="stage")
with st.expander("Choose the columns, or rows"):
    pair = choose_pair(data)
chosen = SMMRun(pair, C=experiment.C, tau=experiment.tau)
run = session.subscribe("correlations", correlation_run(chosen))
with stage:
    if run.experiment.data.changed:
        draw_run(run, pair)
    else:
        st.info(
            f"Without noise (δ = 0) {'rows' if pair.rows else 'columns'} {pair.first + 1} and "
            f"{pair.second + 1} have the same features, so their correlation is 1. Add noise"
            + ("." if pair.rows else ", or choose columns of two groups.")
        )

st.caption(f"{prose.describe_data(experiment)} C = {experiment.C:g}, τ = {experiment.tau:g}.")
st.header("Theorem 2: how far apart can they be?")
found = session.run_task(
    "grouping",
    "The SMM is being trained",
    solve_pair,
    chosen,
    long=prod(data.shape) > SMALL_ENTRIES,
)

lines, m = "rows" if pair.rows else "columns", len(found.bound)
places = pair.first, pair.second
st.latex(theorem.distance_formula(found, pair))
left, right = st.columns(2)
if pair.correlation is not None and pair.changed:
    with left:
        draw_curve(run, pair.correlation, found.measured[places])
if found.measured.any():
    charts.draw(
        right,
        grouping_charts.distances_and_bounds(
            found.bound,
            found.measured,
            found.groups,
            places,
            f"All pairs of {lines} ({m * (m - 1) // 2:,})",
            lines=lines,
        ),
    )
else:
    st.info(
        f"There are no pairs to draw: all {lines} of W are equal"
        + ("." if found.W.any() else ", because W = 0. Choose a smaller τ or a larger C.")
    )
st.caption(f"{describe_change(pair)} The correlation of the two is {found.correlation:.3g}.")

prose.show_notes(
    *theorem.describe_pairs(found, pair),
    "**The tight case.** Ω reaches the bound if the two features differ by a multiple of the "
    "labels, the classes are equally large, and every α is C "
    f"(here {percent(found.at_C, 0)} are). Raise τ, and W falls below it.",
)

st.latex(theorem.theorem_formula(found, pair, experiment.C))
st.markdown(
    "This form holds for features of any length. A pair mixed to a correlation has the bound "
    "2 (1 − corr) n C² Σ ‖f − mean f‖². The solution is certified to a relative gap of "
    f"${latex(found.relative_gap)}$, and the bound holds for W = D_τ(Ω(α)) with any α "
    "between 0 and C."
)

more = st.expander("More: from Ω to W, and Lemma 1")
with more:
    for place, name, M in zip(
        st.columns(2),
        ("Ω = Σ αᵢ yᵢ Xᵢ", "W = D<sub>τ</sub>(Ω)"),
        (found.Omega, found.W),
        strict=True,
    ):
        charts.draw(place, grouping_charts.heatmap_with_arrows(M, name, places, rows=pair.rows))
    st.caption(
        f"Each map has its own scale: the largest entry of the {lines} that no arrow points at is "
        f"its last colour. σ₁ is {found.sigma:.3g} in Ω and "
        f"{max(found.sigma - experiment.tau, 0):.3g} in W."
    )
    left, right = st.columns(2)
    with left:
        st.markdown("Lemma 1 bounds entries of Ω. Those of the chosen two that are farthest apart:")
        st.latex(theorem.lemma_formula(found, pair))
        st.markdown(f"W = GΩ: the same G multiplies all {lines} of Ω, so equal ones stay equal:")
        st.latex(theorem.threshold_formula(found, pair, experiment.tau))
        st.markdown(
            "**Not so for single entries.** Two samples ±Ω/10 with y = ±1, C = 5, τ = 1 have all α "
            "= C and this Ω. The entries (1, 1) and (2, 2) have the same feature and the same 2 in "
            "Ω. In W they differ, for the threshold looks at the whole matrix:"
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

st.header("Which other classifiers group?")
st.markdown(theorem.describe_machines(found))
scores = st.container()

prose.end_lesson(
    "Columns of the samples that are nearly equal get nearly equal columns of W.",
    (
        "play the run. How alike must the two columns of X be to halve the distance in W?",
        "With the default settings, between correlation 0.8 and 0.9: there it falls from 58 % to "
        "41 % of the distance at correlation 0.",
    ),
    (
        "do equal entries of the samples get equal entries of W?",
        "No: the theorem is about whole columns and rows. A counter-example is under “More: from Ω "
        "to W, and Lemma 1”.",
    ),
)
with prose.draw_tools(smmcore.theory, smmcore.datasets.synthetic):
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

    with scores:  # slow, so it comes after the rest of the page
        draw_scores(chosen)
