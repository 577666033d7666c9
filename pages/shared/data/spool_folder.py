"""The folder of spooled uploads, which are private: it does not outlive the server.

A server that is killed cannot delete its folder; the next one that starts does. Each server holds
a lock on its own folder while it lives, so that servers side by side spare each other.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

try:
    import fcntl
except ImportError:  # Windows, where a server deletes only its own folder
    fcntl = None  # type: ignore[assignment]

PREFIX = "smm-lab-spool-"
LOCK = "lock"


def folder() -> Path:
    """Return this process's folder, which is made when it is first needed."""
    path, _ = _make_folder()
    return path


def delete_folder() -> None:
    """Delete this process's folder with all that is in it."""
    if _make_folder.cache_info().currsize:
        path, lock = _make_folder()
        _make_folder.cache_clear()
        lock.close()
        shutil.rmtree(path, ignore_errors=True)


def delete_left_folders() -> None:
    """Delete the folders of this user's servers that have died."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is another user's, or just deleted
            if fcntl is None or path.lstat().st_uid != os.getuid():
                continue
            with (path / LOCK).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while its owner lives
                shutil.rmtree(path, ignore_errors=True)


@cache
def _make_folder() -> tuple[Path, TextIO]:
    """Make a folder; it has its name as soon as it is locked, and never before."""
    made = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}{os.getpid()}-"))
    try:
        lock = (made / LOCK).open("w")
    except OSError:  # the disk is full
        made.rmdir()
        raise
    if fcntl is not None:
        fcntl.flock(lock, fcntl.LOCK_EX)
    path = made.rename(made.with_name(made.name.removeprefix("new-")))
    atexit.register(delete_folder)  # for programs; a server that gets SIGTERM calls it itself
    return path, lock
