"""The SMM and its rivals: four classifiers on the same data."""

import streamlit as st

from pages.effects.rivals.runs import RivalsSweep, has_scores, sweep_axis, sweep_panels
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.methods import R_GLM
from pages.shared.numbers import percent
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce, is_class
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url

SMALL_ENTRIES = 2_000_000  # n p q up to which a sweep takes seconds

head = introduce("A high price of errors cost the SMM its groups. Do its rivals keep them?")
experiment, _ = recipe.draw_recipe(QUICK, head.recipe)
head.ask(
    "Let errors cost far more than here. Whose W still shows the groups?",
    (
        Answer("The SMM's", "It loses them as well, only later than the linear SVM."),
        Answer("A rival's", "Each rival loses them, too, at a price of its own."),
        Answer("Nobody's", "Each loses them. Yet the accuracies hardly change.", right=True),
    ),
    at=recipe.DATA,
)
data = Split(experiment.data)
stage = st.container(key="stage")
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
    rivals_sweep = RivalsSweep(data)
    sweep = session.subscribe("rivals", rivals_sweep)
    pictures, curves = sweep_panels(rivals_sweep)
    rows = [*pictures[:2], curves[0], *pictures[2:], curves[1]]
    if is_class():  # large letters leave room for one chart
        rows = [*pictures, curves[0]]
    more = [curve for curve in curves if curve not in rows]
    with stage:
        show_run("rivals", sweep, rows, sweep_axis(rivals_sweep), more=more, asks=True)
    st.caption(
        "The price of an error is C for the SVMs and 1 / λ for the R-GLM. "
        f"One of the {data.tests} new samples is {percent(1 / data.tests)}."
    )
else:
    session.restart("rivals")

with st.expander("How this was made"):
    st.markdown(
        f"{prose.describe_data(experiment)} 70 % of the samples are for training, 30 % are the new "
        "ones. C is in units of 1/s², where s is the root mean square distance of the samples from "
        "their mean, λ in units of λₘₐₓ, the smallest λ with W = 0; the pointer on the chart shows "
        "them. Each W is divided by its largest entry. The τ of the SMM is "
        f"{RivalsSweep.tau:g} times the largest singular value of the linear SVM's W. The bilinear "
        f"SVM has rank {RivalsSweep.rank} at most. It starts once, from the "
        "linear SVM's W, and has no offset b, as in the paper; smmcore's `BilinearSVM` takes the "
        "best of three starts, with an offset unless it is told otherwise. The linear SVM is "
        "one step of ADMM at ρ = 10⁻⁶, that is one quadratic program."
    )
if not has_scores(data):
    st.info("There is no grouping score: it needs two groups, and two columns in one of them.")
prose.show_notes(
    "**The four** predict by the sign of ⟨W, X⟩ + b. The three SVMs pay ½‖W‖², and C for each unit "
    "of loss; the SMM also pays τ times the nuclear norm of W. The R-GLM pays λ times the nuclear "
    "norm alone, and its loss is a smooth one, the logistic loss.",
    "**Grouping.** G is that of *The grouping effect*: the adjusted R² of the columns of W by "
    "group.",
    "**Accuracy** does not tell which W to believe.",
    "**The paper** does not give C, τ or λ for its Figure 1, in which the SMM's W shows the groups "
    "and the R-GLM's hardly. That each model shows its groups where it is strongly regularised is "
    "a finding of this app, on data made in the same way.",
    "**Certificates.** That of the bilinear SVM is weaker than those of the others: it bounds what "
    "a change of one of its two factors can gain, because its problem is not convex.",
)
prose.end_lesson(
    "Each model shows its groups where errors cost little, and loses them where they cost much: "
    "compare models only after tuning each.",
    (
        "at which price of an error does the linear SVM, too, show blocks? Why?",
        "At the left end. There C is so small that α = C for nearly all samples, and W is nearly a "
        "difference of class means, whose columns are equal within a group.",
    ),
    (
        "which W would you show in a paper if all accuracies are equal?",
        "Accuracy does not choose. Say so, show several settings, or fix in advance a rule such as "
        "“the most regularised of the best”.",
    ),
)
with prose.draw_tools(programs.fill(__file__, data.script()), "smm_sweep"):
    if wanted:
        downloads.draw_run_downloads(sweep, "smm_sweep")
