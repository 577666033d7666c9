"""Be the SVM: paint a classifier by hand, and see what the best one needs."""

import streamlit as st

from pages.foundations.by_hand.painting import BEST, PAY, STEP, draw_painting, read_knobs
from pages.shared.parts import prose
from pages.shared.parts.question import Answer, introduce

head = introduce("A support vector machine looks for the best W. First, do it by hand.")
knobs = read_knobs()
head.ask(
    "A sample is far on its own side. You drag it even further out. What does the best W do?",
    (
        Answer("It follows", "Only a sample with a thread, or on its edge, can move W."),
        Answer(
            "It stays",
            "A sample outside its edge has no thread and no load: W does not need it.",
            right=True,
        ),
        Answer("It shrinks", "This sample has no thread, so W wins nothing from it."),
    ),
    since={STEP: PAY},
    before="Where a sample has ink, orange cells of W pull it to the right, blue ones to the left.",
    shows={STEP: BEST},
)
draw_painting(knobs)
left, right = st.columns([3, 2], gap="large")
left.header("What you have met")
left.markdown("""
| name | in the picture | symbol |
|---|---|---|
| sample, label | a cross (1) or a frame (−1); an entry is 0.1 under ink, else 0 | Xᵢ, yᵢ |
| weight, offset b | a cell of W; the line stands at −b | W, b |
| score | where a tip stands | f(X) = ⟨W, X⟩ + b |
| margin | the strip between the edges | −1 < f(X) < 1 |
| loss | a thread | ξᵢ = max(0, 1 − yᵢ f(Xᵢ)) |
| size of W | the grey part of the bar | ½ ‖W‖² |
| objective | the bar | ½ ‖W‖² + C Σ ξᵢ |
| support matrix | a filled tip: its load αᵢ is not 0 | W = Σ αᵢ yᵢ Xᵢ |
| floor | what no bar is below | Σ αᵢ − ½ ‖Σ αᵢ yᵢ Xᵢ‖² |
""")
right.header("Why nobody gets below the floor")
right.markdown("""
1. Give each sample a load αᵢ from 0 to C, crosses as much as frames; V = Σ αᵢ yᵢ Xᵢ.
2. The threads cost C Σ ξᵢ ≥ Σ αᵢ (1 − yᵢ f(Xᵢ)) = Σ αᵢ − ⟨W, V⟩.
3. For every W, ½ ‖W‖² − ⟨W, V⟩ ≥ −½ ‖V‖², since ½ ‖W − V‖² ≥ 0.
4. Together: no bar is below Σ αᵢ − ½ ‖V‖².
5. The best loads give a floor that the bar with W = V stands on.
""")
right.markdown(
    "A new sample has 4, 10 or 34 % of its cells flipped, like these. Mistakes of 1,000 new ones "
    "are exact: a sum over all that could be drawn."
)
prose.end_lesson(
    "A support vector machine pays for threads and for the size of W. Only some samples hold W, "
    "and a floor proves that it is the best.",
    (
        "in step 3, paint +1 where a clear cross has ink and a clear frame has not, and −1 the "
        "other way round. How far above the floor are you? Which size is better?",
        "14 %. At size 10.8 it is 13 %, and no size is better.",
    ),
    (
        "in step 4, drag a cross with an empty tip slowly inwards. Where is the tip when W begins "
        "to move?",
        "At its edge, 1. From there on it has a load.",
    ),
    (
        "in step 4, drag the lowest frame far to the left. What happens to its load?",
        "It falls from 3 to 0: its tip is empty, and W goes on without it.",
    ),
    (
        "a lower price C also keeps W from following every flipped cell. Is the SMM needed?",
        "Hardly, on samples as small as these. With the best C and τ, the SVM makes 18.9 mistakes "
        "of 1,000 and the SMM 18.5. Larger samples gain more: lessons 4 and 5.",
    ),
)
