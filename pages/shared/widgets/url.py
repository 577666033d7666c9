"""Controls that live in the address of their page, so that a link brings the picture back.

The key of a control is its name in the address (?n=200&C=0.1), so keys are never changed. Streamlit
reads only what it writes there and drops the rest without a word; here a control takes the nearest
value that it has, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")

# How each kind of control is told what it begins with.
DEFAULTS: dict[str, Callable] = {
    "select_slider": lambda options, default: {"value": default},
    "selectbox": lambda options, default: {"index": options.index(default)},
    "segmented_control": lambda options, default: {
        "default": default,
        "required": True,
        "wrap": True,
    },
}
SETTINGS, NOTES = "settings of this page", "notes on the address"
VALUES, PAST = "values of this page", "values of the past"  # of the controls, for undo
DEPTH = 30  # changes that can be taken back


def written(value: object) -> str:
    """Write a value as an address has it: 2e-05, auto, true."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def begin() -> None:
    """Forget the controls of the page before; to be called before any is drawn."""
    state = st.session_state
    drawn, past = state.get(VALUES, {}), state.setdefault(PAST, [])
    if past and not _differ(past[-1], drawn):
        past[-1] |= drawn  # of another page
    else:
        past.append(drawn)
        del past[:-DEPTH]
    state[SETTINGS], state[VALUES] = {}, {}


def can_undo() -> bool:
    """Return whether a control had another value before."""
    return any(_differ(before, _now()) for before in st.session_state[PAST])


def undo() -> None:
    """Take back the last change of the controls; a callback, for what comes before they are drawn.

    A preset sets many of them, in one change. It may have been on another page: so it is told.
    """
    state, past, now = st.session_state, st.session_state[PAST], _now()
    while past and not _differ(past[-1], now):
        past.pop()
    if past:
        back = {key: value for key, value in past.pop().items() if now.get(key, value) != value}
        state.update(back)
        state[VALUES] |= {key: value for key, value in back.items() if key in state[VALUES]}
        told = ", ".join(f"{key} = {written(value)}" for key, value in back.items())
        st.toast(f"Undone: {told[:200]}")


def _now() -> dict[str, Any]:
    """Return the values of all controls that have been drawn, on whichever page."""
    keys = {key for drawn in st.session_state[PAST] for key in drawn}
    return {key: st.session_state[key] for key in keys if key in st.session_state}


def _differ(some: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    return any(some[key] != others[key] for key in some.keys() & others.keys())


def settings() -> dict[str, str | list[str]]:
    """Return all that was drawn on this page so far, by key, as a link spells it out."""
    return st.session_state[SETTINGS]


def choice(
    place: Any,
    kind: str,
    label: str,
    options: Sequence[T],
    default: T,
    shown: Callable[[T], str] = written,
    *,
    key: str,
    **rest: Any,
) -> T:
    """Draw a control over given values, bound to the address.

    Parameters
    ----------
    place : container or streamlit
        Where the control goes; a sentence about the address goes below.
    kind : {"select_slider", "selectbox", "segmented_control"}
    label : str
    options : sequence
    default : one of the options
    shown : function
        Writes an option for a reader, and in the address bar.
    key : str
        Its name in the address.
    **rest
        Further arguments of the control.
    """
    _heed(key, options, default, shown, "one of its values")
    begin_with = DEFAULTS[kind](options, default)
    control = getattr(place, kind)
    value = control(
        label, options, format_func=shown, key=key, bind="query-params", **begin_with, **rest
    )
    return _drawn(key, value)


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
    allowed = f"a whole number from {low:,} to {high:,}"
    _heed(key, range(low, high + 1), default, str, allowed)
    value = place.number_input(label, low, high, default, key=key, bind="query-params", **rest)
    return _drawn(key, value)


def toggle(place: Any, label: str, *, key: str, **rest: Any) -> bool:
    """Draw a switch, off at first, bound to the address."""
    _heed(key, (False, True), False, written, "true or false")
    return _drawn(key, place.toggle(label, key=key, bind="query-params", **rest))


def several(
    place: Any,
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] | None = None,
    least: int = 1,
) -> tuple[str, ...]:
    """Draw pills of which some are on, bound to the address.

    Parameters
    ----------
    place : container or streamlit
    label : str
        Not shown.
    names : mapping
        What each is called, also in the address.
    key : str
        Its name in the address.
    default : sequence of str, optional
        Those that are on at first, and again when too few are; all without it.
    least : int
        How many must be on.
    """
    default = list(default or names)
    _heed_names(key, names, default, least)
    state = st.session_state
    if len(state.get(key, default)) < least:
        on = "all are" if len(default) == len(names) else ", ".join(map(names.get, default))
        many = "One at least takes" if least == 1 else f"{least} at least take"
        state[key], _ = note = default, f"{many} part: {on} on again."
        state.setdefault(NOTES, {})[key] = note
    picked = place.pills(
        label,
        list(names),
        default=default,
        format_func=names.get,
        selection_mode="multi",
        key=key,
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
    )
    picked = [name for name in names if name in picked]  # in their order, not that of the clicks
    settings()[key] = [names[name] for name in picked]
    _remember(key, picked)
    return tuple(picked)


def _drawn(key: str, value: T) -> T:
    settings()[key] = written(value)
    _remember(key, value)
    return value


def _remember(key: str, value: object) -> None:
    st.session_state[VALUES][key] = value
    taken, sentence = st.session_state.get(NOTES, {}).get(key, (None, ""))
    if sentence and value == taken:
        st.text(sentence)
    elif sentence:
        del st.session_state[NOTES][key]


def _heed(
    key: str, options: Sequence[T], default: T, shown: Callable[[T], str], allowed: str
) -> None:
    """Have a control that is drawn for the first time take the nearest to what the address says."""
    text = st.query_params.get(key)
    if text is None or key in st.session_state:
        return
    value = _nearest(text, options, default, shown)
    if shown(value) == text:
        return  # Streamlit reads this by itself
    if _parsed(text) != value:
        sentence = f"{key} = {text[:20]} in the address is not {allowed}; taken as {shown(value)}."
        st.session_state.setdefault(NOTES, {})[key] = value, sentence
    st.query_params[key] = shown(value)  # which Streamlit reads in the next run
    st.rerun()


def _heed_names(key: str, names: Mapping[str, str], default: list[str], least: int) -> None:
    """Have pills that are drawn for the first time say which names of the address they lack."""
    texts = st.query_params.get_all(key)
    taken = [name for name in names if names[name] in texts]
    taken = taken if len(taken) >= least else default
    unknown = [text for text in texts if text not in names.values()]
    if not unknown or key in st.session_state:
        return
    sentence = (
        f"{key} = {', '.join(unknown)[:40]} in the address: there is only "
        f"{', '.join(names.values())}; taken as {', '.join(names[name] for name in taken)}."
    )
    st.session_state.setdefault(NOTES, {})[key] = taken, sentence
    st.query_params[key] = [names[name] for name in taken]  # which Streamlit reads in the next run
    st.rerun()


def _nearest(text: str, options: Sequence[T], default: T, shown: Callable[[T], str]) -> T:
    number = _parsed(text)
    if isinstance(options, range):
        return default if isnan(number) else int(min(max(number, options[0]), options[-1]))
    named = {shown(option): option for option in options} | {written(o): o for o in options}
    if text in named:
        return named[text]
    numbers = [option for option in options if isinstance(option, int | float)]
    if isnan(number) or isinstance(options[0], bool):
        return default
    return min(numbers, key=lambda option: abs(option - number), default=default)


def _parsed(text: str) -> float:
    try:
        return float(text) if isfinite(float(text)) else nan
    except ValueError:
        return nan
