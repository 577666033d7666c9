"""The picture of the noise: a test sample, and the margins of all of them for two W."""

from __future__ import annotations

from typing import Any

from pages.effects.robustness.runs import Validation, find_margins
from pages.shared.component import component
from pages.shared.engine import session
from pages.shared.parts.knobs import draw_knobs
from pages.shared.widgets import url

TITLES = "W of blocks", "W of speckle"
STEPS = (0.01, 0, 10), (0.02, 5, 15), (0.05, 6, 21)  # finer where the accuracies fall
LEVELS = [round(step * k, 2) for step, first, end in STEPS for k in range(first, end)]

_component = component("margins", "margins/margins", ["toy", "margins/margins"])


def draw_margins(validation: Validation, above: Any, place: Any) -> None:
    """Draw the knob of the noise, and in a place below it the picture that follows it."""
    _, knob = url.knob(
        "s",
        "standard deviation of the noise on each entry",
        LEVELS,
        0.0,
        key="s",
        help="Normal noise is added to each entry of the test samples.",
    )
    with above:
        draw_knobs([knob])
    with place:
        seen = session.run_task(
            "robustness: margins", "Two SMMs are being trained", find_margins, validation
        )
    reach = max(float(abs(one.margins).max()) for one in seen.machines)
    data: dict[str, Any] = {
        "sample": seen.sample.ravel().tolist(),
        "noise": seen.noise.ravel().tolist(),
        "shape": seen.sample.shape,
        "machines": [
            {
                "title": title,
                "rank": one.rank,
                "W": one.W.ravel().tolist(),
                "margins": one.margins.tolist(),
                "shifts": one.shifts.tolist(),
            }
            for title, one in zip(TITLES, seen.machines, strict=True)
        ],
        "levels": LEVELS,
        "knob": knob.to_json(),
        "reach": 1.5 * reach,
    }
    with place:
        _component(key="margins", data=data)
