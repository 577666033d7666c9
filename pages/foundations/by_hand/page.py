"""Be the SVM: paint a classifier by hand, and see what the best one needs."""

import streamlit as st

from pages.foundations.by_hand.painting import draw_painting
from pages.shared.parts import prose
from pages.shared.parts.question import Answer, introduce

head = introduce("A support vector machine looks for the best W. First, do it by hand.")
draw_painting(
    head,
    "You drag a sample that is far out even further out. What does the best W do?",
    (
        Answer("It follows", "Only a sample with a thread, or on its edge, can move W."),
        Answer(
            "It stays",
            "A sample outside its edge has no thread and no load: W does not need it.",
            right=True,
        ),
        Answer("It shrinks", "This sample has no thread, so W wins nothing from it."),
    ),
)
