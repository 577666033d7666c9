"""Compare: the support matrix machine and its rivals on the same data."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import smmcore.solvers.admm
import smmcore.solvers.alternating
import smmcore.solvers.gradient
from pages.matrix.compare.runs import (
    FIGURE_1,
    SWEEP_ITERATIONS,
    RaceRun,
    SweepRun,
    has_scores,
    race_panels,
    scores_text,
    sweep_axis,
    sweep_panels,
    without_idle_weights,
)
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.parts import downloads, prose
from pages.shared.player.panels import NAMES, NAMES_BY_COLOUR, with_choices
from pages.shared.player.show_run import show_run
from pages.shared.widgets import sidebar, url
from smmcore.robustness import RULES, Choice, choose_weights, near_best

SMALL_ENTRIES = 2_000_000  # n p q up to which a sweep takes seconds
LAMBDAS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 1e-3, 1e-4, 1e-5]  # in units of lam_max
CAVEATS = {
    "bsvm": "The bilinear SVM has one start, the linear SVM's W, where smmcore's `BilinearSVM` "
    "takes the best of three.",
    "lsvm": "The linear SVM is here one step of ADMM at ρ = 10⁻⁶, one quadratic programme, and in "
    "the script scikit-learn's SVC.",
}


def set_to_preset(run: SMMRun, lam: float) -> None:
    """Set the side bar and the controls of this page, as the callback of a button."""
    sidebar.set_controls(run)
    url.set_values(
        {
            "machines": list(NAMES_BY_COLOUR),
            "lambda": lam,
            "rank": RaceRun.rank,
            "offset": RaceRun.offset,
            "tau_rel2": SweepRun.tau,
        }
    )


def weights_text(run: RaceRun) -> str:
    """Describe the weights of the machines, and simplifications of some of them."""
    svms = [NAMES[name] for name in ("smm", "bsvm", "lsvm") if name in run.methods]
    weights = [f"C = {run.C:g} ({', '.join(svms)})"] if svms else []
    weights += [f"τ = {run.tau:g} (SMM)"] if "smm" in run.methods else []
    weights += [f"λ = {run.lam:g} λ_max (R-GLM)"] if "rglm" in run.methods else []
    caveats = " ".join(CAVEATS[name] for name in run.methods if name in CAVEATS)
    return (
        f"{', '.join(weights)}; 70 % of the samples train, 30 % are held out. "
        f"Each W is divided by its largest entry. {caveats}"
    )


def results_table(
    curves: NDArray[np.void], methods: Sequence[str], tests: int
) -> list[dict[str, object]]:
    """Return a row for each machine at the end of a race on so many held-out samples."""
    last = curves[-1:]
    end = last[0]
    held = np.array([end[f"held_{name}"] for name in methods])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    return [
        {
            "machine": NAMES[name],
            "held-out accuracy": f"{star}{end[f'held_{name}']:.1%}",
            "grouping score": scores_text(last[f"group_{name}"], last[f"rank_{name}"]),
            "rank": int(end[f"rank_{name}"]),
            "training accuracy": f"{end[f'train_{name}']:.1%}",
            "iterations": int(end[f"steps_{name}"]),
            "seconds": round(float(end[f"seconds_{name}"]), 3),
            "relative gap": f"{end[f'gap_{name}']:.1e}",
        }
        for name, star in zip(methods, stars, strict=True)
    ]


def choices_table(curves: NDArray[np.void], found: Mapping[str, Choice]) -> list[dict[str, str]]:
    """Return a row for each machine: the weight that validation takes, and its near-ties."""
    return [
        {
            "machine": NAMES[name],
            "held out": f"{at[f'held_{name}']:.1%}",
            "chosen": f"λ / λ_max = {at['lam']:g}" if name == "rglm" else f"C s² = {at['C']:g}",
            "near-ties": f"{len(choice.near)} of {len(curves)}",
            "grouping among these": scores_text(
                curves[f"group_{name}"][choice.near],
                curves[f"rank_{name}"][choice.near],
            ),
        }
        for name, choice in found.items()
        for at in [curves[choice.chosen]]
    ]


experiment = sidebar.read_experiment(QUICK)

st.title("Compare: who finds the groups?")
prose.ask_prediction(
    "guess-groups",
    "Figure 1 of the paper shows blocks of columns for SMM and none for R-GLM. What decides?",
    ("The model", "The strength of the regularisation", "The test accuracy"),
    "The strength: *As printed* and *The reverse* are the same data and the same machines at other "
    "weights, and the blocks change sides while the held-out accuracies differ by a few per cent. "
    "The sweep further down follows each machine from strong regularisation to weak.",
)
with st.container(horizontal=True, gap="small"):
    for name, (*settings, note) in FIGURE_1.items():
        st.button(name, help=note, on_click=set_to_preset, args=settings, width="stretch")
methods = url.several(st, "Machines", NAMES_BY_COLOUR, key="machines")
left, middle, right = st.columns(3)
lam = url.slider(
    left,
    "λ / λ_max of the R-GLM",
    LAMBDAS,
    RaceRun.lam,
    key="lambda",
    help="λ_max is the smallest λ with W = 0. Smaller λ, weaker regularisation.",
    disabled="rglm" not in methods,
)
rank = url.slider(
    middle,
    "Rank of the bilinear SVM, at most",
    [1, 2, 3, 4, 5, 6, 8, 10, 15, 20],
    RaceRun.rank,
    key="rank",
    disabled="bsvm" not in methods,
)
offset = url.toggle(
    right,
    "Bilinear SVM with an offset",
    key="offset",
    help="That of the paper has no b, which costs it much where the samples are not centred.",
    disabled="bsvm" not in methods,
)
data = Split(experiment.data)
race_run = RaceRun(data, experiment.C, experiment.tau, lam, rank, offset, methods)
race = session.subscribe("race", without_idle_weights(race_run))
show_run("race", race, race_panels(race_run))
st.caption(f"{prose.describe_data(experiment)} {weights_text(race_run)}")
if not has_scores(data):
    st.info("No grouping scores here: they need two groups of columns, and two columns in one.")

if race.ended and len(race.frames.metrics):
    st.dataframe(results_table(race.frames.metrics, methods, data.tests), hide_index=True)
    st.caption(
        f"★ the best accuracy, ☆ those within one standard error of it. {prose.STANDARD_ERROR} "
        "Seconds are of processor time, without the matrix of all ⟨X_i, X_j⟩ that the SMM and the "
        "linear SVM share and without the proof of each iteration, but with the start of the "
        "bilinear SVM."
    )
prose.show_notes(
    "**Grouping score.** 1 where columns of a group are equal, 0 where they are random: the "
    "adjusted R² of W's columns by group.",
    "**Gap.** Each stops on a proof, or at a limit, and the player says which. The proof of the "
    "bilinear SVM is weaker: it bounds what moving one of its two factors alone can gain, for its "
    "problem is not convex.",
    "**Accuracy.** Where it hardly tells the machines apart it cannot choose the picture.",
)

st.subheader("What decides the picture")
left, right = st.columns(2)
tau = url.slider(
    left,
    "τ of the SMM, over the linear SVM's ‖W‖₂",
    [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0],
    SweepRun.tau,
    key="tau_rel2",
    help="The SMM's τ in units of the largest singular value of the linear SVM's W at the same C.",
    disabled="smm" not in methods,
)
rule = url.choice(right, "selectbox", "Of the weights take the", RULES, RULES[2], key="tie")
n, p, q = data.shape
wanted = n * p * q <= SMALL_ENTRIES or url.toggle(
    st,
    f"Sweep these {n:,} matrices of {p} x {q}: takes minutes",
    key="large",
    help="Three minutes of processor time at the paper's size, more by the clock while the race "
    "above goes on or others compute. Nearly all is the R-GLM's at its smallest λ, where it ends "
    f"after {SWEEP_ITERATIONS['rglm']:,} iterations, certified or not. Each weight is drawn when "
    "it is done; Stop ends the sweep.",
)
if wanted:
    sweep_run = SweepRun(data, tau, rank, offset, methods)
    sweep = session.subscribe("sweep", without_idle_weights(sweep_run))
    curves = sweep.frames.metrics
    complete = sweep.ended and len(curves) > 0
    held = {name: curves[f"held_{name}"] for name in methods if complete}
    found = choose_weights(rule, held, data.tests) if complete else {}
    show_run("sweep", sweep, with_choices(sweep_panels(sweep_run), found), sweep_axis(sweep_run))
    st.caption(
        "Whatever the weights above: C in units of 1/s², s the root mean square distance of the "
        "samples from their mean"
        + ("; with it λ falls from λ_max / 2 to λ_max / 100,000" if "rglm" in methods else "")
        + "."
    )
    if complete:
        st.dataframe(choices_table(curves, found), hide_index=True)
        shares = [*held.values()]
        st.caption(
            f"★ The weight that validation takes, the {rule}, and ○ its near-ties, which it cannot "
            "tell from the best within one standard error: their grouping scores need not agree. "
            f"The same {data.tests} samples choose the weight and give its accuracy, for there is "
            f"no third part: the best of {len(curves)} looks better than it is. All accuracies "
            f"here lie between {np.min(shares):.1%} and {np.max(shares):.1%}; one sample is "
            f"{1 / data.tests:.1%}."
        )
else:
    session.restart("sweep")

solvers = smmcore.solvers
prose.show_source("The source that ran", solvers.admm, solvers.alternating, solvers.gradient)
st.subheader("Take it with you")
st.caption("The race:")
downloads.draw_run_downloads(race, "smm_race")
if wanted:
    st.caption("The sweep:")
    downloads.draw_run_downloads(sweep, "smm_sweep")
prose.show_link()
