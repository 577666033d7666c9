"""The SMM and its rivals: four classifiers on the same data."""

from collections.abc import Mapping

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import smmcore.solvers.admm
import smmcore.solvers.alternating
import smmcore.solvers.gradient
from pages.effects.rivals.runs import (
    FIGURE_1,
    WITH_BLOCKS,
    RivalsRace,
    RivalsSweep,
    has_scores,
    race_panels,
    scores_text,
    sweep_axis,
    sweep_panels,
)
from pages.shared.algorithm1 import Algorithm1
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.methods import R_GLM, RIVALS
from pages.shared.noise import RULES, WeightChoice, choose_weights, near_best
from pages.shared.numbers import on_control, percent, scientific
from pages.shared.parts import charts, downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.panels import AT_THE_END, with_choices
from pages.shared.player.show_run import show_run
from pages.shared.system import clock_name
from pages.shared.widgets import recipe, url
from pages.shared.widgets.states import State, choose_state

SMALL_ENTRIES = 2_000_000  # n p q up to which a sweep takes seconds
SWEPT = {"C": "C s² = {:,g}", "lam": "λ / λₘₐₓ = {:g}"}  # the weights of a sweep, in a table
LAMBDAS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 1e-3, 1e-4, 1e-5]  # in units of lam_max


def preset_values(experiment: Algorithm1, lam: float) -> dict[str, object]:
    """Return the values of the recipe and of the controls of this page for a preset."""
    return recipe.control_values(experiment) | {
        "lambda": lam,
        "rank": RivalsRace.rank,
        "offset": RivalsRace.offset,
        "tau_rel2": RivalsSweep.tau,
    }


def results_table(curves: NDArray[np.void], tests: int) -> list[dict[str, object]]:
    """Return a row for each classifier at the end of a race on so many held-out samples."""
    last = curves[-1:]
    end = last[0]
    held = np.array([end[f"held_{name}"] for name in RIVALS])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    return [
        {
            "classifier": method.label,
            "held-out accuracy": f"{star}{percent(end[f'held_{name}'])}",
            "grouping score": scores_text(last[f"group_{name}"], last[f"rank_{name}"]),
            "rank": int(end[f"rank_{name}"]),
            "training accuracy": percent(end[f"train_{name}"]),
            "iterations": int(end[f"steps_{name}"]),
            "seconds": round(float(end[f"seconds_{name}"]), 3),
            "relative gap": f"{scientific(end[f'gap_{name}'])}",
        }
        for (name, method), star in zip(RIVALS.items(), stars, strict=True)
    ]


def choices_table(
    curves: NDArray[np.void], found: Mapping[str, WeightChoice]
) -> list[dict[str, str]]:
    """Return a row for each classifier: its chosen setting, and how many are nearly as good."""
    return [
        {
            "classifier": RIVALS[name].label,
            "held-out accuracy": percent(at[f"held_{name}"]),
            "chosen": ", ".join(
                text.format(at[weight])
                for weight, text in SWEPT.items()
                if weight in RIVALS[name].settings
            ),
            "nearly as good": f"{len(choice.near)} of {len(curves)}",
            "grouping score of these": scores_text(
                curves[f"group_{name}"][choice.near],
                curves[f"rank_{name}"][choice.near],
            ),
        }
        for name, choice in found.items()
        for at in [curves[choice.chosen]]
    ]


head = introduce(
    "Four classifiers learn from the same data: what decides which W shows the groups of columns?"
)
experiment, knobs = recipe.draw_recipe(FIGURE_1[WITH_BLOCKS][0], head.recipe)
head.ask(
    "Strongly regularised, all four show them. What happens when the strength falls?",
    (
        Answer("The accuracy falls", "It hardly moves. What goes are the groups."),
        Answer(
            "The groups go", "All W lose their blocks; the accuracies barely change.", right=True
        ),
        Answer("The SMM keeps them", "It loses them like the others, at another strength."),
    ),
    at=recipe.DATA,
)
data = Split(experiment.data)
stage = st.container(key="stage")
with st.expander("Settings of the rivals"):
    first, second, left, right = st.columns(4)
    rank = url.slider(
        first,
        "Rank of the bilinear SVM, at most",
        [1, 2, 3, 4, 5, 6, 8, 10, 15, 20],
        RivalsRace.rank,
        key="rank",
    )
    offset = url.toggle(
        second,
        "Bilinear SVM with an offset b",
        key="offset",
        help="The paper's model has no b, which costs accuracy if the samples are not centred.",
    )
    tau = url.slider(
        left,
        "τ of the SMM, divided by ‖W‖₂ of the linear SVM",
        [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0],
        RivalsSweep.tau,
        key="tau_rel2",
        help="‖W‖₂ is the largest singular value of the linear SVM's W at the same C.",
    )
    rule = url.choice(
        right,
        "selectbox",
        "If several settings are equally accurate, use the",
        RULES,
        RULES[2],
        key="tie",
    )
n, p, q = data.shape
wanted = n * p * q <= SMALL_ENTRIES or url.toggle(
    stage,
    f"Sweep these {n:,} matrices of {p} × {q}; this takes minutes",
    key="large",
    help="About three minutes of processor time at the paper's size, most of it for the R-GLM at "
    f"its smallest λ, where it ends after {R_GLM.max_iter:,} iterations, certified or "
    "not. You see each setting as soon as it is done.",
)
if wanted:
    rivals_sweep = RivalsSweep(data, tau, rank, offset)
    sweep = session.subscribe("rivals", rivals_sweep)
    ended, curves = sweep.ended, sweep.frames.metrics
    complete = ended and len(curves) > 0
    held = {name: curves[f"held_{name}"] for name in RIVALS if complete}
    found = choose_weights(rule, held, data.tests) if complete else {}
    pictures, more = sweep_panels(rivals_sweep)
    with stage:
        show_run(
            "rivals",
            sweep,
            [*pictures, *with_choices(more[:1], found)],
            sweep_axis(rivals_sweep),
            more=with_choices(more[1:], found),
            asks=True,
        )
    st.caption(
        "From left to right the regularisation gets weaker. The SVMs weigh training errors by C, "
        "in units of 1/s², where s is the root mean square distance of the samples from their "
        "mean. The R-GLM weighs the nuclear norm by λ, in units of λₘₐₓ, the smallest λ with "
        f"W = 0. One of the {data.tests} held-out samples is {percent(1 / data.tests)}. ★ marks "
        "the setting of each classifier that validation chooses, ○ those within one standard "
        "error of the best."
    )
    if complete:
        with st.expander("More: the settings that validation chooses"):
            charts.draw_table(choices_table(curves, found))
            shares = [*held.values()]
            st.caption(
                f"Of several that are equally accurate, validation chooses the {rule}. The "
                "grouping scores of those nearly as good may differ. The same "
                f"{data.tests} held-out samples choose the setting and give its accuracy, so the "
                f"best of {len(curves)} looks better than it is. All accuracies lie between "
                f"{percent(np.min(shares))} and {percent(np.max(shares))}; one sample is "
                f"{percent(1 / data.tests)}."
            )
else:
    session.restart("rivals")

st.header("A race at one setting")
st.markdown(
    "In Figure 1 of the SMM paper the SMM's W shows the groups, the R-GLM's hardly: that is "
    f"*{WITH_BLOCKS}*. At other settings they change sides."
)
settings = st.container(horizontal=True, vertical_alignment="center")
with settings:
    draw_knobs(knobs)
lam = url.slider(
    st,
    "λ / λₘₐₓ of the R-GLM",
    LAMBDAS,
    RivalsRace.lam,
    key="lambda",
    help="λₘₐₓ is the smallest λ with W = 0. A smaller λ means weaker regularisation.",
)
with settings:
    choose_state([State(name, preset_values(*preset)) for name, preset in FIGURE_1.items()])
rivals_race = RivalsRace(data, experiment.C, experiment.tau, lam, rank, offset)
race = session.subscribe("rivals: race", rivals_race)
pictures, more = race_panels(rivals_race)
show_run("rivals: race", race, pictures, AT_THE_END, more=more)

with st.expander("How this was made"):
    st.markdown(
        f"{prose.describe_data(experiment)} C = {on_control(rivals_race.C)} (SVMs), "
        f"τ = {rivals_race.tau:g} (SMM), λ = {on_control(rivals_race.lam)} λₘₐₓ (R-GLM); 70 % of "
        "the samples are for training, 30 % are held out. Each W is divided by its largest entry. "
        "The bilinear SVM starts once, from the linear SVM's W; smmcore's `BilinearSVM` "
        "takes the best of three starts. The linear SVM is one step of ADMM at ρ = 10⁻⁶, that is "
        "one quadratic program; the script uses scikit-learn's SVC."
    )
if not has_scores(data):
    st.info("There is no grouping score: it needs two groups, and two columns in one of them.")
prose.show_notes(
    "**The four** predict by the sign of ⟨W, X⟩ + b. The linear SVM minimises the hinge loss and "
    "½‖W‖², and knows nothing of rows and columns. The SMM adds τ‖W‖∗. The bilinear SVM has a W of "
    "few terms u vᵀ, and solves for the u and the v in turn. The R-GLM minimises the logistic loss "
    "and λ‖W‖∗.",
    "**Grouping.** The grouping score is 1 if the columns of each group are equal and 0 if they "
    "are random: the adjusted R² of the columns of W by group.",
    "**Accuracy.** The percentage over each W is that of the held-out samples. It does not tell "
    "which W to believe.",
    "**The paper** does not give C, τ or λ for its Figure 1. That the strength of the "
    "regularisation decides is a finding of this app, on data made in the same way.",
)
if race.ended and len(race.frames.metrics):
    with st.expander("More: all numbers of the race"):
        charts.draw_table(results_table(race.frames.metrics, data.tests))
        st.caption(
            f"★ the best accuracy, ☆ within one standard error of it. {prose.STANDARD_ERROR} "
            f"Seconds are {clock_name}, without the matrix of all ⟨Xᵢ, Xⱼ⟩ that the SMM and the "
            "linear SVM share, and without the certificates. The certificate of the bilinear SVM "
            "is weaker: it bounds what a change of one of its two factors can gain, because its "
            "problem is not convex."
        )

prose.end_lesson(
    "Settings, not only models, decide what W looks like: compare classifiers only after tuning "
    "each.",
    (
        "find a setting at which the linear SVM, too, shows blocks.",
        "Make C small, for example C = 0.0001: then α = C for nearly all samples, "
        "and W is nearly a difference of class means, whose columns are equal within a group. "
        "(The SMM has W = 0 there: its τ is too large for so small a C.)",
    ),
    (
        "which W would you show in a paper if all accuracies are equal?",
        "Accuracy does not choose. Say so, show several settings, or fix in advance a rule such as "
        "“the most regularised of the best”.",
    ),
)
solvers = smmcore.solvers
with prose.draw_tools(solvers.admm, solvers.alternating, solvers.gradient):
    st.caption("The race:")
    downloads.draw_run_downloads(race, "smm_race")
    if wanted:
        st.caption("The sweep:")
        downloads.draw_run_downloads(sweep, "smm_sweep")
