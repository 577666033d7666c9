"""A mend of Streamlit 1.67: messages to a browser that has just reconnected.

Streamlit's loop takes a list of the connected sessions and sends each of them its messages, with
pauses between. A browser that reconnects in such a pause got a new entry in the manager, while the
loop went on with the old one: it took the messages of the new run and sent them to the connection
that was gone, and the page waited for ever. Here the entries that the loop still holds follow the
session to its new connection.
"""

from weakref import WeakValueDictionary

from streamlit.runtime.session_manager import ActiveSessionInfo, SessionClient
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

connect_session = WebsocketSessionManager.connect_session


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
