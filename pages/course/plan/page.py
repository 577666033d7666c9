"""The course plan: nine steps for a class, and a longer path for self-study."""

import streamlit as st

from pages.course.plan.steps import CLASS, MINUTES, SELF_STUDY, PlanStep
from pages.navigation import TITLES
from pages.shared.widgets import url

COLUMNS = 3


def draw_step(number: int, step: PlanStep) -> None:
    """Draw a step as a card with a link to its page."""
    begin = (number - 1) * MINUTES
    st.markdown(f"**{number}. {step.question}**")
    # A full load: values of this session's controls would override those of the address.
    present = "present=1" if url.is_presenting() else ""
    address = step.address + ("&" if "?" in step.address else "?") * bool(present) + present
    st.html(
        f'<a href="{address}" target="_self">{TITLES.get(step.lesson, "Home")} →</a> '
        f"&ensp;minutes {begin} to {begin + MINUTES}"
    )
    st.markdown(f"{step.do}\n\n*{step.say}*\n\n**To take home:** {step.take_home}")


st.markdown(
    "Nine steps of five minutes. Each link opens the page in the state that the step needs. Most "
    "pages ask for a prediction first: let the class vote before you click. "
    "[Open this page for a projector](./course?present=1): letters in the charts are larger."
)
for first in range(0, len(CLASS), COLUMNS):
    for i, place in enumerate(st.columns(COLUMNS), first):
        with place.container(border=True, height="stretch", gap="xsmall"):
            draw_step(i + 1, CLASS[i])

hours = sum(minutes for _, minutes, _ in SELF_STUDY) / 60
st.header(f"On your own: {hours:.0f} hours")
st.markdown(
    "Work through the lessons in this order. Predict first, then do what the table says, then "
    "solve the two exercises at the end of each lesson."
)
rows = "\n".join(
    f"| [{TITLES[lesson]}](./{lesson}) | {minutes} | {task} |"
    for lesson, minutes, task in SELF_STUDY
)
st.markdown(f"| lesson | minutes | what to do |\n|---|--:|---|\n{rows}")
