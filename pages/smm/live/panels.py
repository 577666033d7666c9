"""The panels of *Watch the algorithm*: W and S, both residuals, and the rule of the restart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.shared.player.panels import Number, Panel

# The metrics by which the player words a decision: see assets/player/decisions.js.
DECISION = ("k", "step", "restarted", "ratio", "momentum", "apart", "moved", "gap", "rho")


@dataclass(frozen=True)
class Band(Panel):
    """W and S with a band between them, as thick as rho is large, and S's singular values."""

    kind = "band"
    title: str  # of W
    below: str  # of S
    numbers: Sequence[Number]  # of W

    @property
    def metrics(self) -> Sequence[str]:
        return [
            "apart",
            "rho",
            "rank",
            "residual",
            "ratio",
            *(number.name for number in self.numbers),
        ]

    @property
    def images(self) -> Sequence[str]:
        return ["W", "W_scale", "S", "S_scale", "singular_values"]


@dataclass(frozen=True)
class Residuals(Panel):
    """Both residuals on a log axis that stays, with the restarts and the run before."""

    kind = "residuals"
    title: str
    legend: str
    tol: float  # the relative gap at which a run is done

    @property
    def metrics(self) -> Sequence[str]:
        return DECISION


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
