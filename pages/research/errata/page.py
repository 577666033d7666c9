"""Errata of the papers, in tables."""

import streamlit as st

from pages.navigation import TITLES
from pages.research.errata.entries import ERRATA

st.markdown(
    "What the papers misprint or leave open, and what could not be reproduced. The app uses what "
    "stands in the third column; the last column links to the lesson that shows it."
)
for paper, errata in ERRATA.items():
    st.header(paper)
    rows = "\n".join(
        f"| {each.place} | {each.printed} | {each.holds} | [{TITLES[each.page]}](./{each.page}) |"
        for each in errata
    )
    st.markdown(f"| where | in the paper | what holds | see |\n|---|---|---|---|\n{rows}")
