"""Files that are uploaded to use a classifier: a saved classifier, and new samples.

A session keeps each file over reruns and visits to other pages.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st
from streamlit.typing import UploadedFile

from pages.matrix.your_data.reading.uploads import MAX_FILE_MB
from pages.shared.parts.prose import escape_markdown
from smmcore.matfile import MatFileError


@dataclass(frozen=True)
class File:
    """An uploaded file."""

    name: str
    content: bytes
    digest: str  # of the content


def choose_file(label: str, slot: str, endings: list[str] | None = None) -> File | None:
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
    file: File | None = st.session_state.get(slot)
    if file is not None and sent is None:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(f"Still in use: **{escape_markdown(file.name)}**", width="content")
        row.button("Remove", key=f"remove {slot}", on_click=_remove, args=(slot,))
    if file is not None and len(file.content) > MAX_FILE_MB * 10**6:
        raise MatFileError(  # a browser may ignore the limit of the uploader
            f"The file must have at most {MAX_FILE_MB} MB, got {len(file.content) / 1e6:,.1f} MB."
        )
    return file


def _key(slot: str) -> str:
    return f"upload {slot}"


def _store(uploader: str, slot: str) -> None:
    """Store an uploaded file, or remove the file if the reader has cleared the uploader."""
    sent = st.session_state[uploader]
    if isinstance(sent, UploadedFile):  # not if the browser has deleted it
        content = sent.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        st.session_state[slot] = File(sent.name, content, digest)
    else:
        _remove(slot)


def _remove(slot: str) -> None:
    st.session_state.pop(slot, None)
