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
charts.draw(left, figures.heatmap(survey.samples[0], "A sample of class −1", height=230, bare=True))
charts.draw(
    middle, figures.heatmap(survey.samples[-1], "A sample of class +1", height=230, bare=True)
)
with right:
    learned = st.skeleton(height=230)
st.caption(
    f"{prose.provenance(recipe)} Each picture has its own scale; point at it for its numbers."
)

lessons = {
    "Data": ("data", "Make matrices whose columns come in groups, and see what a classifier gets."),
    "The machine": ("smm", "Watch Algorithm 1 find W, with a proof of how good it is."),
    "Live": ("live", "Step through the algorithm, race two settings, pin runs and compare."),
    "Compare": ("compare", "Race the machine against its rivals; see what decides the picture."),
    "Grouping effect": ("grouping", "Drive the correlation of two columns, and watch W follow."),
    "Rank": ("rank", "Scrub along τ: singular values enter one by one."),
    "Robustness": ("robustness", "Add noise to the test, and find what withstands it."),
    "Your data": ("your_data", "Bring a MATLAB file, or take digits: train, then test."),
}
for row in (list(lessons)[:4], list(lessons)[4:]):
    for place, title in zip(st.columns(len(row)), row, strict=True):
        file, text = lessons[title]
        with place.container(border=True, height="stretch"):
            st.page_link(f"matrix/{file}.py", label=f"**{title} →**")
            st.markdown(text)

st.markdown(
    "The **side bar** holds the experiment of the lessons: its buttons set it as a whole, its "
    "controls one by one. The address of the page follows, so a link restores the picture. What "
    "computes is the package `smmcore`, which works without this app. When you leave a lesson "
    "its run pauses after a quarter of a minute; a page without a connection for two minutes "
    "begins it again."
)

run.wait(2.0)  # of the whole page only the third picture has to
proof = run.frames.certificate
if proof is not None:
    charts.draw(
        learned,
        figures.heatmap(proof.W, f"W, learned, of rank {proof.rank}", height=230, bare=True),
    )
else:
    learned.info(run.message or "W takes longer: see the lesson on the machine.")
