"""The server gives back the memory of sessions whose browser has gone."""

from __future__ import annotations

import asyncio
import gc
import weakref
from contextlib import suppress
from types import SimpleNamespace

from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.shared.engine import memory


class Session:
    """A session that refers to itself, as Streamlit's do."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.self = self


def test_a_lost_session_is_freed_without_another_one_that_is_lost(monkeypatch):
    storage = MemorySessionStorage(ttl_seconds=0.2)
    manager = WebsocketSessionManager(storage, None, None, None)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    monkeypatch.setattr(memory, "PERIOD", 0.05)
    session = Session("lost")
    storage.save(SessionInfo(client=None, session=session, script_run_count=1))
    lost = weakref.ref(session)
    del session

    async def wait() -> None:
        while lost():
            await asyncio.sleep(0.05)

    async def serve() -> None:
        care = asyncio.create_task(memory.keep_memory_small())
        try:
            await asyncio.wait_for(wait(), 20)
        finally:
            care.cancel()
            with suppress(asyncio.CancelledError):
                await care

    gc.disable()  # so that no other collection frees it
    try:
        asyncio.run(serve())
    finally:
        gc.enable()
