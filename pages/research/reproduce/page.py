"""All figures and tables of the papers, printed beside ours."""

import streamlit as st

from pages.navigation import TITLES
from pages.research.reproduce.papers import PAPERS, Shown
from pages.research.reproduce.results import describe_all, verdict_chart
from pages.research.reproduce.table import table
from pages.shared.parts import charts, downloads
from pages.shared.reproduction.stored_results import read_results
from pages.shared.widgets import url


def describe_lesson(shown: Shown) -> str:
    """Return the link to the lesson and its section, and what the lesson shows differently."""
    section = f", section “{shown.section}”" if shown.section else ""
    link = f"See it in [{TITLES[shown.lesson]}]({shown.address}){section}."
    return f"{link} {shown.differs}".rstrip()


st.markdown(f"Which figures and tables of the papers can be reproduced? {describe_all()}")
charts.draw(st, verdict_chart())
st.caption(
    "**✓ Reproduced**: our figure differs from the paper's by at most two standard errors of the "
    "difference (which include the error that the paper states, if it does), or the claim holds. "
    "**≈ Under another reading**: the same is true once something that the text leaves open is "
    "read in another way; or, with other data or programs, two methods come in the same order as "
    "in the paper, by more than two standard errors. **✗ Not reproduced**: under no reading that "
    "we tried, or other data give another order. **○ Cannot be tried**: the paper's data are not "
    "available. A result on other data says nothing about the paper's figure."
)
chosen = url.choice(st, "segmented_control", "Paper", [*PAPERS], next(iter(PAPERS)), key="paper")
paper = PAPERS[chosen]
st.markdown(paper.reference)
with st.expander("Words in the tables"):
    st.markdown("\n".join(f"- {term}" for term in paper.terms))
st.caption(
    "– stands where the paper prints no number, but a claim or a picture, and where we have no "
    "data. ± is one standard error of ours; differences between methods are paired where the "
    "splits are the same. Small numbers refer to the notes below a table."
)
for name, shown in paper.shown.items():
    results = read_results(name)
    place = f"{shown.place}: {shown.content}"
    st.header(place)
    st.html(table(place, results.comparisons))
    st.markdown(f"{describe_lesson(shown)}\n\nCompute it again: `{results.command}`")
    downloads.offer_table(place, name, results.text.encode)
st.caption("Each file names command, data, versions and processor.")
