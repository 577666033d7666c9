"""The reader's own painting, which goes along from lesson to lesson."""

from __future__ import annotations

import streamlit as st

from pages.shared.data.painted import LAST_PAINTING, decode
from pages.shared.widgets import url


def painting_in_address(name: str) -> list[str]:
    """Return the letters of a painting of one's own in a setting of the page; none without one."""
    told = st.query_params.get(url.full_key(name), "")
    return [told] if _is_painting(told) else []


def own_painting(name: str) -> list[str]:
    """Return the painting in a setting of the page, or the reader's last one; none without one."""
    if told := painting_in_address(name):
        st.session_state[LAST_PAINTING] = told[0]
    last = st.session_state.get(LAST_PAINTING)
    return [last] if last else []


def _is_painting(text: str) -> bool:
    try:
        decode(text)
    except ValueError:
        return False
    return True
