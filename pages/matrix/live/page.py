"""Watch the algorithm: step through Algorithm 1, race two settings and compare runs."""

from dataclasses import replace
from typing import Any

import streamlit as st

import smmcore.solvers.admm
from pages.matrix.live import pins
from pages.matrix.live.algorithm import draw_algorithm
from pages.matrix.live.runs import FIRST, LIVE, SECOND, DuelRun, duel_panels, laboratory
from pages.shared.algorithm1 import ALGORITHMS, QUICK, WITH_RESTART
from pages.shared.engine import session
from pages.shared.parts import downloads, prose
from pages.shared.parts.predict import Answer, Demo, predict
from pages.shared.player.show_run import show_run
from pages.shared.widgets import sidebar, url

experiment = sidebar.read_experiment(QUICK)

told = predict(
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
    (
        Demo("Many restarts", sidebar.set_controls, LIVE["Many restarts"][:1]),
        Demo("One restart", sidebar.set_controls, (QUICK,)),
    ),
)
run = session.subscribe("smm", experiment)
with st.container(key="stage"):
    shown, more = laboratory(experiment)
    if told:
        shown, more = (pins.with_pins(panels, experiment) for panels in (shown, more))
    show_run("smm", run, shown, more=more, covered=not told)
if not told:
    st.stop()

sidebar.draw_presets({name: LIVE[name] for name in ("Small ρ", "Few positives")})
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

st.header("A race of two settings")
rhos = [None, *(10.0**k for k in range(-4, 6))]
sides = []
for place, first in zip(st.columns(2), (FIRST, SECOND), strict=True):
    name = "First" if first is FIRST else "Second"
    key = name.lower()
    algorithm = url.choice(place, "selectbox", name, ALGORITHMS, first.algorithm, key=f"{key}_way")
    rho = url.slider(place, "ρ", rhos, first.rho, sidebar.format_value, key=f"{key}_rho")
    restarts = algorithm == WITH_RESTART
    etas = sidebar.MODEL["eta"].options
    eta = url.slider(place, "η", etas, first.eta, key=f"{key}_eta", disabled=not restarts)
    used: dict[str, Any] = {
        "algorithm": algorithm,
        "rho": rho,
        "eta": eta if restarts else first.eta,
    }
    sides.append(replace(experiment, **used, max_iter=first.max_iter))
duel = DuelRun(*sides)
race = session.subscribe("duel", duel)
pictures, curves = duel_panels(duel)
show_run("duel", race, pictures, more=curves)
st.caption(
    f"First: {sides[0].label}. Second: {sides[1].label}. Both use the data, C and τ of the sidebar "
    "and run until the relative gap is 10⁻⁶, at most 600 iterations. Seconds are processor time."
)

draw_algorithm(experiment.eta)
prose.end_lesson(
    "Momentum speeds ADMM up, restarts keep it from overshooting, and the gap proves when to stop.",
    (
        "in the race above, which of the two reaches a gap of 10⁻⁶, and after how many iterations?",
        "The status above the pictures says it: with restarts 35 iterations; without them the gap "
        "is still above 10⁻³ after 600.",
    ),
    (
        "set ρ to 0.01. Which of the two residuals becomes small first, and why?",
        "The dual one, ρ‖S − Ŝ‖: a small ρ multiplies it, and hardly pulls W and S together. So "
        "‖W − S‖ falls slowly.",
    ),
)

prose.show_source("Code", smmcore.solvers.admm)
st.header("Download")
downloads.draw_run_downloads(run, "smm_live")
st.caption("The race:")
downloads.draw_run_downloads(race, "smm_duel")
prose.show_link()
