"""Refuse uploads while they arrive, so that the bytes of no visitor, nor of all, grow without end.

A page says why it keeps no more files (`uploads.py`), but only once they are all here.
"""

from collections import Counter

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MAX_TOTAL_MB = 100  # of a session, in the files that its page uses
MAX_HELD_MB = 1_000  # of all sessions of this server
UPLOADS = "/_stcore/upload_file/"
SENTENCE = "There is no room for this file: remove others first, or try again later."


class LimitUploads:
    """Middleware that answers 413 to a file for which there is no room.

    A session may send twice what its page uses, so that a page can say how much is too much.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._arriving: Counter[str] = Counter()  # bytes of files that are not here yet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a file on, or refuse it by the length that it announces."""
        is_upload = scope["type"] == "http" and scope["method"] == "PUT"
        _, found, rest = scope.get("path", "").partition(UPLOADS)
        if not (is_upload and found):
            await self._app(scope, receive, send)
            return
        session = rest.partition("/")[0]
        length = dict(scope["headers"]).get(b"content-length", b"")
        held = held_bytes() + self._arriving
        size = int(length) if length.isdigit() else 2 * MAX_HELD_MB * 10**6
        is_room = held[session] + size <= 2 * MAX_TOTAL_MB * 10**6
        if not is_room or held.total() + size > MAX_HELD_MB * 10**6:
            await PlainTextResponse(SENTENCE, 413)(scope, receive, send)
            return
        self._arriving[session] += size
        try:
            await self._app(scope, receive, send)
        finally:
            self._arriving[session] -= size


def held_bytes() -> Counter[str]:
    """Return the bytes of the files that Streamlit holds, by session."""
    manager = Runtime.instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    return Counter(
        {
            session: sum(len(file.data) for file in [*files.values()])
            for session, files in [*manager.file_storage.items()]
        }
    )
