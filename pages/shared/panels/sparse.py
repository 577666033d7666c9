"""Panels of sparse regression: the fit, theta and z, residuals and certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import PENALTIES, Contest, Features, Sinc, SparseRun, Steps, StochasticRun

DATA_PASSES = {"name": "pass", "label": "passes over the samples", "field": "passes"}


def sparse_panels(run: SparseRun) -> list[dict[str, Any]]:
    """Return the panels of a run of ADMM."""
    numbers = [("zeros", f"zeros in z, of {run.seen}", "int")]
    if not run.split_by_F:
        numbers += [("small", "|θⱼ| < 0.001, as the book counts", "int")]
    numbers += [("primal", "objective P", "sci"), ("gap", "relative gap", "sci")]
    numbers += [("radius", "√(2 gap)", "sci"), ("rho", "ρ", "sci")]
    new_rho = {
        "kind": "change",
        "field": "rho",
        "label": "new ρ",
        "text": "ρ = {rho:sci} from here",
    }
    groups = {"every": run.size} if run.penalty == "l1,2" else {}
    F, Ft = ("F", "F′(z − z₋)") if run.split_by_F else ("", "z − z₋")
    zeros = lines(
        {"small": "θ", "zeros": "z"},
        "Zeros in z, and |θⱼ| < 0.001",
        "linear",
        step=True,
        format="int",
    )
    if run.split_by_F:
        zeros |= {"fields": _named({"zeros": "z"}, 1), "title": "Zeros in z"}
        entries = _stems({"z": "z"}, "z, the jumps of the fit", colour=1)
        fits = {"fit_theta": "θ", "fit_z": "from z"}
    else:
        entries = _stems({"theta": "θ", "z": "z"}, "θ and z", **groups)
        fits = {"fit_theta": "θ", "fit_z": "z"}
    return [
        _curve(run.data, fits, "The fit"),
        entries,
        readout(numbers),
        lines(
            {"primal_residual": "primal", "dual_residual": "dual"},
            f"Residuals ‖{F}θ − z‖ and ρ ‖{Ft}‖",
            "log",
            marks=[new_rho],
        ),
        zeros,
        lines({"primal": "P, primal", "dual": "D, dual"}, "Objective and its dual", "linear"),
        lines({"gap": "gap"}, "Certificate: relative gap (P − D) / P(0)", "log"),
    ]


def threshold_panels(contest: Contest) -> list[dict[str, Any]]:
    """Return the panels of the listing with two thresholds: both fits, both z, counts."""
    names = {str(i): f"{run.lam:g}" for i, run in enumerate(contest.runs)}
    among = [f"z_{i}" for i in names]
    return [
        *(
            _curve(contest.data, {f"fit_{i}": "θ"}, f"Fit, threshold {lam}", int(i))
            for i, lam in names.items()
        ),
        *(
            _stems({f"z_{i}": "z"}, f"z, threshold {lam}", colour=int(i), among=among)
            for i, lam in names.items()
        ),
        lines(
            {f"small_{i}": lam for i, lam in names.items()},
            "Count of |θⱼ| < 0.001",
            "linear",
            step=True,
            format="int",
        ),
        lines(
            {f"change_{i}": lam for i, lam in names.items()},
            "‖θ − θ₋‖: the listing stops below 10⁻⁴",
            "log",
        ),
    ]


def selection_panels(contest: Contest) -> list[dict[str, Any]]:
    """Return the panels of a selection of features: what each penalty takes, and the gaps."""
    size = Features.size
    numbered = list(enumerate(contest.runs))
    among = [f"z_{i}" for i, _ in numbered]
    return [
        *(
            _stems({f"z_{i}": "z"}, f"Coefficients, {run.said}", colour=i, every=size, among=among)
            for i, run in numbered
        ),
        lines({f"gap_{i}": PENALTIES[run.penalty] for i, run in numbered}, "Relative gap", "log"),
    ]


def stochastic_panels(run: StochasticRun) -> list[dict[str, Any]]:
    """Return the panels of the stochastic gradient beside ADMM."""
    return [
        _curve(run.data, {"fit": "stochastic", "admm_fit": "ADMM"}, "The fit"),
        _stems({"theta": "stochastic", "admm_z": "ADMM"}, "θ, after the threshold, and z"),
        lines(
            {"excess": "stochastic", "admm_excess": "ADMM"},
            "Objective above the optimum, relative to P(0)",
            "log",
        ),
        lines(
            {"zeros": "stochastic", "admm_zeros": "ADMM"},
            "Zeros",
            "linear",
            step=True,
            format="int",
        ),
    ]


def _curve(
    data: Sinc | Steps, fields: Mapping[str, str], title: str, colour: int | None = None
) -> dict[str, Any]:
    """Return a panel with fits over the samples and the truth."""
    _, y, x, truth, grid, _ = data.prepare()
    steps = isinstance(data, Steps)
    return {
        "kind": "curve",
        "fields": _named(fields, colour),
        "title": title,
        "label": "x",
        "x": grid.tolist(),
        "dots": {"x": x.tolist(), "y": y.tolist(), "label": "samples"},
        "behind": [{"label": "truth", "x": x.tolist(), "y": truth.tolist()}],
        "step": steps,
    }


def _stems(
    fields: Mapping[str, str], title: str, colour: int | None = None, **rest: object
) -> dict[str, Any]:
    return {"kind": "stems", "fields": _named(fields, colour), "title": title, **rest}


def _named(fields: Mapping[str, str], colour: int | None) -> list[dict[str, Any]]:
    own = {} if colour is None else {"colour": colour}
    return [{"name": name, "label": label, **own} for name, label in fields.items()]
