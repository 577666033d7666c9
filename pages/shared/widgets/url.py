"""Controls bound to the address of their page, so that a link restores what the page shows.

The key of a control is also its query parameter and its entry in the session state. The key of a
lesson's control starts with the lesson's address, ?robustness_unit=..., and the keys of the recipe,
which many lessons share, are short, ?n=200&C=0.1. Keys never change, because links
contain them.

Streamlit ignores a query parameter that is not an allowed value. These controls take the nearest
allowed value instead and say so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite, isnan, nan
from typing import Any, TypeVar, cast

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared.numbers import in_address, on_control

T = TypeVar("T")

# The arguments that set what each kind of control begins with.
DEFAULTS: dict[str, Callable] = {
    "select_slider": lambda options, default: {"value": default},
    "selectbox": lambda options, default: {"index": options.index(default)},
    "segmented_control": lambda options, default: {
        "default": default,
        "required": True,
        "wrap": True,
    },
}
# Parameters of all pages: class mode, "Ask me first", the step of the course plan, the picture
# alone, and the code of a vote.
PRESENT, ASK, STEP, STAGE, VOTE = KEPT = "present", "ask", "step", "stage", "vote"
ANSWER = "answer"  # opens a lesson behind its question
BACK = "back"  # says that this address is newer than the page's own (see `assets/head/history.js`)
MAX_LETTERS = 40  # of a text


@dataclass(frozen=True)
class Knob:
    """A slider that follows the hand: see `parts/knobs.py`, which draws it."""

    key: str  # in the session and the address
    label: str  # a symbol
    hint: str  # what it is, in two or three words
    help: str
    texts: Sequence[str]  # of its values
    values: Sequence[Any]
    at: int  # place of its value
    default: int

    @property
    def value(self) -> Any:
        """The value at its place."""
        return self.values[self.at]


@dataclass
class _Controls:
    """The controls of a browser session, by key."""

    lesson: str = ""  # the address of the page
    shared: Collection[str] = ()  # keys of the shared controls on this page
    notes: dict[str, tuple[Any, str]] = field(default_factory=dict)  # value and sentence
    # What a link says about shared controls, until they are drawn
    newer: dict[str, list[str]] = field(default_factory=dict)
    knobs: dict[str, Knob] = field(default_factory=dict)  # of this page, as last drawn
    going_back: set[str] = field(default_factory=set)  # knobs that have yet to follow the address

    @property
    def prefix(self) -> str:
        return f"{self.lesson}_"

    def is_on_page(self, key: str) -> bool:
        """Return whether the key is that of a control of this page, its own or a shared one."""
        return key in self.shared or key.startswith(self.prefix)


def _controls() -> _Controls:
    return st.session_state.setdefault("controls", _Controls())


def begin_page(lesson: str, shared: Collection[str]) -> None:
    """Prepare for the controls of the page."""
    controls = _controls()
    if controls.lesson != lesson:
        controls.knobs.clear()
        controls.going_back.clear()
        # A link or Back leads here. What it says about shared controls is newer than their values,
        # which the browser sends with it.
        params = st.query_params
        known = [key for key in shared if key in params and key in st.session_state]
        controls.newer |= {key: params.get_all(key) for key in known}
    controls.lesson, controls.shared = lesson, shared
    if BACK in st.query_params:
        controls.going_back.update(controls.knobs)
    _read_kept()
    _clean_address()


def _read_kept() -> None:
    """Keep the parameters of all pages, which Streamlit drops from the address of the next page."""
    state, params = st.session_state, st.query_params
    for name in KEPT:
        if name in params:
            state[name] = params[name]
        elif state.get(name):
            params[name] = state[name]


def set_kept(name: str, text: str) -> None:
    """Set a parameter of all pages, or end it with an empty text; a callback."""
    st.session_state[name] = text
    if text:
        st.query_params[name] = text
    elif name in st.query_params:
        del st.query_params[name]


def kept(name: str) -> str:
    """Return a parameter of all pages; an empty text if it is not set."""
    return str(st.session_state.get(name, ""))


def is_presenting() -> bool:
    """Return whether the page is on a projector, in class mode."""
    return kept(PRESENT) == "1"


def shared_keys() -> Collection[str]:
    """Return the keys of the shared controls that act on this page."""
    return _controls().shared


def current_page() -> str:
    """Return the address of the page."""
    return _controls().lesson


def _clean_address() -> None:
    """Remove the query parameters that belong neither to this lesson nor to its shared controls."""
    controls, params = _controls(), st.query_params
    for key in [*params]:
        if not (controls.is_on_page(key) or key in (*KEPT, ANSWER)):
            # A shared control of the page before is bound to its parameter during this run.
            with suppress(StreamlitAPIException):
                del params[key]


def full_key(name: str) -> str:
    """Return the key of a control by its name in the lesson; shared ones have no prefix."""
    controls = _controls()
    return name if name in controls.shared else f"{controls.prefix}{name}"


def keep(name: str) -> None:
    """Keep the value of a control of the lesson that is not drawn in this run."""
    key = full_key(name)
    if key in st.session_state:
        st.session_state[key] = st.session_state[key]


def set_values(values: Mapping[str, Any]) -> None:
    """Set controls of the lesson by name; a callback, because it must run before they are drawn."""
    prefix = _controls().prefix
    st.session_state.update({prefix + name: value for name, value in values.items()})


def choice(
    place: Any,
    kind: str,
    label: str,
    options: Sequence[T],
    default: T,
    format_func: Callable[[T], str] = in_address,
    *,
    key: str,
    **rest: Any,
) -> T:
    """Draw a control over given values, bound to the address."""
    key = full_key(key)
    _snap_to_allowed(key, label, options, default, format_func)
    if st.session_state.get(key) in options:
        _write_missing(key, default, lambda value: [format_func(value)])
    rest |= DEFAULTS[kind](options, default)
    control = getattr(place, kind)
    value = control(label, options, format_func=format_func, key=key, bind="query-params", **rest)
    return _record_value(key, value)


def slider(
    place: Any,
    label: str,
    options: Sequence[T],
    default: T,
    format_func: Callable[[T], str] = on_control,
    *,
    key: str,
    **rest: Any,
) -> T:
    """Draw a slider over given values, bound to the address."""
    return choice(place, "select_slider", label, options, default, format_func, key=key, **rest)


def knob(
    label: str,
    hint: str,
    options: Sequence[T],
    default: T,
    format_func: Callable[[T], str] = on_control,
    *,
    key: str,
    help: str = "",
) -> tuple[T, Knob]:
    """Return the value of a knob over given values, which is in the address, and the knob."""
    key = full_key(key)
    controls, state, params = _controls(), st.session_state, st.query_params
    before = controls.knobs.get(key)
    leads_here = before is None and key in params  # a link or Back, from another page
    goes_back = before is not None and key in controls.going_back and state[key] == before.value
    controls.going_back.discard(key)
    if leads_here or goes_back:
        state.pop(key, None)
    _snap_to_allowed(key, label, options, default, format_func, rerun=False)
    if state.setdefault(key, default) not in options:
        state[key] = _nearest(str(state[key]), options, default, format_func)
    value: T = state[key]
    texts = [format_func(each) for each in options]
    places = options.index(value), options.index(default)
    drawn = Knob(key, label, hint, help, texts, options, *places)
    if leads_here or (not goes_back and value != (before.value if before else default)):
        _write_knobs(controls.knobs | {key: drawn})  # a newer rerun may end this one here
    controls.knobs[key] = drawn
    return _record_value(key, value), drawn


def _write_knobs(knobs: Mapping[str, Knob]) -> None:
    """Write all knobs of the page into its address.

    What the browser said of them may be older than what it is being told.
    """
    texts = {}
    for key, knob in knobs.items():
        if (value := st.session_state.get(key)) in knob.values:
            at = knob.values.index(value)
            texts[key] = [] if at == knob.default else [knob.texts[at]]
    st.query_params.update(texts)


def number(
    place: Any,
    label: str,
    low: int,
    high: int,
    default: int,
    *,
    key: str,
    **rest: Any,
) -> int:
    """Draw a field for a whole number from `low` to `high`, bound to the address."""
    key = full_key(key)
    allowed = f"a whole number from {low:,} to {high:,}"
    _snap_to_allowed(key, label, range(low, high + 1), default, str, allowed)
    _write_missing(key, default, lambda value: [str(value)])
    value = place.number_input(label, low, high, default, key=key, bind="query-params", **rest)
    _explain_invalid(key, f"{label} must be {allowed}.")
    return _record_value(key, value)


def text(place: Any, label: str, *, key: str, **rest: Any) -> str:
    """Draw a field for a short text, empty at first, bound to the address."""
    key = full_key(key)
    _write_missing(key, "", lambda value: [value])
    value = place.text_input(label, max_chars=MAX_LETTERS, key=key, bind="query-params", **rest)
    return _record_value(key, value)


def _explain_invalid(key: str, sentence: str) -> None:
    """Show a sentence below a field while what is typed there is not allowed.

    Streamlit keeps such a value in the browser, where only a style can tell.
    """
    row = f".stHorizontalBlock:has(.st-key-{key} input:invalid)"
    alone = f".st-key-{key}:has(input:invalid):not(.stHorizontalBlock *)"
    st.html(f'<style>{row}::after, {alone}::after {{ content: "{sentence}" }}</style>')


def limit(key: str, most: int, default: int, reason: str) -> None:
    """Lower a whole number of the recipe to what other numbers allow, before it is drawn."""
    state, params = st.session_state, st.query_params
    value = state.get(key, default)
    if key not in state and key in params:
        number = _parse_number(params[key])
        value = default if isnan(number) else number
    if value <= most:
        return
    _controls().notes[key] = most, f"{key} is at most {reason} = {most}."
    if key in params and key not in state:
        params[key] = str(most)
        st.rerun()
    state[key] = most


def toggle(place: Any, label: str, *, key: str, **rest: Any) -> bool:
    """Draw a switch, off at first, bound to the address."""
    key = full_key(key)
    _snap_to_allowed(key, label, (False, True), False, in_address)
    _write_missing(key, False, lambda value: [in_address(value)])
    value = place.toggle(label, key=key, bind="query-params", **rest)
    return _record_value(key, value)


def several(
    place: Any,
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] | None = None,
    least: int = 1,
) -> tuple[str, ...]:
    """Draw pills of which some are on, bound to the address."""
    key = full_key(key)
    default = list(default or names)
    _drop_unknown_names(key, label, names, default, least)
    state = st.session_state
    if len(state.get(key, default)) < least:
        on = "all are" if len(default) == len(names) else ", ".join(map(names.__getitem__, default))
        many = "One at least takes" if least == 1 else f"{least} at least take"
        state[key], _ = _controls().notes[key] = default, f"{many} part: {on} on again."
    _write_missing(key, default, lambda picked: [names[name] for name in picked])
    picked = place.pills(
        label,
        list(names),
        default=default,
        format_func=names.__getitem__,
        selection_mode="multi",
        key=key,
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
    )
    _record_value(key, picked)
    picked = [name for name in names if name in picked]  # in their order, not that of the clicks
    return tuple(picked)


def _record_value(key: str, value: T) -> T:
    """Record the value of a control as drawn, and write the note that belongs to the value."""
    controls = _controls()
    noted_value, sentence = controls.notes.get(key, (None, ""))
    if sentence and value == noted_value:
        st.text(sentence)
    elif sentence:
        del controls.notes[key]
    return value


def _write_missing(key: str, default: T, texts_of: Callable[[T], list[str]]) -> None:
    """Have the value of a control that is about to be drawn written into the address.

    Streamlit's browser side forgets that a field belongs to the address when the field moves down
    the page, as it does below one that appears, and its server side does not write a value that a
    control has when it is first drawn.
    """
    state = st.session_state
    if key not in state:
        return
    value = state[key]
    texts = [] if value == default else texts_of(value)
    if texts == st.query_params.get_all(key):
        return
    state[key] = value  # Streamlit writes what the script sets, unless the control is new
    if texts:
        with suppress(StreamlitAPIException):  # the control is not new
            st.query_params[key] = texts


def _texts_in_link(key: str) -> list[str] | None:
    """Return what a link says about a control, unless the control has taken it."""
    is_new = key in st.query_params and key not in st.session_state
    texts = st.query_params.get_all(key) if is_new else None
    return _controls().newer.pop(key, texts)


def _give(key: str, value: Any, texts: list[str], rerun: bool = True) -> None:
    """Give a control that is about to be drawn its value, which has these texts in the address."""
    if not rerun or key in st.session_state:
        st.session_state[key] = value
    elif st.query_params.get_all(key) != texts:
        st.query_params[key] = texts  # which Streamlit reads in the next run
        st.rerun()


def _snap_to_allowed(
    key: str,
    label: str,
    options: Sequence[T],
    default: T,
    format_func: Callable[[T], str],
    allowed: str = "",
    rerun: bool = True,
) -> None:
    """Change a setting to the nearest option before its control is first drawn."""
    texts = _texts_in_link(key)
    if texts is None:
        return
    text = ", ".join(texts)
    value = _nearest(text, options, default, format_func)
    named = text in (format_func(value), in_address(value))
    if not named and _parse_number(text) != value:
        reason = f"; it must be {allowed}" if allowed else ", which is not available"
        sentence = f"The link sets {label} to {text[:20]}{reason}. Using {format_func(value)}."
        _controls().notes[key] = value, sentence
    _give(key, value, [format_func(value)], rerun)


def _drop_unknown_names(
    key: str, label: str, names: Mapping[str, str], default: list[str], least: int
) -> None:
    """Remove unknown names from the setting of pills before these are first drawn."""
    texts = _texts_in_link(key)
    if texts is None:
        return
    known = [name for name in names if names[name] in texts]
    known = known if len(known) >= least else default
    known_texts = [names[name] for name in known]
    if unknown := [text for text in texts if text not in names.values()]:
        sentence = (
            f"The link sets {label} to {', '.join(unknown)[:40]}, but there is only "
            f"{', '.join(names.values())}. Using {', '.join(known_texts)}."
        )
        _controls().notes[key] = known, sentence
        _give(key, known, known_texts)


def _nearest(text: str, options: Sequence[T], default: T, format_func: Callable[[T], str]) -> T:
    number = _parse_number(text)
    if isinstance(options, range):
        nearest = default if isnan(number) else int(min(max(number, options[0]), options[-1]))
        return cast(T, nearest)
    named = {write(option): option for write in (format_func, in_address) for option in options}
    if text in named:
        return named[text]
    numbers = [option for option in options if isinstance(option, int | float)]
    if isnan(number) or isinstance(options[0], bool):
        return default
    return min(numbers, key=lambda option: abs(option - number), default=default)


def _parse_number(text: str) -> float:
    try:
        return float(text) if isfinite(float(text)) else nan
    except ValueError:
        return nan
