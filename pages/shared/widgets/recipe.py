"""The data and the model that half of the lessons share: a recipe, knobs and presets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from pages.shared.algorithm1 import PRESETS, TAUS, Algorithm1
from pages.shared.data.samples import MAX_ENTRIES_MADE, MAX_SAMPLES_MADE
from pages.shared.data.synthetic import NOISES, SCALINGS, BlockCorrelated
from pages.shared.engine.moves import Moves
from pages.shared.numbers import on_control, one_two_five
from pages.shared.widgets import url


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

    def draw(self, place: Any, key: str, default: Any) -> None:
        """Draw the control, bound to the address."""
        label, options, rest = self.label or key, self.options, {"key": key, "help": self.help}
        if self.is_number:
            url.number(place, label, options[0], options[-1], default, step=self.step, **rest)
        else:
            url.choice(place, self.kind, label, options, default, on_control, **rest)

    def knob(self, key: str, default: Any) -> url.Knob:
        """Return the control as a knob, bound to the address."""
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
# Of an `Algorithm1`, by the route of `engine.moves`; the picture of a rough solution is the result.
MOVES = Moves(
    {field: knob.options for field, knob in MODEL.items()},
    is_result=lambda last: last["gap"] <= 1e-2 or last["k"] >= 120,
)
LIMITS = {  # whole numbers that follow others, which are drawn before them
    "V": (("q", "n"), "min(q, n)"),
    "r": (("p", "q"), "min(p, q)"),
}


def control_values(run: Algorithm1[BlockCorrelated]) -> dict[str, Any]:
    """Return the value of each control for this run, by key."""
    data = {key: getattr(run.data, control.field) for key, control in DATA.items()}
    return data | {key: getattr(run, key) for key in MODEL}


def set_controls(run: Algorithm1[BlockCorrelated]) -> None:
    """Set the controls to a run; a callback, because it must run before they are drawn."""
    values = control_values(run)
    st.session_state.update(values)
    st.session_state["recipe"] = values  # also of the knobs that another page draws


def draw_recipe(
    default: Algorithm1[BlockCorrelated],
    place: Any,
    by_hand: Collection[str] = (),
) -> tuple[Algorithm1[BlockCorrelated], list[url.Knob]]:
    """Draw the recipe of the data; return the run that recipe and knobs describe, and the knobs.

    The recipe is folded into one line that says what the data are. The knobs are those of the
    model that act on this page, and those of the data that follow the hand here; `parts.knobs`
    draws them.
    """
    state, defaults, shared = st.session_state, control_values(default), url.shared_keys()
    # If the reader leaves a page before Streamlit has put the settings into its address, those that
    # were never touched are lost. So another page begins with the values of the last one.
    page, before = url.current_page(), state.get("recipe", {})
    if state.get("recipe page", page) != page:
        state.update({key: value for key, value in before.items() if key in DATA})
    state["recipe page"] = page
    knobs = [each.knob(key, defaults[key]) for key, each in MODEL.items() if key in shared]
    knobs += [DATA[key].knob(key, defaults[key]) for key in by_hand]
    _limit(defaults)
    line = _describe(_read_run(default))
    # Not a popover: what is bound to the address must stay mounted. It looks like one: page.css.
    # With a key it stays open when its line changes.
    with place.expander(line, key="recipe of the data"):
        _draw_presets()
        st.button(
            "New data",
            on_click=_draw_anew,
            args=(defaults["seed"],),
            help="Draws other samples in the same way: the next seed.",
        )
        _draw_data(defaults, by_hand)
    experiment = _read_run(default, complain=True)
    if _describe(experiment) != line:
        st.rerun()  # the controls have just read the address
    drawn = [*DATA, *(knob.key for knob in knobs)]
    state["recipe"] = before | {key: state[key] for key in drawn}
    return experiment, knobs


def _describe(run: Algorithm1[BlockCorrelated]) -> str:
    data = run.data
    share = "" if data.positives is None else f", {data.positive_count} in class +1"
    return f"Data: {data.n:,} × ({data.p} × {data.q}), δ = {data.noise:g}{share}"


def _read_run(
    default: Algorithm1[BlockCorrelated], complain: bool = False
) -> Algorithm1[BlockCorrelated]:
    """Return the run that the controls describe, with defaults for those the page does not draw.

    If their values do not fit together, return the last run whose values did.
    """
    state = st.session_state
    values: dict[str, Any] = control_values(default)
    drawn = {*DATA, *url.shared_keys()}
    values |= {key: state[key] for key in drawn if key in state}
    data = {control.field: values[key] for key, control in DATA.items()}
    try:
        run = Algorithm1(BlockCorrelated(**data), **{key: values[key] for key in MODEL})
    except ValueError as error:
        if complain:
            st.error(
                f"These settings do not fit together: {error}. The page still shows the "
                "previous ones."
            )
        return state.get("last that fitted", default)
    state["last that fitted"] = run
    return run


def _draw_data(defaults: Mapping[str, Any], by_hand: Collection[str]) -> None:
    """Draw the controls of the data, at the default where neither reader nor address set them."""
    # The default is passed as `value`, not through the session: Streamlit ignores a parameter that
    # equals a control's own default, which without `value` would be the least of its values.
    st.caption("Block-correlated matrices, as in section 5.1 of the SMM paper")
    whole = [key for key, control in DATA.items() if control.is_number]
    for row in (whole[:3], whole[3:]):
        for place, key in zip(st.columns(3), row, strict=True):
            _limit(defaults, key)
            DATA[key].draw(place, key, defaults[key])
    for key in DATA:
        if key not in whole and key not in by_hand:
            DATA[key].draw(st, key, defaults[key])


def _limit(defaults: Mapping[str, Any], *keys: str) -> None:
    """Lower whole numbers to what others allow, as far as these have been drawn before."""
    for key in LIMITS.keys() & (keys or LIMITS.keys()):
        others, reason = LIMITS[key]
        if all(other in st.session_state for other in others):
            most = min(st.session_state[other] for other in others)
            url.limit(key, most, cast(int, defaults[key]), reason)


def _draw_anew(default: int) -> None:
    """Take the next seed; a callback."""
    st.session_state["seed"] = (st.session_state.get("seed", default) + 1) % 2**32


def _draw_presets() -> None:
    """Draw a button for each preset."""
    with st.container(horizontal=True, gap="small"):
        for name, (run, note) in PRESETS.items():
            st.button(name, help=note, on_click=set_controls, args=(run,), width="stretch")
