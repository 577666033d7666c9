"""Choose two columns, or two rows, and how the second one is made from the first."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.matrix.grouping.runs import CORRELATIONS, Pair
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.widgets import url

MIXED, TIGHT = "mixing", "adding y"
PRESETS = {  # settings of the lesson, of the side bar, and a note
    "Identical": ({"pair": MIXED, "corr": 1.0}, {}, "The same features twice: correlation 1."),
    "Tight case": (
        {"pair": TIGHT},
        {"C": 1e-5, "tau": 0.0, "scaling": "as printed"},
        "Features that differ by the labels, equal classes, and a C so small that every α is C. "
        "Sets C, τ and the scaling; Quick in the side bar sets them back.",
    ),
}


def draw_controls(data: BlockCorrelated) -> Pair:
    """Draw the controls; they offer no pair that cannot be made."""
    rows = _draw_options("lines", "Pairs of", ("columns", "rows")) == "rows"
    line, letter, count = ("Row", "k", data.p) if rows else ("Column", "l", data.q)
    left, right = st.columns(2)
    first = _draw_place(left, f"{line} {letter}", f"{letter}1", 1, list(range(1, count + 1)))
    others = [place for place in range(1, count + 1) if place != first]
    second = _draw_place(right, f"{line} {letter}′", f"{letter}2", 20, others)
    made = _draw_options(
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
            st.button(name, help=note, on_click=_set_to_preset, args=settings)
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
    """Say how the features of the second column, or row, were made."""
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


def can_be_mixed(pair: Pair) -> bool:
    """Return whether the correlation of the pair can be set."""
    return pair.correlation is not None and pair.changed


def _set_to_preset(own: dict[str, object], shared: dict[str, object]) -> None:
    url.set_values(own)
    st.session_state.update(shared)


def _draw_options(key: str, label: str, options: tuple[str, str], help: str | None = None) -> str:
    return url.choice(st, "segmented_control", label, options, options[0], key=key, help=help)


def _draw_place(place, label: str, key: str, default: int, choices: list[int]) -> int:
    first = default if default in choices else choices[-1]
    return url.choice(place, "selectbox", label, choices, first, key=key)
