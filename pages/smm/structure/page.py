"""When does low rank pay off? A linear SVM and an SMM look for a W* that the reader paints."""

import numpy as np
import streamlit as st

from pages.shared.data.painted import DIAGONAL, PLAID, SMILEY
from pages.shared.data.planted import SIDE
from pages.shared.engine import session
from pages.shared.numbers import percent
from pages.shared.parts import downloads, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.widgets import url
from pages.smm.structure import runs
from pages.smm.structure.paint import PAINTING, draw_painting
from pages.smm.structure.puzzle import draw_puzzle
from pages.smm.structure.runs import BLOCKS, BUILT_IN, CLASSIFIERS, DIGITS, OPENS

head = introduce(
    "Now you paint the truth, W*. It labels samples of pure noise: which machine finds it again?"
)
with st.container(key="stage"):
    run, W = draw_painting()
head.ask(
    "On which of these does the SMM not win over the linear SVM?",
    (
        Answer(SMILEY, "The smiley has four layers, far fewer numbers than 400: the SMM wins."),
        Answer(PLAID, "The plaid is a single layer: the SMM wins by the most."),
        Answer(DIAGONAL, "The diagonal has rank 20 of 20: no low rank to find.", right=True),
    ),
    shows={PAINTING: DIAGONAL},
)
rank = int(np.linalg.matrix_rank(W))
with st.expander("How this was made"):
    st.markdown(
        f"Each X has {SIDE} × {SIDE} independent normal entries, and its label is the sign of "
        "⟨W\\*, X⟩. C and τ are chosen on a quarter of the training samples, by the correlation of "
        "⟨W, X⟩ with the labels. The labels have no offset, so b is left out of predictions. "
        f"Accuracies are means over {run.experiment.draws} draws of the training samples; the band "
        "is one standard error. The pictures are of the first draw. Each W is scaled to norm 1, "
        "and equal colours mean equal entries."
    )
st.header("Why?")
st.markdown(
    f"A matrix of {SIDE} × {SIDE} has {SIDE**2} entries, and the linear SVM has to find all of "
    "them: its accuracy is the same for all paintings. A matrix of rank r is described by fewer "
    "numbers. For this painting:"
)
st.latex(
    rf"\begin{{aligned}} r\,(p + q - r) &= {rank} \cdot ({SIDE} + {SIDE} - {rank}) "
    rf"= {rank * (2 * SIDE - rank)} \\ p\,q &= {SIDE**2} \end{{aligned}}"
)
st.markdown(
    "With few samples, fewer unknowns mean a better estimate. With many samples the SVM "
    "begins to catch up, and for a W* of full rank there is nothing to save.\n\n"
    "No test samples are needed: of all normal samples, W gets the share 1 − φ / π right, where φ "
    "is the angle between W and W\\*, and cos φ = ⟨W, W\\*⟩ at norm 1. So ⟨W, W\\*⟩ = 0.83 gives "
    "81 %.\n\n"
    "The SMM's W need not have the rank of W\\* itself: shrinking leaves small extra singular "
    "values, and with few samples some layers of W\\* are not found."
)

st.header("Where it does not pay off")
cards = (
    (
        BUILT_IN[DIAGONAL],
        OPENS,
        "A true W of full rank",
        "Low rank is the wrong guess for the diagonal, and for every other W* with equal singular "
        "values.",
        "effects/rank/page.py",
        "See how τ sets the rank →",
    ),
    (
        BLOCKS,
        200,
        "Groups of nearly equal columns",
        "Each sample is already nearly a matrix of rank 1: few numbers, repeated. The SVM needs to "
        "find only these.",
        "effects/grouping/page.py",
        "Look at these data →",
    ),
    (
        DIGITS,
        100,
        "Digits 3 and 8",
        "The images have only 64 pixels, and 100 samples are enough to learn from them directly.",
        "your_data/page.py",
        "Look at these data →",
    ),
)
for place, (other, n, title, why, link, label) in zip(st.columns(3), cards, strict=True):
    with place.container(border=True, height="stretch"):
        found = session.subscribe(f"structure: {title}", other).frames.metrics
        st.markdown(f"**{title}**")
        if len(found):
            means = found[found["n"] == n][-1]  # over all draws
            numbers = (
                f"{method} **{percent(means[name])}**" for name, method in CLASSIFIERS.items()
            )
            st.markdown(f"n = {n}: {', '.join(numbers)}")
        st.markdown(why)
        url.link(link, label=label)

st.header("Your turn")
draw_puzzle()

prose.end_lesson(
    "The SMM pays off when the true W has low rank and samples are few compared with the p × q "
    "entries.",
    (
        "the smiley has rank 4. Does a third eye between the other two change the rank? Does a dot "
        "in the upper left corner?",
        "The eye does not: it is another piece of a layer that is there already. The dot needs a "
        "layer of its own: rank 5.",
    ),
    (
        "how many numbers describe a 20 × 20 matrix of rank 2, and what does the SMM gain at n = "
        "400?",
        "2 · (20 + 20 − 2) = 76 numbers instead of 400. Choose **Rank 2** and move to n = 400: "
        "the SMM gains about 11 points. On the plaid, of rank 1, it gains about 17.",
    ),
    (
        "why does the advantage shrink again at n = 800?",
        "With 800 samples for 400 entries the SVM begins to have enough data. On the plaid it "
        "grows from 73 % at n = 400 to 81 %, while the SMM was at 90 % already.",
    ),
)
with prose.draw_tools(runs):
    downloads.draw_run_downloads(run, "structure")
