"""Which numbers of a run the player draws, and along what. See `player` for what a panel is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pages.shared.films.algorithm1 import Step
from pages.shared.films.duel import SIDES
from pages.shared.recipes import (
    DRAWN,
    METHODS,
    NOISY,
    DuelRun,
    PathRun,
    PlaneRun,
    RobustnessRun,
    SMMRun,
)


def _lines(fields: Mapping[str, str], title: str, scale: str, **rest: object) -> dict[str, Any]:
    """Return a panel with a line for each field, by its label."""
    named = [{"name": name, "label": label} for name, label in fields.items()]
    return {"kind": "lines", "fields": named, "title": title, "scale": scale, **rest}


def _numbers(rows: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """Return a panel of numbers: field, label and format of each."""
    fields = [{"name": name, "label": label, "format": form} for name, label, form in rows]
    return {"kind": "readout", "fields": fields}


CERTIFIED = _numbers(
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
RESIDUAL = _lines(
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
OBJECTIVE = _lines(
    {"primal": "P, primal", "dual": "D, dual"}, "Certificate: P of its W, D of its α", "linear"
)
GAP = _lines({"gap": "gap"}, "Certificate: relative gap (P − D) / |P|", "log")
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
        _lines({"apart": "‖W − S‖"}, "Primal residual ‖W − S‖", "log"),
        _lines({"moved": "ρ‖S − Ŝ‖"}, "Dual residual ρ ‖S − Ŝ‖", "log"),
        OBJECTIVE,
        GAP,
        _lines({"rank": "rank"}, "Rank of S", "linear", step=True, format="int"),
        _lines({"t": "t"}, "Momentum: t(k + 1)", "linear"),
    ]


def duel_panels(duel: DuelRun) -> list[dict[str, Any]]:
    """Return the panels of a race of two settings: S, gap and residual, against k and time."""

    def both(field: str, title: str, scale: str) -> dict[str, Any]:
        return _lines({f"{field}_{side}": side for side in SIDES}, title, scale)

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


AT_TAU_MAX = {"marks": [{"kind": "flag", "field": "at_max", "label": "τ_max"}]}


def path_panels(recipe: PathRun) -> list[dict[str, Any]]:
    """Return the panels of a path: W and its numbers at a tau, and curves along all of them."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(DRAWN, *recipe.data.shape[1:])]
    curves = {
        "Rank of W": {"rank": "rank"},
        "Singular values along τ": {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)},
        "Accuracy": {"train": "training", "held": "held out"},
    }
    numbers = [("tau", "τ", "sci"), ("share", "τ / τ_max", "sci"), ("rank", "rank of W", "int")]
    numbers += [("train", "training accuracy", "percent"), ("held", "held-out accuracy", "percent")]
    numbers += [("gap", "relative gap", "sci")]
    return [
        {
            "kind": "picture",
            "field": "W",
            "title": "W at this τ, on a scale of its own",
            "own": True,
        },
        _numbers(numbers),
        {"kind": "bars", "field": "singular_values", "title": "Singular values of W"},
        *(
            _lines(fields, title, "linear")
            | ({"step": True, "format": "int"} if title == "Rank of W" else {})
            | AT_TAU_MAX
            for title, fields in curves.items()
        ),
    ]


NAMES = {method: METHODS[method] for method in ("lsvm", "bsvm", "rglm", "smm")}


def by_method(
    title: str,
    prefix: str = "",
    span: Sequence[float] | None = (0.55, 1.0),
    methods: Sequence[str] = tuple(NAMES),
    scale: str = "linear",
) -> dict[str, Any]:
    """Return a panel with a line for each method; accuracies share one scale."""
    colours = {method: colour for colour, method in enumerate(METHODS)}
    fields = [
        {"name": prefix + method, "label": METHODS[method], "colour": colours[method]}
        for method in methods
    ]
    panel = {"kind": "lines", "fields": fields, "title": title, "scale": scale}
    return panel if span is None else panel | {"span": span}


def _matrices(methods: Sequence[str], title: str) -> list[dict[str, Any]]:
    return [
        {"kind": "picture", "field": f"W_{name}", "title": title.format(METHODS[name])}
        for name in methods
    ]


def validation_panels(methods: Sequence[str]) -> list[dict[str, Any]]:
    """Return the panels of a validation: accuracies without and with noise, and each W."""
    return [
        by_method("Accuracy in cross-validation", methods=methods),
        by_method(f"Exact, with noise of s = {NOISY}", "noisy_", methods=methods),
        *_matrices(methods, "W of the {}, normalised"),
    ]


def noise_panels(noise: str, methods: Sequence[str], draws: int) -> list[dict[str, Any]]:
    """Return the panels of a run under noise on so many data sets: means and deviations."""
    deviation = "Standard deviation over the "
    titles = {"": ("Accuracy, mean of the draws of noise", (0.55, 1.0))}
    if noise == "Gaussian":
        titles["exact_"] = "Exact: mean of Φ(y f(X) / (s ‖W‖))", (0.55, 1.0)
    titles["sd_"] = deviation + "draws of noise", (0, 0.01)
    if draws > 1:
        titles["between_"] = deviation + "data sets", (0, 0.01)
    return [by_method(title, name, span, methods) for name, (title, span) in titles.items()]


def weight_axis(count: int) -> dict[str, object]:
    """Return the axis of a validation: a frame for each weight."""
    return {
        "name": "C spread² =",
        "label": "C spread²",
        "field": "c",
        "count": count,
        "at": np.linspace(0, 1, count).tolist(),
        "ticks": [[decade / 3, f"{10**decade / 10:g}"] for decade in range(4)],  # see `strengths`
    }


NONE = 0.12  # the share of a log axis that lies between no noise and its least level


def noise_axis(recipe: RobustnessRun) -> dict[str, object]:
    """Return the axis of a run under noise: a log axis with 0 set apart, or a linear one."""
    levels = np.array(recipe.levels)
    if recipe.noise == "Gaussian":
        name, least = "s", levels[1]
        ticks = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

        def place(level: float) -> float:
            decades = np.log10(level / least) if level else 0.0
            return (NONE + (1 - NONE) * decades / np.log10(levels[-1] / least)) * (level > 0)
    else:
        name, ticks = "density", [0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035]

        def place(level: float) -> float:
            return level / levels[-1]

    return {
        "name": f"{name} =",
        "label": name,
        "field": "level",
        "count": len(levels),
        "at": [float(place(level)) for level in levels],
        "ticks": [[float(place(level)), f"{level:g}"] for level in ticks],
    }


def tau_axis(points: int) -> dict[str, object]:
    """Return the axis of a path: a frame for each tau."""
    return {"name": "τ =", "label": "τ", "field": "tau", "log": True, "count": points}


def plane_panels(recipe: PlaneRun) -> list[dict[str, Any]]:
    """Return the panels of a map: rank, held-out accuracy, and the numbers of one cell."""
    axes = {
        "rows": {"label": "C s²", "values": recipe.weights.tolist()},
        "columns": {"label": "τ / τ_max", "values": recipe.shares.tolist()},
    }
    names = {"rank": ("rank of W", "int"), "held": ("held-out accuracy", "percent")}
    spans = {"rank": (0, min(recipe.data.shape[1:])), "held": (0.5, 1.0)}
    numbers = {"C": ("C s²", "sci"), "share": ("τ / τ_max", "sci"), "rank": names["rank"]}
    numbers |= {"train": ("training accuracy", "percent"), "held": names["held"]}
    return [
        *(
            {"kind": "map", "field": field, "title": label[0].upper() + label[1:], **axes}
            | {"label": label, "format": form, "span": spans[field]}
            for field, (label, form) in names.items()
        ),
        _numbers((field, *said) for field, said in numbers.items()),
    ]


def plane_axis(recipe: PlaneRun) -> dict[str, object]:
    """Return the axis of a map: a frame for each cell."""
    return {"name": "cell", "label": "cell", "count": recipe.rows * recipe.columns}


def race_panels(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panels of a race: each W, its numbers, gap, grouping (if any) and accuracy."""
    numbers = [("group", "grouping", "score")] * scored
    numbers += [("rank", "rank", "int"), ("held", "held-out accuracy", "percent")]
    gap = "Relative gap" + "; of the bilinear SVM, of its two halves" * ("bsvm" in methods)
    return [
        *_matrices(methods, "{}, W / max |W|"),
        _readout(methods, numbers),
        by_method(gap, "gap_", None, methods, "log"),
        *_grouping(methods, scored),
        by_method("Held-out accuracy", "held_", None, methods),
    ]


def _grouping(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panel of the grouping scores, if there are any."""
    panel = by_method("Grouping score of the columns of W", "group_", None, methods)
    return [panel | {"format": "score"}] * scored


def with_choices(
    panels: Sequence[Mapping[str, Any]], choices: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Return panels by method with what validation takes on their curves.

    Parameters
    ----------
    panels : sequence of mappings
    choices : mapping of `smmcore.robustness.Choice`
        By method.
    """

    def marked(panel: Mapping[str, Any]) -> Mapping[str, Any]:
        methods = [field["name"].rpartition("_")[2] for field in panel["fields"]]
        marks = [choices[method]._asdict() if choices else {} for method in methods]
        fields = zip(panel["fields"], marks, strict=True)
        return {**panel, "fields": [field | mark for field, mark in fields]}

    return [marked(panel) if panel["kind"] == "lines" else panel for panel in panels]


def sweep_panels(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panels of a sweep: each W, its grouping (if any), accuracies and rank."""
    accuracies = {"held_": "Held-out accuracy", "train_": "Training accuracy"}
    return [
        *_matrices(methods, "{}, W / max |W|"),
        *_grouping(methods, scored),
        *(by_method(title, prefix, None, methods) for prefix, title in accuracies.items()),
        by_method("Rank of W", "rank_", None, methods) | {"format": "int"},
    ]


def sweep_axis(points: int, methods: Sequence[str]) -> dict[str, object]:
    """Return the axis of a sweep: a frame for each C, and the λ and τ that go with it."""
    also = {"rglm": ("λ / λ_max =", "lam"), "smm": ("τ of the SMM =", "tau")}
    below = {"below": {"label": "λ / λ_max", "field": "lam"}} if "rglm" in methods else {}
    return below | {
        "name": "C s² =",
        "label": "C s²",
        "field": "C",
        "also": [
            {"name": name, "field": field}
            for method, (name, field) in also.items()
            if method in methods
        ],
        "count": points,
    }


def _readout(methods: Sequence[str], numbers: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    rows = [
        (f"{field}_{name}", f"{METHODS[name]}: {label}", form)
        for name in methods
        for field, label, form in numbers
    ]
    return _numbers(rows) | {"columns": len(numbers)}
