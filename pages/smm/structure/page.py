"""When does low rank pay off? A linear SVM and an SMM on the same samples."""

import streamlit as st

from pages.shared.data.planted import SIDE, TESTS
from pages.shared.engine import session
from pages.shared.numbers import percent
from pages.shared.parts import downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, ask
from pages.shared.parts.states import State, choose_state
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from pages.smm.structure import runs
from pages.smm.structure.puzzle import draw_puzzle
from pages.smm.structure.runs import BLOCKS, BY_RANK, CLASSIFIERS, DIGITS, OPENS, RANKS

ask(
    "An SMM looks for a W of low rank. That pays off if W* has low rank and samples are few.",
    "A hidden 20 × 20 matrix of rank 1 makes the labels. Who finds it from 200 samples?",
    (
        Answer("The linear SVM", "It searches all matrices; the SMM prefers simple ones."),
        Answer("The SMM", "W* has rank 1, and the SMM looks for low rank.", right=True),
        Answer("Neither: a tie", "That happens at rank 10 or 20. Rank 1 is far less to find."),
    ),
)
rank, knob = url.knob("rank of W*", "the truth", RANKS, 1, key="rank")
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs([knob])
    choose_state((State("Rank 1", {"rank": 1}), State("Full rank", {"rank": SIDE})))
with st.container(key="stage"):
    run = session.subscribe("structure", BY_RANK[rank], moves=runs.MOVES)
    rank = runs.RANK_OF[run.experiment]  # where the hand is by now
    panels = runs.stage_panels()
    show_run("structure", run, panels, runs.AXIS, asks=True, knobs=[knob], moves=runs.MOVES)
with st.expander("How this was made"):
    st.markdown(
        f"Each X has {SIDE} × {SIDE} independent normal entries, and its label is the sign of "
        f"⟨W\\*, X⟩. C and τ are chosen on a quarter of the training samples. The labels have no "
        f"offset, so b is left out when the classifiers are tested. Accuracies are means over "
        f"{run.experiment.draws} draws with {TESTS:,} test samples each; the band is one standard "
        "error. The pictures are of the first draw, on one colour scale. Each W is scaled to norm "
        "1, so 1 is the best possible ⟨W, W\\*⟩."
    )
st.header("Why?")
mean_rank = run.frames.metrics["rank_smm"][OPENS]
st.markdown(
    f"A matrix of {SIDE} × {SIDE} has {SIDE**2} entries, and the linear SVM has to find all of "
    "them. A matrix of rank r is described by fewer numbers:"
)
st.latex(
    rf"\begin{{aligned}} r\,(p + q - r) &= {rank} \cdot ({SIDE} + {SIDE} - {rank}) "
    rf"= {runs.parameters(rank)} \\ p\,q &= {SIDE**2} \end{{aligned}}"
)
st.markdown(
    "With few samples, fewer unknowns mean a better estimate. With many samples the SVM "
    "begins to catch up, and for a W* of full rank there is nothing to save.\n\n"
    "You can read the accuracy off the picture: for normal samples it is 1 − φ / π, where φ is the "
    "angle between W and W\\*, and cos φ = ⟨W, W\\*⟩. So ⟨W, W\\*⟩ = 0.83 gives 81 %.\n\n"
    f"The SMM's W is not of rank {rank} itself: its mean rank is {mean_rank:.1f} at n = 200. "
    "Shrinking leaves small extra singular values, and validation prefers a small τ."
)

st.header("Where it does not pay off")
full = session.subscribe("structure, full rank", BY_RANK[SIDE])
blocks = session.subscribe("structure, blocks", BLOCKS)
digits = session.subscribe("structure, digits", DIGITS)
cards = (
    (
        full,
        OPENS,
        "A true W of full rank",
        "Low rank is the wrong guess here. With 50 or 100 samples it even loses one or two "
        "percentage points.",
        "effects/rank/page.py",
        "See how τ sets the rank →",
    ),
    (
        blocks,
        0,
        "Groups of nearly equal columns",
        "Each sample is already nearly a matrix of rank 1: few numbers, repeated. The SVM needs to "
        "find only these.",
        "smm/data/page.py",
        "Look at these data →",
    ),
    (
        digits,
        0,
        "Digits 3 and 8",
        "The images have only 64 pixels, and 100 samples are enough to learn from them directly.",
        "your_data/page.py",
        "Look at these data →",
    ),
)
for place, (other, frame, title, why, link, label) in zip(st.columns(3), cards, strict=True):
    with place.container(border=True, height="stretch"):
        found = other.frames.metrics
        st.markdown(f"**{title}**")
        if len(found) > frame:
            numbers = (
                f"{method} **{percent(found[name][frame])}**"
                for name, method in CLASSIFIERS.items()
            )
            st.markdown(f"n = {found['n'][frame]:g}: {', '.join(numbers)}")
        st.markdown(why)
        st.page_link(link, label=label)

st.header("Your turn")
draw_puzzle()

prose.end_lesson(
    "The SMM pays off when the true W has low rank and samples are few compared with the p × q "
    "entries.",
    (
        "how many numbers describe a 20 × 20 matrix of rank 2, and what does the SMM gain at n = "
        "400?",
        "2 · (20 + 20 − 2) = 76 numbers instead of 400. Set the rank to 2 and move to n = 400: "
        "the SMM gains about 11 points. At rank 1 it gains about 15.",
    ),
    (
        "why does the advantage shrink again at n = 800?",
        "With 800 samples for 400 entries the SVM begins to have enough data. At rank 1 its "
        "⟨W, W*⟩ grows from 0.67 at n = 400 to 0.82, while the SMM's was 0.93 already.",
    ),
)
with prose.draw_tools(runs):
    downloads.draw_run_downloads(run, "structure")
