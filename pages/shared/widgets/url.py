"""The controls of a page: declared here, drawn and set in the browser, read from the address.

The key of a lesson's setting starts with the lesson's address, ?robustness_unit=..., and the keys
of the recipe, which many lessons share, are short, ?n=200&C=0.1. Keys never change, because links
contain them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from pages.shared.component import component
from pages.shared.numbers import in_address, on_control
from pages.shared.settings import Setting, read, read_number, whole_number

T = TypeVar("T")

NO_GUESS = "none", "shown"  # what may be instead of a guess in a picture, see assets/lib/guess.js

# Parameters of all pages: class mode, "Ask me first", the step of the course plan, the picture
# alone, and the code of a vote.
PRESENT, ASK, STEP, STAGE, VOTE = KEPT = "present", "ask", "step", "stage", "vote"
ANSWER = "answer"  # opens a lesson behind its question
WRONG = "wrong"  # of Home: an address without a page
MAX_LETTERS = 40  # of a text
NARROW = "segmented_control", "several", "toggle", "button"  # as wide as what they show

_control = component("control", "controls/controls", ["controls/controls", "help"])
_setter = component("setter", "controls/setter", isolate_styles=False)  # it shows nothing
_slider = component("slider", "knobs/knobs", ["knobs/knobs", "help"])


@dataclass(frozen=True)
class _Drawn:
    """A setting without a list of values, as read in this run."""

    label: str
    value: Any
    default: Any
    text_of: Callable[[Any], str]


@dataclass
class _Page:
    """The page that a browser session shows, and its settings by key."""

    address: str = ""
    shared: Collection[str] = ()  # keys of the shared settings on this page
    carried: dict[str, str] = field(default_factory=dict)  # parameters of all pages
    drawn: dict[str, Setting | _Drawn] = field(default_factory=dict)  # in this run
    begins: dict[str, str] = field(default_factory=dict)  # by key, the state with its default


def _page() -> _Page:
    return st.session_state.setdefault("page", _Page())


def begin_page(lesson: str, shared: Collection[str]) -> None:
    """Prepare for the controls of the page."""
    carried = {name: st.query_params[name] for name in KEPT if name in st.query_params}
    st.session_state["page"] = _Page(lesson, shared, carried)


def kept(name: str) -> str:
    """Return a parameter of all pages; an empty text if it is not set."""
    return st.query_params.get(name, "")


def forget(name: str) -> None:
    """Let the links of this page not carry a parameter."""
    _page().carried.pop(name, None)


def link(page: Any, label: str | None = None, *, settings: Mapping[str, str] = {}, **rest) -> None:
    """Draw a link to a page, which carries the parameters of all pages."""
    st.page_link(page, label=label, query_params={**_page().carried, **settings}, **rest)


def is_presenting() -> bool:
    """Return whether the page is on a projector, in class mode."""
    return kept(PRESENT) == "1"


def shared_keys() -> Collection[str]:
    """Return the keys of the shared controls that act on this page."""
    return _page().shared


def current_page() -> str:
    """Return the address of the page."""
    return _page().address


def full_key(name: str) -> str:
    """Return the key of a control by its name in the lesson; shared ones have no prefix."""
    page = _page()
    return name if name in page.shared else f"{page.address}_{name}"


def setting(name: str) -> Setting:
    """Return a setting over given values that has been read in this run, by its name."""
    found = _page().drawn[full_key(name)]
    assert isinstance(found, Setting), f"{name} has no list of values"
    return found


def place_of(name: str, value: Any) -> int:
    """Return the place of a value among those of a setting, by its name."""
    return [*setting(name).values].index(value)


def where_asked(name: str, since: Any = None) -> dict[str, Any]:
    """Return a setting that has been read in this run, with the texts at which a question is asked.

    That is the text of its default, or of the value `since` and those behind it.
    """
    key = full_key(name)
    drawn = _page().drawn[key]
    values = [*drawn.values] if isinstance(drawn, Setting) else []
    asked = [drawn.default] if since is None else values[values.index(since) :]

    def texts(values: Iterable[Any]) -> list[str]:
        return [text(value) for value in values for text in (drawn.text_of, in_address)]

    return {
        "key": key,
        "label": drawn.label.partition(",")[0],
        "texts": texts(asked),
        "allowed": texts(values),
        "default": drawn.text_of(drawn.default),
        "state": _page().begins.get(key, ""),
        "isLater": since is not None,
        "isElsewhere": drawn.value not in asked,
    }


def name_defaults(state: str, names: Iterable[str]) -> None:
    """Name the state in which these settings have their defaults."""
    _page().begins |= {full_key(name): state for name in names}


def texts_of(values: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what the address holds of these values, by the names of controls on the page."""
    texts = {}
    for key, value in ((full_key(name), value) for name, value in values.items()):
        if drawn := _page().drawn.get(key):
            texts[key] = None if value == drawn.default else drawn.text_of(value)
    return texts


def _draw(kind: str, place: Any, complaint: str, design: dict[str, Any]) -> None:
    """Draw a control in a place, if it has one now, and what is wrong in the address."""
    if place is None:
        return
    with st.container() if place is st else place:
        if kind == "select_slider":
            _slider(key=design["key"], data={"knobs": [design | {"explains": True}]})
        else:
            width = "content" if kind in NARROW else "stretch"
            _control(key=design["key"], data={"kind": kind, **design}, width=width)
        if complaint:
            st.text(complaint)


def choice(
    place: Any,
    kind: str,
    label: str,
    options: Sequence[T],
    default: T,
    format_func: Callable[[T], str] = in_address,
    *,
    key: str,
    help: str = "",
    disabled: bool = False,
    label_visibility: str = "visible",
    complains: bool = True,
) -> T:
    """Draw a control over given values, and return the value that the address has.

    Without a place it is not seen, but states of the page may set it.
    """
    setting, complaint = _read(full_key(key), label, options, default, format_func, help=help)
    looks = {"disabled": disabled, "isQuiet": label_visibility == "collapsed"}
    _draw(kind, place, complaint if complains else "", setting.to_json() | looks)
    return setting.value


def _read(
    key: str,
    label: str,
    options: Sequence[T],
    default: T,
    text_of: Callable[[T], str],
    **words: str,
) -> tuple[Setting, str]:
    value, complaint = read(key, label, options, text_of, default)
    setting = Setting(key, label, options, text_of, default, value, **words)
    _page().drawn[key] = setting
    return setting, complaint


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
    """Draw a slider over given values."""
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
) -> tuple[T, Setting]:
    """Return the value of a knob over given values, and the knob, which `parts.knobs` draws."""
    key = full_key(key)
    setting, complaint = _read(key, label, options, default, format_func, hint=hint, help=help)
    if complaint:
        st.text(complaint)
    return setting.value, setting


def number(
    place: Any,
    label: str,
    low: int,
    high: int,
    default: int,
    *,
    key: str,
    allowed: str = "",
    step: int = 1,
    help: str = "",
    complains: bool = True,
) -> int:
    """Draw a field for a whole number from `low` to `high`, and return what the address has."""
    key, allowed = full_key(key), allowed or whole_number(low, high)
    value, complaint = read_number(key, label, low, high, default, allowed)
    _page().drawn[key] = _Drawn(label, value, default, str)
    words = {"key": key, "label": label, "help": help, "complaint": f"{label} must be {allowed}."}
    limits = {"low": low, "high": high, "step": step, "usual": default, "value": value}
    _draw("number", place, complaint if complains else "", words | limits)
    return value


def text(place: Any, label: str, *, key: str, placeholder: str = "", help: str = "") -> str:
    """Draw a field for a short text, empty at first."""
    key = full_key(key)
    value = st.query_params.get(key, "")[:MAX_LETTERS]
    _page().drawn[key] = _Drawn(label, value, "", str)
    looks = {"placeholder": placeholder, "most": MAX_LETTERS}
    _draw("text", place, "", {"key": key, "label": label, "help": help} | looks)
    return value


def toggle(place: Any, label: str, *, key: str, **rest: Any) -> bool:
    """Draw a switch, off at first."""
    return choice(place, "toggle", label, (False, True), False, in_address, key=key, **rest)


def switch_for_all(place: Any, kind: str, label: str, name: str, help: str) -> bool:
    """Draw a switch or a button for a parameter of all pages, which is 1 or missing."""
    setting, _ = _read(name, label, (False, True), False, _flag, help=help)
    _draw(kind, place, "", setting.to_json())
    return setting.value


def _flag(is_on: bool) -> str:
    return "1" if is_on else "0"


def several(
    place: Any,
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] | None = None,
    least: int = 1,
) -> tuple[str, ...]:
    """Draw pills of which some are on, and return their names in order."""
    key, default = full_key(key), tuple(default or names)
    told = st.query_params.get_all(key)
    picked = tuple(name for name in names if names[name] in told)
    value = picked if len(picked) >= least else default
    _page().drawn[key] = _Drawn(label, value, default, names.__getitem__)
    usual = [names[name] for name in default]
    unknown = [text for text in told if text not in names.values()]
    complaint = ""
    if told and len(picked) < least:
        complaint = f"{least} at least take part: {', '.join(usual)} are on."
    if unknown:
        complaint = (
            f"The address sets {label} to {', '.join(unknown)[:MAX_LETTERS]}, but there is only "
            f"{', '.join(names.values())}. Using {', '.join(names[name] for name in value)}."
        )
    looks = {"texts": [*names.values()], "usual": usual, "least": least, "isQuiet": True}
    _draw("several", place, complaint, {"key": key, "label": label} | looks)
    return value


def set_once(values: Mapping[str, str | None], occasion: str) -> None:
    """Have the browser set texts of the lesson's controls, once on each occasion."""
    texts = {full_key(name): text for name, text in values.items()}
    _setter(key="setter", data={"texts": texts, "occasion": occasion})
