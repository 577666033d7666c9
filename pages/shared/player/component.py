"""The player: shows a run while the server computes it, at the pace that its viewer chooses."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

ASSETS = Path(__file__).parents[3] / "assets" / "player"
# One script in as many files as it has ideas; the last one is what Streamlit calls.
SCRIPTS = (
    *("protocol", "store", "numbers", "canvas", "pictures", "lines", "vectors", "panels"),
    *("transport", "player"),
)
ITERATIONS = {"name": "iteration", "label": "iteration k"}

_component = st.components.v2.component(
    "player",
    css=(ASSETS / "player.css").read_text(encoding="utf-8"),
    js="\n".join((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS),
)


def player(
    *,
    url: str,
    shape: Sequence[int],
    panels: Sequence[Mapping[str, Any]],
    axis: Mapping[str, Any] = ITERATIONS,
    key: str,
    on_stop: Callable[[], None] | None = None,
    on_lost: Callable[[], None] | None = None,
) -> Any:
    """Mount a player; the browser then pulls the run's frames from ``url`` by itself.

    A player that is given another ``url`` keeps showing the old run, dimmed, until the first
    frame of the new one has arrived.

    Parameters
    ----------
    url : str
        Absolute path of the run's frames, for example ``"/runs/abc123/frames"``.
    shape : (int, int)
        Rows and columns that images are taken to have until the first frame has come.
    panels : sequence of mappings
        What is drawn, in this order. Each has a ``kind``:

        - ``picture``: ``field`` (``i1`` of shape (p, q), beside its ``<field>_scale``; -128 is no
          value), ``title``, ``samples`` (optional: whether a cell is a sample, row by row),
          ``own`` (optional: whether each frame's colours end at its own largest entry, not at
          that of the run);
        - ``map``: ``field`` (of the curves; each frame is a cell, row by row from the lowest),
          ``rows`` and ``columns`` (``{"label", "values"}``), ``title``, ``label``, ``format`` (as
          of a readout), ``span`` (``[low, high]``: where the colours begin and end);
        - ``bars``: ``field`` (a vector of the pictures), ``title``, ``behind`` (optional,
          ``{"field", "label"}``: another such vector, as a stroke at the height of each bar);
        - ``stems``: ``fields`` (``[{"name", "label"}]``, vectors of the pictures, drawn side by
          side; with a ``colour`` as in lines), ``title``, ``every`` (optional: after how many
          entries there is a line between groups), ``among`` (optional: names of all vectors that
          share its scale);
        - ``curve``: ``fields`` (as of stems; the values of functions at the places ``x``),
          ``title``, ``label`` (of the axis), ``dots`` (optional, ``{"x", "y", "label"}``:
          samples), ``behind`` (``[{"label", "x", "y"}]``: functions that stay), ``step``
          (optional, as in lines); what stays sets the vertical axis;
        - ``lines``: ``fields`` (``[{"name", "label"}]`` of the curves, each with a ``colour`` (its
          number in the theme) if that is not its place, and with ``near`` and
          ``chosen``, if a choice is marked on it: the frames that come near it, itself among
          them, and the one that is it), ``title``, ``scale`` (``"linear"`` or ``"log"``, which has
          0 at its floor), ``format`` (optional, as of a readout: for the pointer; ``int`` and
          ``percent`` for the axis, too), ``marks`` (optional, ``[{"kind", "field", "label"}]``: of
          kind ``flag`` where the field is not 0, ``change`` where it is not what it was; with a
          ``text`` for the pointer, see ``sentence``, and a ``colour``, if it is about a curve),
          ``step`` (optional: whether a value holds until the next), ``span`` (optional,
          ``[low, high]``: what the axis shows at least);
          ``behind`` (optional, ``[{"label", "frames", "values"}]``: other runs' curves at these
          frames, the last among them), ``against`` (optional, ``{"label", "of": {name: field}}``:
          a field of the curves that each curve is drawn against, instead of the frames),
          ``bands`` (optional, ``{"label", "of": {name: field}}``: half the height of a band around
          each curve), ``levels`` (optional, ``{"label", "of": {name: value}}``: a dotted line to
          hold each curve against),
        - ``sentence``: ``cases`` (``[{"field", "is", "text"}]``: the text where the field has this
          value, with numbers of the curves in it, ``"c = {residual:sci}"``, or
          ``{residual:sci:bar}`` with as many digits as tell it from another);
        - ``readout``: ``fields`` (``[{"name", "label", "format"}]``; formats ``int``, ``sci``,
          ``percent``, ``excess``, ``number``, ``score``), ``columns`` (optional: how many
          in a row).
    axis : mapping
        What the frames run along: its ``name``, the ``label`` of the axes, and optionally a
        ``field`` of the curves whose value stands for the number of the frame, ``log`` (whether
        these are in equal ratios, so that the axis is a log axis), further values ``also``
        (``[{"name", "field"}]``) that go with it, one ``below`` (``{"label", "field"}``), written
        under those on the axes, and the ``count`` of frames, if it is known beforehand. Frames
        that are not in equal steps have their places on the axis ``at`` (from 0 to 1), with the
        ``ticks`` (``[[place, text]]``) that it has. At the frame ``opens`` the player rests at
        first, instead of playing from the first one.
    key : str
        Identity of the player on the page; keeps its picture through reruns.
    on_stop, on_lost : callable, optional
        Called before the rerun that the trigger of this name causes.

    Returns
    -------
    ComponentResult
        Triggers of this rerun, the run's ``url`` or None: ``finished`` (the run has ended and the
        browser holds all of it; once for each url), ``stop`` (its viewer asks to end it) and
        ``lost`` (the server does not know the run any more).
    """
    return _component(
        key=key,
        data={"url": url, "shape": [*shape], "panels": panels, "axis": axis},
        on_finished_change=_ignore,
        on_stop_change=on_stop or _ignore,
        on_lost_change=on_lost or _ignore,
    )


def _ignore() -> None:
    """Stand in for a callback: a trigger is an attribute of the result only if it has one."""


def check(
    panels: Sequence[Mapping[str, Any]], curves: Collection[str], pictures: Collection[str]
) -> None:
    """Refuse panels that show what a run has not.

    Parameters
    ----------
    panels : sequence of mappings
    curves, pictures : collection of str
        Names of a run's metrics and images.

    Raises
    ------
    ValueError
    """
    for panel in panels:
        if panel["kind"] == "picture":
            known, names = pictures, [panel["field"], f"{panel['field']}_scale"]
        elif panel["kind"] == "bars":
            behind = panel.get("behind")
            known, names = pictures, [panel["field"], *([behind["field"]] if behind else [])]
        elif panel["kind"] in ("stems", "curve"):
            known, names = pictures, [field["name"] for field in panel["fields"]]
        elif panel["kind"] == "map":
            known, names = curves, [panel["field"]]
        elif panel["kind"] == "sentence":
            known, names = curves, [case["field"] for case in panel["cases"]]
        else:
            names = [field["name"] for field in panel["fields"]]
            names += [mark["field"] for mark in panel.get("marks", [])]
            names += panel.get("bands", {"of": {}})["of"].values()
            known = curves
        for name in names:
            if name not in known:
                raise ValueError(
                    f"a panel of kind {panel['kind']!r} shows {name!r}; "
                    f"the run has {', '.join(known)}"
                )
