"""All figures and tables of the papers, printed beside ours."""

import streamlit as st

from pages.research.reproduce.results import PAPERS, describe_all, read, table, verdict_chart
from pages.shared.navigation import TITLES
from pages.shared.parts import charts, downloads, prose
from pages.shared.widgets import url

st.markdown(
    "Which figures and tables of the papers come out when they are computed again, and which do "
    f"not? {describe_all()}"
)
charts.draw(st, verdict_chart())
st.caption(
    "**Reproduced**: ours differs from the printed figure by at most two standard errors, or the "
    "claim holds. **Under another reading**: so it is if an open place in the text is read in "
    "another way; or two methods come in the printed order, by more than two standard errors, "
    "where data or programs are others: how far they are apart is then not compared. **Not "
    "reproduced**: under no reading that we tried. **Cannot be tried**: the paper's data are not "
    "at hand; what other data give stands beside it and proves nothing. Where we have several sets "
    "of data in place of the paper's, each is a comparison of its own."
)
paper = url.choice(st, "segmented_control", "Paper", [*PAPERS], next(iter(PAPERS)), key="paper")
for name, shown in PAPERS[paper].items():
    results = read(name)
    st.header(f"{shown.place}: {shown.content}")
    st.markdown(
        f"See it in [{TITLES[shown.lesson]}]({shown.address}), or compute it again: "
        f"`{results.command}`"
    )
    st.container(key=f"results {name}").markdown(table(results.comparisons))
    downloads.offer_table(f"{shown.place}: {shown.content}", name, results.text.encode)
st.caption(
    "± is one standard error; differences of accuracies are paired where the splits are the same. "
    "Each file names command, data, versions and processor."
)
prose.show_link()
