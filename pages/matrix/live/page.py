"""Live: step through Algorithm 1, race two settings and compare runs."""

from dataclasses import replace
from typing import Any

import streamlit as st

import smmcore.solvers.admm
from pages.matrix.live import pins
from pages.matrix.live.runs import FIRST, LIVE, SECOND, DuelRun, duel_panels, laboratory
from pages.shared.algorithm1 import ALGORITHMS, QUICK, WITH_RESTART
from pages.shared.engine import session
from pages.shared.parts import downloads, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import sidebar, url

experiment = sidebar.read_experiment(QUICK)

st.title("Live: Algorithm 1, step by step")
prose.ask_prediction(
    "guess-momentum",
    "Momentum makes ADMM faster. What does the restart add?",
    ("A little more speed", "Without it the run may not end", "Nothing: it is there for the proof"),
    "With the first settings and ρ = 10, as in the race below, plain ADMM needs 47 iterations, "
    "with momentum and restart 35, and with momentum alone the gap is still 10⁻³ after 600. With "
    "ρ = auto momentum alone is the fastest by a hair, 27 against 29 and 32. So it may do well; "
    "but nothing is promised.",
)
sidebar.draw_presets(LIVE)
run = session.subscribe("smm", experiment)
show_run("smm", run, pins.with_pins(laboratory(experiment), experiment))
st.caption(
    f"{prose.describe_data(experiment)} In the fourth picture a cell is a sample, row by row: 0 "
    "where "
    "it plays no part, ±1 where it has the full weight C. W, S, Λ and the rank are those of the "
    "iteration; accuracy, gap, P and D belong to the certificate's W, the better of D_τ(Ω(α)) and "
    "S, scaled. c is what the next residual is held against. Space plays and pauses, the arrows "
    "step, with shift by ten."
)
prose.show_notes(
    "**Restarts.** Hold the pointer on a ▲: which inequality failed, and by how much? The "
    "sentence above the pictures says it for the iteration that is shown.",
    "**t(k)** grows while c(k) falls, and begins again at 1: momentum is memory, and a restart "
    "forgets.",
    "**Two residuals.** ‖W − S‖ says how far the copies disagree, ρ‖S − Ŝ‖ how far S still moves. "
    "A large ρ makes the first small and the second large, a small ρ the reverse.",
    "**Support matrices.** α settles long before the last digit of W: most samples end at 0 or at "
    "C.",
)
pins.draw_pins(run)

st.subheader("A race of two settings")
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
show_run("duel", race, duel_panels(duel))
st.caption(
    f"First: {sides[0].label}. Second: {sides[1].label}. Both on the data and with C and τ of the "
    "side bar, each until its gap is 10⁻⁶ or for 600 iterations; one iteration of each in turn. "
    "Seconds are of processor time, without the drawing."
)

prose.show_source("The source that ran", smmcore.solvers.admm)
st.subheader("Take it with you")
downloads.draw_run_downloads(run, "smm_live")
st.caption("The race:")
downloads.draw_run_downloads(race, "smm_duel")
prose.show_link()
