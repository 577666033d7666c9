"""The data and the model that half of the lessons share: a recipe, knobs and presets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import streamlit as st

from pages.shared.algorithm1 import PRESETS, TAUS, Algorithm1
from pages.shared.data.samples import MAX_ENTRIES_MADE, MAX_SAMPLES_MADE
from pages.shared.data.synthetic import NOISES, SCALINGS, BlockCorrelated
from pages.shared.engine.moves import Moves
from pages.shared.numbers import on_control, one_two_five
from pages.shared.settings import Setting, read, read_number
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state


@dataclass(frozen=True)
class Control:
    """A control or a knob that sets one field of an `Algorithm1` or of its data."""

    field: str
    options: Sequence[Any]  # a range for a field that takes whole numbers
    help: str
    label: str = ""  # the key if empty; of a knob with a hint after a comma
    kind: str = "select_slider"
    step: int = 1

    @property
    def is_number(self) -> bool:
        """Whether the control is a field for a whole number."""
        return isinstance(self.options, range)

    def high(self, most: int | None) -> int:
        """Return the largest whole number that is allowed, if others allow so many."""
        return self.options[-1] if most is None else min(self.options[-1], most)

    def allowed(self, key: str, most: int | None) -> str:
        """Return what a whole number may be, if others bound it; else an empty text."""
        high = self.high(most)
        return f"at most {LIMITS[key][1]} = {high}" if high < self.options[-1] else ""

    def read(self, key: str, default: Any, most: int | None = None) -> tuple[Any, str]:
        """Return the value in the address, and a sentence if the address is wrong."""
        if self.is_number:
            low, high = self.options[0], self.high(most)
            return read_number(key, key, low, high, min(default, high), self.allowed(key, most))
        return read(key, self.label or key, self.options, on_control, default)

    def draw(self, place: Any, key: str, default: Any, most: int | None = None) -> None:
        """Draw the control."""
        label, options = self.label or key, self.options
        rest: dict[str, Any] = {"key": key, "help": self.help, "complains": False}
        if self.is_number:
            low, high = options[0], self.high(most)
            rest |= {"step": self.step, "allowed": self.allowed(key, most)}
            url.number(place, label, low, high, min(default, high), **rest)
        else:
            url.choice(place, self.kind, label, options, default, on_control, **rest)

    def knob(self, key: str, default: Any) -> Setting:
        """Return the control as a knob."""
        label, _, hint = self.label.partition(", ")
        return url.knob(label, hint, self.options, default, key=key, help=self.help)[1]


# "auto", decades, and half decades where they tell most.
HALF_DECADES = [float(f"{10 ** (k / 2):.3g}") for k in range(-4, 5)]
RHOS = [
    None,
    *(10.0**k for k in range(-8, -2)),
    *HALF_DECADES,
    *(10.0**k for k in range(3, 9)),
]
WEIGHTS = [*one_two_five(-5, 4), 1e4]
# The controls by their keys in the address: those of the data, then those of the model.
DATA = {
    "n": Control(
        "n",
        range(10, MAX_SAMPLES_MADE + 1),
        f"Samples X_i; 10 to {MAX_SAMPLES_MADE:,}; n p q at most {MAX_ENTRIES_MADE:,}.",
        step=10,
    ),
    "p": Control("p", range(2, 201), "Rows of each sample, index j; 2 to 200."),
    "q": Control("q", range(2, 201), "Columns of each sample, index l; 2 to 200."),
    "V": Control("groups", range(1, 21), "Groups of correlated columns, at most 20 and at most q."),
    "r": Control(
        "rank", range(1, 201), "Rank of the true W, which gives the labels; at most p and q."
    ),
    "seed": Control(
        "seed", range(2**32), "Seed of the random numbers. The same seed gives the same data."
    ),
    "delta": Control(
        "noise",
        NOISES,
        "Standard deviation of the noise on each entry, in the unit of the data as printed. In it "
        "an entry without noise is about 1/√n: 0.07 for 200 samples.",
        "δ, noise",
    ),
    "share": Control(
        "positives",
        [None, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02],
        "auto: y = sign ⟨W, X⟩, about one half. Otherwise this share of the samples, those with "
        "the largest ⟨W, X⟩, is in class +1, and b is no longer near 0.",
        "Share in class +1",
    ),
    "scaling": Control(
        "scaling",
        SCALINGS,
        "A feature is one entry (j, l) seen over the n samples. 'As printed' leaves it alone, "
        "'unit length' divides it by its Euclidean length, 'unit variance' by its standard "
        "deviation. To multiply all samples by s is the same as C s² and τ s.",
        "Scaling of the features",
        kind="selectbox",
    ),
}


MODEL = {
    "C": Control(
        "C", WEIGHTS, "Weight of each sample's hinge loss, C > 0.", "C, price of an error"
    ),
    "tau": Control(
        "tau",
        TAUS,
        "Weight of the nuclear norm ‖W‖∗, the sum of W's singular values. At 0 the model is the "
        "linear support vector machine.",
        "τ, price of rank",
    ),
    "rho": Control(
        "rho",
        RHOS,
        "Penalty of ADMM: weight of ‖S − W‖² while W and S still differ. It changes the way, not "
        "the limit. 'auto' begins near τ / σ₁(W) and balances the two residuals on the way.",
        "ρ, band stiffness",
    ),
    "eta": Control(
        "eta",
        [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999],
        "Momentum goes on while the combined residual falls below η times the one before, "
        "0 < η < 1; otherwise it restarts.",
        "η, restart line",
    ),
}
FITTED = "last settings that fitted"  # in the session
ELSEWHERE = "settings of the reader"  # in the session, by the address of the lesson
BEFORE = "lesson before, and whether it had settings of the reader"  # in the session
LIMITS = {  # whole numbers that follow others, which are drawn before them
    "V": (("q", "n"), "min(q, n)"),
    "r": (("p", "q"), "min(p, q)"),
}


def acting_keys() -> list[str]:
    """Return the keys of the controls that act on this page, the knobs first."""
    return [key for key in (*MODEL, *DATA) if key in url.shared_keys()]


def make_moves(knobs: Sequence[Setting]) -> Moves:
    """Return the moves of an `Algorithm1`."""
    return Moves({MODEL[knob.key].field: knob for knob in knobs}, is_result=is_result)


def is_result(last: np.void) -> bool:
    """Return whether a picture shows the result, given the last metrics: a rough solution."""
    return bool(last["gap"] <= 1e-2 or last["k"] >= 120)


def control_values(run: Algorithm1[BlockCorrelated]) -> dict[str, Any]:
    """Return the value of each control for this run, by key."""
    data = {key: getattr(run.data, control.field) for key, control in DATA.items()}
    return data | {key: getattr(run, key) for key in MODEL}


def draw_recipe(
    default: Algorithm1[BlockCorrelated],
    place: Any | None,
    by_hand: Collection[str] = (),
) -> tuple[Algorithm1[BlockCorrelated], list[Setting]]:
    """Draw the recipe of the data; return the run that recipe and knobs describe, and the knobs.

    The recipe is folded into one line that says what the data are. The knobs are those of the
    model that act on this page, and those of the data that follow the hand here; `parts.knobs`
    draws them. Without a place the recipe is not drawn: the page shows other data.
    """
    defaults, shared = control_values(default), url.shared_keys()
    knobs = [each.knob(key, defaults[key]) for key, each in MODEL.items() if key in shared]
    knobs += [DATA[key].knob(key, defaults[key]) for key in by_hand]
    values = _read_data(defaults, by_hand)
    values |= {knob.key: knob.value for knob in knobs}
    experiment = _make_run(defaults | values, default)
    if place is None:
        return experiment, knobs
    with place:
        offer = st.container(width="content")
        # Not a popover, which would close with each change. It looks like one: page.css. With a
        # key it stays open when its line changes.
        with st.expander(_describe(experiment), key="recipe of the data"):
            presets = st.container()
            _draw_data(defaults, values, by_hand)
    with presets:
        _draw_presets(values["seed"])
    with offer:
        _offer_settings(defaults, values)
    return experiment, knobs


def _read_data(defaults: Mapping[str, Any], by_hand: Collection[str]) -> dict[str, Any]:
    """Return the values of the data in the address, and say what is wrong there.

    Their controls are folded away, where no reader of a link would see it.
    """
    values: dict[str, Any] = {}
    for key, control in DATA.items():
        values[key], complaint = control.read(key, defaults[key], _most(key, values))
        if complaint and key not in by_hand:
            st.text(complaint)
    return values


def _most(key: str, values: Mapping[str, Any]) -> int | None:
    """Return what other values allow of one that follows them."""
    return min(values[other] for other in LIMITS[key][0]) if key in LIMITS else None


def _describe(run: Algorithm1[BlockCorrelated]) -> str:
    data = run.data
    share = "" if data.positives is None else f", {data.positive_count} in class +1"
    return f"Data: {data.n:,} samples of {data.p} × {data.q}{share}"


def _make_run(
    values: Mapping[str, Any], default: Algorithm1[BlockCorrelated]
) -> Algorithm1[BlockCorrelated]:
    """Return the run with these values; if they do not fit together, the last run that did."""
    state = st.session_state
    data = {control.field: values[key] for key, control in DATA.items()}
    try:
        run = Algorithm1(BlockCorrelated(**data), **{key: values[key] for key in MODEL})
    except ValueError as error:
        which = "the previous ones" if FITTED in state else "its own ones"
        st.error(f"These settings do not fit together: {error}. The page shows {which}.")
        return state.get(FITTED, default)
    state[FITTED] = run
    return run


def _draw_data(
    defaults: Mapping[str, Any], values: Mapping[str, Any], by_hand: Collection[str]
) -> None:
    """Draw the controls of the data."""
    st.caption("Block-correlated matrices, as in section 5.1 of the SMM paper")
    whole = [key for key, control in DATA.items() if control.is_number]
    for row in (whole[:3], whole[3:]):
        for place, key in zip(st.columns(3), row, strict=True):
            DATA[key].draw(place, key, defaults[key], _most(key, values))
    for key in DATA:
        if key not in whole and key not in by_hand:
            DATA[key].draw(st, key, defaults[key])


def _draw_presets(seed: int) -> None:
    """Draw the presets, and what draws other samples in the same way: the next seed."""
    states = [State(name, control_values(run), note) for name, (run, note) in PRESETS.items()]
    anew = State("New data", {"seed": (seed + 1) % 2**32}, "Draws other samples in the same way.")
    choose_state([*states, anew], "presets", "Data")


def _offer_settings(defaults: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Offer what the reader has set in other lessons: a lesson opens with settings of its own."""
    if url.kept(url.STEP):
        return  # the settings are those of the plan
    state, page = st.session_state, url.current_page()
    own = {key: value for key, value in values.items() if value != defaults[key]}
    elsewhere, before = state.setdefault(ELSEWHERE, {}), state.get(BEFORE)
    state[BEFORE] = page, bool(own)
    if own or before == (page, True):  # the reader has taken them back
        elsewhere.pop(page, None)
    if own:
        elsewhere[page] = own  # the newest last
    theirs = dict(chain.from_iterable(each.items() for each in elsewhere.values()))
    news = {key: theirs[key] for key in theirs if key in values and theirs[key] != values[key]}
    if news and not own:
        words = ", ".join(f"{_symbol(key)} = {on_control(news[key])}" for key in news)
        them = "it" if len(news) == 1 else "them"
        choose_state([State(f"yours: {words} · use {them} here", news)], "yours", "Your settings")


def _symbol(key: str) -> str:
    return ((MODEL | DATA)[key].label or key).partition(",")[0]
