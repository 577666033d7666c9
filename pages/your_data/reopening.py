"""Save the trial of the page, and reopen a saved one: its settings, then its files by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.files import Layout
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets import url
from pages.shared.widgets.session_values import notify
from pages.your_data.controls import keep_test
from pages.your_data.saved_trial import SavedTrial, SourceFile, TrialFileError

# Slots of the session: files and layout of the samples, the reopened trial until its files have
# been uploaded, its layout until the files have been read in it, what is said about it, and the
# number of uploads, as each has an empty uploader.
IN_USE, PENDING, APPLIED, MESSAGE, UPLOADS = (
    "files and layout in use",
    "reopened trial",
    "layout of the reopened trial",
    "message about a reopened trial",
    "number of reopened trials",
)
CANNOT = "The file cannot be read as the saved trial says, so it is read as proposed."


def remember_reading(files: Sequence[SourceFile], layout: Layout) -> None:
    """Remember the files of the samples and their layout, to save them."""
    state = st.session_state
    state[IN_USE] = tuple(files), layout
    if state.pop(APPLIED, layout) != layout:
        state[MESSAGE] = f"{CANNOT} The page has no such layout."


def current_trial(has_files: bool) -> SavedTrial:
    """Return the trial of the page as it is now."""
    settings = url.lesson_settings()
    files, layout = st.session_state[IN_USE] if has_files else ((), None)
    return SavedTrial(settings, files, layout)


def draw_uploader() -> None:
    """Draw the uploader of a saved trial, and what is said about the last one."""
    key = f"saved trial {st.session_state.setdefault(UPLOADS, 0)}"
    with st.expander("Reopen a saved trial"):
        st.file_uploader(
            "Saved trial (.json)",
            type=["json"],
            max_upload_size=1,
            key=key,
            on_change=_open,
            args=(key,),
            help="Its settings take the place of those of the page. Of your own file it knows the "
            "name, a check sum and the reading, but not the samples: upload it as well.",
        )
    if problem := st.session_state.get(MESSAGE):
        st.error(escape_markdown(problem), icon="⚠️")
        st.button("Close", on_click=lambda: st.session_state.pop(MESSAGE, None))


def _open(key: str) -> None:
    """Set the controls to those of the saved trial; a callback."""
    sent, state = st.session_state[key], st.session_state
    if sent is None:
        return
    state[UPLOADS] += 1
    try:
        saved = SavedTrial.from_json(sent.getvalue())
    except TrialFileError as error:
        state[MESSAGE] = str(error)
        return
    state.pop(MESSAGE, None)
    state[PENDING] = saved
    url.open_settings(saved.settings)
    keep_test()
    notify("The settings are those of the saved trial.")


def ask_for_files() -> None:
    """Say which files the reopened trial needs, until they are here."""
    saved: SavedTrial | None = st.session_state.get(PENDING)
    if saved and saved.files:
        st.info(f"To see the saved trial, upload {_names(saved.files)}.")


def check_files(
    files: Sequence[SourceFile],
    errors: DeltaGenerator,
    read: Callable[[Layout], object],
    apply_layout: Callable[[Layout], None],
) -> bool:
    """Return whether to go on with these files; apply the layout if they are the saved ones."""
    saved: SavedTrial | None = st.session_state.get(PENDING)
    if saved is None or not saved.files:
        return True
    wanted = {file.sha256 for file in saved.files}
    others = [file for file in files if file.sha256 not in wanted]
    missing = [file for file in saved.files if file.sha256 not in {each.sha256 for each in files}]
    if others:
        errors.error(
            f"The saved trial is about {_names(saved.files)}, and {_names(others)} has other "
            "content: remove it, and upload the file of the trial.",
            icon="⚠️",
        )
        errors.button("Go on with this file", on_click=_forget)
        return False
    if missing:
        errors.info(f"Upload also {_names(missing)}.")
        errors.button("Go on without", on_click=_forget)
        return False
    _forget()
    if saved.layout is not None:
        try:
            read(saved.layout)
        except Exception as error:  # the saved trial may be forged, and its layout any nonsense
            st.session_state[MESSAGE] = f"{CANNOT} {str(error)[:300]}"
        else:
            st.session_state[APPLIED] = saved.layout
            apply_layout(saved.layout)
    return True


def _forget() -> None:
    """Forget the reopened trial, whose settings stay."""
    st.session_state.pop(PENDING, None)


def _names(files: Sequence[SourceFile]) -> str:
    return " and ".join(
        f"**{escape_markdown(file.name[:80])}** (SHA-256 {file.sha256[:8]} …)" for file in files[:5]
    ) + (f" and {len(files) - 5:,} more" if len(files) > 5 else "")
