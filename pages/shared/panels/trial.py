"""Panels of a trial of machines on somebody's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.shared.panels.parts import METHODS, by_method, readout

SPAN, PERCENT = (0.8, 1.0), {"format": "percent"}  # of a trial: no gulf is a single test sample
TRAININGS = {"name": "training", "label": "trainings"}


def trial_panels(
    methods: Sequence[str], names: Sequence[str], budget: float | None
) -> list[dict[str, Any]]:
    """Return the panels of a trial: what is done, the last W, accuracies so far.

    Parameters
    ----------
    methods : sequence of str
    names : sequence of str
        Of the classes.
    budget : float, optional
        Seconds for all searches, if weights are searched for.
    """
    names = [name.replace("{", "(").replace("}", ")") for name in names]  # not to be filled in
    towards = [f"positive: {names[1]}"]
    if len(names) > 2:
        towards = [f"{name} against the rest" for name in names]
    cases = []
    for number, method in enumerate(methods):
        texts = [
            f"The {METHODS[method]} looks for its weights: {{cells:int}} of {{of:int}} cells of "
            f"its grid tried, best so far {{best:percent}} in cross-validation; {{searched:int}} "
            f"of {budget or 0:g} s spent. Stop keeps the machines that are tested."
        ]
        texts += [f"W of the {METHODS[method]}, {which}" for which in towards]
        first = number * (len(names) + 1)
        cases += [{"field": "doing", "is": first + i, "text": text} for i, text in enumerate(texts)]
    panels = [
        {"kind": "sentence", "cases": cases},
        {"kind": "picture", "field": "W", "title": "W of the last training", "own": True},
        readout([("split", "split", "int"), ("rank", "rank of W", "int")]),
        by_method("Accuracy on test samples, mean so far", "held_", SPAN, methods) | PERCENT,
    ]
    cv = by_method("Cross-validation, the best weights so far", "cv_", SPAN, methods) | PERCENT
    return panels + [cv] * bool(budget)
