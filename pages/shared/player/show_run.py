"""Show a run: the player, its buttons and how the run ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import streamlit as st

from pages.shared.engine import session, stream
from pages.shared.engine.moves import Moves
from pages.shared.engine.subscription import Subscription
from pages.shared.player.component import player
from pages.shared.player.panels import ITERATIONS, Axis, Panel, check


class Knob(Protocol):
    """What the player needs of a knob: its key in the session, and the place of its value."""

    @property
    def key(self) -> str: ...
    @property
    def at(self) -> int: ...


FIRST_WAIT = 1.0  # seconds, in which a small run ends, also in a class


def show_run(
    slot: str,
    run: Subscription,
    panels: Sequence[Panel],
    axis: Axis = ITERATIONS,
    *,
    more: Sequence[Panel] = (),
    asks: bool = False,
    knobs: Sequence[Knob] = (),
    moves: Moves | None = None,
    grid: str | None = None,
) -> None:
    """Show a run while it is computed, and how it ended; if it `asks`, the question is about it."""
    metrics, images = run.names
    if metrics:
        check([*panels, *more], metrics, images)
    key = f"player of {slot}"
    player(
        url=stream.url(run),
        shape=run.experiment.data.shape[1:],
        panels=panels,
        axis=axis,
        key=key,
        more=more,
        asks=asks,
        places={knob.key: knob.at for knob in knobs},
        moves=moves.options if moves else None,
        grid=grid,
        number=run.number,
        on_stop=lambda: run.stop() if is_about(key, "stop", run) else None,
        on_lost=lambda: session.restart(slot) if is_about(key, "lost", run) else None,
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


def is_about(key: str, trigger: str, run: Subscription) -> bool:
    """Return whether a trigger of the player is about this run, not about an earlier one."""
    return st.session_state[key][trigger] == stream.url(run)
