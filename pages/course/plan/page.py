"""The course plan: the steps of a class, and a longer path for self-study."""

import streamlit as st

from pages.class_steps import CLASS, PLANS, SELF_STUDY, SHORT, PlanStep, beginnings
from pages.navigation import FILES, TITLES
from pages.shared.widgets import url

COLUMNS = 2


def draw_step(plan: str, number: int, step: PlanStep, with_notes: bool) -> None:
    """Draw a step as a card with a link to its page."""
    begin, end = beginnings(PLANS[plan])[number - 1 : number + 1]
    st.markdown(f"**{number}. {step.question}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        url.link(
            FILES[step.lesson],
            label=f"{TITLES.get(step.lesson, 'Home')} →",
            settings={url.STEP: f"{plan}{number}"} | step.settings,
        )
        st.caption(f"minutes {begin} to {end}", width="content")
    if with_notes:
        st.markdown(
            f"**Do.** {step.do}\n\n**Students should say.** “{step.students}”\n\n"
            f"**Takeaway.** {step.takeaway}"
        )


def draw_plan(plan: str, with_notes: bool) -> None:
    """Draw the steps of a plan."""
    steps = PLANS[plan]
    for first in range(0, len(steps), COLUMNS):
        for i, place in enumerate(st.columns(COLUMNS)[: len(steps) - first], first):
            with place.container(border=True, height="stretch", gap="xsmall"):
                draw_step(plan, i + 1, steps[i], with_notes)


with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        f"**{beginnings(CLASS)[-1]} minutes in {len(CLASS)} steps.** Each page asks a question "
        "first. In class mode (*Class*), click an answer once for each hand, or let students vote "
        "from their phones; then press *Show*.",
        width="stretch",
    )
    with_notes = url.toggle(
        st,
        "Lecturer's notes",
        key="notes",
        help="What to do, what students should say, the takeaway: better not on the wall.",
    )
draw_plan("", with_notes)
st.markdown(
    "**A map at the end.** With how many samples does the SMM win by the most, and where not at "
    "all? *Where exactly?*, at the end of the lesson."
)
url.link(FILES["structure"], label=f"{TITLES['structure']} →")

st.header(f"Only {beginnings(SHORT)[-1]} minutes")
draw_plan("short-", with_notes)

hours = sum(minutes for _, minutes, _ in SELF_STUDY) / 60
st.header(f"On your own: {hours:.0f} hours")
st.markdown(
    "Work through the lessons in this order. Guess first, then do what the table says, then solve "
    "the exercises at the end of each lesson."
)
rows = "\n".join(
    f"| [{TITLES[lesson]}](./{lesson}) | {minutes} | {task} |"
    for lesson, minutes, task in SELF_STUDY
)
st.markdown(f"| lesson | minutes | what to do |\n|---|--:|---|\n{rows}")
