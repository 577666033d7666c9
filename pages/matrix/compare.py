"""Compare: the support matrix machine and its rivals on the same data."""

import numpy as np
import streamlit as st

import smmcore.solvers.admm
import smmcore.solvers.alternating
import smmcore.solvers.gradient
from pages.shared import controls, exports, presets, prose, runs
from pages.shared.panels import race_panels, sweep_axis, sweep_panels, with_choices
from pages.shared.recipes import without_idle_weights
from pages.shared.topics import rivals
from pages.shared.watch import watch
from smmcore.robustness import choices

recipe = controls.chosen(presets.QUICK)

st.title("Compare: who finds the groups?")
prose.predict(
    "guess-groups",
    "Figure 1 of the paper shows blocks of columns for SMM and none for R-GLM. What decides?",
    ("The model", "The strength of the regularisation", "The test accuracy"),
    "The strength: *As printed* and *The reverse* are the same data and the same machines at other "
    "weights, and the blocks change sides while the held-out accuracies differ by a few per cent. "
    "The sweep further down follows each machine from strong regularisation to weak.",
)
presets.draw_figure_1()
weights = rivals.choose(recipe)
methods, tests = weights.methods, weights.data.tests
scored = 1 < recipe.data.groups < recipe.data.q
race = runs.current("race", without_idle_weights(weights))
watch("race", race, race_panels(methods, scored))
st.caption(f"{prose.provenance(recipe)} {rivals.told(weights)}")
if not scored:
    st.info("No grouping scores here: they need two groups of columns, and two columns in one.")

if race.ended and len(race.frames.metrics):
    st.dataframe(rivals.results(race.frames.metrics, methods, tests), hide_index=True)
    st.caption(
        f"★ the best accuracy, ☆ those within one standard error of it. {prose.STANDARD_ERROR} "
        "Seconds are of processor time, without the matrix of all ⟨X_i, X_j⟩ that the SMM and the "
        "linear SVM share and without the proof of each iteration, but with the start of the "
        "bilinear SVM."
    )
prose.look_for(
    "**Grouping score.** 1 where columns of a group are equal, 0 where they are random: the "
    "adjusted R² of W's columns by group.",
    "**Gap.** Each stops on a proof, or at a limit, and the player says which. The proof of the "
    "bilinear SVM is weaker: it bounds what moving one of its two factors alone can gain, for its "
    "problem is not convex.",
    "**Accuracy.** Where it hardly tells the machines apart it cannot choose the picture.",
)

st.subheader("What decides the picture")
strengths, rule, asked = rivals.choose_sweep(weights)
if asked:
    sweep = runs.current("sweep", without_idle_weights(strengths))
    curves = sweep.frames.metrics
    over = sweep.ended and len(curves) > 0
    held = {name: curves[f"held_{name}"] for name in methods if over}
    found = choices(rule, held, tests) if over else {}
    panels = with_choices(sweep_panels(methods, scored), found)
    watch("sweep", sweep, panels, sweep_axis(sweep.recipe.points, methods))
    st.caption(
        "Whatever the weights above: C in units of 1/s², s the root mean square distance of the "
        "samples from their mean"
        + "; with it λ falls from λ_max / 2 to λ_max / 100,000" * ("rglm" in methods)
        + "."
    )
    if over:
        st.dataframe(rivals.choices_made(curves, found), hide_index=True)
        shares = [*held.values()]
        st.caption(
            f"★ The weight that validation takes, the {rule}, and ○ its near-ties, which it cannot "
            "tell from the best within one standard error: their grouping scores need not agree. "
            f"The same {tests} samples choose the weight and give its accuracy, for there is no "
            f"third part: the best of {len(curves)} looks better than it is. All accuracies here "
            f"lie between {np.min(shares):.1%} and {np.max(shares):.1%}; one sample is "
            f"{1 / tests:.1%}."
        )
else:
    runs.forget("sweep")

solvers = smmcore.solvers
prose.source("The source that ran", solvers.admm, solvers.alternating, solvers.gradient)
st.subheader("Take it with you")
st.caption("The race:")
exports.of_run(race, "smm_race")
if asked:
    st.caption("The sweep:")
    exports.of_run(sweep, "smm_sweep")
prose.link()
