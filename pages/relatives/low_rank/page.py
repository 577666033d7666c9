"""The low-rank SVM of Wolf, Jhuang and Hazan: weight directions instead of features."""

from dataclasses import replace

import streamlit as st

import smmcore.solvers.cyclic
import smmcore.solvers.weighting
from pages.relatives.low_rank.runs import (
    CYCLES,
    PASSES,
    CyclicRun,
    WeightingRun,
    check_invariance,
    cyclic_panels,
    describe_rank,
    describe_times,
    invariance_rows,
    passes_rows,
    weighting_panels,
    zero_methods,
)
from pages.shared.data.synthetic import PROTOCOLS, Relevant
from pages.shared.engine import session
from pages.shared.parts import downloads, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

PLAIN = "X"
SIZES = {PLAIN: None, "A X Bᵀ, 10 x 10": 10, "A X Bᵀ, 50 x 50": 50}

st.title("Low-rank SVM: weigh directions, not features")
prose.ask_prediction(
    "guess-low-rank",
    "Six of 100 features tell the classes apart. AROM looks for few *features*, LowRank for few "
    "*directions* u vᵀ. Below you see both on X. Hide X behind orthogonal A and B: who notices?",
    ("AROM only", "Both", "Neither"),
    "Choose A X Bᵀ, 10 x 10, and compare. AROM notices: its features are mixed with all others. "
    "LowRank does not, to the last digit: its W turns with the data (Proposition 1, below). Over "
    "20 draws as printed AROM falls from 97.7 to 81.9 %, LowRank has 92.7 % both times, the plain "
    "SVM 93.1 %. On features as they are AROM is the better tool.",
)
left, right = st.columns([3, 2])
behind = url.choice(
    left,
    "segmented_control",
    "Samples",
    list(SIZES),
    PLAIN,
    key="behind",
    help="A and B are random with orthonormal columns: a feature X(i, j) becomes the rank-one "
    "matrix X(i, j) aᵢbⱼᵀ.",
)
protocol = url.choice(
    right,
    "selectbox",
    "Protocol",
    list(PROTOCOLS),
    "as printed",
    key="protocol",
    help="Features 1 to 3 are one triple, 4 to 6 the other. As printed: the class decides "
    "which of them is informative. Weston's own: the first one in 70 % of the samples of "
    "either class. One triple: always the first; in one row: nothing is permuted, and the "
    "best W has rank 1.",
)
with st.container(key="pairs"):
    columns = st.columns(4)
size = SIZES[behind]
noise = url.slider(
    columns[0],
    "Deviation of the noise",
    [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0],
    0.5 if size == 50 else 0.0,
    key="noise_50" if size == 50 else "noise_10",
    help="Normal, on each entry of the samples. The paper has N(0, .5) behind A and B, but "
    "the equal figures in its Table 1 leave no noise for 10 x 10.",
)
train = url.slider(
    columns[1],
    "Training samples",
    [30, 50, 100, 200],
    50,
    key="train_on",
    help="Of 500; the others test.",
)
C = url.slider(
    columns[2],
    "C",
    [0.01, 0.1, 1.0, 10.0, 100.0, 1e4],
    1e4,
    key="C_hard",
    help="Loss weight of each SVM. 10000 stands for the hard margin of Weston's AROM; "
    "with 1 and 50 samples its W shrinks to 0 on 50 x 50.",
)
seed = url.number(columns[3], "Seed", 0, 9999, 0, key="seed_low_rank")
kind, permute = PROTOCOLS[protocol]
data = Relevant(train=train, size=size, noise=noise, protocol=kind, permute=permute, seed=seed)
weighting = WeightingRun(data, C)
run = session.subscribe("weighting", weighting)
show_run("weighting", run, weighting_panels(), PASSES)
st.caption(
    f"Data of this lesson, not of the side bar: {behind}, protocol {protocol}, noise of "
    f"deviation {noise:g}, seed {seed}; {train} samples train, {data.tests} test. Each feature of "
    f"X is scaled to mean 0 and deviation 1 over all {data.n}; then all are "
    f"{'permuted' if permute else 'left in their order'} and laid out as 10 x 10. C = {C:g}. Each "
    "W is in the coordinates of the samples and divided by its largest entry. Where W should live: "
    "the direction that tells the means of the classes apart best where there is no noise. The "
    "linear SVM is pass 1 of both methods. A direction or feature counts as kept above 1 % of the "
    "largest weight."
)
curves = run.frames.metrics
ended = run.ended and len(curves) > 0
if ended and (zero := zero_methods(curves)):
    st.warning(
        f"The W of {' and '.join(zero)} has shrunk to 0: every sample gets the same class. With "
        f"C = {C:g} a slack costs less than the W that would avoid it, and each pass makes "
        "the samples smaller still. Take a larger C."
    )
prose.show_notes(
    "**Plateaus.** The diagonal of D begins as a slope. Each direction then settles at 10/11 or "
    "falls to 0. Scrub the bars from the first pass to the last: they are the paper's Figure 1.",
    "**Which rank.** What gets a low rank is Wₖ, in the weighted coordinates of pass k; the "
    "“W with rank 2” of the paper is that one. Weighting entry by entry keeps no rank: in the "
    "coordinates of the samples W has further singular values. On seed 0 of the first picture they "
    "are too small to see. Take seed 4: of Wₖ one direction counts, but the second singular value "
    "of W is two thirds of the first. The theorem on the VC dimension is not about such a W.",
    "**AROM** ends with dots. On X they are few, and nearly all of them among the six; noise adds "
    "others. Behind A and B no single entry is relevant.",
    "**Rank 6?** So the paper has it, and six features in six rows and six columns would need it. "
    f"To separate {train} training samples fewer directions are enough, and what separates "
    "them need not be right on the test part.",
)

st.subheader("The weighting in numbers")
st.markdown(
    "The paper's Problem 2 asks for a low rank where the SVM asks for a short W. Each pass trains "
    "a linear SVM, takes the SVD of its Wₖ, and weighs every entry of the samples, seen in the "
    "bases U and V, by D + d₁/10. AROM weighs entry by entry with |Wₖ| instead. For tensors the "
    "higher-order SVD takes the place of the SVD; `LowRankSVM` does both."
)
if ended:
    last = run.frames.images[-1]
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
    st.markdown(describe_rank(int(curves["kept_lowrank"][-1]), last["singular_values"]))
    st.dataframe(passes_rows(curves, data), hide_index=True)
else:
    st.info("They stand here once the passes have ended, or are stopped.")

st.subheader("A given rank: the cyclic algorithm")
st.markdown(
    "The paper's Problem 1 fixes the rank k instead: least ½‖W‖² + C Σ hinge over "
    "W = u₁v₁ᵀ + … + uₖvₖᵀ, the u's orthogonal to each other, and so the v's. With all but one "
    "vector fixed it is an SVM in which sample i has the score rᵢ of the other terms already: a QP "
    "with the linear term 1 − yᵢrᵢ, which a stock SVM does not have. u₁, v₁, …, uₖ, vₖ are solved "
    "for in turn, again and again."
)
k = url.slider(
    st,
    "k, the rank",
    list(range(1, 11)),
    6,
    key="k",
    help="The paper's ideal hyperplane has rank 6. Of 10 x 10 samples k = 10 is the full rank.",
)
cyclic = session.subscribe("cyclic", CyclicRun(data, k, C))
show_run("cyclic", cyclic, cyclic_panels(), CYCLES)
st.caption(
    "The same samples and C. The first W is the linear SVM's, cut to rank k by its SVD, or a "
    "random one as long as it, cut likewise; each picture is divided by its largest entry. A cycle "
    "is 2 k QPs. It ends where moving one vector alone would gain at most 10⁻⁴ of the objective."
)
cycles = cyclic.frames.metrics
if ended and cyclic.ended and len(cycles):
    st.markdown(describe_times(curves[-1], cycles[-1]))
st.markdown(
    "- **It never rises**: each step solves its part exactly. That is all it promises.\n"
    "- **It stalls.** With orthogonal u's a step is small, and where it ends is decided by where "
    "it begins. Set k = 10 on 10 x 10, where the rank is bounded no more: from the linear SVM it "
    "stays at the optimum, from the random start it does not get there.\n"
    "- **Neither start is always the better one.** On the samples of the first picture the random "
    "one ends lower at k = 4; with 200 training samples of 50 x 50, seed 0, from k = 2 on.\n"
    "- **Low is not accurate.** The objective weighs the training part; compare the accuracies."
)

st.subheader("Propositions 1 and 2 on these features")
plain = WeightingRun(replace(data, size=None, noise=0.0), C)
results = session.run_task("turned", "Learning from X and from A X Bᵀ", check_invariance, plain)
st.markdown(
    f"The same {train} training samples as X, 10 x 10, and as A X Bᵀ, 50 x 50, A and B drawn "
    "anew, without noise. **Proposition 1**: what is learned from A X Bᵀ is A W Bᵀ. It holds for "
    "the linear SVM, for LowRank and for the cyclic algorithm from the linear SVM, whose steps are "
    "inner products and SVDs. AROM's weights belong to coordinates."
)
st.dataframe(invariance_rows(results), hide_index=True)
st.caption(
    "W is learned from X, W₂ from A X Bᵀ. Difference: the largest of a test sample's two scores, "
    "over the largest score."
)
st.markdown(
    "**Proposition 2**: if all columns and all rows of the samples come from spaces of m "
    "dimensions, W has rank **at most** m; the paper prints “is of rank m”. Here W₂ is 50 x 50 and "
    "m = 10, so that its eleventh singular value is 0 up to rounding:"
)
svm, low_rank, _ = results
sigmas = [result.singular_values for result in (svm, low_rank)]
ratios = (sigma[10] / (sigma[0] or 1.0) for sigma in sigmas)
st.latex(
    r"\frac{\sigma_{11}(W_2)}{\sigma_1(W_2)} = \begin{cases} "
    + r" \\ ".join(
        rf"{prose.latex_number(ratio)} & \text{{{result.method}}}"
        for ratio, result in zip(ratios, (svm, low_rank), strict=True)
    )
    + r" \end{cases}"
)
st.markdown(
    f"LowRank's last Wₖ keeps {low_rank.kept} of these 10 directions. How far below m it gets is "
    "decided by the data, not by the proposition."
)

prose.show_source("The source that ran", smmcore.solvers.weighting, smmcore.solvers.cyclic)
st.subheader("Take it with you")
st.caption("The weighting; the model files hold W and b of both methods:")
downloads.draw_run_downloads(run, "smm_low_rank")
st.caption("The cyclic algorithm, from both starts:")
downloads.draw_run_downloads(cyclic, "smm_rank_k")
st.caption("The samples, to train and to test on:")
downloads.draw_data_downloads(data, "wolf_samples")
st.page_link(
    "relatives/table_1/page.py",
    label="**Wolf's Table 1 →** these methods on 20 draws, beside the printed figures",
)
prose.show_link()
