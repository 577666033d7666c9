"""Show a run: the player, its buttons and how the run ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.shared.component import component
from pages.shared.engine import session, stream
from pages.shared.engine.subscription import Subscription
from pages.shared.player.panels import ITERATIONS, Axis, Panel, check
from pages.shared.settings import Setting

STYLES = "player", "algorithm"
FIRST_WAIT = 1.0  # seconds, in which a small run ends, also in a class

_component = component(
    "player",
    "player/player",
    [f"player/{name}" for name in STYLES],
)


def show_run(
    slot: str,
    run: Subscription,
    panels: Sequence[Panel],
    axis: Axis = ITERATIONS,
    *,
    more: Sequence[Panel] = (),
    asks: bool = False,
    knobs: Sequence[Setting] = (),
    grid: str | None = None,
) -> None:
    """Show a run while it is computed, and how it ended.

    The browser pulls the frames of the run by itself; until the first one has come, it shows the
    run before, dimmed. If the player `asks`, it waits at the frame that the axis names until the
    reader guesses, plays or touches a control (see `parts.question`). The `knobs` are those of the
    settings that follow the hand (see `session.subscribe`); the runs at some of their values are in
    the file `grid`.
    """
    metrics, images = run.names
    if metrics:
        check([*panels, *more], metrics, images)
    key = f"player of {slot}"
    _component(
        key=key,
        data={
            "url": stream.url(run),
            "shape": [*run.experiment.data.shape[1:]],
            "panels": [panel.to_json() for panel in panels],
            "more": [panel.to_json() for panel in more],
            "axis": axis.to_json(),
            "asks": asks,
            "knobs": [knob.to_json() for knob in knobs],
            "moves": session.moving_settings(slot),
            "grid": grid,
        },
        on_stop_change=lambda: run.stop() if _is_about(key, "stop", run) else None,
        **callbacks(slot, key, run),
    )
    wait_once(slot, run)
    if run.status == "failed":
        st.error(run.message)
    if run.status in ("failed", "stopped"):
        st.button("Run again", key=f"again {slot}", on_click=session.restart, args=(slot,))


def wait_once(slot: str, run: Subscription) -> None:
    """Wait a moment for a new run: if it is quick, its numbers come with the same rerun.

    If it is not, later reruns must not wait again.
    """
    if st.session_state.get(f"looked at {slot}") != run.token:
        st.session_state[f"looked at {slot}"] = run.token
        run.wait(FIRST_WAIT)


def skip_wait(slot: str, run: Subscription) -> None:
    """Let a run be shown without that moment, as the page has other numbers until it ends."""
    st.session_state[f"looked at {slot}"] = run.token


def callbacks(slot: str, key: str, run: Subscription) -> dict[str, Callable[[], None]]:
    """Return the callbacks of a component that pulls the frames of a slot's run."""
    return {
        "on_lost_change": lambda: session.restart(slot) if _is_about(key, "lost", run) else None,
        # The rerun is enough: the page has all frames of the run now
        "on_finished_change": lambda: None,
    }


def _is_about(key: str, trigger: str, run: Subscription) -> bool:
    """Return whether a trigger of the player is about this run, not about an earlier one."""
    return st.session_state[key][trigger] == stream.url(run)
