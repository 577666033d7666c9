"""Escape text of uploaded files, and keep values that are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy

import streamlit as st


def escape_markdown(text: str) -> str:
    """Escape a text, as names in a file may hold Markdown, links or LaTeX."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|$~:&-])", r"\\\1", text)


def format_error(error: Exception) -> str:
    """Return the sentence of an error, with a capital letter and a full stop.

    A symbol or the name of a file at its beginning stays as it is.
    """
    text = str(error)
    word = text.split(" ", 1)[0].rstrip(",")
    begun = text[:1].upper() + text[1:] if word.isalpha() and len(word) > 1 else text
    return escape_markdown(f"{begun.rstrip('.')}.")


def compute_once(slot: str, key: object, make: Callable):
    """Call `make` once for a key; the session keeps its result or error until the key changes."""
    if st.session_state.get(slot, (None,))[0] != key:
        try:
            st.session_state[slot] = key, make(), None
        except ValueError as error:  # kept without its traceback, which would keep the samples too
            st.session_state[slot] = key, None, copy(error)
    _, value, error = st.session_state[slot]
    if error:
        raise copy(error)
    return value
