"""Symbols: what each one means, the paper it comes from, and the lesson that introduces it."""

import streamlit as st

from pages.course.symbols.table import NAMES, SYMBOLS
from pages.navigation import TITLES

st.markdown(
    "Each symbol in this table has one meaning in all lessons (in the name ℓₚ the p is an "
    "exponent). Letters used in only one formula are explained next to it. ‖W‖ is the Frobenius "
    "norm and ‖W‖∗ the nuclear norm, the sum of the singular values (also called trace norm). "
    "⟨W, X⟩ is the sum of the products of the entries, and [a]₊ is max(0, a)."
)
PIPE = "\\|"  # in a table of Markdown
rows = "\n".join(
    f"| ${each.latex}$ | {each.meaning.replace('|', PIPE)} | {each.paper} | "
    f"[{TITLES.get(each.lesson, 'Home')}](./{each.lesson}) |"
    for each in SYMBOLS
)
st.markdown(f"| symbol | meaning | paper | lesson |\n|---|---|---|---|\n{rows}")
st.header("Names")
st.markdown("\n".join(f"- **{name}**: {meaning}." for name, meaning in NAMES))
