"""The picture of *The grouping effect*: samples over W on one rail, solved in the browser."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.component import component
from pages.shared.settings import Setting
from pages.shared.widgets import url
from smmcore.arrays import Array
from smmcore.datasets import column_groups, make_block_correlated

N, SHAPE, GROUPS = 60, (12, 20), 4
# Draws with 28 to 32 samples in class +. Without noise the four numbers of W have both signs and
# are clearly apart; with noise columns 4 and 5 of W are clearly different.
SEEDS = 2975, 3059, 3920, 5962
NOISE_STEP = 1 / 4096  # of the integers that the browser gets
PAIR = 4, 5
C, TAU = 0.01, 0.03  # where the picture begins
OWN_NOISES = {1: 0.49, 2: 0.49, 3: 1.0, 4: 0.3}  # with which the steps open
NOISES = [float(f"{(k / 40) ** 2:.2g}") for k in range(57)]
PRICES = [float(f"{10 ** (k / 20):.2g}") for k in range(-70, 1)]
TAUS = [k / 400 for k in range(41)]
GUESSES = *url.NO_GUESS, "G", "accuracy", "both"  # in step 4
STEP, ANSWER = "step", 3  # the step that shows the answer

_component = component("grouping", "grouping/grouping", ["toy", "steps", "grouping/grouping"])


class Parts(NamedTuple):
    """What the samples are made of: X = stripes + noise * grains."""

    numbers: Array  # (n, V), the number of each group; orthogonal, of length sqrt(n)
    grains: Array  # (n, p, q), standard normal
    y: Array  # (n,), the labels of the samples without noise
    sums: Array  # (V,), of the true W over the columns of a group

    def samples(self, noise: float) -> Array:
        """Return X, of shape (n, p, q)."""
        stripes = self.numbers[:, None, column_groups(SHAPE[1], GROUPS)]
        return np.asarray(stripes + noise * self.grains)


@cache
def draw_parts(seed: int) -> Parts:
    """Return the parts of samples of the paper's generator, in the unit of an entry.

    The generator draws the same numbers with every noise, and its labels are those of its samples:
    here of those without noise, so that the labels stay while the noise changes.
    """
    stripes, y, W = make_block_correlated(N, SHAPE, GROUPS, 0.0, random_state=seed, coef=True)
    noisy, *_ = make_block_correlated(N, SHAPE, GROUPS, 1.0, random_state=seed)
    groups = column_groups(SHAPE[1], GROUPS)
    first = np.searchsorted(groups, range(GROUPS))
    return Parts(
        numbers=sqrt(N) * stripes[:, 0, first],
        grains=np.asarray(_to_steps(noisy - stripes) * NOISE_STEP, dtype=float),
        y=y,
        sums=np.array([W[:, groups == group].sum() for group in range(GROUPS)]),
    )


def _to_steps(noise: Array) -> NDArray[np.int16]:
    return np.round(noise / NOISE_STEP).astype("<i2")


def choose_shown(parts: Parts) -> list[int]:
    """Return six samples of which the four numbers are clearly different, + and - by turns."""

    def clearness(numbers: Array) -> float:
        most = float(np.abs(numbers).max())  # strong colours look alike
        return float(np.diff(np.sort(numbers)).min()) - max(0.0, most - 1.9)

    best = sorted(range(N), key=lambda i: -clearness(parts.numbers[i]))
    classes = ([i for i in best if parts.y[i] == sign][:3] for sign in (1, -1))
    return [i for pair in zip(*classes, strict=True) for i in pair]


@cache
def to_browser(seed: int) -> dict[str, Any]:
    """Return the parts of a draw as JSON; the noise as base64 of its integers."""
    parts = draw_parts(seed)
    return {
        "numbers": parts.numbers.tolist(),
        "noise": b64encode(_to_steps(parts.grains).tobytes()).decode(),
        "labels": parts.y.tolist(),
        "sums": parts.sums.tolist(),
        "shown": choose_shown(parts),
    }


def read_settings() -> dict[str, Any]:
    """Return what the picture needs: the samples, and its settings, which it sets by itself."""
    columns = range(1, SHAPE[1] + 1)
    number, draw = url.knob("Samples", "", range(1, len(SEEDS) + 1), 1, key="draw")
    knobs: dict[str, Setting] = {
        "draw": draw,
        "step": url.knob("Step", "", range(1, 5), 1, key=STEP)[1],
        "order": url.knob("Order", "", ("shuffled", "sorted"), "shuffled", str, key="order")[1],
        "first": url.knob("Column l", "", columns, PAIR[0], key="l1")[1],
        "second": url.knob("Column l′", "", columns, PAIR[1], key="l2")[1],
        "guess": url.knob("Guess", "", GUESSES, GUESSES[0], key="guess")[1],
        "delta": url.knob("δ", "noise", NOISES, OWN_NOISES[1], key="noise")[1],
        "C": url.knob("C", "price of an error", PRICES, C, key="price")[1],
        "tau": url.knob("τ", "price of rank", TAUS, TAU, key="cut")[1],
    }
    places = {step: NOISES.index(noise) for step, noise in OWN_NOISES.items()}
    seed = SEEDS[number - 1]
    return {
        **{name: knob.to_json() for name, knob in knobs.items()},
        "samples": to_browser(seed),
        "number": number,
        "noises": NOISES,
        "prices": PRICES,
        "taus": TAUS,
        "own": places,
    }


def draw_rail(data: dict[str, Any]) -> None:
    """Draw the picture, which needs no run of the page while one plays."""
    with st.container(key="stage"):
        _component(key="grouping", data=data)
