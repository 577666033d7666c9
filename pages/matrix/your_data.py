"""Your data: a file or the built-in digits, two classes, a machine, and a test of it."""

from html import escape

import streamlit as st

import smmcore.matfile.samples
from pages.shared import address, charts, evaluation, exports, figures, jobs, prose, runs, uploads
from pages.shared.recipes import SMMRun, Split, Upload
from pages.shared.watch import watch

C_STEPS = [float(f"{step}e{decade}") for decade in range(-2, 3) for step in (1, 2, 5)] + [1e3]
TAU_STEPS = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
RELATIVE_C, RELATIVE_TAU = 10.0, 0.02
FEW = 30  # test samples: with fewer the accuracy says little

address.begin()  # the experiment of the side bar plays no part here
st.title("Your data")
prose.predict(
    "guess-rank",
    "How well will a machine do whose W has only a few singular values?",
    ("Hardly better than chance", "Nearly as well as one of full rank", "Perfectly"),
    "What tells two kinds of matrices apart often lies in few rows and columns, and then a few "
    "singular values do: set τ to 0 and compare. The test counts no sample that was trained on.",
)

choice = uploads.choose()
names = [escape(name) for name in uploads.distinct(choice.classes)]  # Plotly reads HTML

st.subheader("The machine")
left, middle, right = st.columns(3, gap="large")
c = address.choice(
    left,
    "select_slider",
    "C, weight of the loss, in units of 1/s²",
    C_STEPS,
    RELATIVE_C,
    key="C_rel",
    help="s is the root mean square distance of the training samples from their mean. In this "
    "unit 10 means the same for grey values and for volts.",
)
t = address.choice(
    middle,
    "select_slider",
    "τ, weight of ‖W‖∗, as a share of τ_max",
    TAU_STEPS,
    RELATIVE_TAU,
    "{:.1%}".format,
    key="tau_rel",
    help="τ_max is the smallest τ at which W = 0. More τ means, as a rule, a lower rank.",
)
seed = address.number(
    right,
    "Seed of the 70/30 split",
    0,
    2**32 - 1,
    0,
    key="split",
    help="Draws, in each class, the 30 % of the samples that are kept for the test.",
)
summary = st.container()
split = Split(choice.data, test_size=0.3, seed=seed)
units = runs.ask("your data: units", "Measuring the samples", jobs.units, split)
if not units.tau_max:
    st.warning(
        "For these two classes W = 0 is optimal, whatever C and τ: the mean of the smaller class "
        "lies among the samples of the larger one, and the hinge loss then asks for no more than "
        "to name the larger class always. Take classes of nearer sizes."
    )
C = c / units.spread**2
run = runs.current("your data", SMMRun(split, C=C, tau=t * c * units.tau_max))
watch("your data", run)
st.caption(
    f"Training part of {uploads.plain(choice.name)}, seed {seed}. The samples are as they came; C "
    f"and τ are scaled: s = {units.spread:.4g}, so C = {c:g}/s² = {C:.4g} and τ = {t:.1%} of "
    f"{c * units.tau_max:.4g} = {run.recipe.tau:.4g}, all in the units of the data."
)
proof = run.frames.certificate
if proof is None or not run.ended:
    summary.info("The machine is being trained; its test follows when the optimum is certified.")
    st.stop()

machine = jobs.Machine.of(run.recipe, proof)
answers = runs.ask("your data: answers", "Testing the machine", jobs.answers, machine)
result = evaluation.Evaluation(run.recipe, proof, choice.classes, answers)
test, train = result.test, result.train
low, high = test.interval
numbers = {
    "Test accuracy": (
        f"{test.share:.1%}",
        f"{test.right:,} of {test.of:,} right",
        f"Of the samples that it has not seen; of those that trained it, {train.right:,} of "
        f"{train.of:,} are right, {train.share:.1%}. Where one subject or session gave several "
        "samples, both parts hold some of them, and that flatters the test.",
    ),
    "Majority rate": (
        f"{result.majority:.1%}",
        None,
        "What always naming the larger class of the training part would get right.",
    ),
    "Rank of W": (
        f"{proof.rank} of {min(proof.W.shape)}",
        None,
        f"The gap proves at least {proof.certain_rank}.",
    ),
    "Relative gap": (
        f"{max(proof.relative_gap, 0):.1e}",
        None,
        "(P − D) / |P|, of the training: how far the objective can be from its optimum.",
    ),
    "√(2 gap) / ‖W‖": (
        f"{proof.relative_radius:.1e}" if proof.rank else "W = 0",
        None,
        "How far the exact W can be from this one. A small relative gap alone can be empty: where "
        "the loss dwarfs the penalty, even W = 0 has one.",
    ),
}
for place, (name, (value, count, note)) in zip(summary.columns(5), numbers.items(), strict=True):
    place.metric(name, value, count, delta_color="off", delta_arrow="off", help=note)
if test.of < FEW:
    summary.caption(
        f"⚠️ {test.of} test samples are few: an accuracy on new samples anywhere from {low:.0%} to "
        f"{high:.0%} agrees with this test (Wilson's 95 % interval)."
    )
if not proof.within(run.recipe.tol):
    st.warning(f"Not certified: {run.message} The test below is that of an unfinished machine.")

st.subheader(f"The test: {test.of:,} samples that it has not seen")
left, right = st.columns(2, gap="large")
charts.draw(
    left, figures.confusion_matrix(result.confusion, names, "Test samples by class", height=420)
)
charts.draw(right, figures.heatmap(proof.W, f"W, positive towards {names[1]}"))
st.latex(
    rf"\begin{{gathered}} f(X) = \langle W, X \rangle + b, \quad b = {prose.number(proof.b)} \\ "
    rf"P(W, b) = {prose.number(proof.primal, 7)}, \quad D(\alpha) = {prose.number(proof.dual, 7)} "
    r"\end{gathered}"
)

st.subheader("Take it with you")
name = exports.stem(choice.stem)
exports.of_run(
    run, name, result.about(units.spread), predictions=lambda: result.predictions(choice.rows)
)
st.caption(
    "Predictions: number of the sample (from 1), split, label, prediction, decision value. The "
    "model says how to use it in MATLAB; no scaling is needed."
)
if isinstance(choice.data, Upload):
    exports.of_data(choice.data, "samples", script=False)
    st.caption(
        "The script reads your two classes, X and y = −1 or +1, from samples.npz. The address "
        "keeps C, τ and the split, but your file stays with you: after a reload, or elsewhere, it "
        "must be uploaded again."
    )
else:
    prose.link()
prose.source("The source that read the samples and judged", smmcore.matfile.samples, evaluation)
