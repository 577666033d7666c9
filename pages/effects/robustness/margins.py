"""The picture of the noise: a new sample, and the scores of all of them for two W."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pages.effects.robustness.runs import STRENGTHS, NoiseOnMargins, Pattern, Validation
from pages.shared.component import component
from pages.shared.data.painted import encode, truth_of
from pages.shared.engine import session
from pages.shared.parts.knobs import draw_knobs
from pages.shared.widgets import url

STEPS = (0.01, 0, 10), (0.02, 5, 15), (0.05, 6, 21)  # finer where the accuracies fall
LEVELS = [round(step * k, 2) for step, first, end in STEPS for k in range(first, end)]

_component = component("margins", "margins/margins", ["toy", "margins/margins"])


def draw_margins(validation: Validation, painting: str, above: Any, place: Any) -> None:
    """Draw the knob of the noise, and in a place below it the picture that follows it.

    A painting takes the place of the blocks.
    """
    if painting:
        validation = replace(validation, data=Pattern(encode(truth_of(painting))))
    _, knob = url.knob(
        "s",
        "size of the noise",
        LEVELS,
        0.0,
        key="s",
        help="A normal number of standard deviation s is added to each entry of the samples.",
    )
    with above:
        draw_knobs([knob])
    with place:
        seen = session.run_whole(
            "robustness: margins", "Two SMMs are being trained", NoiseOnMargins(validation)
        )
    images, ranks = seen.images[0], seen.metrics[0]
    machines: list[dict[str, Any]] = []
    for name in STRENGTHS:
        size = float(np.linalg.norm(images[f"W_{name}"]))
        scores = size * images[f"margins_{name}"]
        machines.append(
            {
                "name": name,
                "rank": int(ranks[f"rank_{name}"]),
                "size": size,
                "W": images[f"W_{name}"].tolist(),
                "scores": scores.tolist(),
                "typical": float(np.median(scores)),
                "shifts": (size * images[f"shifts_{name}"]).tolist(),
            }
        )
    data: dict[str, Any] = {
        "sample": images["sample"].tolist(),
        "noise": images["noise"].tolist(),
        "shape": validation.data.shape[1:],
        "machines": machines,
        "levels": LEVELS,
        "knob": knob.to_json(),
        "reach": 1.2 * max(abs(score) for each in machines for score in each["scores"]),
    }
    with place:
        _component(key="margins", data=data)
