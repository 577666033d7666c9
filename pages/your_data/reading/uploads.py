"""What a session keeps: its uploaded files, and values that are computed once from them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import WeakSet

import streamlit as st
from streamlit.typing import UploadedFile

from pages.shared.data.samples import MAX_ENTRIES, MAX_LENGTH, MAX_SIDE
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets import url
from pages.your_data.files import Contents, FileError
from pages.your_data.files.formats.variables import LARGEST_ARRAY
from pages.your_data.files.infer.vectors import MAX_CLASSES
from pages.your_data.files.sandbox import describe_protection, refuses_files
from pages.your_data.reading.arrivals import MAX_HELD_MB, MAX_TOTAL_MB

T = TypeVar("T")

MY_FILE = "My file"  # among the sources of samples
UPLOADER, FOLDER = "upload", "upload folder"  # the keys of the uploaders
REFUSED = "upload that was refused"  # slot of the session: why
# Slots of the session: the files by name, the uploads that the uploader shows, and the newest one.
FILES, SHOWN, NEWEST = "files", "uploads that are shown", "newest upload"
MAX_FILE_MB = 50
MAX_FILES = 1_000
MAX_ROWS = 5  # files with a button each
FORMATS = (
    "- **MATLAB** (.mat, v4 to v7.3), **HDF5**, **NumPy** (.npz, .npy), or a **table** (.csv, "
    ".txt) with a row for each sample, or for each sample, sensor and moment\n"
    "- **Images**: PNG, JPEG, PGM, BMP, GIF or TIFF in a .zip with a folder for each class; data "
    "files in such a .zip as well\n"
    "- **Several files** are read together: training and test set, one file per class or subject, "
    "labels in a file of their own\n\n"
    f"Limits: {MAX_FILE_MB} MB per file, {MAX_TOTAL_MB} MB in all, {LARGEST_ARRAY // 10**6} MB in "
    f"a variable; {MAX_CLASSES} classes; samples of {MAX_SIDE} × {MAX_LENGTH:,} (longer "
    f"ones can be cut or averaged first). Of more than {MAX_ENTRIES:,} numbers in all, and of more "
    "samples than the server's owner allows, a part is drawn. A file that stays red in the list "
    "is too large, and was not sent."
)


@dataclass(frozen=True, eq=False)
class SessionFile:
    """An uploaded file."""

    name: str
    content: bytes
    digest: str  # of the content: the controls of a file that is uploaded again keep their values
    upload: str  # Streamlit's number of the upload; a new one if the file is uploaded again

    @classmethod
    def of(cls, sent: UploadedFile) -> SessionFile:
        """Return the file of an upload."""
        content = sent.getvalue()
        file = cls(sent.name, content, hashlib.sha256(content).hexdigest(), sent.file_id)
        _held.add(file)
        return file

    def check_size(self) -> None:
        """Refuse a file that is too large, as a browser may ignore the limit."""
        if len(self.content) > MAX_FILE_MB * 10**6:
            size = f"{len(self.content) / 1e6:,.1f} MB"
            raise FileError(f"{self.name} must have at most {MAX_FILE_MB} MB, got {size}.")


_held: WeakSet[SessionFile] = WeakSet()  # of all sessions


@dataclass(frozen=True)
class Uploads:
    """The content of each file, by its name in the order of the names."""

    by_name: dict[str, bytes]
    key: str  # changes with the files

    @cached_property  # of this rerun: the session does not keep the variables that are read
    def contents(self) -> Contents:
        """The variables of the files."""
        return Contents(self.by_name)


def draw_uploader() -> None:
    """Draw the uploader and the files that it does not show: after a visit to another page.

    Once a file has come, the browser sets the source of the samples to it.
    """
    number, sentence = st.session_state.get(REFUSED, (0, ""))
    sent = _draw_file_uploader(
        "Drop your own file: .mat, .npy, .npz, .csv, HDF5, or images in a .zip",
        accept_multiple_files=True,
        key=f"{UPLOADER}{number or ''}",
        on_change=_store_uploads,
        help="They are read in a process of their own and forgotten with this browser's session.",
    )
    sent = [*sent, *(st.session_state.get(f"{FOLDER}{number or ''}") or [])]
    if sentence:
        st.error(sentence, icon="⚠️")
    shown = st.session_state[SHOWN] = {file.file_id for file in sent}
    for name, count in Counter(file.name for file in sent).items():
        if count > 1:
            st.warning(
                f"{count} files are called {escape_markdown(name)}: the last one is used. Rename "
                "the others.",
                icon="⚠️",
            )
    hidden = [file.name for file in _stored().values() if file.upload not in shown]
    groups = [[name] for name in hidden] if len(hidden) <= MAX_ROWS else [hidden]
    for names in groups:
        _draw_in_use(names, f"remove {names[0]}", partial(_remove_files, names))
    # The file is what the page shows, unless the reader then chooses something else.
    url.set_once({"source": None}, st.session_state.get(NEWEST, ""))


def draw_folder_uploader() -> None:
    """Draw the uploader of a whole folder, below a link."""
    number, _ = st.session_state.get(REFUSED, (0, ""))
    with st.popover("Or a folder", type="tertiary", width="content"):
        _draw_file_uploader(
            "A folder: its sub-folders are the classes or the subjects",
            accept_multiple_files="directory",
            key=f"{FOLDER}{number or ''}",
            on_change=_store_uploads,
        )


def _draw_file_uploader(label: str, **settings: Any) -> Any:
    """Draw an uploader, and a warning where the system does not confine the reader of files."""
    refuses = refuses_files()
    sent = st.file_uploader(label, max_upload_size=MAX_FILE_MB, disabled=refuses, **settings)
    if warning := describe_protection():
        st.caption(warning)
    return sent


def _draw_in_use(names: list[str], key: str, remove: Callable[[], None]) -> None:
    """Draw the first of files that no uploader shows, with a button that removes all of them."""
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"Still here: **{escape_markdown(names[0])}**{more}", width="content")
    row.button("Remove", key=key, on_click=remove)


def has_files() -> bool:
    """Return whether the session holds files of the reader."""
    return bool(_stored())


def stored_uploads() -> Uploads:
    """Return the files of the session, and check their sizes."""
    files = sorted(_stored().values(), key=lambda file: file.name)
    if len(files) > MAX_FILES:
        raise FileError(
            f"There may be {MAX_FILES:,} files, got {len(files):,}: put them in one .zip archive."
        )
    for file in files:
        file.check_size()
    names = "".join(f"{file.digest} {file.name}\n" for file in files)
    key = hashlib.sha256(names.encode()).hexdigest()
    return Uploads({file.name: file.content for file in files}, key)


def choose_file(label: str, slot: str) -> SessionFile | None:
    """Draw the uploader of a single file, and return the file in its slot of the session.

    The uploader is empty after a visit to another page; then the name of the file is drawn with a
    button that removes it.
    """
    key = f"upload {slot}"
    sent = _draw_file_uploader(
        label,
        key=key,
        on_change=_store_file,
        args=(key, slot),
        help="It is read in a process of its own and forgotten with this browser's session.",
    )
    file: SessionFile | None = st.session_state.get(slot)
    if file is not None and sent is None:
        _draw_in_use([file.name], f"remove {slot}", partial(st.session_state.pop, slot, None))
    if file is not None:
        file.check_size()
    return file


def _store_file(key: str, slot: str) -> None:
    """Store an uploaded file, or remove the file if the reader has cleared the uploader."""
    st.session_state.pop(slot, None)
    sent = st.session_state[key]
    if isinstance(sent, UploadedFile):  # not if the browser has deleted it
        st.session_state[slot] = SessionFile.of(sent)


def _stored() -> dict[str, SessionFile]:
    files: dict[str, SessionFile] = st.session_state.setdefault(FILES, {})
    return files


def _store_uploads() -> None:
    """Add new uploads, and remove those that the reader has taken out of the uploader.

    Of two files with the same name the later one stays. The uploader is empty after a visit to
    another page: the files of the session stay then, too.
    """
    state, files = st.session_state, _stored()
    number, _ = state.get(REFUSED, (0, ""))
    of_both = [*state[f"{UPLOADER}{number or ''}"], *state.get(f"{FOLDER}{number or ''}", [])]
    # The browser may have deleted one of them.
    sent = [each for each in of_both if isinstance(each, UploadedFile)]
    ids = {each.file_id for each in sent}
    gone = state.get(SHOWN, set()) - ids
    kept = {name: file for name, file in files.items() if file.upload not in gone}
    known = {file.upload for file in files.values()}
    new = [each for each in sent if each.file_id not in known]
    for each in new:
        kept.pop(each.name, None)
    old = sum(len(file.content) for file in kept.values())
    state[FILES] = kept
    if refusal := _refuse(old, sum(each.size for each in new)):
        state[REFUSED] = number + 1, refusal  # new uploaders, so that Streamlit forgets the files
        return
    state[REFUSED] = number, ""
    for each in new:
        if each.file_id not in state.get(SHOWN, set()):
            kept[each.name] = SessionFile.of(each)
            state[NEWEST] = each.file_id


def _refuse(old: int, new: int) -> str:
    """Return why files that arrive cannot be kept; empty if they can."""
    if old + new > MAX_TOTAL_MB * 10**6:
        return (
            f"Your files together may have {MAX_TOTAL_MB} MB, and with these they would have more: "
            "none of the new ones is kept."
        )
    if new + sum(len(file.content) for file in _held) > MAX_HELD_MB * 10**6:
        return (
            f"This server holds {MAX_HELD_MB:,} MB of files for all its visitors, and is full: "
            "please try again later."
        )
    return ""


def _remove_files(names: list[str]) -> None:
    """Remove files of the session."""
    for name in names:
        _stored().pop(name, None)


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
