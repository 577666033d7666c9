"""Panels of Algorithm 1: at a glance, step by step, and two settings in a race."""

from __future__ import annotations

from typing import Any

from pages.shared.films.algorithm1 import Step
from pages.shared.films.duel import SIDES
from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import DuelRun, SMMRun

CERTIFIED = readout(
    [
        ("rank", "rank of S", "int"),
        # Not of the iterate: the certificate's W is the best of two candidates.
        ("accuracy", "accuracy of W", "percent"),
        ("gap", "relative gap", "sci"),
        ("distance", "√(2 gap) / ‖W‖", "sci"),
        ("support", "support matrices", "int"),
        ("rho", "ρ", "sci"),
    ]
)
SINGULAR_VALUES = {
    "kind": "bars",
    "field": "singular_values",
    "title": "Singular values of S",
}
RESIDUAL = lines(
    {"residual": "c(k)"},
    "Combined residual c(k)",
    "log",
    marks=[
        {
            "kind": "flag",
            "field": "restarted",
            "label": "restart",
            "text": "restart: c(k) = {residual:sci:bar}\n≥ η c = {bar:sci:residual}, "
            "by {excess:excess}",
        },
        {"kind": "change", "field": "rho", "label": "new ρ", "text": "ρ = {rho:sci} from here"},
    ],
)
OBJECTIVE = lines(
    {"primal": "P, primal", "dual": "D, dual"}, "Certificate: P of its W, D of its α", "linear"
)
GAP = lines({"gap": "gap"}, "Certificate: relative gap (P − D) / |P|", "log")
ALGORITHM_1 = (
    {"kind": "picture", "field": "S", "title": "S, the copy of W with low rank"},
    *(CERTIFIED, SINGULAR_VALUES, RESIDUAL, OBJECTIVE, GAP),
)


def laboratory(recipe: SMMRun) -> list[dict[str, Any]]:
    """Return the panels that show all of an iteration of Algorithm 1: its matrices, its step."""
    begin, bar = "c(k) = {residual:sci:bar}", f"{recipe.eta:g} c = {{bar:sci:residual}}"
    steps = {
        Step.PLAIN: f"{begin}. Plain ADMM: no momentum, no restart.",
        Step.FIRST: f"{begin}: nothing to compare it with at this ρ. "
        "Next t = {t:number}, next c = c(k).",
        Step.ACCELERATE: f"{begin} < {bar}: accelerate. The next start is the pair (S, Λ) and "
        "(t − 1) / t′ = {momentum:number} of its last step; next t = {t:number}, next c = c(k).",
        Step.RESTART: f"{begin} ≥ {bar}, by {{excess:excess}}: restart. The next start is the "
        f"pair (S, Λ) before this one; next t = 1, next c = c / {recipe.eta:g}.",
        Step.AFTER_RESTART: f"{begin}, accepted without a comparison: it follows a restart, and "
        "without momentum c cannot rise. Next t = {t:number}, next c = c(k).",
    }
    cases = [{"field": "step", "is": int(step), "text": text} for step, text in steps.items()]
    return [
        {"kind": "sentence", "cases": cases},
        {"kind": "picture", "field": "W", "title": "W, which fits the samples"},
        ALGORITHM_1[0],
        {"kind": "picture", "field": "Lambda", "title": "Λ, the multiplier of W = S"},
        {
            "kind": "picture",
            "field": "u",
            "title": "y α / C: the support matrices",
            "samples": True,
        },
        CERTIFIED,
        SINGULAR_VALUES,
        RESIDUAL,
        lines({"apart": "‖W − S‖"}, "Primal residual ‖W − S‖", "log"),
        lines({"moved": "ρ‖S − Ŝ‖"}, "Dual residual ρ ‖S − Ŝ‖", "log"),
        OBJECTIVE,
        GAP,
        lines({"rank": "rank"}, "Rank of S", "linear", step=True, format="int"),
        lines({"t": "t"}, "Momentum: t(k + 1)", "linear"),
    ]


def duel_panels(duel: DuelRun) -> list[dict[str, Any]]:
    """Return the panels of a race of two settings: S, gap and residual, against k and time."""

    def both(field: str, title: str, scale: str) -> dict[str, Any]:
        return lines({f"{field}_{side}": side for side in SIDES}, title, scale)

    kinds = (
        ("flag", "restarted", "restart", "{side}: restart"),
        ("change", "rho", "new ρ", "{side}: ρ = {{rho_{side}:sci}} from here"),
    )
    marks = [
        {"kind": kind, "field": f"{field}_{side}", "label": label, "colour": colour}
        | {"text": text.format(side=side)}
        for colour, side in enumerate(SIDES)
        for kind, field, label, text in kinds
    ]
    gap = both("gap", "Relative gap", "log")
    of = {f"gap_{side}": f"seconds_{side}" for side in SIDES}
    return [
        *({"kind": "picture", "field": f"S_{side}", "title": f"S of the {side}"} for side in SIDES),
        gap,
        {**gap, "title": "Relative gap against time", "against": {"label": "seconds", "of": of}},
        both("residual", "Combined residual c(k)", "log") | {"marks": marks},
        both("rank", "Rank of S", "linear") | {"step": True, "format": "int"},
    ]
