"""Theorem 2 of the SMM paper, measured: all pairs of columns, the tight case, and Lemma 1."""

from dataclasses import replace
from math import prod

import streamlit as st

from pages.research.theorem_2 import theorem
from pages.research.theorem_2.charts import distances_and_bounds
from pages.research.theorem_2.runs import (
    CORRELATIONS,
    MIXED,
    PRESETS,
    TIGHT,
    Pair,
    columns_of,
    solve_pair,
)
from pages.shared.algorithm1 import QUICK, Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import session
from pages.shared.numbers import latex, on_control, percent, signed
from pages.shared.parts import charts, downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.widgets import recipe, url
from pages.shared.widgets.states import State, choose_state

SMALL_ENTRIES = 1_000_000  # n p q up to which an answer takes less than a second


def can_be_mixed(pair: Pair) -> bool:
    """Return whether the correlation of the pair can be set."""
    return pair.correlation is not None and pair.changed


def choose_pair(data: BlockCorrelated) -> Pair:
    """Draw the controls of the pair and return it."""
    first, second = columns_of(data)
    made = url.choice(
        st,
        "segmented_control",
        f"Column {second + 1} is made from column {first + 1} by",
        (MIXED, TIGHT),
        MIXED,
        key="pair",
        help="Mixed to the correlation below; or f′ = f + s y, the tight case of Lemma 1.",
    )
    pair = Pair(data, first, second, 1.0 if made == MIXED else None)
    correlation = url.slider(
        st,
        "Correlation of the two",
        CORRELATIONS,
        0.9,
        key="corr",
        disabled=not can_be_mixed(pair),
    )
    choose_state(
        [State(name, own | shared, note) for name, (own, shared, note) in PRESETS.items()],
        "pair presets",
    )
    if can_be_mixed(pair):
        return replace(pair, correlation=correlation)
    return pair


def describe_change(pair: Pair) -> str:
    """Describe how the features of the second column were made."""
    old, first = f"column {pair.second + 1}", f"column {pair.first + 1}"
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
    return f"In each row the feature of {old} is then replaced, the labels stay: {how}"


experiment, knobs = recipe.draw_recipe(QUICK, st.container(key="recipe"))
draw_knobs(knobs)
st.markdown(
    "Theorem 2 bounds how far apart two columns of W can be, by how far apart the same two columns "
    "of the samples are. Here one column is made from another one, to any correlation."
)
data = experiment.data
pair = choose_pair(data)
chosen = Algorithm1(pair, C=experiment.C, tau=experiment.tau)
st.caption(
    f"{prose.describe_data(experiment)} C = {on_control(experiment.C)}, τ = {experiment.tau:g}."
)
found = session.run_task(
    "theorem 2",
    "The SMM is being trained",
    solve_pair,
    chosen,
    long=prod(data.shape) > SMALL_ENTRIES,
)

st.latex(theorem.distance_formula(found, pair))
if found.measured.any():
    q = len(found.bound)
    title = f"All pairs of columns ({q * (q - 1) // 2:,})"
    charts.draw(
        st, distances_and_bounds(found.bound, found.measured, found.groups, pair.places, title)
    )
else:
    st.info(
        "There are no pairs to draw: all columns of W are equal"
        + ("." if found.W.any() else ", because W = 0. Choose a smaller τ or a larger C.")
    )
correlation = round(found.correlation, 12) + 0.0  # rounding is no correlation
st.caption(f"{describe_change(pair)} The correlation of the two is {signed(correlation, '.3g')}.")

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
    rf"${latex(found.relative_gap)}$, and the bound holds for W = $\mathcal D_\tau$(Ω(α)) with "
    "any α between 0 and C."
)

with st.expander("More: from Ω to W, and Lemma 1"):
    st.markdown("Lemma 1 bounds entries of Ω. Those of the chosen two that are farthest apart:")
    st.latex(theorem.lemma_formula(found, pair))
    st.markdown("W = GΩ: the same G multiplies all columns of Ω, so equal ones stay equal:")
    st.latex(theorem.threshold_formula(found, pair, experiment.tau))

program = programs.fill(
    __file__,
    pair.script(),
    C=experiment.C,
    TAU=experiment.tau,
    PAIR=(pair.first + 1, pair.second + 1),
)
with prose.draw_tools(program, "smm_pairs"):
    downloads.draw_array_downloads(
        {
            "W": found.W,
            "Omega": found.Omega,
            "measured": found.measured,
            "bound": found.bound,
        },
        chosen,
        "smm_grouping",
    )
url.link("effects/grouping/page.py", label="**The grouping effect →** the lesson")
