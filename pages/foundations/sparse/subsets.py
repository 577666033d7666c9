"""Four ways to select three of ten features, beside all 120 subsets, as two become alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from pages.foundations.sparse.selection import (
    Subset,
    backward_elimination,
    best_subset,
    fixed_points,
    forward_selection,
    hard_thresholding,
    lasso_subsets,
)
from pages.shared.data.samples import Array, check
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.numbers import percent
from pages.shared.player.panels import Axis, Lines, Number, Panel, Readout, Series, Stems
from smmcore.datasets import make_hidden_pair

FEATURES, SIZE = 10, 3
SUBSETS = comb(FEATURES, SIZE)
TRUE = (0, 1, 2)
CORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
OPENS = CORRELATIONS.index(0.9)
SELECTIONS = {
    "forward": "forward selection",
    "backward": "backward elimination",
    "l1": "ℓ₁",
    "hard": "hard thresholding",
}


@dataclass(frozen=True)
class HiddenPairs(Dataset):
    """Draws of the same features and noise at each correlation of the pair."""

    n: int = 40
    draws: int = 40
    seed: int = 0

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, FEATURES + 2, 300)
        check("the number of draws", self.draws, 1, 100)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, d, 1) of each draw."""
        return self.n, FEATURES, 1

    def prepare(self) -> list[list[tuple[Array, Array]]]:
        """Make X and y of each draw, for each correlation."""
        return [
            [
                make_hidden_pair(self.n, FEATURES, c, random_state=self.seed + draw)[:2]
                for draw in range(self.draws)
            ]
            for c in CORRELATIONS
        ]


@dataclass(frozen=True)
class SubsetRun(Experiment):
    """The subsets that each method selects, one frame for each correlation of the pair."""

    data: HiddenPairs

    def frames(
        self, prepared: list[list[tuple[Array, Array]]], state: int | None = None
    ) -> Iterator[Frame]:
        """Yield for each correlation how often a method selects a feature, and the best subset."""
        for number in range(state or 0, len(CORRELATIONS)):
            draws = prepared[number]
            found = [select(X, y) for X, y in draws]
            metrics: dict[str, float] = {
                "correlation": CORRELATIONS[number],
                "true": float(np.mean([subsets["all"] == TRUE for subsets in found])),
                "fixed": float(np.mean([len(fixed_points(X, y, SIZE)) for X, y in draws])),
            }
            for method in SELECTIONS:
                hits = [subsets[method] == subsets["all"] for subsets in found]
                metrics[method] = float(np.mean(hits))
            images = {
                f"features_{method}": selection_shares([subsets[method] for subsets in found])
                for method in ("all", *SELECTIONS)
            }
            yield Frame(number + 1, metrics, images, done=number + 1 == len(CORRELATIONS))

    def summary(self, last: Frame) -> str:
        """Return the number of subsets that were tried."""
        return f"{self.data.draws} draws at each correlation, all {SUBSETS} subsets tried in each."


def select(X: Array, y: Array) -> dict[str, Subset]:
    """Return the best of all subsets, and the subset that each method selects."""
    return {
        "all": best_subset(X, y, SIZE),
        "forward": forward_selection(X, y)[SIZE],
        "backward": backward_elimination(X, y)[SIZE],
        "l1": lasso_subsets(X, y)[SIZE],
        "hard": hard_thresholding(X, y, SIZE).subset,
    }


def selection_shares(subsets: list[Subset]) -> Array:
    """Return the share of the subsets that contain each feature, (d,)."""
    counts = np.bincount(np.concatenate(subsets).astype(int), minlength=FEATURES)
    return np.asarray(counts / len(subsets))


def subset_panels() -> list[Panel]:
    """Return the panels: the features of each method, and how often it finds the best subset."""
    short = {"forward": "forward", "backward": "backward", "l1": "ℓ₁", "hard": "hard"}
    features = [Series("features_all", "best", 0)]
    features += [
        Series(f"features_{name}", label, i) for i, (name, label) in enumerate(short.items(), 1)
    ]
    return [
        Stems(features, "Share of the draws in which a feature is selected"),
        Lines(
            [Series(name, label, i) for i, (name, label) in enumerate(SELECTIONS.items(), 1)],
            "Share of the draws in which the best subset is found",
            "linear",
            format="percent",
            span=(0, 1),
        ),
        Readout(
            [
                Number("fixed", f"fixed points among {SUBSETS}", "number"),
                Number("true", "best subset = features 1 to 3", "percent"),
            ]
        ),
    ]


SUBSET_AXIS = Axis(
    "correlation c =",
    "correlation c",
    "correlation",
    count=len(CORRELATIONS),
    at=list(CORRELATIONS),
    ticks=[(c, f"{c:g}") for c in (0.0, 0.2, 0.4, 0.6, 0.8)],
    opens=OPENS,
)


def describe_subsets(metrics: NDArray[np.void]) -> str:
    """Say how often each method finds the best subset at the first correlation shown."""
    shown = metrics[OPENS]
    shares = ", ".join(f"{name} in {percent(shown[method])}" for method, name in SELECTIONS.items())
    return (
        f"At c = {CORRELATIONS[OPENS]:g} the best subset is found by {shares} of the draws; "
        f"{shown['fixed']:.1f} of the {SUBSETS} subsets are fixed points on average."
    )


PRECOMPUTED = {"Three of ten features": SubsetRun(HiddenPairs())}  # see tests/precompute.py
