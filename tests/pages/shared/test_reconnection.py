"""A browser that reconnects while the server sends messages gets those of its new run."""

import asyncio
from itertools import pairwise
from unittest.mock import MagicMock
from weakref import ref

import pytest
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager as manager_module
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import AsyncObjects, Runtime, RuntimeState
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.shared.engine import reconnection
from pages.shared.engine.reconnection import connect_session, follow_reconnections, handle_backmsg
from tests.pages.runs import in_loop

Manager = manager_module.WebsocketSessionManager


class Client:
    """A connection: keeps what it is sent, and refuses it when it is cut, as Streamlit's do."""

    def __init__(self):
        self.sent, self.is_open = [], True

    def write_forward_msg(self, message):
        if not self.is_open:
            raise SessionClientDisconnectedError
        self.sent.append(message.script_finished)


class Session:
    """A session with a queue of messages."""

    def __init__(self, session_id_override, **_):
        self.id, self.queue = session_id_override, []

    def flush_browser_queue(self):
        queue, self.queue = self.queue, []
        return queue

    def __getattr__(self, name):
        """Do everything else without effect; a session matches its user and can be resumed."""
        return lambda *_: True


def message(number):
    """A message that can be told from others."""
    return ForwardMsg(script_finished=number)


async def deliver(monkeypatch, reconnections):
    """What the last connection of session "b" got, cut and reconnected while "a" gets messages.

    The loop is Streamlit's own. Session "a" has a message for each reconnection of "b"; the loop
    pauses after each, and in that pause "b" reconnects, and its new run sends messages 2 and 3.
    """
    monkeypatch.setattr(manager_module, "AppSession", Session)
    manager = Manager(MemorySessionStorage(), MagicMock(), MagicMock(), None)
    clients = [Client() for _ in range(reconnections + 1)]
    manager.connect_session(Client(), MagicMock(), {}, session_id_override="a")
    manager.connect_session(clients[0], MagicMock(), {}, session_id_override="b")
    runtime = Runtime.__new__(Runtime)
    runtime._session_mgr, runtime._state = manager, RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED
    runtime._async_objs = AsyncObjects(
        asyncio.get_running_loop(), *(asyncio.Event() for _ in range(3)), asyncio.Future(),
        asyncio.Future(),
    )  # fmt: skip
    first, second = (manager.get_active_session_info(name).session for name in "ab")
    first.queue = [message(1)] * reconnections
    loop = asyncio.create_task(runtime._loop_coroutine())
    for old, new in pairwise(clients):
        await asyncio.sleep(0)
        old.is_open = False
        manager.disconnect_session("b")
        manager.connect_session(new, MagicMock(), {}, existing_session_id="b")
    second.queue = [message(2), message(3)]
    while second.queue:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert manager.is_active_session("b")
    runtime._async_objs.must_stop.set()
    await loop
    return clients[-1].sent


@pytest.fixture
def stock(monkeypatch):
    """Streamlit as it is installed; what a test patches is undone after it."""
    monkeypatch.setattr(Manager, "connect_session", connect_session)
    monkeypatch.setattr(Runtime, "handle_backmsg", handle_backmsg)


@pytest.mark.parametrize("reconnections", [0, 1, 2, 5])
def test_messages_reach_the_connection_that_is_open(stock, monkeypatch, reconnections):
    """Also when the browser reconnected several times while the loop was in one round."""
    follow_reconnections()
    assert in_loop(deliver(monkeypatch, reconnections)) == [2, 3]


def test_streamlit_still_needs_the_mend(stock, monkeypatch):
    """Without it the messages of the new run are lost; when this fails, remove the module."""
    assert in_loop(deliver(monkeypatch, 1)) == []


def test_a_connection_that_has_lost_its_session_is_closed_when_it_speaks(stock, monkeypatch):
    """As the first of two tabs with the same session; it then connects again."""
    monkeypatch.setattr(manager_module, "AppSession", Session)
    follow_reconnections()
    runtime, first, second = Runtime.__new__(Runtime), Client(), Client()
    runtime._session_mgr = Manager(MemorySessionStorage(), MagicMock(), MagicMock(), None)
    runtime._state = RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED
    name = runtime._session_mgr.connect_session(first, MagicMock(), {}, session_id_override="a")
    runtime.handle_backmsg(name, BackMsg(), client=first)
    runtime._session_mgr.connect_session(second, MagicMock(), {}, existing_session_id=name)
    runtime.handle_backmsg(name, BackMsg(), client=second)
    with pytest.raises(WebSocketDisconnect):
        runtime.handle_backmsg(name, BackMsg(), client=first)


async def leave(monkeypatch):
    """Whether a session is in memory after its time, and whether it still is a while later."""
    monkeypatch.setattr(manager_module, "AppSession", Session)
    monkeypatch.setattr(reconnection, "MINUTE", 0.0)
    storage, runtime = MemorySessionStorage(ttl_seconds=0), Runtime.__new__(Runtime)
    runtime._session_mgr = Manager(storage, MagicMock(), MagicMock(), None)
    monkeypatch.setattr(Runtime, "instance", lambda: runtime)
    runtime._session_mgr.connect_session(Client(), MagicMock(), {}, session_id_override="a")
    session = ref(runtime._session_mgr.get_active_session_info("a").session)
    runtime._session_mgr.disconnect_session("a")
    assert storage.list() == []
    was_there = session() is not None
    cleaning = asyncio.create_task(reconnection.free_left_sessions())
    for _ in range(9):
        await asyncio.sleep(0)
    cleaning.cancel()
    return was_there, session() is not None


def test_a_session_that_cannot_come_back_is_freed_which_streamlit_does_not(stock, monkeypatch):
    assert in_loop(leave(monkeypatch)) == (True, False)
