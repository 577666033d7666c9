"""Sugiyama's chapter 24: zeros of the kernel model, the (l1 + l2)-ball, and feature selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from pages.further.sparse.selection import (
    backward_elimination,
    best_subset,
    forward_selection,
    lasso_subsets,
    squared_error,
)
from pages.shared.reproduction.reproduction import (
    Cell,
    Comparison,
    Minutes,
    Reproduction,
    Results,
    Row,
    Size,
    Verdict,
    in_part,
    judge,
    mean_and_error,
    rows_with,
)
from pages.shared.reproduction.sources import SourceSamples
from smmcore.arrays import Array
from smmcore.datasets import make_sinc
from smmcore.iterate import last, until
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS, gaussian_design
from smmcore.sugiyama.splitting import split_admm

# The listing of Fig. 24.4.
LISTING_TOL = 1e-4  # it stops where theta moves by less
LISTING_ITERATIONS = 1_000
SMALL_ENTRY = 1e-3  # it counts |theta_j| below this as zero
PRINTED_ZEROS, PARAMETERS = 38, 50
WIDTH = 0.3  # of the kernel
THRESHOLDS = {1.0: "thresholds at 1, as listed", 0.1: "thresholds at its l = 0.1"}

PRINTED_P = 1.4  # the l_p-ball that the (l1 + l2)-ball of tau = 1/2 resembles
EXPONENTS = tuple(round(1 + k / 50, 2) for k in range(51))
DIRECTIONS = 2_000  # of a quarter of the plane
NEAR_AXIS = 1e-7  # angle from the axis at which a corner is measured

FEATURES, ACTIVE = 10, 3
DESIGNS = ("independent", "correlated", "hidden pair")
WORDS = {
    "independent": "independent features",
    "correlated": "correlated features",
    "hidden pair": "features with a hidden pair",
}


@dataclass(frozen=True)
class ZerosCell(Cell):
    """The listing of Fig. 24.4 on one draw of the noise."""

    threshold: float
    seed: int

    def row(self, samples: SourceSamples | None) -> Row:
        """Return the number of zeros: as the listing counts them, and exact ones in z."""
        x, y, _ = make_sinc(PARAMETERS, random_state=self.seed)
        penalty = WeightedNorm(Lp(1), self.threshold)
        problem = RegularizedLS(gaussian_design(x, x, WIDTH), y, penalty)
        states = split_admm(problem.split(1.0))
        state = last(until(states, lambda state: state.change < LISTING_TOL, LISTING_ITERATIONS))
        return {
            "zeros": np.count_nonzero(np.abs(state.theta) < SMALL_ENTRY),
            "exact zeros": np.count_nonzero(state.z == 0),
            "iterations": state.k,
        }


class SugiyamaFigure5(Reproduction):
    """The number of zeros among the 50 parameters of the kernel model."""

    name = "sugiyama-figure24-5"
    title = "Sugiyama, Fig. 24.5: 38 of 50 parameters of the kernel model are zero"
    minutes = Minutes(small=0.1, paper=0.1)

    def cells(self, size: Size, available: Sequence[str]) -> list[ZerosCell]:
        """Return a cell for each draw of the noise and each threshold."""
        seeds = range(5 if size == "small" else 50)
        return [ZerosCell(threshold, seed) for threshold in THRESHOLDS for seed in seeds]

    def compare(self, results: Results) -> list[Comparison]:
        """Compare the mean number of zeros with that of one draw, whose error is a deviation."""
        readings, ranges = {}, []
        for threshold, reading in THRESHOLDS.items():
            zeros = _zeros(results, threshold)
            readings[f"where the listing {reading}"] = mean_and_error(zeros)
            ranges.append(f"{min(zeros)} to {max(zeros)} where it {reading}")
        deviation = max(float(np.std(_zeros(results, each), ddof=1)) for each in THRESHOLDS)
        one = judge(f"Zeros among {PARAMETERS} parameters", PRINTED_ZEROS, deviation, readings, "")
        return [
            one._replace(
                standard_error=deviation,  # of one draw, as the printed one is
                reason=f"Over {len(_zeros(results, 1.0))} draws of the noise the listing gives "
                f"{', and '.join(ranges)}; it defines l = 0.1 and then uses 1. The number after ± "
                "is the deviation of one draw, because the printed figure is of one draw.",
            )
        ]


def _zeros(results: Results, threshold: float) -> list[int]:
    return [row["zeros"] for row in rows_with(results, threshold=threshold)]


@dataclass(frozen=True)
class BallCell(Cell):
    """The (l1 + l2)-ball with tau = 1/2 beside an l_p-ball, both of radius 1 on the axes."""

    p: float

    def row(self, samples: SourceSamples | None) -> Row:
        """Return the largest distance along a ray, and the interior angles on an axis."""
        angles = np.linspace(0, np.pi / 2, DIRECTIONS)
        rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        elastic, lp = ElasticBall(0.5, 1.0), Ball(Lp(self.p), 1.0)
        return {
            "distance": np.abs(elastic.reach(rays) - lp.reach(rays)).max(),
            "corner of l1 + l2": _corner(elastic),
            "corner of l_p": _corner(lp),
        }


def _corner(ball: Ball | ElasticBall) -> float:
    """Return the angle between the boundary above and below the first axis, in degrees."""
    ray = np.array([np.cos(NEAR_AXIS), np.sin(NEAR_AXIS)])
    x, y = ball.reach(ray) * ray
    return float(2 * np.degrees(np.arctan2(y, 1 - x)))


class SugiyamaFigure8(Reproduction):
    """The l_p-ball that is nearest to the (l1 + l2)-ball, and the corners of both."""

    name = "sugiyama-figure24-8"
    title = "Sugiyama, Fig. 24.8: the (l1 + l2)-ball of tau = 1/2 is similar to the l1.4-ball"
    minutes = Minutes(small=0.1, paper=0.1)

    def cells(self, size: Size, available: Sequence[str]) -> list[BallCell]:
        """Return a cell for each p."""
        return [BallCell(p) for p in (EXPONENTS[::5] if size == "small" else EXPONENTS)]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the p of the nearest ball, and the interior angles at the corners."""
        rows = {cell.p: row for cell, row in results.items() if isinstance(cell, BallCell)}
        nearest = min(rows, key=lambda p: rows[p]["distance"])
        ps = sorted(rows)
        step = ps[1] - ps[0]
        near = rows[nearest]
        reason = f"The boundaries are at most {near['distance']:.3f} apart along a ray."
        one = judge(
            "Exponent p of the nearest ℓₚ-ball", PRINTED_P, 0.0, {"": (nearest, step)}, reason
        )
        angle = near["corner of l1 + l2"]
        return [
            one._replace(standard_error=nan, reason=reason),  # the step of p is not one
            Comparison(
                "Interior angle of the (ℓ₁ + ℓ₂)-ball on an axis, degrees",
                "",
                nan,
                angle,
                nan,
                Verdict.REPRODUCED if angle < 179 else Verdict.NOT_REPRODUCED,
                f"It has corners there, and the ℓₚ-ball has none: {near['corner of l_p']:.1f} "
                "degrees.",
            ),
        ]


@dataclass(frozen=True)
class SelectionCell(Cell):
    """Forward selection, backward elimination and l1 beside all 2^d subsets, on one draw."""

    design: str  # of DESIGNS
    seed: int
    n: int = 40

    def row(self, samples: SourceSamples | None) -> Row:
        """Return how often each finds the best subset of a size, and its excess squared error.

        The share is over the sizes 1 to d - 1; the excess is that at the true size, in percent of
        the error of the best subset.
        """
        X, y = make_design(self.design, self.n, self.seed)
        best = [best_subset(X, y, size) for size in range(FEATURES + 1)]
        found = {
            "forward": forward_selection(X, y),
            "backward": backward_elimination(X, y),
            "l1": lasso_subsets(X, y),
        }
        row: Row = {"subsets": 2**FEATURES}
        for name, subsets in found.items():
            hits = [subsets[k] == best[k] for k in range(1, FEATURES)]
            least, ours = (squared_error(X, y, each[ACTIVE]) for each in (best, subsets))
            row |= {
                f"{name} finds the best": 100 * np.mean(hits),
                f"{name} at the true size": 100.0 * hits[ACTIVE - 1],
                f"{name} excess": 100 * (ours / least - 1),
            }
        return row


def make_design(design: str, n: int, seed: int) -> tuple[Array, Array]:
    """Make features and y of a linear model with three active features, (n, d) and (n,).

    "independent": normal features. "correlated": each pair has the correlation 0.9. "hidden pair":
    features 0 and 1 are nearly equal and their difference is active, so that neither alone says
    anything of y, and feature 3 is a noisy copy of y.
    """
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, FEATURES))
    if design == "correlated":
        X = np.sqrt(0.1) * X + np.sqrt(0.9) * random.standard_normal((n, 1))
    if design == "hidden pair":
        X[:, 1] = X[:, 0] + 0.3 * random.standard_normal(n)
        signal = (X[:, 0] - X[:, 1]) / 0.3 + X[:, 2]
        X[:, 3] = signal + random.standard_normal(n)
    else:
        signal = X[:, :ACTIVE] @ np.array([1.0, -1.0, 1.0])
    y = signal + 0.5 * random.standard_normal(n)
    X = X - X.mean(axis=0)
    return X / X.std(axis=0), y - y.mean()


class SugiyamaSelection(Reproduction):
    """How often greedy selection and l1 find the best of all subsets."""

    name = "sugiyama-selection"
    title = "Sugiyama, section 24.3: forward selection, backward elimination and l1"
    minutes = Minutes(small=0.1, paper=0.2)

    def cells(self, size: Size, available: Sequence[str]) -> list[SelectionCell]:
        """Return a cell for each kind of data and draw."""
        seeds = range(5 if size == "small" else 100)
        return [SelectionCell(design, seed) for design in DESIGNS for seed in seeds]

    def compare(self, results: Results) -> list[Comparison]:
        """Return how often greedy selection misses the best subset, and the lead of l1 over it."""
        rows = {design: rows_with(results, design=design) for design in DESIGNS}

        def shares(name: str) -> dict[str, tuple[float, float]]:
            key = f"{name} at the true size"
            return {design: mean_and_error([row[key] for row in rows[design]]) for design in rows}

        comparisons = []
        for name in ("forward", "backward"):
            found = shares(name)
            worst = min(found, key=lambda design: found[design][0])
            share, error = found[worst]
            excess = np.mean([row[f"{name} excess"] for row in rows[worst]])
            comparisons.append(
                Comparison(
                    f"{name.capitalize()} selection misses them, percent of draws",
                    f"on {WORDS[worst]}",
                    nan,
                    100 - share,
                    error,
                    Verdict.REPRODUCED if 100 - share > 2 * error else Verdict.NOT_REPRODUCED,
                    "Greedy selection need not give good combinations: here its squared error is "
                    f"{excess:.1f} % above that of the best subset, on average. Draws in which it "
                    f"finds the best one: {_list(found)}.",
                )
            )
        leads = {
            design: mean_and_error(
                [
                    row["l1 at the true size"]
                    - max(row["forward at the true size"], row["backward at the true size"])
                    for row in rows[design]
                ]
            )
            for design in rows
            if design != "independent"  # the book's claim is about features that depend
        }
        best = max(leads, key=lambda design: leads[design][0])
        ahead = leads[best][0] > 2 * leads[best][1]
        comparisons.append(
            Comparison(
                "Draws in which ℓ₁ finds them, minus the better greedy selection, points",
                f"on {WORDS[best]}",
                nan,
                *leads[best],
                Verdict.REPRODUCED if ahead else Verdict.NOT_REPRODUCED,
                "The book says that ℓ₁ takes dependency between features into account to some "
                f"extent. Draws in which it finds the best subset: {_list(shares('l1'))}.",
            )
        )
        return in_part(
            f"The best {ACTIVE} of {FEATURES} features, among all {2**FEATURES:,} subsets",
            comparisons,
        )


def _list(shares: Mapping[str, tuple[float, float]]) -> str:
    """Return "98 % on independent features, 56 % on correlated features"."""
    return ", ".join(f"{share:.0f} % on {WORDS[design]}" for design, (share, _) in shares.items())
