"""Watch the algorithm: step through Algorithm 1, and race three solvers."""

from dataclasses import replace

import streamlit as st

from pages.shared.engine import session, stream
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.panels import ITERATIONS
from pages.shared.player.show_run import show_run
from pages.shared.system import clock_name
from pages.shared.widgets import recipe
from pages.shared.widgets.paintings import choose_pattern, read_pattern
from pages.smm.live.momentum import draw_momentum
from pages.smm.live.runs import (
    ASKED,
    FIRST,
    OPENING,
    PICTURE,
    PICTURE_ASKED,
    PICTURE_SAMPLES,
    SECOND,
    TO_FALL,
    SolverRace,
    describe_costs,
    develop,
    further_panels,
    race_panels,
    stage_panels,
)

STEPS = {
    "1 Fit": "Find the W that classifies the samples best while the band pulls it towards S: an "
    "SVM again.",
    "2 Simplify": "Move S to W, then take τ/ρ off each height. Low ones become 0: the rank falls.",
    "3 Tighten": "Remember in Λ how far W and S are apart. Next time the band pulls harder that "
    "way.",
    "4 Check": "Is the residual below η times the last one? Go on, with momentum. If not: restart.",
}


def draw_steps() -> None:
    """Draw the four parts of a step in words, and the words that they need."""
    st.header("One step, in words")
    for place, (name, text) in zip(st.columns(len(STEPS)), STEPS.items(), strict=True):
        place.markdown(f"**{name}**\n\n{text}")
    left, right = st.columns(2)
    left.markdown(
        "**ADMM**, the alternating direction method of multipliers, gives each wish its own copy "
        "of the matrix and makes the copies agree. The **residual** adds up what is still "
        "missing: the *primal* part, how far W and S are apart, and the *dual* part, how far S "
        "still moves."
    )
    right.markdown(
        "**Momentum** starts the next step further ahead, like a ball that "
        "keeps rolling. A **restart** goes back one step and stops the ball. The **certificate** "
        "is a proof: a floor below which no W gets. The **gap** is how far the best W so far may "
        "be above it."
    )


def draw_formulas(eta: float) -> None:
    """Draw the formulas of Algorithm 1."""
    with st.expander("The formulas of Algorithm 1"):
        st.latex(
            r"""\begin{aligned}
\alpha &= \text{solution of Theorem 4's QP at } (\hat S, \hat\Lambda) \\
W &= (\hat\Lambda + \rho \hat S + \Omega(\alpha)) / (1 + \rho) \\
S &= \mathcal D_\tau(\rho W - \hat\Lambda) / \rho \\
\Lambda &= \hat\Lambda - \rho (W - S) \\
c &= \|\Lambda - \hat\Lambda\|_F^2 / \rho + \rho \|S - \hat S\|_F^2
\end{aligned}"""
        )
        st.latex(
            rf"""\begin{{aligned}}
& \text{{if }} c < {eta:g} \, c_\mathrm{{prev}}
\text{{ or the last step was a restart}}: \\
& \; t' = \tfrac12 (1 + \sqrt{{1 + 4 t^2}}) \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda) + \tfrac{{t - 1}}{{t'}} \,
\bigl((S, \Lambda) - (S, \Lambda)_\mathrm{{prev}}\bigr) \\
& \text{{else}}: \quad t' = 1, \quad c = c_\mathrm{{prev}} / {eta:g} \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda)_\mathrm{{prev}}
\end{{aligned}}"""
        )


DROPS = "The algorithm drops its momentum, the push of earlier steps, and goes back."

painting = read_pattern()
head = introduce("W fits the samples, S has low rank: a rubber band pulls the two together.")
default = PICTURE if painting else OPENING
settings, knobs = recipe.draw_recipe(default, None if painting else head.recipe)
is_opening = settings == default
if painting:
    settings = develop(settings, painting)
with head.recipe:
    choose_pattern(
        "Samples of noise that the painting labels: S develops it.",
        recipe.control_values(default),
    )
head.ask(
    "The residual says how far they are from agreeing. It has just risen: what next?",
    (
        Answer("Carry on", DROPS),
        Answer("Go one step back", f"{DROPS} This is a restart.", right=True),
        Answer("Pull harder", DROPS),
    ),
)
stiffness = [knob for knob in knobs if knob.key == "rho"]
with st.container(key="controls"):
    draw_knobs(stiffness, groove="rho")
run = session.subscribe("live", settings, moves=recipe.make_moves(knobs))
experiment = run.experiment  # where the hand is by now
asks = (PICTURE_ASKED if painting else ASKED) - 1
with st.container(key="stage"):
    show_run(
        "live",
        run,
        stage_panels(experiment.tol),
        replace(ITERATIONS, asks=asks, opens=asks + TO_FALL if is_opening else None),
        more=further_panels(experiment.tol),
        asks=True,
        knobs=knobs,
        grid=stream.grid_url("algorithm1") if experiment.data == OPENING.data else None,
    )
with st.expander("More knobs: C, τ and η"):
    draw_knobs([knob for knob in knobs if knob not in stiffness], "more-knobs")
st.caption("Play goes on to the proof that W is the best. Space plays and pauses, arrow keys step.")
draw_steps()
draw_formulas(experiment.eta)
with st.expander("How this was made"):
    st.markdown(
        f"{PICTURE_SAMPLES} samples of normal noise, with the signs that W\\* gives them."
        if painting
        else prose.describe_data(experiment)
    )

st.header("Momentum is a ball")
left, right = st.columns(2)
left.markdown(
    "Each step goes downhill from a point a bit ahead: the faster the ball, the further. In a long "
    "valley this saves many steps, but the ball rolls past the lowest point."
)
right.markdown(
    "A restart stops it as soon as it rolls uphill, and it begins anew. The valley is a function "
    "of two variables; its rings join points of equal height. In Algorithm 1 the momentum *grows* "
    "with the steps."
)
draw_momentum()

st.header("A race to the same gap")
st.markdown(
    f"Three solvers of the problem above: Algorithm 1, here at ρ = {FIRST.rho:g} whatever ρ is "
    "above, the same without restarts, and Newton's method, which also uses how the slope changes. "
    "All stop at the same gap, 10⁻⁶."
)
first, second = (
    replace(each, data=experiment.data, C=experiment.C, tau=experiment.tau)
    for each in (FIRST, SECOND)
)
race = session.subscribe("live: race", SolverRace(first, second))
show_run("live: race", race, race_panels())
if race.status == "finished":
    st.markdown(describe_costs(race.frames.metrics[-1]))
st.caption(
    f"At most {first.max_iter} steps. Each W is that of the certificate. Seconds are {clock_name}; "
    "the Gram matrix is computed before the clock starts."
)

prose.end_lesson(
    "Momentum speeds ADMM up, restarts keep it from overshooting, and the gap proves when to stop.",
    (
        "at ρ = 0.01, why do W and S stay apart for so long?",
        "The band is soft: so small a ρ hardly pulls W and S together, and ‖W − S‖ falls slowly.",
    ),
)

program = programs.fill(
    __file__,
    experiment.data.script(),
    C=experiment.C,
    TAU=experiment.tau,
    ADMM=experiment.call,
    STEPS=experiment.max_iter,
    FIRST=first.call,
    SECOND=second.call,
    RACE_STEPS=first.max_iter,
)
with prose.draw_tools(program, "smm_live"):
    downloads.draw_run_downloads(run, "smm_live")
    st.caption("The race:")
    downloads.draw_run_downloads(race, "smm_live_race")
