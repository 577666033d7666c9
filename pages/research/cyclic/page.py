"""The cyclic algorithm of Wolf, Jhuang and Hazan: an SVM whose W has a given rank."""

import streamlit as st

from pages.research.cyclic.runs import CYCLES, CyclicRace, cyclic_panels
from pages.shared.data.synthetic import Relevant
from pages.shared.engine import session
from pages.shared.parts import downloads, programs, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

SIZES = {"X": None, "A X Bᵀ, 10 × 10": 10, "A X Bᵀ, 50 × 50": 50}

st.markdown(
    "Problem 1 of Wolf et al. fixes the rank r of W: minimise ½‖W‖² + C Σ hinge over "
    "W = u₁v₁ᵀ + … + uᵣvᵣᵀ, where the u are orthogonal to each other, and so are the v. With all "
    "but one vector fixed this is an SVM in which sample i already has the score sᵢ from the other "
    "terms: a quadratic program with the linear term 1 − yᵢsᵢ. The algorithm solves for "
    "u₁, v₁, …, uᵣ, vᵣ in turn, again and again."
)
columns = st.columns([3, 2, 2, 1])
behind = url.choice(
    columns[0],
    "segmented_control",
    "Samples",
    list(SIZES),
    "X",
    key="behind",
    help="A and B are random with orthonormal columns. At 50 × 50 normal noise of standard "
    "deviation 0.5 is added to each entry, as in the paper.",
)
k = url.slider(
    columns[1],
    "Rank r of W",
    list(range(1, 11)),
    6,
    key="k",
    help="The paper's ideal hyperplane has rank 6. For 10 × 10 samples r = 10 is the full rank.",
)
train = url.slider(columns[2], "Training samples", [30, 50, 100, 200], 50, key="train_on")
seed = url.number(columns[3], "Seed", 0, 9999, 0, key="draw")
size = SIZES[behind]
data = Relevant(train=train, size=size, noise=0.5 if size == 50 else 0.0, seed=seed)
run = session.subscribe("cyclic", CyclicRace(data, k))
panels, more = cyclic_panels()
show_run("cyclic", run, panels, CYCLES, more=more)
st.caption(
    f"{train} samples for training, {data.tests} for the test, made as in section 6 of the paper; "
    f"C = {CyclicRace.C:,g}, a hard margin. "
    "The run starts from the W of the linear SVM, truncated to rank r by its SVD, and from a "
    "random W of the same length, truncated likewise. Each picture of W is divided by its largest "
    "entry. A cycle is 2r quadratic programs. The run ends where moving one vector alone would "
    "lower the objective by at most 10⁻⁴ of its value."
)
prose.show_notes(
    "**The objective never rises**: each step solves its part exactly. That is all the algorithm "
    "promises.",
    "**It stalls.** With orthogonal u a step is small, so the end depends on the start. Set "
    "r = 10 on 10 × 10, where the rank is no restriction: from the linear SVM the run stays at "
    "the optimum, from the random start it does not get there.",
    "**Neither start is always better.** On the samples of the first picture the random start "
    "ends lower at r = 4; with 200 training samples of 50 × 50, seed 0, from r = 2 on.",
    "**A low objective is not a high accuracy.** The objective is about the training samples; "
    "compare the test accuracies.",
    "**Time.** The paper calls the algorithm much slower than iterative weighting. From the linear "
    "SVM it takes about 5 to 20 times as long on X, and 1 to 3 times on 50 × 50 (seeds 0 to 4, "
    "r = 6, one thread).",
)
program = programs.fill(__file__, RANK=k, TRAIN=train, SIZE=size, SEED=seed)
with prose.draw_tools(program, "smm_rank_k"):
    downloads.draw_run_downloads(run, "smm_rank_k")
    url.link(
        "further/low_rank/page.py",
        label="**Low-rank SVM →** the other algorithm of the paper, iterative weighting",
    )
