"""Compare: the support matrix machine and its rivals on the same data."""

import numpy as np
import streamlit as st

import smmcore.solvers.alternating
import smmcore.solvers.gradient
from pages.shared import address, controls, exports, presets, prose, runs
from pages.shared.recipes import METHODS, RaceRun, Split, SweepRun
from pages.shared.watch import race_panels, sweep_axis, sweep_panels, watch
from smmcore.robustness import near_best

LARGEST_SWEEP = 2_000_000  # n p q: the R-GLM takes long where lambda is small

recipe = controls.chosen(presets.QUICK)

st.title("Compare: who finds the groups?")
prose.predict(
    "guess-groups",
    "Figure 1 of the paper shows blocks of columns for SMM and none for R-GLM. What decides?",
    ("The model", "The strength of the regularisation", "The test accuracy"),
    "The lower picture follows all of them from strong to weak regularisation: the blocks vanish "
    "for each, at nearly constant accuracy. The printed figure is a choice of weights.",
)
presets.draw_figure_1()
methods = address.several(st, "Machines", METHODS, key="machines")
left, middle, right = st.columns(3)
lam = address.choice(
    left,
    "select_slider",
    "λ / λ_max of the R-GLM",
    presets.LAMBDAS,
    0.01,
    key="lambda",
    help="λ_max is the smallest λ with W = 0. Smaller λ, weaker regularisation.",
)
rank = address.choice(
    middle,
    "select_slider",
    "Rank of the bilinear SVM, at most",
    [1, 2, 3, 4, 5, 6, 8, 10, 15, 20],
    4,
    key="rank",
)
offset = address.toggle(
    right,
    "Bilinear SVM with an offset",
    key="offset",
    help="That of the paper has no b, which costs it much where the samples are not centred.",
)
split = Split(recipe.data)
tests = round(split.test_size * recipe.data.n)
race = runs.current("race", RaceRun(split, recipe.C, recipe.tau, lam, rank, offset, methods))
watch("race", race, race_panels(methods))
st.caption(
    f"{prose.provenance(recipe)} C = {recipe.C:g} for the three SVMs, τ = {recipe.tau:g}; 70 % of "
    "the samples train, 30 % are held out. Each W is divided by its largest entry."
)

if race.ended and len(race.frames.curves):
    end = race.frames.curves[-1]
    held = np.array([end[f"held_{name}"] for name in methods])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    st.dataframe(
        [
            {
                "machine": METHODS[name],
                "rank": int(end[f"rank_{name}"]),
                "grouping score": f"{end[f'group_{name}']:.3f}".replace("nan", "–"),
                "training accuracy": f"{end[f'train_{name}']:.1%}",
                "held-out accuracy": f"{star}{end[f'held_{name}']:.1%}",
                "iterations": int(end[f"steps_{name}"]),
                "seconds": round(float(end[f"seconds_{name}"]), 3),
                "relative gap": f"{end[f'gap_{name}']:.1e}",
            }
            for name, star in zip(methods, stars, strict=True)
        ],
        hide_index=True,
    )
    st.caption(
        f"★ the best accuracy, ☆ those within one standard error of it. {prose.STANDARD_ERROR}"
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
if n * p * q > LARGEST_SWEEP:
    st.info(f"The sweep is offered up to n p q = {LARGEST_SWEEP:,}; here it is {n * p * q:,}.")
else:
    tau = address.choice(
        st,
        "select_slider",
        "τ of the SMM, in units of the linear SVM's ‖W‖₂ at the same C",
        [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0],
        0.1,
        key="tau_rel2",
    )
    sweep = runs.current("sweep", SweepRun(split, tau, rank, offset, methods))
    watch("sweep", sweep, sweep_panels(methods), sweep_axis(sweep.recipe.points))
    st.caption(
        "C in units of 1/s², s the root mean square distance of the samples from their mean; "
        "with it λ falls from λ_max / 2 to λ_max / 100,000."
    )
    curves = sweep.frames.curves
    if sweep.ended and len(curves):
        ties = {name: near_best(curves[f"held_{name}"], tests) for name in methods}
        st.dataframe(
            [
                {
                    "machine": METHODS[name],
                    "C s² or λ / λ_max": "{:.3g}".format(
                        curves["lam" if name == "rglm" else "C"][curves[f"held_{name}"].argmax()]
                    ),
                    "held out": f"{curves[f'held_{name}'].max():.1%}",
                    "near-ties": f"{tie.sum()} of {len(curves)}",
                    "grouping among these": "{:.2f} to {:.2f}".format(
                        curves[f"group_{name}"][tie].min(), curves[f"group_{name}"][tie].max()
                    ),
                }
                for name, tie in ties.items()
            ],
            hide_index=True,
        )
        st.caption(
            "The weight that validation takes, strongest of the best, and the near-ties that it "
            "cannot tell from it within one standard error: their grouping scores need not agree."
        )

prose.source("The source that ran", smmcore.solvers.alternating, smmcore.solvers.gradient)
st.subheader("Take it with you")
exports.of_run(race, "smm_race")
prose.link()
