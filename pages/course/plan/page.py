"""The course plan: the steps of a class, and a longer path for self-study."""

import streamlit as st

from pages.class_steps import CLASS, PLANS, SELF_STUDY, SHORT, PlanStep, beginnings
from pages.navigation import FILES, TITLES
from pages.shared.component import component
from pages.shared.widgets import url

COLUMNS = 2
_anew = component("anew", "question/anew", ["question/question"])


def draw_step(plan: str, number: int, step: PlanStep) -> None:
    """Draw a step as a card with a link to its page."""
    begin, end = beginnings(PLANS[plan])[number - 1 : number + 1]
    st.markdown(f"**{number}. {step.question}**")
    key = f"plan-{plan}{number}"  # Page down opens the first one, see assets/head/present.js
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        url.link(
            FILES[step.lesson],
            label=f"{TITLES.get(step.lesson, 'Home')} →",
            settings={url.STEP: f"{plan}{number}"} | step.settings,
        )
        st.caption(f"minutes {begin} to {end}", width="content")


def draw_plan(plan: str) -> None:
    """Draw the steps of a plan."""
    steps = PLANS[plan]
    for first in range(0, len(steps), COLUMNS):
        for i, place in enumerate(st.columns(COLUMNS)[: len(steps) - first], first):
            with place.container(border=True, height="stretch", gap="xsmall"):
                draw_step(plan, i + 1, steps[i])


st.markdown(
    f"**{beginnings(CLASS)[-1]} minutes in {len(CLASS)} steps.** Each page asks a question first. "
    "In class mode (*Class*), click an answer once for each hand, or let students vote from their "
    "phones; then press *Show*. What to do and what students should say is in *Lecturer's view*: "
    "open it, before class mode, in the menu *Class*."
)
_anew(key="anew", data={"isClass": url.is_presenting()})
draw_plan("")

st.header(f"Only {beginnings(SHORT)[-1]} minutes")
draw_plan("short-")

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
