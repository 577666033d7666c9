"""Watch the algorithm: step through Algorithm 1, race three solvers and compare runs."""

import sys
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.shared.algorithm1 import ALGORITHMS, QUICK, WITH_RESTART
from pages.shared.engine import session
from pages.shared.numbers import on_control
from pages.shared.parts import downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, ask
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url
from pages.smm.live import pins
from pages.smm.live.runs import (
    FIRST,
    LAGRANGIAN,
    LIVE,
    MAX_UNKNOWNS,
    NEWTON,
    SECOND,
    SETTINGS,
    SOLVERS,
    SolverRace,
    laboratory,
    race_panels,
    third_contestants,
)
from smmcore.solvers import fast_admm

NOTES = """
- **W and S.** The algorithm keeps two copies of the matrix: W fits the samples, S has low rank.
  The residual c(k) measures how far they are apart and how far they still move.
- **The gap.** Each iteration gives a value P and a lower bound D. The true minimum lies between
  them.
- **ρ** changes how fast the iterates converge, not where to. Read off where "auto" ends, then set
  ρ a thousand times smaller or larger.
"""


def draw_algorithm(eta: float) -> None:
    """Draw the formulas of Algorithm 1 and what they mean."""
    st.header("Algorithm 1")
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
    st.markdown(NOTES)


place = ask(
    "Two wishes pull apart: W fits the samples, S has low rank. A band of stiffness ρ pulls them "
    "together.",
    "Momentum makes ADMM faster. Why does the algorithm restart it now and then?",
    (
        Answer(
            "Momentum can overshoot",
            "When the residual c(k) grows, momentum has overshot. A restart forgets it.",
            right=True,
        ),
        Answer(
            "To use new samples", "Every iteration uses all samples. A restart forgets momentum."
        ),
        Answer(
            "To find a better minimum", "The problem is convex: there is only one minimum to find."
        ),
    ),
)
experiment, knobs = recipe.draw_recipe(QUICK, place)
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs(knobs)
run = session.subscribe("smm", experiment, moves=recipe.MOVES)
with st.container(key="stage"):
    shown, more = laboratory(experiment)
    shown, more = (pins.with_pins(panels, experiment) for panels in (shown, more))
    show_run("smm", run, shown, more=more, asks=True)

st.caption(
    f"{prose.describe_data(experiment)} The accuracy and the gap belong to the certificate's W, "
    "the better of D_τ(Ω(α)) and a rescaled S. Space plays and pauses; the arrow keys step, with "
    "Shift by ten."
)
prose.show_notes(
    "**Restarts.** Rest the pointer on a ▲ to see which inequality failed, and by how much. The "
    "sentence above the pictures explains each iteration.",
    "**t** grows while c(k) falls and starts again at 1 after a restart: t is how much momentum "
    "remembers.",
    "**Two residuals** (under More). ‖W − S‖ says how far the two copies are apart, ρ‖S − Ŝ‖ how "
    "far S still moves. A large ρ makes the first small and the second large.",
    "**Support matrices** (under More). Each cell is a sample: 0 if it plays no part, ±1 if it has "
    "the full weight C. They settle long before the last digits of W.",
)
pins.draw_pins(run)

st.header("A race to the same gap")
st.markdown(
    "Solvers of different kinds can race fairly: each proves its answer by the same gap, here 10⁻⁶."
)
rhos = [None, *(10.0**k for k in range(-4, 6))]
sides = []
*places, last = st.columns(3)
for place, key, preset in zip(places, SETTINGS, (FIRST, SECOND), strict=True):
    algorithm = url.choice(
        place, "selectbox", key.capitalize(), ALGORITHMS, preset.algorithm, key=f"{key}_way"
    )
    left, right = place.columns(2)
    rho = url.slider(left, "ρ", rhos, preset.rho, on_control, key=f"{key}_rho")
    restarts = algorithm == WITH_RESTART
    etas = recipe.MODEL["eta"].options
    eta = url.slider(right, "η", etas, preset.eta, key=f"{key}_eta", disabled=not restarts)
    used: dict[str, Any] = {
        "algorithm": algorithm,
        "rho": rho,
        "eta": eta if restarts else preset.eta,
    }
    sides.append(replace(experiment, **used, max_iter=preset.max_iter))
contestants = third_contestants(experiment.data)
limit = (
    "The augmented Lagrangian method factorises a matrix of p q rows in each step. It takes "
    f"part up to p q = {MAX_UNKNOWNS:,}."
)
third = url.choice(last, "selectbox", "Third", contestants, NEWTON, key="third_way", help=limit)
last.markdown(SOLVERS[third].idea)
if LAGRANGIAN not in contestants:
    last.caption(limit)
first, second = sides
solver_race = SolverRace(first, second, third)
race = session.subscribe("live race", solver_race)
pictures, curves = race_panels(solver_race)
show_run("live race", race, pictures, more=curves)
st.caption(
    f"First: {first.label}. Second: {second.label}. All three solve the problem of the sidebar, "
    f"with at most {first.max_iter} iterations. Each W is that of the certificate. Seconds are "
    "processor time; the Gram matrix is computed before the clock starts."
)

draw_algorithm(experiment.eta)
prose.end_lesson(
    "Momentum speeds ADMM up, restarts keep it from overshooting, and the gap proves when to stop.",
    (
        "in the race above, divide the seconds by the iterations: whose iterations take longest, "
        "and does that solver still finish first? Then race the augmented Lagrangian method at "
        "n = 2,000, p = q = 10.",
        "Newton's method needs 5 iterations and Algorithm 1 needs 35, but one of Newton's takes "
        "several times as long. It still finishes first, with a smaller lead in time. Without "
        "restarts the gap is still near 10⁻³ after 100 iterations. For 2,000 small samples, the "
        "augmented Lagrangian method needs 40 iterations and Algorithm 1 needs 29, but it takes "
        "about a tenth of the time: none of its steps needs the n × n Gram matrix.",
    ),
    (
        "set ρ to 0.01. Which of the two residuals becomes small first, and why?",
        "The dual one, ρ‖S − Ŝ‖: a small ρ multiplies it, and hardly pulls W and S together. So "
        "‖W − S‖ falls slowly.",
    ),
)

solvers = fast_admm, SOLVERS[third].solver
with prose.draw_tools(*(sys.modules[solver.__module__] for solver in solvers)):
    downloads.draw_run_downloads(run, "smm_live")
    st.caption("The race:")
    downloads.draw_run_downloads(race, "smm_live_race")
