"""Robustness: Figure 2 of the SMM paper, and the choice of the weights behind it."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

import smmcore.methods
import smmcore.robustness
from pages.matrix.robustness.runs import (
    FIGURE_2,
    VALIDATION_NOISE,
    RobustnessRun,
    ValidationRun,
    model_arrays,
    noise_axis,
    noise_panels,
    validation_panels,
    weight_axis,
)
from pages.matrix.robustness.tables import accuracies_table, weights_table
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import downloads, prose
from pages.shared.player.panels import NAMES, with_choices
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from smmcore.robustness import BSVM_RANK, LIMITS, NOISES, RULES, UNITS, choose_weights


def describe_noise(run: ValidationRun, noise: str, salt: float) -> tuple[str, str]:
    """Describe the effect of this noise on a decision, and its size in this unit."""
    n, p, q = run.data.shape
    printed = run.unit == "as printed"
    entry = f"**Units.** An entry without noise is about {n**-0.5 if printed else 1:.2g}"
    if noise == "Gaussian":
        other, less = ("In unit variance", "smaller") if printed else ("As printed", "larger")
        return (
            "**Margin over ‖W‖.** Gaussian noise moves ⟨W, X⟩ by s ‖W‖ and does nothing else, so "
            "the exact accuracy needs no simulation: what counts is the margin in units of ‖W‖.",
            f"{entry} ({run.unit}). {other} the same s is a much {less} noise.",
        )
    return (
        "**Few entries.** Salt and pepper moves ⟨W, X⟩ only by the entries that it hits, at "
        f"the density 0.035 about {0.035 * p * q:.0f} of {p * q:,}. There is no exact value "
        "here.",
        f"{entry}, the salt is {salt:g}: how much it is above the entries decides how far the "
        "curves fall.",
    )


st.title("Robustness: accuracy under noise")
prose.ask_prediction(
    "guess-robust",
    "Four methods learn from clean matrices; then noise is added to the test part. "
    "Which one stays right the longest?",
    ("The SMM", "The linear SVM", "The one that is regularised most, whichever it is"),
    "Change the rule that chooses the weights from the strongest to the weakest within one "
    "standard error. In the small setting with seeds 0 to 4, at s = 0.3, that costs the linear "
    "SVM 7 to 15 points, the bilinear SVM 3 to 13, the R-GLM 1 to 11 and the SMM 0 to 13, and the "
    "order changes; at the paper's size with seed 0 it costs each of them 26 to 30. At their most "
    "robust weights the four are within 0.6 points of each other. What it costs with your settings "
    "stands below the weights.",
)
left, middle, right = st.columns([2, 3, 4])
size = url.choice(
    left,
    "segmented_control",
    "Setting",
    list(FIGURE_2),
    "Small",
    key="size",
    help="Small: 240 matrices of 16 x 20 to learn from and 120 to test on. Paper 5.2: 1000 and "
    "500 of 80 x 100, with 4 weights for each method instead of 7; takes a minute, or several "
    "on a busy machine.",
)
noise = url.choice(
    middle,
    "segmented_control",
    "Noise on the test part",
    NOISES,
    NOISES[0],
    key="noise",
    help="Gaussian: normal with deviation s = 0.01 to 1 on each entry. Salt and pepper: a "
    "share of 0.001 to 0.035 of the entries becomes the salt's value or 0, half of them each.",
)
rule = url.choice(
    right,
    "selectbox",
    "Of the weights take the",
    RULES,
    RULES[0],
    key="tie",
    help=f"Strong regularisation is a small C and a large λ or τ. {prose.STANDARD_ERROR}",
)
places = st.columns(4)
unit = url.choice(
    places[0],
    "selectbox",
    "Unit of features, noise",
    UNITS,
    UNITS[0],
    key="unit",
    help="As printed: an entry without noise is about 1/√n. Unit variance: each feature is "
    "divided by its standard deviation over the training part, in both parts.",
)
salt = url.slider(
    places[1],
    "Value of the salt",
    [0.03, 0.1, 0.3, 1.0, 3.0],
    1.0,
    key="salt",
    disabled=noise == "Gaussian",
    help="In the unit of the features; pepper is 0. The paper does not say which it took.",
)
seed = url.number(
    places[2],
    "Seed of the data",
    0,
    1_000_000,
    0,
    key="data_seed",
    help="Another seed, other matrices: who is ahead changes.",
)
draws = url.slider(
    places[3],
    "Data sets",
    [1, 2, 3, 4, 5],
    1,
    key="draws",
    help="Averages over data sets of this seed and those after it, with one weight for all.",
)
gaussian = noise == "Gaussian"
preset = FIGURE_2[size]
data = replace(preset.data, data=replace(preset.data.data, seed=seed))
experiment = replace(preset, data=data, unit=unit, draws=draws)
n, p, q = data.shape
seeds = f"seed {seed}" if draws == 1 else f"seeds {seed} to {seed + draws - 1}"
st.subheader("First the weights", help="Chosen by cross-validation on the training part alone.")
validation = session.subscribe("validation", experiment)
tried = validation.frames.metrics
samples = int(tried["samples"][0]) if len(tried) else 0
validated = validation.status == "finished"
held = {method: tried[method] for method in NAMES if validated}
found = choose_weights(rule, held, samples) if validated else {}
methods = url.several(st, "Methods", NAMES, key="shown")
names = {method: NAMES[method] for method in methods}
panels = with_choices(validation_panels(methods), found)
show_run("validation", validation, panels, weight_axis(experiment.count))
st.caption(
    f"Data of this lesson, not of the side bar: {n:,} matrices of {p} x {q} in 10 groups, "
    f"δ = 0.01, {seeds}; two thirds train, one third tests. Features: {prose.SCALING_TEXTS[unit]}"
    + (" of the training part" if unit == "unit variance" else "")
    + f". {experiment.folds} folds, {experiment.count} weights: C in units of 1 / spread², the "
    "mean square distance of the training matrices from their mean; λ/λ_max = τ/τ_max = 0.1 / (C "
    "spread²): at the strongest weight, C spread² = 0.1, W = 0 for these two. "
    "The SMM's C and τ are tied in this way because each pair costs as much as a weight: on seeds "
    "0 and 1 of the small setting the best of 42 pairs, 95.0 % and 92.1 %, is no better than the "
    "best of the 7. "
    "Each W is that of the first fold, divided by its largest entry. Reduced for speed: fits end "
    "at a relative gap of 10⁻³ (SMM 10⁻⁴), R-GLM after 1000 iterations in any case; the bilinear "
    f"SVM, of rank {BSVM_RANK} and without offset, has one start and at most {LIMITS['bsvm'][1]} "
    "half-steps."
)
decides = ""
run: Subscription[RobustnessRun] | None = None
if found:
    noisy_held = {method: tried[f"noisy_{method}"] for method in methods}
    costs = {method: 100 * np.ptp(noisy_held[method][found[method].near]) for method in methods}
    at_chosen = [noisy_held[method][found[method].chosen] for method in methods]
    points = ", ".join(f"{names[method]} {cost:.1f}" for method, cost in costs.items())
    st.markdown(
        "Weights within one standard error of the best, which clean samples do not tell apart, "
        f"differ with noise of s = {VALIDATION_NOISE} by up to so many points: {points}."
    )
    decides = (
        f" Here it decides up to {max(costs.values()):.1f} points of one method, while the methods "
        f"at their chosen weights are within {100 * np.ptp(at_chosen):.1f} points of each other."
    )
    ends = {0: "strongest", experiment.count - 1: "weakest"}
    chosen = {method: choice.chosen for method, choice in found.items()}
    edges = [f"{names[m]} (the {ends[chosen[m]]})" for m in methods if chosen[m] in ends]
    if edges:
        st.warning(
            f"On the edge of the grid: {', '.join(edges)}. Beyond it nothing was tried, and a "
            "weight there may be as good."
        )
    noisy = RobustnessRun(experiment, tuple(chosen.values()), noise, 1.0 if gaussian else salt)
    st.subheader("Then the noise")
    run = session.subscribe("robustness", noisy)
    show_run("robustness", run, noise_panels(noise, methods, draws), noise_axis(noisy))
    sets = f" on each of {draws} data sets" if draws > 1 else ""
    st.caption(
        f"Each method learns from the whole clean training part at its weight, the {rule}. The "
        f"noise is on the test part only: {noisy.repetitions} draws of the noise{sets}, the same "
        "for all methods. "
        + ("Features in unit variance" if unit == "unit variance" else "Features as printed")
        + (
            ". The axis of s is a log axis; s = 0 stands apart at its left."
            if gaussian
            else f", salt {salt:g}, pepper 0. The axis is linear."
        )
    )
else:
    session.restart("robustness")  # that of other weights
    st.info("The noise is added here once the weights are chosen.")
effect, units = describe_noise(experiment, noise, salt)
prose.show_notes(
    "**Robustness is the strength of the regularisation.** Clean samples hardly tell the weights "
    "within one standard error apart (first chart), Gaussian noise may (second chart), and the "
    f"rule that breaks the tie takes one of them.{decides}",
    effect,
    "**Blocks.** As the regularisation weakens, the maps turn from blocks to speckle. A block "
    "averages the noise of its entries: a large margin for its ‖W‖.",
    units,
)

if run and run.ended and len(run.frames.metrics):
    curves = run.frames.metrics
    st.subheader("The weights that were chosen")
    st.dataframe(weights_table(experiment, tried, found, names, curves[0]), hide_index=True)
    st.caption(
        f"Validated: accuracy over {samples:,} samples that the fit had not seen. Near-ties: "
        "the weights within one standard error of the method's best. Rank and margin: W learned "
        "from the whole training part, the median of y f(X) / ‖W‖ over the clean test part."
        + (" The rank is that of the first seed, the margin the mean of all." if draws > 1 else "")
    )
    st.subheader("The accuracies in per cent")
    if gaussian:
        at = curves[curves["level"] <= VALIDATION_NOISE][-1]
        st.latex(
            r"P(\text{right}) = \frac1n \sum_i \Phi\Big(\frac{y_i f(X_i)}"
            r"{s\,\lVert W\rVert_F}\Big)"
        )
        exact = (f"{100 * at[f'exact_{method}']:.1f} % {name}" for method, name in names.items())
        st.markdown(f"At s = {at['level']:g}: {', '.join(exact)}.")
    st.dataframe(accuracies_table(noisy, curves, names), hide_index=True, height="content")
    st.caption(
        f"Mean ± standard deviation over {noisy.repetitions} draws of the noise"
        + (f" ± that of the means of the {draws} data sets" if draws > 1 else "")
        + (", in brackets the exact value" if gaussian else "")
        + f". ★ the best of a row, ☆ what is within its standard error over {draws * data.tests:,} "
        "test samples, which more draws of the noise do not reduce."
    )
elif run:
    st.info("The numbers stand here once the noise has been through all its levels, or is stopped.")
prose.show_source("The source that ran", smmcore.robustness, smmcore.methods)
st.subheader("Take it with you")
st.caption("The validation:")
downloads.draw_run_downloads(validation, "smm_validation")
if run:
    st.caption("The noise; the models are W and b of all four methods at the chosen weights:")
    machines = run.frames.certificate
    models = partial(model_arrays, run.experiment, machines) if machines else None
    downloads.draw_run_downloads(run, "smm_robustness", models=models)
prose.show_link()
