"""Home: what a support matrix machine learns, in one picture, and links to the lessons."""

import streamlit as st

from pages.navigation import LESSONS, OUTSIDE, SECTIONS
from pages.shared.algorithm1 import QUICK
from pages.shared.engine import session
from pages.shared.parts import charts, heatmaps
from pages.shared.survey import make_survey

HEIGHT = 260  # pixels, of a picture

run = session.subscribe("home", QUICK)
survey = session.run_task("survey", "The samples are being made", make_survey, QUICK.data)

st.title("Support matrix machines")
st.markdown(
    "Many things we classify are matrices: an EEG (channels × time), an image (rows × columns). A "
    "**support matrix machine** (SMM) learns a matrix W of low rank. The sign of ⟨W, X⟩ + b is the "
    "predicted class of a sample X; ⟨W, X⟩ is the sum of the products of their entries."
)
places = st.columns(3)
samples = zip(places, (survey.samples[0], survey.samples[-1]), ("−1", "+1"), strict=False)
for place, X, label in samples:
    title = f"X, a sample of class {label}"
    charts.draw(place, heatmaps.heatmap(X, title, height=HEIGHT, bare=True))
with places[-1]:
    learned = st.skeleton(height=HEIGHT)
with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
    if st.button("Start with lesson 1 →", type="primary"):
        st.switch_page(LESSONS[0].file)
    for page in (SECTIONS["Course"][0], SECTIONS[""][0]):
        st.page_link(page.file, label=f"**{page.title}** →", help=page.text)

sections = {name: section for name, section in SECTIONS.items() if name not in OUTSIDE}
for place, (name, section) in zip(st.columns(len(sections)), sections.items(), strict=True):
    with place.container(border=True, height="stretch", gap="xsmall"):
        st.header(name)
        for lesson in section:
            with st.container(gap=None):
                st.page_link(lesson.file, label=f"**{lesson.title}\u00a0→**")
                st.markdown(lesson.text)
data = QUICK.data
st.caption(
    f"The pictures: {data.n} samples of {data.p} × {data.q}, each picture on its own colour scale. "
    "The address of a page holds its settings, so a link restores what you see. All computation "
    "is done by the `smmcore` package, which you can also use without this app."
)

run.wait(2.0)  # only the third picture needs it
proof = run.frames.certificate
if proof is not None:
    title = f"W, learned: rank {proof.rank}"
    charts.draw(learned, heatmaps.heatmap(proof.W, title, height=HEIGHT, bare=True))
else:
    learned.info(run.message or "W is being computed.")
