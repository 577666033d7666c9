"""The experiment of Figure 2: its controls, and the words and tables that depend on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared import address, presets, prose
from pages.shared.recipes import ValidationRun
from smmcore.robustness import NOISES, RULES, UNITS, Choice


class Asked(NamedTuple):
    """What the controls say."""

    recipe: ValidationRun
    noise: str
    salt: float
    rule: str


def choose() -> Asked:
    """Draw the controls."""
    columns = st.columns([2, 3, 4])
    size = address.choice(
        columns[0],
        "segmented_control",
        "Setting",
        list(presets.FIGURE_2),
        "Small",
        key="size",
        help="Small: 240 matrices of 16 x 20 to learn from and 120 to test on. Paper 5.2: 1000 and "
        "500 of 80 x 100, with 4 weights for each method instead of 7; takes a minute, or several "
        "on a busy machine.",
    )
    noise = address.choice(
        columns[1],
        "segmented_control",
        "Noise on the test part",
        NOISES,
        NOISES[0],
        key="noise",
        help="Gaussian: normal with deviation s = 0.01 to 1 on each entry. Salt and pepper: a "
        "share of 0.001 to 0.035 of the entries becomes the salt's value or 0, half of them each.",
    )
    rule = address.choice(
        columns[2],
        "selectbox",
        "Of the weights take the",
        RULES,
        RULES[0],
        key="tie",
        help=f"Strong regularisation is a small C and a large λ or τ. {prose.STANDARD_ERROR}",
    )
    columns = st.columns(4)
    unit = address.choice(
        columns[0],
        "selectbox",
        "Unit of features, noise",
        UNITS,
        UNITS[0],
        key="unit",
        help="As printed: an entry without noise is about 1/√n. Unit variance: each feature is "
        "divided by its standard deviation over the training part, in both parts.",
    )
    salt = address.choice(
        columns[1],
        "select_slider",
        "Value of the salt",
        [0.03, 0.1, 0.3, 1.0, 3.0],
        1.0,
        key="salt",
        disabled=noise == "Gaussian",
        help="In the unit of the features; pepper is 0. The paper does not say which it took.",
    )
    seed = address.number(
        columns[2],
        "Seed of the data",
        0,
        1_000_000,
        0,
        key="data_seed",
        help="Another seed, other matrices: who is ahead changes.",
    )
    draws = address.choice(
        columns[3],
        "select_slider",
        "Data sets",
        [1, 2, 3, 4, 5],
        1,
        key="draws",
        help="Averages over data sets of this seed and those after it, with one weight for all.",
    )

    preset = presets.FIGURE_2[size]
    data = replace(preset.data, data=replace(preset.data.data, seed=seed))
    recipe = replace(preset, data=data, unit=unit, draws=draws)
    return Asked(recipe, noise, salt, rule)


def edges(recipe: ValidationRun, found: Mapping[str, Choice], shown: Mapping[str, str]) -> str:
    """Name the methods whose choice lies on the edge of the grid of weights."""
    ends = {0: "strongest", recipe.count - 1: "weakest"}
    return ", ".join(
        f"{name} (the {ends[found[method].chosen]})"
        for method, name in shown.items()
        if found[method].chosen in ends
    )


def remarks(asked: Asked) -> tuple[str, str]:
    """Say what this noise does to a decision, and how large it is in this unit."""
    recipe, noise, salt, _ = asked
    n, p, q = recipe.data.shape
    if noise == "Gaussian":
        effect = (
            "**Margin over ‖W‖.** Gaussian noise moves ⟨W, X⟩ by s ‖W‖ and does nothing else, so "
            "the exact accuracy needs no simulation: what counts is the margin in units of ‖W‖."
        )
    else:
        effect = (
            "**Few entries.** Salt and pepper moves ⟨W, X⟩ only by the entries that it hits, at "
            f"the density 0.035 about {0.035 * p * q:.0f} of {p * q:,}. There is no exact value "
            "here."
        )
    printed = recipe.unit == "as printed"
    entry = f"**Units.** An entry without noise is about {n**-0.5 if printed else 1:.2g}"
    if noise != "Gaussian":
        return effect, (
            f"{entry}, the salt is {salt:g}: how much it is above the entries decides how far the "
            "curves fall."
        )
    other = "In unit variance" if printed else "As printed"
    less = "smaller" if printed else "larger"
    return effect, f"{entry} ({recipe.unit}). {other} the same s is a much {less} noise."


def weights_table(
    recipe: ValidationRun,
    tried: np.ndarray,
    found: Mapping[str, Choice],
    shown: Mapping[str, str],
    learned: np.void,
) -> Sequence[Mapping[str, Any]]:
    """Return a row for each method: its weight, those it can hardly be told from, its margin.

    Parameters
    ----------
    recipe : ValidationRun
    tried : ndarray
        Curves of the validation.
    found, shown : mapping
        By method, its choice and its name.
    learned : numpy.void
        The first level of the run under noise.
    """
    weight_of = dict.fromkeys(shown, ("C spread²", "{:.3g}"))
    weight_of |= {
        "rglm": ("λ / λ_max", "{1:.3g}"),
        "smm": ("C spread², τ / τ_max", "{:.3g}, {:.3g}"),
    }
    written = {
        method: [form.format(*weights) for weights in recipe.weights]
        for method, (_, form) in weight_of.items()
    }
    return [
        {
            "method": name,
            "weight": weight_of[method][0],
            "chosen": written[method][found[method].chosen],
            "validated": f"{tried[method][found[method].chosen]:.1%}",
            "near-ties": "; ".join(written[method][number] for number in found[method].near),
            "rank of W": int(learned[f"rank_{method}"]),
            "margin / ‖W‖": f"{learned[f'margin_{method}']:.3g}",
        }
        for method, name in shown.items()
    ]
