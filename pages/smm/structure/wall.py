"""The map on the wall: each phone of a class uncovers a place, and the answer the rest."""

import streamlit as st

from pages.shared.parts.question import introduce, is_class
from pages.smm.structure.map import AXES, draw_map, places

head = introduce("A place for each rank of W* and each number of samples n: who gets more right?")
with st.container(key="stage"):
    draw_map()
if is_class():
    answers = places()
    best = next(i for i, answer in enumerate(answers) if answer.right)
    row, column = divmod(best, len(AXES["Rank"]))
    head.ask(
        "Where does the SMM win by the most? Tap a place on your phone.",
        answers,
        shows={"rank": AXES["Rank"][column], "samples": AXES["n"][row]},
        axes=AXES,
    )
