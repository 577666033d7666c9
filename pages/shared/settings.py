"""Settings that the browser holds in the address of the page, and the page only reads.

The key of a setting is its query parameter; one that has its default is not in the address.
Controls and pictures set it in the browser (see `assets/lib/settings.js`), where each act ends with
one run of the page, whose `st.query_params` are the address.

A link may hold what is not allowed. The page then uses the nearest allowed value and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import Any, TypeVar

import streamlit as st

from pages.shared.numbers import in_address

T = TypeVar("T")
MAX_LETTERS = 20  # of a forbidden text that a sentence repeats


@dataclass(frozen=True)
class Setting:
    """A setting over given values, as the page has read it."""

    key: str  # in the address
    label: str
    values: Sequence[Any]
    text_of: Callable[[Any], str]
    default: Any
    value: Any
    hint: str = ""  # what it is, in two or three words
    help: str = ""

    @property
    def texts(self) -> list[str]:
        """The texts of its values in the address and on the screen."""
        return [self.text_of(value) for value in self.values]

    def to_json(self) -> dict[str, Any]:
        """Return what the browser needs to draw it and to set it."""
        return {
            "key": self.key,
            "label": self.label,
            "hint": self.hint,
            "help": self.help,
            "texts": self.texts,
            "at": [*self.values].index(self.value),
            "default": [*self.values].index(self.default),
        }


def read(
    key: str, label: str, values: Sequence[T], text_of: Callable[[T], str], default: T
) -> tuple[T, str]:
    """Return the value of a setting in the address, and a sentence if the address is wrong."""
    text = st.query_params.get(key)
    if text is None:
        return default, ""
    for value in values:
        if text in (text_of(value), in_address(value)):
            return value, ""
    number, value = parse_number(text), default
    numbers = [each for each in values if isinstance(each, int | float)]
    if numbers and not isnan(number) and not isinstance(values[0], bool):
        value = min(numbers, key=lambda each: abs(each - number))
    if number == value:
        return value, ""
    return value, (
        f"The address sets {label} to {text[:MAX_LETTERS]}, which is not available. "
        f"Using {text_of(value)}."
    )


def read_number(
    key: str, label: str, low: int, high: int, default: int, allowed: str = ""
) -> tuple[int, str]:
    """Return a whole number in the address, and a sentence if the address is wrong."""
    text = st.query_params.get(key)
    number = default if text is None else parse_number(text)
    value = default if isnan(number) else int(min(max(number, low), high))
    if value == number:
        return value, ""
    allowed = allowed or whole_number(low, high)
    told = f"The address sets {label} to {text[:MAX_LETTERS]}; it" if text else label
    return value, f"{told} must be {allowed}. Using {value}."


def whole_number(low: int, high: int) -> str:
    """Return in words what a whole number may be."""
    return f"a whole number from {low:,} to {high:,}"


def parse_number(text: str) -> float:
    """Return the number of a text; NaN if it is none."""
    try:
        return float(text) if isfinite(float(text)) else nan
    except ValueError:
        return nan
