"""Three mends of Streamlit 1.67 for browsers that reconnect, or do not.

Streamlit's loop takes a list of the connected sessions and sends each of them its messages, with
pauses between. A browser that reconnects in such a pause got a new entry in the manager, while the
loop went on with the old one: it took the messages of the new run and sent them to the connection
that was gone, and the page waited for ever. Here the entries that the loop still holds follow the
session to its new connection.

A connection whose session another one has taken over is closed when it sends a message; Streamlit
discards the message without a word. The browser then connects again, and has the session back.

A session that has waited too long for its browser stays in memory, with its uploads, until another
one leaves: overnight, after the last student of a class. Here it is freed within a minute.
"""

import asyncio
from weakref import WeakValueDictionary

from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import ActiveSessionInfo, SessionClient
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.shared.engine.memory import give_back

MINUTE = 60.0
connect_session = WebsocketSessionManager.connect_session
handle_backmsg = Runtime.handle_backmsg


def follow_reconnections() -> None:
    """Point the entries of a session, as long as the loop holds them, to its newest connection."""
    entries: WeakValueDictionary[int, ActiveSessionInfo] = WeakValueDictionary()

    def connect(
        manager: WebsocketSessionManager, client: SessionClient, *args: object, **kwargs: object
    ) -> str:
        """Connect as Streamlit does, and tell the older entries of the session."""
        session_id = connect_session(manager, client, *args, **kwargs)  # type: ignore[arg-type]
        new = manager.get_active_session_info(session_id)
        if new is not None:
            for entry in [*entries.values()]:
                if entry.session is new.session:
                    entry.client = client
            entries[id(new)] = new
        return session_id

    WebsocketSessionManager.connect_session = connect  # type: ignore[assignment, method-assign]

    def handle(
        runtime: Runtime, session_id: str, msg: BackMsg, *, client: SessionClient | None = None
    ) -> None:
        """Handle a message as Streamlit does, unless the session has another connection."""
        info = runtime._session_mgr.get_active_session_info(session_id)
        if client is not None and info is not None and info.client is not client:
            raise WebSocketDisconnect
        handle_backmsg(runtime, session_id, msg, client=client)

    Runtime.handle_backmsg = handle  # type: ignore[assignment, method-assign]


async def free_left_sessions() -> None:
    """Once a minute, free the sessions whose browsers have not come back in time."""
    while True:
        await asyncio.sleep(MINUTE)
        if _end_expired_sessions():
            await asyncio.to_thread(give_back)


def _end_expired_sessions() -> bool:
    waiting = Runtime.instance()._session_mgr._session_storage._cache  # type: ignore[attr-defined]
    expired = waiting.expire()
    for _, info in expired:
        info.session.shutdown()  # not when the garbage collector finds it, in whatever thread
    return bool(expired)
