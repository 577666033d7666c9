"""The reader's own painting, which goes along from lesson to lesson."""

from __future__ import annotations

import streamlit as st

from pages.shared.data.painted import LAST_PAINTING, decode
from pages.shared.widgets import url


def own_painting(name: str) -> list[str]:
    """Return the painting in a setting of the page, or the reader's last one; none without one."""
    told, last = st.query_params.get(url.full_key(name)), st.session_state.get(LAST_PAINTING)
    for text in filter(None, (told, last)):
        try:
            decode(text)
        except ValueError:
            continue
        st.session_state[LAST_PAINTING] = text
        return [text]
    return []
