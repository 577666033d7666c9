"""Robustness: Figure 2 of the SMM paper, and what decides it."""

from dataclasses import replace

import numpy as np
import streamlit as st

import smmcore.robustness
from pages.shared import address, exports, presets, prose, runs
from pages.shared.panels import NAMES, NOISE, VALIDATION, noise_axis, weight_axis, with_choices
from pages.shared.recipes import NOISY, RobustnessRun
from pages.shared.watch import watch
from smmcore.robustness import HALF_STEPS, NOISES, RANK, RULES, UNITS, choices, near_best

address.begin()  # the experiment of the side bar plays no part here
st.title("Robustness: accuracy under noise")
prose.predict(
    "guess-robust",
    "Four methods learn from clean matrices; then noise is added to the test part. "
    "Which one stays right the longest?",
    ("The SMM", "The linear SVM", "The one that is regularised most, whichever it is"),
    "Change the rule that chooses the weights from the strongest to the weakest within one "
    "standard error, and the seed: each method's curve moves by up to 20 points, at the paper's "
    "size by up to 30, and the order changes. At their most robust weights the four are nearly "
    "equal.",
)
columns = st.columns([2, 3, 4])
size = address.choice(
    columns[0],
    "segmented_control",
    "Setting",
    list(presets.FIGURE_2),
    "Small",
    key="size",
    help="Small: 240 matrices of 16 x 20 to learn from and 120 to test on. Paper 5.2: 1000 and 500 "
    "of 80 x 100, with 4 weights for each method instead of 6; takes a minute, or several on a "
    "busy machine.",
)
noise = address.choice(
    columns[1],
    "segmented_control",
    "Noise on the test part",
    NOISES,
    NOISES[0],
    key="noise",
    help="Gaussian: normal with deviation s = 0.01 to 1 on each entry. Salt and pepper: a share of "
    "0.001 to 0.035 of the entries becomes the salt's value or 0, half of them each.",
)
rule = address.choice(
    columns[2],
    "selectbox",
    "Of the weights take the",
    RULES,
    RULES[0],
    key="tie",
    help=f"Strong regularisation is a small C and a large λ or τ. {prose.STANDARD_ERROR}",
)
columns = st.columns(4)
unit = address.choice(
    columns[0],
    "selectbox",
    "Unit of features, noise",
    UNITS,
    UNITS[0],
    key="unit",
    help="As printed: an entry without noise is about 1/√n. Unit variance: each feature is divided "
    "by its standard deviation over the training part, in training and test part alike.",
)
salt = address.choice(
    columns[1],
    "select_slider",
    "Value of the salt",
    [0.03, 0.1, 0.3, 1.0, 3.0],
    1.0,
    key="salt",
    disabled=noise == "Gaussian",
    help="In the unit of the features; pepper is 0. The paper does not say which values it took.",
)
seed = address.number(
    columns[2],
    "Seed of the data",
    0,
    1_000_000,
    0,
    key="data_seed",
    help="Another seed, other matrices: who is ahead changes.",
)
draws = address.choice(
    columns[3],
    "select_slider",
    "Data sets",
    [1, 2, 3, 4, 5],
    1,
    key="draws",
    help="Averages over data sets of this seed and those after it, with one weight for all.",
)

preset = presets.FIGURE_2[size]
data = replace(preset.data, data=replace(preset.data.data, seed=seed))
recipe = replace(preset, data=data, unit=unit, draws=draws)
n, p, q = data.shape
seeds = f"seed {seed}" if draws == 1 else f"seeds {seed} to {seed + draws - 1}"
st.subheader("First the weights", help="Chosen by cross-validation on the training part alone.")
validation = runs.current("validation", recipe)
tried = validation.frames.curves
samples = int(tried["samples"][0]) if len(tried) else 0
held = {method: tried[method] for method in NAMES}
found = choices(rule, held, samples) if validation.status == "finished" else {}
watch("validation", validation, with_choices(VALIDATION, found), weight_axis(recipe.count))
st.caption(
    f"Data of this lesson, not of the side bar: {n:,} matrices of {p} x {q} in 10 groups, "
    f"δ = 0.01, {seeds}; two thirds train, one third tests. Features: {prose.SCALED[unit]}"
    + (" of the training part" if unit == "unit variance" else "")
    + f". {recipe.folds} folds, {recipe.count} weights: C in units of 1 / spread², the mean square "
    "distance of the training matrices from their mean; λ/λ_max = τ/τ_max = 0.1 / (C spread²). "
    "Each W is that of the first fold, divided by its largest entry. Reduced for speed: fits end "
    "at a relative gap of 10⁻³ (SMM 10⁻⁴), R-GLM after 1000 iterations in any case; the bilinear "
    f"SVM, of rank {RANK} and without offset, has one start and at most {HALF_STEPS} half-steps."
)
if found:
    chosen = tuple(choice.chosen for choice in found.values())
    noisy = RobustnessRun(recipe, chosen, noise, salt if noise != "Gaussian" else 1.0)
    st.subheader("Then the noise")
    run = runs.current("robustness", noisy)
    watch("robustness", run, NOISE[noise], noise_axis(noise, len(noisy.levels)))
    drawn = f"{noisy.repetitions} draws of the noise"
    drawn += f" on each of {draws} data sets" * (draws > 1)
    st.caption(
        f"Each method learns from the whole clean training part at its weight, the {rule}. The "
        f"noise is on the test part only: {drawn}, the same for all methods. Features {unit}"
        + (f", salt {salt:g}, pepper 0." if noise != "Gaussian" else ".")
    )
else:
    run = None
    runs.forget("robustness")  # that of other weights
    st.info("The noise is added here once the weights are chosen.")
prose.look_for(
    "**Robustness is the strength of the regularisation.** Clean samples hardly tell the weights "
    f"apart (first chart); noise of s = {NOISY} does, the more, the larger it is beside them "
    "(second chart), in every method, sooner or later. So the rule that breaks the tie decides the "
    "picture, not the method.",
    "**Margin over ‖W‖.** Gaussian noise moves ⟨W, X⟩ by s ‖W‖ and does nothing else, so the exact "
    "accuracy needs no simulation: what counts is the margin in units of ‖W‖.",
    "**Blocks.** As the regularisation weakens, the maps turn from blocks to speckle. A block "
    "averages the noise of its entries: a large margin for its ‖W‖.",
    "**Units.** In unit variance the same s is a much smaller noise: the curves hardly fall. Salt "
    "bites only because 1 is far above the entries as printed; take 0.1 instead.",
)

if run and run.ended and len(run.frames.curves):
    curves = run.frames.curves
    st.subheader("The weights that were chosen")
    unit_of = dict.fromkeys(NAMES, "c") | {"rglm": "share"}
    st.dataframe(
        [
            {
                "method": name,
                "weight": "λ / λ_max" if method == "rglm" else "C spread²",
                "chosen": f"{tried[unit_of[method]][choice.chosen]:.3g}",
                "validated": f"{tried[method][choice.chosen]:.1%}",
                "within one standard error": ", ".join(
                    f"{value:.3g}" for value in tried[unit_of[method]][choice.near]
                ),
                "rank of W": int(curves[f"rank_{method}"][0]),
                "median margin / ‖W‖": f"{curves[f'margin_{method}'][0]:.3g}",
            }
            for (method, name), choice in zip(NAMES.items(), found.values(), strict=True)
        ],
        hide_index=True,
    )
    st.caption(
        f"Validated: accuracy over {samples:,} samples that the fit had not seen. Within one "
        "standard error of the method's best are all the weights listed. Rank and margin: W "
        "learned from the whole training part, margins of the clean test part."
        + " The rank is that of the first seed, the margin the mean of all."
        * (draws > 1)
    )
    st.subheader("The accuracies in per cent")
    if noise == "Gaussian":
        at = curves[curves["level"] <= NOISY][-1]
        st.latex(
            r"P(\text{right}) = \frac1n \sum_i \Phi\Big(\frac{y_i f(X_i)}"
            r"{s\,\lVert W\rVert_F}\Big)"
        )
        exact = (f"{100 * at[f'exact_{method}']:.1f} % {name}" for method, name in NAMES.items())
        st.markdown(f"At s = {at['level']:g}: {', '.join(exact)}.")
    tests = draws * recipe.data.tests
    st.dataframe(
        [
            {"s" if noise == "Gaussian" else "density": f"{row['level']:g}"}
            | prose.ranked(NAMES, row, near_best(np.array([row[m] for m in NAMES]), tests))
            for row in curves
        ],
        hide_index=True,
        height="content",
    )
    st.caption(
        f"Mean ± standard deviation over {drawn}"
        + (", in brackets the exact value" if noise == "Gaussian" else "")
        + f". ★ the best of a row, ☆ what is within its standard error over {tests:,} test "
        "samples, which more draws of the noise do not reduce."
    )
elif run:
    st.info("The numbers stand here once the noise has been through all its levels, or is stopped.")
prose.source("The source that ran", smmcore.robustness)
st.subheader("Take it with you")
st.caption("The validation:")
exports.of_run(validation, "smm_validation")
if run:
    st.caption("The noise:")
    exports.of_run(run, "smm_robustness")
prose.link()
