"""What a browser sent, and its session keeps: a file, and one of labels beside it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from pages.shared.uploads.choice import plain
from smmcore.matfile import MatFileError

LARGEST_FILE = 50  # MB
ENDINGS = ["mat", "h5", "hdf5", "npz", "npy", "csv", "txt"]
# In the session: what was made of a file, and goes with it.
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
    """What a browser sent, known by its content: the same file again finds its pickers as set."""

    name: str
    content: bytes
    digest: str


def uploader(label: str, widget: str, slot: str) -> None:
    """Draw an uploader; what it held stays in the session when it is drawn anew on a page."""
    sent = st.file_uploader(
        label,
        type=ENDINGS,
        max_upload_size=LARGEST_FILE,
        key=widget,
        on_change=_keep,
        args=(widget, slot),
        help="It is read in a process of its own and forgotten with this browser's session.",
    )
    file = st.session_state.get(slot)
    if file is not None and sent is None:  # the uploader is new, after a visit to another page
        st.caption(f"Still in use: {plain(file.name)}.")


def held(slot: str) -> File | None:
    """What was uploaded; its size again, as the uploader's limit is a courtesy of the browser."""
    file = st.session_state.get(slot)
    if file is not None and len(file.content) > LARGEST_FILE * 10**6:
        raise MatFileError(
            f"The file must have at most {LARGEST_FILE} MB, got {len(file.content) / 1e6:,.1f} MB."
        )
    return file


def _keep(widget: str, slot: str) -> None:
    """Keep what was uploaded, or forget it at the uploader's cross; a page switch does neither."""
    sent = st.session_state[widget]
    if slot == "file":
        st.session_state.pop("labels file", None)
    for kept in KEPT:  # a second try at the same file reads it again
        st.session_state.pop(kept, None)
    if sent is None:
        st.session_state.pop(slot, None)
    else:
        content = sent.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        st.session_state[slot] = File(sent.name, content, digest)
