"""From a file that somebody brought, or from a set that comes without one, to labelled samples.

Whatever a reader picks, the pickers stay; what cannot be used is said in a sentence above them.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.shared import address
from pages.shared.recipes import FETCHED
from pages.shared.uploads import files, sets
from pages.shared.uploads.choice import Choice, plain, said
from pages.shared.uploads.sent import KEPT, LARGEST_FILE
from smmcore.matfile import distinct

__all__ = ["KEPT", "LARGEST_FILE", "SOURCES", "Choice", "choose", "distinct", "plain"]

MY_FILE = "My file"
SOURCES = ("Digits", "Faces", *FETCHED, MY_FILE)


def choose() -> Choice:
    """Draw the pickers and a few samples as pictures; return what was chosen.

    Where that cannot be used, or is still to come, the last choice stands in. It is for controls
    that depend on the samples, which are to stay as they are: its results are not asked for.
    """
    source = address.choice(
        st,
        "segmented_control",
        "Data",
        SOURCES,
        SOURCES[0],
        key="source",
        label_visibility="collapsed",
    )
    pickers, preview = st.columns([2, 3], gap="large")
    with pickers:
        sentence = st.container()
        try:
            choice = _choice(source, sentence, preview)
        except (ValueError, OSError) as error:
            choice = None
            sentence.error(said(error), icon="⚠️")
    last = choice or st.session_state.get("last choice") or sets.digits((3, 8))
    st.session_state["last choice"] = last
    return choice or replace(last, stands_in=True)


def _choice(source: str, sentence, preview) -> Choice | None:
    if source == MY_FILE:
        return files.pick(sentence, preview)
    if source in FETCHED:
        return sets.pick_fetched(source, preview)
    return sets.pick_faces(preview) if source == "Faces" else sets.pick_digits(preview)
