"""Pinned runs: kept beside the current run, to compare, to use again and to download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.shared.algorithm1 import SMMRun
from pages.shared.engine.frames import Frames
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import in_address, percent, scientific
from pages.shared.parts import charts, downloads, heatmaps
from pages.shared.player.panels import Lines, OtherRun, Panel
from pages.shared.widgets import recipe
from pages.shared.widgets.session_values import notify

MAX_PINS = 6
SIDES = ("Left", "Right")
MAX_POINTS = 400  # of a curve, which is sent to the browser with every rerun


@dataclass(frozen=True, eq=False)
class Pin:
    """A run at the moment when it was pinned, without its images."""

    name: str
    experiment: SMMRun
    frames: Frames
    status: str  # "finished", or "stopped" if the run had not ended by itself

    @property
    def results(self) -> dict[str, object]:
        """The numbers at its end, for a table."""
        end = self.frames.metrics[-1]
        return {
            "k": len(self.frames.metrics),
            "restarts": int(self.frames.metrics["restarted"].sum()),
            "gap": scientific(end["gap"]),
            "rank": int(end["rank"]),
            "accuracy": percent(end["accuracy"]),
        }


def get_pins() -> list[Pin]:
    """Return the pinned runs of this session, oldest first."""
    return st.session_state.setdefault("pins", [])


def with_pins(panels: Sequence[Panel], experiment: SMMRun) -> list[Panel]:
    """Return the panels of a run with the curves of the other pinned runs behind its own."""
    others = [pin for pin in get_pins() if pin.experiment != experiment]
    return [_with_pins(panel, others) if isinstance(panel, Lines) else panel for panel in panels]


def draw_pins(run: Subscription) -> None:
    """Draw the button that pins the run, and the pinned runs."""
    pins = get_pins()
    st.header("Pinned runs")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Pin this run",
            on_click=_pin,
            args=(run,),
            help="Keeps its settings and curves as far as they are; "
            f"the last {MAX_PINS} pins stay.",
        )
        if not pins:
            st.caption("Pin this run, change a setting: the old curves stay behind the new ones.")
            return
    st.dataframe(_table(pins), hide_index=True)
    for pin in pins:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{pin.name}**", width="content")
            st.button(
                "Use its settings",
                key=f"Use its settings: {pin.name}",
                on_click=recipe.set_controls,
                args=(pin.experiment,),
            )
            st.button("Remove", key=f"Remove: {pin.name}", on_click=pins.remove, args=(pin,))
            with st.popover("Download"):
                downloads.draw_run_downloads(pin, f"smm_{downloads.file_stem(pin.name)}")
    _draw_side_by_side(run, pins)


def _pin(run: Subscription) -> None:
    pins, frames = get_pins(), run.frames
    if not len(frames.metrics):
        notify("There is nothing to pin yet: the first iteration is on its way.")
        return
    number = st.session_state["pins made"] = st.session_state.get("pins made", 0) + 1
    frames = replace(
        frames, images=frames.images[:0].copy()
    )  # a copy, because a view would keep all images
    status = "finished" if run.status == "finished" else "stopped"
    pins.append(Pin(f"run {number}", run.experiment, frames, status))
    del pins[:-MAX_PINS]


def _table(pins: Sequence[Pin]) -> list[dict[str, object]]:
    """Return a row for each pin: its main settings, others if they differ, its results."""
    settings = [recipe.control_values(pin.experiment) for pin in pins]
    columns = [
        key
        for key in settings[0]
        if key in ("C", "tau", "rho", "eta") or len({row[key] for row in settings}) > 1
    ]
    return [
        {"run": pin.name, **{key: in_address(row[key]) for key in columns}, **pin.results}
        for pin, row in zip(pins, settings, strict=True)
    ]


def _with_pins(panel: Lines, others: Sequence[Pin]) -> Lines:
    # Of each pinned run only the curve of the panel's first field.
    field = panel.fields[0].name
    behind = []
    for pin in others:
        values = pin.frames.metrics[field]
        last = len(values) - 1
        frames = sorted({*range(0, last, -(-len(values) // MAX_POINTS)), last})
        behind.append(OtherRun(pin.name, frames, values[frames].tolist()))
    return replace(panel, behind=behind)


def _draw_side_by_side(run: Subscription, pins: Sequence[Pin]) -> None:
    proofs = {"this run": run.frames.certificate} | {p.name: p.frames.certificate for p in pins}
    proofs = {name: proof for name, proof in proofs.items() if proof is not None}
    columns = st.columns(2)
    chosen = [
        place.selectbox(f"{side}, W of", list(proofs), index, key=f"W {side}")
        for place, side, index in zip(columns, SIDES, (0, len(proofs) - 1), strict=True)
    ]
    limit = max(float(np.abs(proofs[name].W).max()) for name in chosen) or None
    for place, side, name in zip(columns, SIDES, chosen, strict=True):
        figure = heatmaps.heatmap(proofs[name].W, f"W of {name}", limit=limit)
        charts.draw(place, figure, key=f"picture {side}")
    first, second = (proofs[name].W for name in chosen)
    if first.shape == second.shape:
        apart, norm = np.linalg.norm(first - second), np.linalg.norm(first)
        st.caption(
            f"‖difference‖ = {apart:.3g}"
            + (f", {scientific(float(apart / norm))} ‖W‖." if norm else ".")
        )
