"""A run on the screen: which of its numbers the player draws, and what its buttons do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shared import runs
from pages.shared.player import ITERATIONS, layout_of, player
from pages.shared.recipes import DRAWN, METHODS, NOISY, PlaneRun

FIRST_LOOK = 0.3  # seconds, in which a small run is over

ALGORITHM_1 = (
    {"kind": "picture", "field": "S", "title": "S, the copy of W with low rank"},
    {
        "kind": "readout",
        "fields": [
            {"name": "rank", "label": "rank of S", "format": "int"},
            {"name": "accuracy", "label": "training accuracy", "format": "percent"},
            {"name": "gap", "label": "relative gap", "format": "sci"},
            {"name": "distance", "label": "√(2 gap) / ‖W‖", "format": "sci"},
            {"name": "support", "label": "support matrices", "format": "int"},
            {"name": "rho", "label": "ρ", "format": "sci"},
        ],
    },
    {
        "kind": "bars",
        "field": "singular_values",
        "title": "Singular values of S",
    },
    {
        "kind": "lines",
        "fields": [{"name": "residual", "label": "c(k)"}],
        "title": "Combined residual c(k)",
        "scale": "log",
        "marks": [
            {"kind": "flag", "field": "restarted", "label": "restart"},
            {"kind": "change", "field": "rho", "label": "new ρ"},
        ],
    },
    {
        "kind": "lines",
        "fields": [{"name": "primal", "label": "P, primal"}, {"name": "dual", "label": "D, dual"}],
        "title": "Objective: primal and dual value",
        "scale": "linear",
    },
    {
        "kind": "lines",
        "fields": [{"name": "gap", "label": "gap"}],
        "title": "Relative duality gap (P − D) / |P|",
        "scale": "log",
    },
)


TAU_PATH = (
    {"kind": "picture", "field": "W", "title": "W at this τ"},
    {
        "kind": "readout",
        "fields": [
            {"name": "tau", "label": "τ", "format": "sci"},
            {"name": "share", "label": "τ / τ_max", "format": "sci"},
            {"name": "rank", "label": "rank of W", "format": "int"},
            {"name": "train", "label": "training accuracy", "format": "percent"},
            {"name": "held", "label": "held-out accuracy", "format": "percent"},
            {"name": "gap", "label": "relative gap", "format": "sci"},
        ],
    },
    {"kind": "bars", "field": "singular_values", "title": "Singular values of W"},
    {
        "kind": "lines",
        "fields": [{"name": "rank", "label": "rank"}],
        "title": "Rank of W",
        "scale": "linear",
        "step": True,
        "marks": [{"kind": "flag", "field": "at_max", "label": "τ_max"}],
    },
    {
        "kind": "lines",
        "fields": [{"name": f"s{i}", "label": f"σ{'₁₂₃₄₅₆'[i - 1]}"} for i in range(1, DRAWN + 1)],
        "title": "Singular values along τ",
        "scale": "linear",
    },
    {
        "kind": "lines",
        "fields": [{"name": "train", "label": "training"}, {"name": "held", "label": "held out"}],
        "title": "Accuracy",
        "scale": "linear",
    },
)

NAMES = {method: METHODS[method] for method in ("lsvm", "bsvm", "rglm", "smm")}


def by_method(
    title: str,
    prefix: str = "",
    span: Sequence[float] | None = (0.55, 1.0),
    methods: Sequence[str] = tuple(NAMES),
    scale: str = "linear",
) -> dict[str, Any]:
    """Return a panel with a line for each method; accuracies share one scale."""
    fields = [{"name": prefix + method, "label": METHODS[method]} for method in methods]
    panel = {"kind": "lines", "fields": fields, "title": title, "scale": scale}
    return panel if span is None else panel | {"span": span}


def _matrices(methods: Sequence[str], title: str) -> list[dict[str, Any]]:
    return [
        {"kind": "picture", "field": f"W_{name}", "title": title.format(METHODS[name])}
        for name in methods
    ]


VALIDATION = (
    by_method("Accuracy in cross-validation"),
    by_method(f"Exact, with noise of s = {NOISY}", "noisy_"),
    *_matrices(tuple(NAMES), "W of the {}, normalised"),
)
SIMULATED = by_method("Accuracy, mean of the draws of noise")
NOISE = {
    "Gaussian": (SIMULATED, by_method("Exact: mean of Φ(y f(X) / (s ‖W‖))", "exact_")),
    "salt and pepper": (SIMULATED, by_method("Its standard deviation", "sd_", (0, 0.01))),
}


def weight_axis(count: int) -> dict[str, object]:
    """Return the axis of a validation: a frame for each weight."""
    return {"name": "C spread² =", "label": "C spread²", "field": "c", "log": True, "count": count}


def noise_axis(noise: str, levels: int) -> dict[str, object]:
    """Return the axis of a run under noise: a frame for each level."""
    name = {"Gaussian": "s", "salt and pepper": "density"}[noise]
    return {"name": f"{name} =", "label": name, "field": "level", "count": levels}


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
        {
            "kind": "readout",
            "fields": [
                {"name": field, "label": label, "format": form}
                for field, (label, form) in numbers.items()
            ],
        },
    ]


def plane_axis(recipe: PlaneRun) -> dict[str, object]:
    """Return the axis of a map: a frame for each cell."""
    return {"name": "cell", "label": "cell", "count": recipe.rows * recipe.columns}


def race_panels(methods: Sequence[str]) -> list[dict[str, Any]]:
    """Return the panels of a race: each W, its numbers, gap, grouping and accuracy."""
    numbers = [("group", "grouping", "number"), ("rank", "rank", "int")]
    numbers += [("held", "held-out accuracy", "percent")]
    return [
        *_matrices(methods, "{}, W / max |W|"),
        _readout(methods, numbers),
        by_method(
            "Relative gap; of the bilinear SVM, of its two halves", "gap_", None, methods, "log"
        ),
        by_method("Grouping score of the columns of W", "group_", None, methods, "linear"),
        by_method("Held-out accuracy", "held_", None, methods, "linear"),
    ]


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


def sweep_panels(methods: Sequence[str]) -> list[dict[str, Any]]:
    """Return the panels of a sweep: each W, its grouping, accuracy and rank."""
    titles = {
        "group_": "Grouping score",
        "held_": "Held-out accuracy",
        "rank_": "Rank of W",
    }
    panels = [by_method(title, prefix, None, methods) for prefix, title in titles.items()]
    return [*_matrices(methods, "{}, W / max |W|"), *panels]


def sweep_axis(points: int, methods: Sequence[str]) -> dict[str, object]:
    """Return the axis of a sweep: a frame for each C, and the λ and τ that go with it."""
    also = {"rglm": ("λ / λ_max =", "lam"), "smm": ("τ of the SMM =", "tau")}
    return {
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
    return {
        "kind": "readout",
        "fields": [
            {"name": f"{field}_{name}", "label": f"{METHODS[name]}: {label}", "format": form}
            for name in methods
            for field, label, form in numbers
        ],
    }


def watch(
    slot: str,
    run: runs.Run,
    panels: Sequence[Mapping[str, Any]] = ALGORITHM_1,
    axis: Mapping[str, Any] = ITERATIONS,
) -> None:
    """Show a run while it goes on, and how it ended.

    Parameters
    ----------
    slot : str
        The slot that holds the run (see `runs.current`).
    run : Run
    panels, axis
        What the player draws, see `player`.
    """
    frames = run.frames
    key = f"player of {slot}"
    player(
        url=runs.url(run),
        layout={
            "curves": layout_of(frames.curves.dtype),
            "pictures": layout_of(frames.pictures.dtype),
        },
        panels=panels,
        axis=axis,
        key=key,
        on_stop=lambda: run.stop() if is_about(key, "stop", run) else None,
        on_lost=lambda: runs.forget(slot) if is_about(key, "lost", run) else None,
    )
    run.wait(FIRST_LOOK)  # the player is on its way; the page's numbers come with the same rerun
    if run.status == "failed":
        st.error(run.message)
    if run.status in ("failed", "stopped"):
        st.button("Run again", key=f"again {slot}", on_click=runs.forget, args=(slot,))


def is_about(key: str, trigger: str, run: runs.Run) -> bool:
    """Return whether a trigger of the player means this run, not the one that it showed before."""
    return st.session_state[key][trigger] == runs.url(run)
