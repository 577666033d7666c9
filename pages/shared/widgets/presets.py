"""Settings with a name: where a reader starts, what the paper did, and one that is hard."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.shared.algorithm1 import PRESETS, SMMRun
from pages.shared.widgets import sidebar


def draw(presets: Mapping[str, tuple[SMMRun, str]] = PRESETS) -> None:
    """Draw a button for each preset."""
    with st.container(horizontal=True, gap="small"):
        for name, (run, note) in presets.items():
            st.button(name, help=note, on_click=sidebar.set_controls, args=(run,), width="stretch")
