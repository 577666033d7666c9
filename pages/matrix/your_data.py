"""Your data: a file or the built-in digits, two classes, a machine, and a test of it."""

from html import escape

import streamlit as st

import smmcore.matfile.samples
from pages.shared import charts, evaluation, figures, jobs, prose, runs, uploads
from pages.shared.recipes import SMMRun, Split
from pages.shared.watch import watch

C_STEPS = [float(f"{step}e{decade}") for decade in range(-2, 3) for step in (1, 2, 5)] + [1e3]
TAU_STEPS = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
DEFAULTS = {"relative C": 10.0, "relative tau": 0.02, "split seed": 0}

st.title("Your data")
prose.predict(
    "guess-rank",
    "How well will a machine do whose W has only a few singular values?",
    ("Hardly better than chance", "Nearly as well as one of full rank", "Perfectly"),
    "What tells two kinds of matrices apart often lies in few rows and columns, and then a few "
    "singular values do: set τ to 0 and compare. The test counts no sample that was trained on.",
)

choice = uploads.choose()
names = [escape(uploads.written(label)) for label in choice.classes]  # Plotly reads HTML

st.subheader("The machine")
for key, value in DEFAULTS.items():
    st.session_state.setdefault(key, value)
left, middle, right = st.columns(3, gap="large")
c = left.select_slider(
    "C, weight of the loss, in units of 1/s²",
    C_STEPS,
    format_func="{:g}".format,
    key="relative C",
    persist_state="session",
    help="s is the root mean square distance of the training samples from their mean. In this unit "
    "10 means the same for grey values and for volts.",
)
t = middle.select_slider(
    "τ, weight of ‖W‖∗, as a share of τ_max",
    TAU_STEPS,
    format_func="{:.1%}".format,
    key="relative tau",
    persist_state="session",
    help="τ_max is the smallest τ at which W = 0. More τ means, as a rule, a lower rank.",
)
seed = right.number_input(
    "Seed of the 70/30 split",
    0,
    2**32 - 1,
    key="split seed",
    persist_state="session",
    help="Draws, in each class, the 30 % of the samples that are kept for the test.",
)
summary = st.container()
split = Split(choice.data, test_size=0.3, seed=seed)
units = runs.ask("your data: units", "Measuring the samples", jobs.units, split)
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

result = evaluation.Evaluation.of(run.recipe, proof, choice.classes)
numbers = {
    "Test accuracy": (
        f"{result.accuracy(result.test):.1%}",
        f"Of {len(result.test):,} samples that it has not seen; of the {len(result.train):,} that "
        f"trained it, {result.accuracy(result.train):.1%} are right.",
    ),
    "Majority rate": (
        f"{result.majority:.1%}",
        "What always naming the larger class of the training part would get right.",
    ),
    "Rank of W": (
        f"{proof.rank} of {min(proof.W.shape)}",
        f"The gap proves at least {proof.certain_rank}.",
    ),
    "Relative gap": (
        f"{max(proof.relative_gap, 0):.1e}",
        "(P − D) / |P|, of the training: how far the objective can be from its optimum.",
    ),
    "√(2 gap) / ‖W‖": (
        f"{result.distance:.1e}" if proof.rank else "W = 0",
        "How far the exact W can be from this one. A small relative gap alone can be empty: where "
        "the loss dwarfs the penalty, even W = 0 has one.",
    ),
}
for place, (name, (value, note)) in zip(summary.columns(5), numbers.items(), strict=True):
    place.metric(name, value, help=note)
if proof.relative_gap > run.recipe.tol:
    st.warning(f"Not certified: {run.message} The test below is that of an unfinished machine.")

st.subheader(f"The test: {len(result.test):,} samples that it has not seen")
left, right = st.columns(2, gap="large")
charts.draw(
    left, figures.confusion_matrix(result.confusion, names, "Test samples by class", height=420)
)
charts.draw(right, figures.heatmap(proof.W, f"W, positive towards {names[1]}"))
st.latex(
    rf"f(X) = \langle W, X \rangle + b, \quad b = {prose.number(proof.b)}, \quad "
    rf"P(W, b) = {prose.number(proof.primal, 7)}, \quad D(\alpha) = {prose.number(proof.dual, 7)}"
)

st.subheader("Take it with you")
with st.container(horizontal=True):
    st.download_button(
        "Predictions (.csv)",
        lambda: result.predictions(choice.rows),
        "predictions.csv",
        "text/csv",
        on_click="ignore",
        help="Number of the sample in the file (from 1), split, label, prediction, decision value.",
    )
    st.download_button(
        "Model (.mat)",
        lambda: result.model(units.spread),
        "model.mat",
        on_click="ignore",
        help="W, b, classes, C, tau and how to use them in MATLAB; no scaling needed.",
    )
prose.source("The source that read the samples and judged", smmcore.matfile.samples, evaluation)
