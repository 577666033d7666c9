"""Sets that are fetched from the internet on request."""

from __future__ import annotations

import streamlit as st

from pages.shared.data.bundled import FETCHERS
from pages.shared.data.uploads import Upload


def fetch_on_request(source: str, label: str) -> Upload | None:
    """Draw a button until the set is there; an error stays in sight."""
    held = st.session_state.setdefault("fetched", {})
    slate = st.empty()
    if not isinstance(held.get(source), Upload) and slate.button(label, key=f"fetch {source}"):
        with st.spinner("Fetching ..."):
            try:
                held[source] = FETCHERS[source]()
                slate.empty()
            except OSError as error:  # kept: the page is drawn again when a run ends
                held[source] = str(error)
    if isinstance(held.get(source), str):
        raise OSError(held[source])
    return held.get(source)
