"""The folder of spooled uploads, which are private: it does not outlive the server.

A server that is killed cannot delete its folder; the next one that starts does. Each server holds
a lock on its own folder while it lives, so that servers side by side spare each other.
"""

import atexit
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

from pages.shared import system

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
        _delete(path)


def delete_left_folders() -> None:
    """Delete the folders of this user's servers that have died."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # An error if its server lives, or has not locked it yet.
        with suppress(OSError), system.take_lock(path / LOCK):
            _delete(path)


def _delete(path: Path) -> None:
    """Delete a folder; with files that are open it stays, and has its lock for the next server."""
    shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        (path / LOCK).touch()


@cache
def _make_folder() -> tuple[Path, TextIO]:
    """Make a folder and lock it."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        try:
            lock = system.create_lock(path / LOCK)
        except OSError:  # the disk is full
            shutil.rmtree(path, ignore_errors=True)
            raise
        if path.exists():
            break
        lock.close()  # a server that started just now locked it first, and has deleted it
    atexit.register(delete_folder)  # for programs; a server that gets SIGTERM calls it itself
    return path, lock
