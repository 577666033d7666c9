"""Two columns of the lesson's data, or two rows, and how the one is made from the other."""

from __future__ import annotations

import streamlit as st

from pages.shared import address
from pages.shared.recipes import BlockCorrelated, Pair

CORRELATIONS = [*(k / 10 for k in range(10)), 0.95, 0.98, 0.99, 0.995, 0.999, 1.0]
MIXED, TIGHT = "mixing", "adding y"
PRESETS = {
    "Identical": ({"pair": MIXED, "corr": 1.0}, "The same features twice: correlation 1."),
    "Tight case": (
        {"pair": TIGHT, "C": 1e-5, "tau": 0.0, "scaling": "as printed"},
        "Features that differ by the labels, equal classes, and a C so small that every α is C. "
        "Sets C, τ and the scaling; Quick in the side bar sets them back.",
    ),
}


def choose(data: BlockCorrelated) -> Pair:
    """Draw the controls; where they name no pair, say so and end the page there."""
    lines = _either("lines", "Pairs of", ("columns", "rows"))
    rows = lines == "rows"
    line, letter, count = ("Row", "k", data.p) if rows else ("Column", "l", data.q)
    left, right = st.columns(2)
    first = _place(left, f"{line} {letter}", f"{letter}1", 1, count)
    second = _place(right, f"{line} {letter}′", f"{letter}2", min(20, count), count)
    made = _either(
        "pair",
        f"{letter}′ made from {letter} by",
        (MIXED, TIGHT),
        "Mixed to the correlation below; or f′ = f + s y, the tight case of Lemma 1.",
    )
    correlation = address.choice(
        st,
        "select_slider",
        "Correlation r of the two",
        CORRELATIONS,
        0.9,
        key="corr",
        disabled=made == TIGHT,
    )
    with st.container(horizontal=True, gap="small"):
        for name, (settings, note) in PRESETS.items():
            st.button(name, help=note, on_click=st.session_state.update, args=(settings,))
    try:
        return Pair(data, first - 1, second - 1, correlation if made == MIXED else None, rows)
    except ValueError as error:
        st.error(f"These two cannot be compared: {error}.")
        st.stop()


def told(pair: Pair) -> str:
    """Say what was done to the features of the second one."""
    across, line = ("column", "row") if pair.rows else ("row", "column")
    old, first = f"{line} {pair.second + 1}", f"{line} {pair.first + 1}"
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


def _either(key: str, label: str, options: tuple[str, str], help: str | None = None) -> str:
    return address.choice(st, "segmented_control", label, options, options[0], key=key, help=help)


def _place(place, label: str, key: str, default: int, count: int) -> int:
    return address.number(place, label, 1, count, default, key=key, help=f"1 to {count}.")
