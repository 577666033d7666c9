"""The first page: an introduction with a picture, and links to the lessons."""

import streamlit as st

from pages.shared.algorithm1 import QUICK
from pages.shared.engine import session
from pages.shared.navigation import SECTIONS
from pages.shared.parts import charts, heatmaps, prose
from pages.shared.survey import make_survey
from pages.shared.widgets import sidebar

experiment = sidebar.read_experiment(QUICK)
run = session.subscribe("smm", experiment)
survey = session.run_task("survey", "The samples are being made", make_survey, experiment.data)

st.title("Support matrix machines")
st.markdown(
    "Much of what is to be classified is a matrix: channels by time, rows by columns of an image. "
    "A support vector machine reads it as one long vector. A **support matrix machine** keeps the "
    "matrix: it looks for a matrix W of **low rank** whose inner product with a sample tells its "
    "class."
)

left, middle, right = st.columns(3)
charts.draw(
    left, heatmaps.heatmap(survey.samples[0], "A sample of class −1", height=230, bare=True)
)
charts.draw(
    middle, heatmaps.heatmap(survey.samples[-1], "A sample of class +1", height=230, bare=True)
)
with right:
    learned = st.skeleton(height=230)
st.caption(
    f"{prose.describe_data(experiment)} Each picture has its own scale; point at it for its "
    "numbers."
)

(own,), *sections = SECTIONS.values()
columns = st.columns(len(sections))
for place, name, section in zip(columns, list(SECTIONS)[1:], sections, strict=True):
    with place.container(border=True, height="stretch", gap="xsmall"):
        st.subheader(name)
        for lesson in section:
            with st.container(gap=None):
                st.page_link(lesson.file, label=f"**{lesson.title}\u00a0→**")
                st.markdown(lesson.text)
with st.container(border=True, gap=None):
    st.page_link(own.file, label=f"**{own.title}\u00a0→**")
    st.markdown(own.text)

st.markdown(
    "The **side bar** holds the experiment of the lessons: its buttons set it as a whole, its "
    "controls one by one. The address of the page follows, so a link restores the picture. What "
    "computes is the package `smmcore`, which works without this app. When you leave a lesson "
    "its run pauses after a quarter of a minute; a page without a connection for two minutes "
    "begins it again."
)

run.wait(2.0)  # only the third picture needs it
proof = run.frames.certificate
if proof is not None:
    charts.draw(
        learned,
        heatmaps.heatmap(proof.W, f"W, learned, of rank {proof.rank}", height=230, bare=True),
    )
else:
    learned.info(run.message or "W takes longer: see the lesson on the machine.")
