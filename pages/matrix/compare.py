"""Compare: the support matrix machine and its rivals on the same data."""

import numpy as np
import streamlit as st

import smmcore.solvers.admm
import smmcore.solvers.alternating
import smmcore.solvers.gradient
from pages.shared import address, controls, exports, presets, prose, runs
from pages.shared.panels import race_panels, sweep_axis, sweep_panels, with_choices
from pages.shared.recipes import (
    METHODS,
    SWEEP_LIMITS,
    RaceRun,
    Split,
    SweepRun,
    without_idle_weights,
)
from pages.shared.watch import watch
from smmcore.robustness import RULES, choices, near_best

UNASKED = 2_000_000  # n p q up to which a sweep takes seconds

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
methods = address.several(st, "Machines", METHODS, key="machines")
svms = [METHODS[name] for name in ("smm", "bsvm", "lsvm") if name in methods]
left, middle, right = st.columns(3)
lam = address.choice(
    left,
    "select_slider",
    "λ / λ_max of the R-GLM",
    presets.LAMBDAS,
    0.01,
    key="lambda",
    help="λ_max is the smallest λ with W = 0. Smaller λ, weaker regularisation.",
    disabled="rglm" not in methods,
)
rank = address.choice(
    middle,
    "select_slider",
    "Rank of the bilinear SVM, at most",
    [1, 2, 3, 4, 5, 6, 8, 10, 15, 20],
    4,
    key="rank",
    disabled="bsvm" not in methods,
)
offset = address.toggle(
    right,
    "Bilinear SVM with an offset",
    key="offset",
    help="That of the paper has no b, which costs it much where the samples are not centred.",
    disabled="bsvm" not in methods,
)
split = Split(recipe.data)
tests = split.tests
scored = 1 < recipe.data.groups < recipe.data.q
weights = RaceRun(split, recipe.C, recipe.tau, lam, rank, offset, methods)
race = runs.current("race", without_idle_weights(weights))
watch("race", race, race_panels(methods, scored))
said = [f"C = {recipe.C:g} ({', '.join(svms)})"] if svms else []
said += [f"τ = {recipe.tau:g} (SMM)"] if "smm" in methods else []
said += [f"λ = {lam:g} λ_max (R-GLM)"] if "rglm" in methods else []
ways = {
    "bsvm": "The bilinear SVM has one start, the linear SVM's W, where smmcore's `BilinearSVM` "
    "takes the best of three.",
    "lsvm": "The linear SVM is here one step of ADMM at ρ = 10⁻⁶, one quadratic programme, and in "
    "the script scikit-learn's SVC.",
}
caveats = " ".join(ways[name] for name in methods if name in ways)
st.caption(
    f"{prose.provenance(recipe)} {', '.join(said)}; 70 % of the samples train, 30 % are held out. "
    f"Each W is divided by its largest entry. {caveats}"
)
if not scored:
    st.info("No grouping scores here: they need two groups of columns, and two columns in one.")

if race.ended and len(race.frames.curves):
    last = race.frames.curves[-1:]
    end = last[0]
    held = np.array([end[f"held_{name}"] for name in methods])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    st.dataframe(
        [
            {
                "machine": METHODS[name],
                "held-out accuracy": f"{star}{end[f'held_{name}']:.1%}",
                "grouping score": prose.scores(last[f"group_{name}"], last[f"rank_{name}"]),
                "rank": int(end[f"rank_{name}"]),
                "training accuracy": f"{end[f'train_{name}']:.1%}",
                "iterations": int(end[f"steps_{name}"]),
                "seconds": round(float(end[f"seconds_{name}"]), 3),
                "relative gap": f"{end[f'gap_{name}']:.1e}",
            }
            for name, star in zip(methods, stars, strict=True)
        ],
        hide_index=True,
    )
    st.caption(
        f"★ the best accuracy, ☆ those within one standard error of it. {prose.STANDARD_ERROR} "
        "Seconds are of processor time, without the matrix of all ⟨X_i, X_j⟩ that the SMM and the "
        "linear SVM share, but with the start of the bilinear SVM."
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
n, p, q = recipe.data.shape
left, right = st.columns(2)
tau = address.choice(
    left,
    "select_slider",
    "τ of the SMM, over the linear SVM's ‖W‖₂",
    [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0],
    0.1,
    key="tau_rel2",
    help="The SMM's τ in units of the largest singular value of the linear SVM's W at the same C.",
    disabled="smm" not in methods,
)
rule = address.choice(right, "selectbox", "Of the weights take the", RULES, RULES[2], key="tie")
asked = n * p * q <= UNASKED or address.toggle(
    st,
    f"Sweep these {n:,} matrices of {p} x {q}: takes minutes",
    key="large",
    help="Three minutes of processor time at the paper's size, more by the clock while the race "
    "above goes on or others compute. Nearly all is the R-GLM's at its smallest λ, where it ends "
    f"after {SWEEP_LIMITS['rglm']:,} iterations, certified or not. Each weight is drawn when it is "
    "done; Stop ends the sweep.",
)
if asked:
    strengths = SweepRun(split, tau, rank, offset, methods)
    sweep = runs.current("sweep", without_idle_weights(strengths))
    curves = sweep.frames.curves
    over = sweep.ended and len(curves) > 0
    held = {name: curves[f"held_{name}"] for name in methods}
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
        st.dataframe(
            [
                {
                    "machine": METHODS[name],
                    "held out": f"{at[f'held_{name}']:.1%}",
                    "chosen": f"λ / λ_max = {at['lam']:g}"
                    if name == "rglm"
                    else f"C s² = {at['C']:g}",
                    "near-ties": f"{len(choice.near)} of {len(curves)}",
                    "grouping among these": prose.scores(
                        curves[f"group_{name}"][choice.near],
                        curves[f"rank_{name}"][choice.near],
                    ),
                }
                for name, choice in found.items()
                for at in [curves[choice.chosen]]
            ],
            hide_index=True,
        )
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
