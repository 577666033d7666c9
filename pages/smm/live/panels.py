"""The panels of *Watch the algorithm*: W and S, residuals, and the rule of the restart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.shared.player.panels import Panel, Series

# The metrics by which the player words a decision: see assets/player/decisions.js.
DECISION = ("k", "step", "restarted", "ratio", "momentum", "apart", "moved", "gap", "rho")


@dataclass(frozen=True)
class Band(Panel):
    """W and S with a band between them, as thick as rho is large, and S's singular values."""

    kind = "band"
    title: str

    @property
    def metrics(self) -> Sequence[str]:
        return ["rho", "rank", "fit"]

    @property
    def images(self) -> Sequence[str]:
        return ["W", "W_scale", "S", "S_scale", "singular_values"]


@dataclass(frozen=True)
class Residuals(Panel):
    """Residuals on a log axis, with the restarts and the run before."""

    kind = "residuals"
    fields: Sequence[Series]  # metrics
    title: str
    legend: str
    tol: float  # the relative gap at which a run is done

    @property
    def metrics(self) -> Sequence[str]:
        return [*DECISION, *(field.name for field in self.fields)]


@dataclass(frozen=True)
class Decision(Panel):
    """The decision of a step in words."""

    kind = "decision"
    title = ""
    tol: float

    @property
    def metrics(self) -> Sequence[str]:
        return DECISION


@dataclass(frozen=True)
class Ratio(Panel):
    """c(k) divided by that of the last step that was kept, and the line at eta."""

    kind = "ratio"
    title: str

    @property
    def metrics(self) -> Sequence[str]:
        return [*DECISION, "residual"]
