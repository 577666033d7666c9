"""What a browser session keeps: values that are computed or fetched once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TypeVar

import streamlit as st

from pages.shared.data.bundled import FETCHERS
from pages.shared.data.samples import Upload

T = TypeVar("T")


def compute_once(slot: str, key: object, make: Callable[[], T]) -> T:
    """Call `make` once per key; the session keeps its result or its error until the key changes."""
    if st.session_state.get(slot, (None,))[0] != key:
        try:
            st.session_state[slot] = key, make(), None
        except ValueError as error:  # a copy without the traceback, which would keep the samples
            st.session_state[slot] = key, None, copy(error)
    _, value, failure = st.session_state[slot]
    if failure:
        raise copy(failure)
    return value


def fetch_on_request(source: str, label: str) -> Upload | None:
    """Draw a button that fetches a data set; return the set or raise the last attempt's error."""
    held = st.session_state.setdefault("fetched", {})
    place = st.empty()
    if not isinstance(held.get(source), Upload) and place.button(label, key=f"fetch {source}"):
        with st.spinner("Fetching ..."):
            try:
                held[source] = FETCHERS[source]()
                place.empty()
            except OSError as error:  # kept, because the page is drawn again when a run ends
                held[source] = str(error)
    if isinstance(held.get(source), str):
        raise OSError(held[source])
    return held.get(source)
