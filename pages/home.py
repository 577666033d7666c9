"""Where a visitor arrives: what this is about, in one picture, and where to go."""

import streamlit as st

from pages.shared import charts, controls, figures, jobs, presets, prose, runs

recipe = controls.chosen(presets.QUICK)
run = runs.current("smm", recipe)
survey = runs.ask("survey", "The samples are being made", jobs.survey, recipe.data)

st.title("Support matrix machines")
st.markdown(
    "Much of what is to be classified is a matrix: channels by time, rows by columns of an image. "
    "A support vector machine reads it as one long vector. A **support matrix machine** keeps the "
    "matrix: it looks for a matrix W of **low rank** whose inner product with a sample tells its "
    "class."
)

left, middle, right = st.columns(3)
charts.draw(left, figures.heatmap(survey.samples[0], "A sample of class −1", height=300, bare=True))
charts.draw(
    middle, figures.heatmap(survey.samples[-1], "A sample of class +1", height=300, bare=True)
)
with right:
    learned = st.skeleton(height=300)
st.caption(
    f"{prose.provenance(recipe)} Each picture has its own scale; point at it for its numbers."
)

for place, title, text, page in zip(
    st.columns(3),
    ("Data →", "The machine →", "Your data →"),
    (
        "Make matrices whose columns come in groups, and see what a classifier gets.",
        "Watch Algorithm 1 find W, iteration by iteration, with a proof of how good it is.",
        "Bring a MATLAB file, or take handwritten digits: train on one part, test on the other.",
    ),
    ("matrix/data.py", "matrix/smm.py", "matrix/your_data.py"),
    strict=True,
):
    with place.container(border=True, height="stretch"):
        st.page_link(page, label=f"**{title}**")
        st.markdown(text)

st.markdown(
    "The **side bar** holds the experiment of the lessons: its buttons set it as a whole, its "
    "controls one by one. The address of the page follows, so a link restores the picture. What "
    "computes is the package `smmcore`, which works without this app. When you leave a lesson "
    "its run pauses after half a minute; a page without a connection for two minutes begins it "
    "again."
)

run.wait(2.0)  # of the whole page only the third picture has to
proof = run.frames.certificate
if proof is not None:
    charts.draw(
        learned,
        figures.heatmap(proof.W, f"W, learned, of rank {proof.rank}", height=300, bare=True),
    )
else:
    learned.info(run.message or "W takes longer: see the lesson on the machine.")
