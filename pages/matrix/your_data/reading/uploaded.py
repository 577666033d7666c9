"""Uploaded files that a session keeps: a data file, and a second file beside it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st
from streamlit.typing import UploadedFile

from pages.shared.parts.prose import escape_markdown
from smmcore.matfile import MatFileError

LARGEST_FILE = 50  # MB
ENDINGS = ["mat", "h5", "hdf5", "npz", "npy", "csv", "txt"]
# Slots of the session: the files, the number of their changes, and results that go with a file.
FILE, SECOND, CHANGES = "file", "second file", "changes of files"
KEPT = (
    "file contents",
    "file first",
    "file pictures",
    "file labels",
    "file told",
    "file unused",
    "file choice",
)


@dataclass(frozen=True)
class File:
    """An uploaded file, known by its content: sent again, it finds its pickers as they were."""

    name: str
    content: bytes
    digest: str
    upload: str  # Streamlit's number of the upload, another one for the same file sent again


def draw_uploader(label: str, slot: str) -> bool:
    """Draw the uploader of a slot, and return whether it shows a file.

    The uploader of the data file does, unless it is drawn anew after a visit to another page; that
    of the second file is empty again once it has a file.
    """
    sent = st.file_uploader(
        label,
        type=ENDINGS,
        max_upload_size=LARGEST_FILE,
        key=_widget(slot),
        on_change=_keep,
        args=(_widget(slot), slot),
        help="It is read in a process of its own and forgotten with this browser's session.",
    )
    return sent is not None


def draw_file_in_use(label: str, slot: str) -> None:
    """Draw the name of the file in a slot, if there is one, with a button that removes it."""
    file = st.session_state.get(slot)
    if file is None:
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"{label}: **{escape_markdown(file.name)}**", width="content")
    row.button("Remove", key=f"remove {slot}", on_click=_forget, args=(slot,))


def uploaded_file(slot: str) -> File | None:
    """Return the file in a slot; check its size again, as a browser may ignore the limit."""
    file = st.session_state.get(slot)
    if file is not None and len(file.content) > LARGEST_FILE * 10**6:
        raise MatFileError(
            f"The file must have at most {LARGEST_FILE} MB, got {len(file.content) / 1e6:,.1f} MB."
        )
    return file


def _widget(slot: str) -> str:
    """Return the key of a slot's uploader: for the second file a new one after each change."""
    return "upload" if slot == FILE else f"second upload {st.session_state.get(CHANGES, 0)}"


def _keep(widget: str, slot: str) -> None:
    """Keep an uploaded file, or forget it at the uploader's cross; a page switch does neither.

    A browser sends the file of an uploader until it learns that the page no longer draws this one.
    Streamlit has forgotten the file by then and takes it for a new upload. Such a file must neither
    bring back the second file of an earlier data file nor replace an equal data file.
    """
    sent, file = st.session_state[widget], st.session_state.get(slot)
    sent = sent if isinstance(sent, UploadedFile) else None  # the browser may have deleted it
    if widget != _widget(slot) or (sent and file and sent.file_id == file.upload):
        return
    _forget(slot)
    if sent:
        content = sent.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        st.session_state[slot] = File(sent.name, content, digest, sent.file_id)


def _forget(slot: str) -> None:
    """Forget a file, all results that go with it, and with a data file the second file."""
    second = [SECOND] if slot == FILE else []
    for kept in (slot, *second, *KEPT):  # the same file again is read again
        st.session_state.pop(kept, None)
    st.session_state[CHANGES] = st.session_state.get(CHANGES, 0) + 1
