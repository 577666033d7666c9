"""A mend of Streamlit 1.67: messages to a browser that has just reconnected.

Streamlit's loop takes a list of the connected sessions and sends each of them its messages, with
pauses between. A browser that reconnects in such a pause got a new entry in the manager, while the
loop went on with the old one: it took the messages of the new run and sent them to the connection
that was gone, and the page waited for ever. Here a session keeps its entry when it reconnects.
"""

from weakref import WeakValueDictionary

from streamlit.runtime.session_manager import ActiveSessionInfo, SessionClient
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

connect_session = WebsocketSessionManager.connect_session


def keep_entries_on_reconnection() -> None:
    """Let each session keep its entry in the manager as long as the loop has hold of it."""
    entries: WeakValueDictionary[str, ActiveSessionInfo] = WeakValueDictionary()

    def connect(
        manager: WebsocketSessionManager, client: SessionClient, *args: object, **kwargs: object
    ) -> str:
        """Connect as Streamlit does, and point an entry that the loop still holds to `client`."""
        session_id = connect_session(manager, client, *args, **kwargs)  # type: ignore[arg-type]
        new = manager._active_session_info_by_id[session_id]
        entry = entries.setdefault(session_id, new)
        entry.client, entry.session = new.client, new.session
        entry.script_run_count = new.script_run_count
        manager._active_session_info_by_id[session_id] = entry
        return session_id

    WebsocketSessionManager.connect_session = connect  # type: ignore[assignment, method-assign]
