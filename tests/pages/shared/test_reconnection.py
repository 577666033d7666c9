"""A browser that reconnects while the server sends messages gets those of its new run."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager as manager_module
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import AsyncObjects, Runtime, RuntimeState
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.shared.engine.reconnection import connect_session, follow_reconnections

Manager = manager_module.WebsocketSessionManager


class Client:
    """A connection: keeps what it is sent until it is cut."""

    def __init__(self):
        """Open the connection."""
        self.sent, self.is_open = [], True

    def write_forward_msg(self, message):
        """Keep the message, or refuse it as Streamlit's connections do."""
        if not self.is_open:
            raise SessionClientDisconnectedError
        self.sent.append(message.script_finished)


class Session:
    """A session with a queue of messages."""

    def __init__(self, session_id_override, **_):
        """Take the name that the manager gives."""
        self.id, self.queue = session_id_override, []

    def flush_browser_queue(self):
        """Hand over the messages in the queue."""
        queue, self.queue = self.queue, []
        return queue

    def __getattr__(self, name):
        """Do everything else without effect; a session matches its user and can be resumed."""
        return lambda *_: True


def message(number):
    """A message that can be told from others."""
    return ForwardMsg(script_finished=number)


def run(coroutine):
    """What a coroutine returns, in a thread: the test's own may have the loop of a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


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


@pytest.mark.parametrize("reconnections", [0, 1, 2, 5])
def test_messages_reach_the_connection_that_is_open(stock, monkeypatch, reconnections):
    """Also when the browser reconnected several times while the loop was in one round."""
    follow_reconnections()
    assert run(deliver(monkeypatch, reconnections)) == [2, 3]


def test_streamlit_still_needs_the_mend(stock, monkeypatch):
    """Without it the messages of the new run are lost; when this fails, remove the module."""
    assert run(deliver(monkeypatch, 1)) == []


def test_streamlit_still_has_what_the_mend_relies_on():
    """The loop walks over entries, and sends each message to the client of its entry."""
    walk = "for active_session_info in self._session_mgr.list_active_sessions():"
    assert walk in inspect.getsource(Runtime._loop_coroutine)
    assert "session_info.client.write_forward_msg(" in inspect.getsource(Runtime._send_message)
