"""All figures and tables of the papers, printed beside ours."""

import streamlit as st

from pages.navigation import TITLES
from pages.research.reproduce.papers import PAPERS, Shown
from pages.research.reproduce.results import describe_all, verdict_chart
from pages.research.reproduce.table import table
from pages.shared.parts import charts, downloads, prose
from pages.shared.reproduction.report import read_results
from pages.shared.widgets import url


def describe_lesson(shown: Shown) -> str:
    """Return the link to the lesson and its section, and what the lesson shows differently."""
    section = f", section “{shown.section}”" if shown.section else ""
    link = f"See it in [{TITLES[shown.lesson]}]({shown.address}){section}."
    return f"{link} {shown.differs}".rstrip()


st.markdown(
    "Which figures and tables of the papers come out when they are computed again, and which do "
    f"not? {describe_all()}"
)
charts.draw(st, verdict_chart())
st.caption(
    "**✓ Reproduced**: ours differs from the printed figure by at most two standard errors of the "
    "difference, in which the error of the printed figure counts where the paper tells it, or the "
    "claim holds. **≈ Under another reading**: the same is true if something that the text leaves "
    "open is read in another way; or two methods come in the printed order, by more than two "
    "standard errors, on other data or with other programs, and how far apart they are is not "
    "compared (of ratios, the logarithms are). **✗ Not reproduced**: under no reading that we "
    "tried, or on other data the order is not the printed one. **○ Cannot be tried**: the paper's "
    "data are not at hand; a figure on other data proves nothing about its figure, nor does the "
    "order on data that we made to suit a method. Where we have several sets of data in place of "
    "the paper's, each is a comparison of its own."
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
prose.show_link()
