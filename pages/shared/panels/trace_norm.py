"""Panels of trace-norm regression: one run, the path along R, more and more samples."""

from __future__ import annotations

from typing import Any

from pages.shared.images import DRAWN
from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import ESTIMATES, RecoveryRun, TraceNormPath

TRUTH = {"field": "sigma_truth", "label": "of Θ*"}
ERRORS = {
    "error": "‖Θ − Θ*‖",
    "test": "test error",
    "train": "training error",
}
AT_TRUTH = {"marks": [{"kind": "flag", "field": "at_truth", "label": "R = ‖Θ*‖_tr"}]}
PICTURES = [
    {"kind": "picture", "field": "truth", "title": "Θ*, the truth"},
    {"kind": "picture", "field": "Theta", "title": "Θ, learned"},
]
SPECTRA = {"kind": "bars", "field": "sigma", "title": "Singular values of Θ", "behind": TRUTH}
NUMBERS = [
    ("rank", "rank of Θ", "int"),
    ("error", "‖Θ − Θ*‖_F", "number"),
    ("test", "test error", "number"),
    ("trace", "‖Θ‖_tr", "number"),
    ("lam", "λ = ‖Σ rᵢ Xᵢ‖₂", "number"),
    ("train", "training error", "number"),
]
RANK = lines({"rank": "rank"}, "Rank of Θ", "linear", step=True, format="int")
ERROR = lines(ERRORS, "Errors", "linear", span=(0, 0))


def proximal_panels() -> list[dict[str, Any]]:
    """Return the panels of a run of proximal gradient."""
    restarts = [{"kind": "flag", "field": "restarted", "label": "restart"}]
    steps = {"gap": "duality gap", "residual": "residual"}
    gap = lines(steps, "Gap, residual", "log", marks=restarts)
    objective = lines({"primal": "P(Θ)", "dual": "D"}, "Objective and its bound", "linear")
    return [*PICTURES, SPECTRA, ERROR, readout(NUMBERS), objective, gap]


def radius_panels(recipe: TraceNormPath) -> list[dict[str, Any]]:
    """Return the panels of the path along R."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(DRAWN, *recipe.data.shape[1:])]
    entering = {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)}
    return [
        PICTURES[1],
        readout([("radius", "R", "number"), *(row for row in NUMBERS if row[0] != "train")]),
        SPECTRA,
        *(
            panel | AT_TRUTH
            for panel in (lines(entering, "Singular values along R", "linear"), RANK, ERROR)
        ),
    ]


def radius_axis(recipe: TraceNormPath) -> dict[str, Any]:
    """Return the axis of the path: a frame for each R."""
    most = recipe.shares[-1]
    return {
        "name": "R / ‖Θ*‖_tr =",
        "label": "R / ‖Θ*‖_tr",
        "field": "share",
        "also": [{"name": "R =", "field": "radius"}],
        "count": len(recipe.shares),
        "at": (recipe.shares / most).tolist(),
        "ticks": [[share / most, f"{share:g}"] for share in (0, 0.25, 0.5, 0.75, 1, 1.25)],
    }


def recovery_panels() -> list[dict[str, Any]]:
    """Return the panels of the four estimates."""
    pictures = [
        {"kind": "picture", "field": f"Theta_{name}", "title": said[0].upper() + said[1:]}
        for name, said in ESTIMATES.items()
    ]
    own = {"marks": [{"kind": "flag", "field": "own", "label": "n of this page"}]}
    tests = {f"test_{name}": SHORT[name] for name in ESTIMATES}
    return [
        *pictures,
        lines(SHORT, "‖Θ − Θ*‖_F", "linear", span=(0, 0), **own),
        lines(tests, "Test error", "linear", span=(0, 0), **own),
    ]


SHORT = {"ls": "none", "l2": "ℓ₂", "l1": "ℓ₁", "trace": "trace"}


def recovery_axis(recipe: RecoveryRun) -> dict[str, Any]:
    """Return the axis of the estimates: a frame for each n, at its place, the page's own first."""
    counts, most = recipe.counts, recipe.counts[-1]
    step = next(s for s in (5, 10, 20, 50, 100, 200) if most / s <= 6 or s == 200)
    return {
        "name": "n =",
        "label": "n",
        "field": "n",
        "count": len(counts),
        "opens": counts.index(recipe.few.n),
        "at": [n / most for n in counts],
        "ticks": [[n / most, str(n)] for n in range(step, most, step)],
    }
