"""Pinned runs: kept beside the one that is watched, to compare, to go back to, to take home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from pages.shared import charts, controls, exports, figures
from pages.shared.recipes import SMMRun
from pages.shared.runs import Run
from pages.shared.runs.frames import Frames

MOST = 6
MOST_POINTS = 400  # of a curve that is sent to the browser with every rerun


@dataclass(frozen=True, eq=False)
class Pin:
    """A run as it was when it was pinned, without its pictures."""

    name: str
    recipe: SMMRun
    frames: Frames
    message: str

    @property
    def summary(self) -> dict[str, object]:
        """Its row in the table."""
        recipe, end = self.recipe, self.frames.curves[-1]
        data = recipe.data
        return {
            "run": self.name,
            "n x p x q": f"{data.n} x {data.p} x {data.q}",
            "seed": data.seed,
            "C": recipe.C,
            "τ": recipe.tau,
            "ρ": "auto" if recipe.rho is None else f"{recipe.rho:g}",
            "η": recipe.eta,
            "k": len(self.frames.curves),
            "restarts": int(self.frames.curves["restarted"].sum()),
            "gap": f"{max(end['gap'], 0.0):.1e}",
            "rank": int(end["rank"]),
            "accuracy": f"{end['accuracy']:.1%}",
        }


def pins() -> list[Pin]:
    """Return what this session has pinned, oldest first."""
    return st.session_state.setdefault("pins", [])


def with_pins(panels: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the panels with the curves of the pinned runs behind those of the run."""
    return [_with_pins(panel) if panel["kind"] == "lines" else panel for panel in panels]


def draw(run: Run) -> None:
    """Draw the button that pins the run, and all that is pinned."""
    held = pins()
    st.subheader("Pinned runs")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Pin this run",
            on_click=_pin,
            args=(run,),
            disabled=not len(run.frames.curves) or any(pin.recipe == run.recipe for pin in held),
            help=f"Keeps its parameters and curves; the last {MOST} are kept.",
        )
        if not held:
            st.caption("Pin this run, change a setting: the old curves stay behind the new ones.")
            return
    st.dataframe([pin.summary for pin in held], hide_index=True)
    for number, pin in enumerate(held):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{pin.name}**", width="content")
            again = controls.set_to, (pin.recipe,)
            st.button("Use its settings", key=f"use {pin.name}", on_click=again[0], args=again[1])
            st.button("Remove", key=f"remove {pin.name}", on_click=held.pop, args=(number,))
            with st.popover("Take it with you"):
                exports.of_run(pin, f"smm_{exports.stem(pin.name)}")
    _side_by_side(run, held)


def _pin(run: Run) -> None:
    held = pins()
    number = 1 + max((int(pin.name.removeprefix("run ")) for pin in held), default=0)
    frames = replace(run.frames, pictures=run.frames.pictures[:0])
    held.append(Pin(f"run {number}", run.recipe, frames, run.message))
    del held[:-MOST]


def _with_pins(panel: Mapping[str, Any]) -> dict[str, Any]:
    # One curve of each pinned run, that of the panel's first field.
    field = panel["fields"][0]["name"]
    behind = []
    for pin in pins():
        values = pin.frames.curves[field]
        last = len(values) - 1
        frames = sorted({*range(0, last, -(-len(values) // MOST_POINTS)), last})
        behind.append({"label": pin.name, "frames": frames, "values": values[frames].tolist()})
    return {**panel, "behind": behind}


def _side_by_side(run: Run, held: Sequence[Pin]) -> None:
    proofs = {"this run": run.frames.certificate} | {p.name: p.frames.certificate for p in held}
    proofs = {name: proof for name, proof in proofs.items() if proof is not None}
    shapes = {name: proof.W.shape for name, proof in proofs.items()}
    columns = st.columns(2)
    chosen = [
        place.selectbox(f"{side}, W of", list(proofs), index, key=f"W {side}")
        for place, side, index in zip(columns, ("Left", "Right"), (0, len(proofs) - 1), strict=True)
    ]
    limit = max(float(np.abs(proofs[name].W).max()) for name in chosen) or None
    for place, name in zip(columns, chosen, strict=True):
        charts.draw(place, figures.heatmap(proofs[name].W, f"W of {name}", limit=limit))
    if shapes[chosen[0]] == shapes[chosen[1]]:
        first, second = (proofs[name].W for name in chosen)
        apart, norm = np.linalg.norm(first - second), np.linalg.norm(first)
        st.caption(f"‖difference‖ = {apart:.3g}" + (f", {apart / norm:.1e} ‖W‖." if norm else "."))
