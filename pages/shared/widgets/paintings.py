"""The reader's own painting, which goes along from lesson to lesson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.shared.data.painted import LAST_PAINTING, SMILEY, decode
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state

PAINTING, BLOCKS = "painting", "Blocks"  # the setting of a page whose blocks a painting can replace
CARD = "card"


def keep_painting() -> None:
    """Keep the painting of one's own in the address of the page, which other lessons offer.

    That of a card is not kept: it may be a friend's, and hidden.
    """
    if url.current_page() != CARD:
        for told in filter(_is_painting, st.query_params.to_dict().values()):
            st.session_state[LAST_PAINTING] = told


def brought_to(page: str) -> dict[str, str]:
    """Return the settings that a link to a page brings along: to the card, the last painting."""
    return {f"{CARD}_{PAINTING}": text for text in own_painting() if page == CARD}


def painting_in_address(name: str) -> list[str]:
    """Return the letters of a painting of one's own in a setting of the page; none without one."""
    told = st.query_params.get(url.full_key(name), "")
    return [told] if _is_painting(told) else []


def own_painting() -> list[str]:
    """Return the reader's last painting; none without one."""
    last = st.session_state.get(LAST_PAINTING)
    return [last] if last else []


def read_pattern() -> str:
    """Return the painting that replaces the blocks of the page: a name, letters, or nothing."""
    allowed = [BLOCKS, SMILEY, *own_painting()]
    chosen = url.choice(None, "pills", "Samples", allowed, BLOCKS, str, key=PAINTING)
    return "" if chosen == BLOCKS else chosen


def choose_pattern(help: str, defaults: Mapping[str, Any] = {}) -> None:
    """Draw the choice between blocks and paintings; a click sets other settings to `defaults`."""
    choose_state(
        [
            State(
                text if text in (BLOCKS, SMILEY) else "Your painting",
                {**defaults, PAINTING: text},
                "" if text == BLOCKS else help,
            )
            for text in url.setting(PAINTING).values
        ]
    )


def _is_painting(text: str) -> bool:
    try:
        decode(text)
    except ValueError:
        return False
    return True
