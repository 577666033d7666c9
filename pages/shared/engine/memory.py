"""The server's memory: what sessions needed whose browser has gone is given back to the machine.

Streamlit keeps a lost session, with its files and results, for a while, so that a browser can
come back to it. But it looks for those that are due only when the next session is lost, and the
objects of a session refer to each other, so that only a collection frees them. The GNU C library
hands out memory from a pool for each of a server's many threads, and a pool cannot shrink below
the last piece that is in use: with two pools they do. Large pieces leave holes in a pool unless
they are mapped by themselves; the library stops mapping them once one has been freed, except where
the size to map from is fixed.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from contextlib import suppress
from typing import Any

from streamlit import runtime

PERIOD = 15.0  # seconds
# The numbers by which mallopt knows the limit of pools, and the size to map from.
M_ARENA_MAX, POOLS = -8, 2
M_MMAP_THRESHOLD, MAPPED_BYTES = -3, 2**20


async def keep_memory_small() -> None:
    """Free the memory of lost sessions from time to time, endlessly."""
    _call_c_library("mallopt", M_ARENA_MAX, POOLS)
    _call_c_library("mallopt", M_MMAP_THRESHOLD, MAPPED_BYTES)
    known: set[str] = set()
    while True:
        await asyncio.sleep(PERIOD)
        if runtime.exists():
            kept = _drop_lost_sessions()
            if known - kept:
                gc.collect()
                _call_c_library("malloc_trim", 0)
            known = kept


def _drop_lost_sessions() -> set[str]:
    """Drop the sessions that are due, and return the ids of the others."""
    manager: Any = runtime.get_instance()._session_mgr
    # Its length is what makes the store drop them.
    with suppress(AttributeError, TypeError):  # another version of Streamlit has another store
        len(manager._session_storage._cache)
    return {each.session.id for each in manager.list_sessions()}


def _call_c_library(function: str, *numbers: int) -> None:
    with suppress(AttributeError, OSError):  # it is not that of GNU
        getattr(ctypes.CDLL(None), function)(*numbers)
