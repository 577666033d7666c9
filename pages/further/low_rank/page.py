"""The low-rank SVM of Wolf, Jhuang and Hazan: weight directions instead of features."""

import streamlit as st

from pages.further.low_rank.runs import (
    OPENING,
    STEP,
    TAU,
    Turned,
    TurnPath,
    angle_axis,
    turn_panels,
)
from pages.navigation import TITLES
from pages.shared.data.synthetic import PROTOCOLS, Relevant
from pages.shared.engine import session
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

head = introduce(
    "Two SVMs train in rounds. AROM (approximation of the zero norm) drops cells of W, LowRank "
    "layers."
)
stage = st.container(key="stage")
with st.expander("Protocol, noise, number of samples and seed"):
    protocol = url.choice(
        st,
        "selectbox",
        "Protocol",
        list(PROTOCOLS),
        "one triple, in one row",
        key="protocol",
        help="Features 1 to 3 are one triple, 4 to 6 the other. As printed: the class decides "
        "which of them is informative. Weston's own: the first one in 70 % of the samples of "
        "either class. One triple: always the first; in one row: nothing is permuted, and the "
        "best W has rank 1.",
    )
    with st.container(key="pairs"):
        columns = st.columns(3)
    noise = url.slider(
        columns[0],
        "Standard deviation of the noise",
        [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0],
        0.0,
        key="noise_10",
        help="Normal, on each entry of the samples, which are turned with their noise.",
    )
    train = url.slider(
        columns[1],
        "Training samples",
        [30, 50, 100, 200],
        OPENING.data.train,
        key="train_on",
        help="Of 500; the others test.",
    )
    seed = url.number(columns[2], "Seed", 0, 9999, OPENING.data.seed, key="seed_low_rank")
head.ask(
    "Turn all samples by the same angle, so that their cells mix. Which method loses accuracy?",
    (
        Answer(
            "AROM: few cells",
            "The cells mix. Its curve jumps where it ends with other cells than before.",
            right=True,
        ),
        Answer("LowRank: few layers", "Its layers turn with the samples: AROM loses."),
        Answer("Both", "Only AROM: LowRank's layers turn with the samples."),
    ),
    at=("protocol", "noise_10", "train_on", "seed_low_rank"),
)
kind, permute = PROTOCOLS[protocol]
data = Relevant(train=train, noise=noise, protocol=kind, permute=permute, seed=seed)
path = TurnPath(data)
run = session.subscribe("low rank", path)
shown, more = turn_panels()
with stage:
    show_run("low rank", run, shown, angle_axis(path), more=more, asks=True)
with st.expander("How this was made"):
    st.markdown(
        f"Protocol {protocol}, noise of standard deviation {noise:g}, seed {seed}; "
        f"{train} samples for training, {data.tests} new ones. C = {path.C:,g}; the SMM has "
        f"τ = {TAU:g}. Each feature of X is scaled to mean 0 and standard deviation 1 over all "
        f"{data.n} samples; then all are {'permuted' if permute else 'left in their order'} and "
        "laid out as 10 × 10. The samples are A X Bᵀ. A is a rotation: random directions are "
        "paired, and each pair is turned in its plane by the angle, in steps of "
        f"{STEP}°; so is B. At 90° each row is a mixture of the other rows. All classifiers are "
        "trained again at each angle. Each W is divided by its largest entry. “The best W” "
        "separates the means of the classes best if there is no noise. A layer or cell "
        "counts as kept above 1 % of the largest weight."
    )
ended, frames = run.ended, run.frames
prose.show_notes(
    "**AROM** trains a linear SVM again and again and multiplies each *feature* by its last "
    "weight. That makes the zero norm small: the number of features that are used. **LowRank** "
    "does the same with *directions*: it weights samples by a matrix with diagonal D in the basis "
    "of the singular vectors of the last W. “Kept” counts features (cells) and directions "
    "(layers).",
    "**Who does not notice.** The linear SVM measures W by ‖W‖, the SMM by its singular values "
    "as well. A rotation changes neither, and LowRank's directions turn with it. So their W turn "
    "with the samples, and all scores stay. AROM weights single entries.",
)

with st.expander("More: the weighting in numbers"):
    st.markdown(
        "The SVM minimises ‖W‖; the paper minimises the rank of W instead. Each pass trains "
        "a linear SVM, takes the SVD of its Wₖ, and weighs every entry of the samples, seen in the "
        "bases U and V, by D + d₁/10. AROM weighs entry by entry with |Wₖ| instead. For tensors "
        "the higher-order SVD takes the place of the SVD; `LowRankSVM` does both."
    )
    st.markdown(
        "**Propositions 1 and 2 of the paper.** Where A and B have orthonormal columns, what the "
        "SVM and LowRank learn from A X Bᵀ is A W Bᵀ, also if A X Bᵀ is larger than X. Where all "
        "columns and all rows of the samples come from spaces of dimension m, W has rank **at "
        "most** m; how far below m it gets is decided by the data."
    )
    if ended and len(frames.images):
        last = frames.images[-1]
        st.latex(
            r"\begin{gathered} \min_{W, b} \ \operatorname{rank}(W) + C \textstyle\sum_i \xi_i \\"
            r"W_k = U D V^\top, \quad W = T_1 T_2 \cdots T_{k-1} W_k \\"
            r"T_k(X) = U \left[ U^\top X V \circ (D + \tfrac{d_1}{10}) \right] V^\top \\"
            r"\text{at rest } T_k(W_k) = W_k: \\ d_j = 0 \text{ or } "
            r"d_j + \tfrac{d_1}{10} = 1, \text{ so } d_j = \tfrac{10}{11} = 0.909 \\"
            r"d = "
            + r",\ ".join(f"{value:.3f}" for value in last["diagonal"][:5])
            + r"\ \dots \end{gathered}"
        )
    else:
        st.info("The numbers appear when the run has ended or is stopped.")

prose.end_lesson(
    "Layers survive a rotation of the samples; single cells do not.",
    (
        "set “Protocol” to as printed. How many layers does LowRank keep now, and why?",
        "Four, where one was enough before: the relevant features are no longer in one row.",
    ),
    (
        "you know that few entries of your matrices matter. AROM or LowRank?",
        "AROM: it looks for few entries. LowRank is for few directions, whatever the basis.",
    ),
)
program = programs.fill(
    __file__,
    TRAIN=train,
    TESTED=data.tests,
    NOISE=noise,
    PROTOCOL=kind,
    PERMUTE=permute,
    SEED=seed,
)
with prose.draw_tools(program, "smm_low_rank"):
    st.caption("The path; the model files hold W and b of LowRank and AROM at 90°:")
    downloads.draw_run_downloads(run, "smm_low_rank")
    st.caption("The samples at 90°, to train and to test on:")
    turned = Turned(train=train, noise=noise, protocol=kind, permute=permute, seed=seed)
    downloads.draw_data_downloads(turned, "wolf_samples")
    for note, text in (
        ("table_1", "these methods on 20 draws, beside those of the paper"),
        ("cyclic", "the other algorithm of the paper, for a W of given rank"),
    ):
        url.link(f"research/{note}/page.py", label=f"**{TITLES[note]} →** {text}")
