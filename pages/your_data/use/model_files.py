"""Files that are uploaded to use a model: a saved model, and new samples.

A session keeps each file over reruns and visits to other pages.
"""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.typing import UploadedFile

from pages.shared.files import MatFileError
from pages.your_data.reading.uploads import MAX_FILE_MB, SessionFile, draw_in_use


def choose_file(label: str, slot: str, endings: list[str] | None = None) -> SessionFile | None:
    """Draw an uploader, and return the file in its slot of the session.

    The uploader is empty after a visit to another page; then the name of the file is drawn with a
    button that removes it.
    """
    sent = st.file_uploader(
        label,
        type=endings,
        max_upload_size=MAX_FILE_MB,
        key=_key(slot),
        on_change=_store,
        args=(_key(slot), slot),
        help="It is read in a process of its own and forgotten with this browser's session.",
    )
    file: SessionFile | None = st.session_state.get(slot)
    if file is not None and sent is None:
        draw_in_use([file.name], f"remove {slot}", partial(_remove, slot))
    if file is not None and file.problem:
        raise MatFileError(file.problem)
    return file


def _key(slot: str) -> str:
    return f"upload {slot}"


def _store(uploader: str, slot: str) -> None:
    """Store an uploaded file, or remove the file if the reader has cleared the uploader."""
    sent = st.session_state[uploader]
    if isinstance(sent, UploadedFile):  # not if the browser has deleted it
        st.session_state[slot] = SessionFile.of(sent)
    else:
        _remove(slot)


def _remove(slot: str) -> None:
    st.session_state.pop(slot, None)
