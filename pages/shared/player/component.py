"""The player: shows a run while the server computes it, at the pace that its viewer chooses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pages.shared.component import component
from pages.shared.player.panels import Axis, Panel

SCRIPTS = (
    *("protocol", "store", "numbers", "canvas", "pictures", "lines", "vectors", "panels"),
    *("grid", "residuals", "decisions", "ratio", "band"),
    *("knobs", "stage", "transport", "player"),
)

STYLES = "player", "algorithm"

_component = component(
    "player", [f"player/{name}" for name in SCRIPTS], [f"player/{name}" for name in STYLES]
)


def player(
    *,
    url: str,
    shape: Sequence[int],
    panels: Sequence[Panel],
    axis: Axis,
    key: str,
    more: Sequence[Panel] = (),
    asks: bool = False,
    places: Mapping[str, int] | None = None,
    moves: Mapping[str, Sequence[Any]] | None = None,
    grid: str | None = None,
    number: int = 0,
    on_stop: Callable[[], None] | None = None,
    on_lost: Callable[[], None] | None = None,
) -> Any:
    """Mount a player; the browser then pulls the run's frames from ``url`` by itself.

    A player that is given another ``url`` keeps showing the old run, dimmed, until the first
    frame of the new one has arrived. If it `asks`, it waits at the frame that the axis names until
    the reader guesses, plays or touches a control (see `parts.question`). The `places` of knobs
    are those of settings that move, whose values are in `moves`; the runs at some of them are in
    the file `grid`. The run contains the moves up to a `number`.

    The result has the triggers of this rerun, the run's ``url`` or None: ``finished`` (the browser
    holds all of an ended run; once for each url), ``stop`` (the viewer ends it) and ``lost`` (the
    server does not know the run).
    """
    return _component(
        key=key,
        data={
            "url": url,
            "shape": [*shape],
            "panels": [panel.to_json() for panel in panels],
            "more": [panel.to_json() for panel in more],
            "axis": axis.to_json(),
            "asks": asks,
            "places": places or {},
            "moves": moves,
            "grid": grid,
            "number": number,
        },
        on_finished_change=_ignore,
        on_stop_change=on_stop or _ignore,
        on_lost_change=on_lost or _ignore,
    )


def _ignore() -> None:
    """Stand in for a callback: a trigger is an attribute of the result only if it has one."""
