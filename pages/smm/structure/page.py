"""When does low rank pay off? A linear SVM and an SMM look for a W* that the reader paints."""

import numpy as np
import streamlit as st

from pages.shared.data.painted import DIAGONAL, PLAID, RANK_2, SIDE, Painted
from pages.shared.engine import session
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.widgets import url
from pages.smm.structure.map import draw_map
from pages.smm.structure.paint import PAINTING, draw_painting
from pages.smm.structure.runs import BLOCKS, CLASSIFIERS, DIGITS
from pages.smm.structure.tiles import DRAWS, EQUAL, FALLING

head = introduce("Paint the truth, W*. It labels samples of pure noise: who finds it again?")
with st.container(key="stage"):
    run, W = draw_painting()
head.ask(
    "On which of these does the SMM not win over the linear SVM?",
    (
        Answer(PLAID, "The plaid is a single layer: the SMM wins by the most."),
        Answer(RANK_2, "It looks like noise, but it has only two layers: the SMM wins."),
        Answer(DIAGONAL, "It has rank 20 of 20: no low rank to find, so it is a tie.", right=True),
    ),
    shows={PAINTING: DIAGONAL},
)
rank = int(np.linalg.matrix_rank(W))
with st.expander("How this was made"):
    st.markdown(
        f"Each X has {SIDE} × {SIDE} independent normal entries, and its label is the sign of "
        "⟨W\\*, X⟩. C and τ are chosen on a quarter of the training samples, by the correlation of "
        "⟨W, X⟩ with the labels. The labels have no offset, so b is left out of predictions. "
        f"Numbers are means over {run.experiment.draws} draws of the training samples. One "
        "classifier is called better if the difference is more than two standard errors, and more "
        "than 5 of 1,000. The pictures are of the first draw. Each W is scaled to norm 1, and "
        "equal colours mean equal entries."
    )
st.header("Why?")
why, but = st.columns(2, gap="large")
why.markdown(
    f"A matrix of {SIDE} × {SIDE} has {SIDE**2} entries, and the linear SVM has to find all of "
    "them: it is as good for one painting as for another. A matrix of rank r is described by "
    "fewer numbers. For this painting:"
)
why.latex(
    rf"\begin{{aligned}} r\,(p + q - r) &= {rank} \cdot ({SIDE} + {SIDE} - {rank}) "
    rf"= {rank * (2 * SIDE - rank)} \\ p\,q &= {SIDE**2} \end{{aligned}}"
)
but.markdown(
    "No new samples are drawn: of all normal samples, W gets the share 1 − φ / π right, where φ "
    "is the angle between W and W\\*, and cos φ = ⟨W, W\\*⟩ at norm 1. So ⟨W, W\\*⟩ = 0.83 gives "
    "812 of 1,000.\n\n"
    "The SMM's W need not have the rank of W\\*: shrinking leaves small extra layers, and with "
    "few samples some layers of W\\* are not found."
)

st.header("Where exactly?")
draw_map()
with st.expander("How the map was made"):
    st.markdown(
        f"As above, with a random W\\* of each rank. Equal layers all have one height "
        f"({DRAWS[EQUAL]} draws); falling layers come from a product of two random matrices "
        f"({DRAWS[FALLING]} draws). Each draw has its own W\\* and samples. Where samples are few, "
        "the SMM can lose: a quarter of them tells too little which τ is good. Neither border is "
        f"a law: they were tried on {SIDE} × {SIDE} only, and 10 was chosen to fit. "
        "`python -m pages.smm.structure.tiles` makes the map again."
    )

st.header("Low rank is not all")
for other, text, link, label in (
    (
        BLOCKS,
        "**Groups of nearly equal columns:** each sample is already nearly of rank 1, a few "
        "numbers, repeated. The SVM needs to find only these",
        "effects/grouping/page.py",
        "The grouping effect →",
    ),
    (
        DIGITS,
        "**Digits 3 and 8:** with 64 pixels, the samples are enough to learn all weights",
        "your_data/page.py",
        "Look at these data →",
    ),
):
    found = session.subscribe(f"structure: {label}", other).frames.metrics
    if len(found):  # over all draws
        right = (f"{name} {1000 * found[-1][key]:.0f}" for key, name in CLASSIFIERS.items())
        text += f" (n = {other.counts[0]}, right of 1,000: {', '.join(right)})"
    with st.container(horizontal=True):
        st.markdown(f"{text}.")
        url.link(link, label=label)

prose.end_lesson(
    "The SMM pays off when W* has few layers, and there are enough samples to find these layers, "
    "but not all p × q entries.",
    (
        "the smiley has rank 4. Does a third eye between the other two change the rank? Does a dot "
        "in the upper left corner?",
        "The eye does not: it is another piece of a layer that is there already. The dot needs a "
        "layer of its own: rank 5.",
    ),
    (
        "on the plaid, at n = 200, even 800 samples are not enough for the SVM. How many are? Use "
        "the map.",
        "The plaid has rank 1. On the map, at rank 1 and n = 200, the SVM needs 5.3 times as many: "
        "about 1,060.",
    ),
    (
        "why does the advantage shrink again at n = 800?",
        "With 800 samples for 400 entries the SVM begins to have enough data. On the plaid it "
        "grows from 729 right at n = 400 to 811, while the SMM was at 897 already.",
    ),
)
prose.link_to_card()
data = run.experiment.data
assert isinstance(data, Painted)
with prose.draw_tools(programs.fill(__file__, data.script()), "structure"):
    downloads.draw_run_downloads(run, "structure")
