"""States of a page, each a click away: the page is in one of them, or in none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shared.component import component
from pages.shared.widgets import url

_component = component("states", "controls/states", ["controls/controls"])


@dataclass(frozen=True)
class State:
    """A state of the page."""

    label: str  # a few words
    values: Mapping[str, Any]  # of controls, by their names in the lesson
    help: str = ""


def choose_state(
    states: Sequence[State], key: str = "states", label: str = "Try", begin: str = ""
) -> None:
    """Draw the states below the controls that they set, as far as these are on the page.

    A click sets the controls in the address, and nothing else. Which state the page is in follows
    from the address, in the browser. A question that is asked in the state `begin` calls it so.
    """
    for each in states:
        if each.label == begin:
            url.name_defaults(begin, each.values)
    designs = [
        {"text": each.label, "help": each.help, "texts": url.texts_of(each.values)}
        for each in states
    ]
    _component(key=key, data={"label": label, "states": designs}, width="content")
