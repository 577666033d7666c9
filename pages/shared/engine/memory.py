"""The server's memory: what sessions needed whose browser has gone is given back to the machine.

Streamlit keeps a lost session, with its files and results, for a while, so that a browser can
come back to it. But it looks for those that are due only when the next session is lost, and the
objects of a session refer to each other, so that only a collection frees them. The GNU C library
hands out memory from a pool for each of a server's many threads, and a pool cannot shrink below
the last piece that is in use: with two pools they do.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from contextlib import suppress
from typing import Any

from streamlit import runtime

PERIOD = 15.0  # seconds
M_ARENA_MAX = -8  # the number by which mallopt knows the limit of pools
POOLS = 2


async def keep_memory_small() -> None:
    """Free the memory of lost sessions from time to time, endlessly."""
    _call_c_library("mallopt", M_ARENA_MAX, POOLS)
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
