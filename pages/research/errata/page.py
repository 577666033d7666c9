"""Errata of the papers, in tables."""

import streamlit as st

from pages.navigation import TITLES
from pages.research.errata.entries import ERRATA

st.markdown(
    "What is misprinted, left open or did not come out. The app uses what is in the third column; "
    "the last one leads to where you can see it."
)
for paper, errata in ERRATA.items():
    st.header(paper)
    rows = "\n".join(
        f"| {each.place} | {each.printed} | {each.holds} | [{TITLES[each.page]}](./{each.page}) |"
        for each in errata
    )
    st.markdown(f"| where | printed | what holds | see |\n|---|---|---|---|\n{rows}")
