"""Choose labelled samples: of a file, or of a set that comes without one.

The pickers always stay; a sentence above them says why a choice cannot be used.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.matrix.your_data.reading import sets
from pages.matrix.your_data.reading.choice import Choice
from pages.matrix.your_data.reading.files import pick_file
from pages.shared.data.bundled import FETCHERS
from pages.shared.parts.prose import format_error
from pages.shared.widgets import url

MY_FILE = "My file"
SOURCES = ("Digits", "Faces", *FETCHERS, MY_FILE)


def choose_samples() -> Choice:
    """Draw the pickers and a few samples as pictures; return the choice.

    Where it cannot be used, or is still to come, the last choice stands in, so that controls that
    depend on the samples stay as they are. Its results must not be shown.
    """
    source = url.choice(
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
            choice = _choose(source, sentence, preview)
        except (ValueError, OSError) as error:
            choice = None
            sentence.error(format_error(error), icon="⚠️")
    last = choice or st.session_state.get("last choice") or sets.digit_samples((3, 8))
    st.session_state["last choice"] = last
    return choice or replace(last, stands_in=True)


def _choose(source: str, sentence, preview) -> Choice | None:
    if source == MY_FILE:
        return pick_file(sentence, preview)
    if source in FETCHERS:
        return sets.pick_fetched(source, preview)
    return sets.pick_faces(preview) if source == "Faces" else sets.pick_digits(preview)
