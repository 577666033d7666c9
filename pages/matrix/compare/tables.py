"""The tables of the lesson Compare: the end of a race, and the weights that validation takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pages.shared.player.panels import NAMES
from smmcore.robustness import Choice, near_best


def results_table(
    curves: NDArray[np.void], methods: Sequence[str], tests: int
) -> list[dict[str, object]]:
    """Return a row for each machine at the end of a race on so many held-out samples."""
    last = curves[-1:]
    end = last[0]
    held = np.array([end[f"held_{name}"] for name in methods])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    return [
        {
            "machine": NAMES[name],
            "held-out accuracy": f"{star}{end[f'held_{name}']:.1%}",
            "grouping score": scores_text(last[f"group_{name}"], last[f"rank_{name}"]),
            "rank": int(end[f"rank_{name}"]),
            "training accuracy": f"{end[f'train_{name}']:.1%}",
            "iterations": int(end[f"steps_{name}"]),
            "seconds": round(float(end[f"seconds_{name}"]), 3),
            "relative gap": f"{end[f'gap_{name}']:.1e}",
        }
        for name, star in zip(methods, stars, strict=True)
    ]


def choices_table(curves: NDArray[np.void], found: Mapping[str, Choice]) -> list[dict[str, str]]:
    """Return a row for each machine: the weight that validation takes, and its near-ties."""
    return [
        {
            "machine": NAMES[name],
            "held out": f"{at[f'held_{name}']:.1%}",
            "chosen": f"λ / λ_max = {at['lam']:g}" if name == "rglm" else f"C s² = {at['C']:g}",
            "near-ties": f"{len(choice.near)} of {len(curves)}",
            "grouping among these": scores_text(
                curves[f"group_{name}"][choice.near],
                curves[f"rank_{name}"][choice.near],
            ),
        }
        for name, choice in found.items()
        for at in [curves[choice.chosen]]
    ]


def scores_text(scores: NDArray[np.float64], ranks: NDArray[np.integer]) -> str:
    """Return the range of the grouping scores of several W; a W of rank 0 has none."""
    zero, known = int(np.count_nonzero(ranks == 0)), scores[np.isfinite(scores)]
    if zero == len(ranks):
        return "W = 0"
    ends = sorted({f"{end:.3f}" for end in (known.min(), known.max())}) if len(known) else ["–"]
    return " to ".join(ends) + (f", W = 0 at {zero}" if zero else "")
