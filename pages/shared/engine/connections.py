"""Keep the server open to visitors when connections never end, or come in great numbers.

Nothing in uvicorn closes a connection that sends half a request, and where no file descriptor is
left, asyncio writes a traceback for each attempt to accept one, many thousand in a second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import time
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from pages.shared import system

log = logging.getLogger(__name__)

# A session takes five descriptors, four of them after it has connected, and a worker that died can
# only be replaced if some are left.
ROOM = 0.75  # of all descriptors, for connections
PATIENCE = 20.0  # seconds in which a connection must have sent a whole request
SILENCE = 60.0  # seconds between two lines in the log
METRICS = "SMM_LAB_METRICS"  # environment variable: "open" shows the metrics to everybody
BUSY = object()  # in place of the last answer of a connection that still waits for one

connection_made = AutoHTTPProtocol.connection_made
_last_line = -SILENCE


def guard_connections(loop: asyncio.AbstractEventLoop) -> None:
    """Close connections without a whole request in time, and those for which there is no room."""
    most = ROOM * system.raise_descriptor_limit()

    def connect(protocol: Any, transport: asyncio.Transport) -> None:
        connection_made(protocol, transport)
        line = transport.get_extra_info("socket")
        # asyncio leaves this out where, as by Streamlit, a socket is made without a protocol; each
        # answer but the first on a connection would wait 40 ms.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if line.fileno() < most:
            loop.call_later(PATIENCE, _close_if_waiting, loop, protocol, None)
        else:
            transport.abort()
            _log_full_server()

    AutoHTTPProtocol.connection_made = connect  # type: ignore[method-assign, assignment]
    loop.set_exception_handler(_handle_exception)


def _close_if_waiting(loop: asyncio.AbstractEventLoop, protocol: Any, before: object) -> None:
    """Close a connection that has sent no whole request since the last answer, `before`."""
    if protocol not in protocol.connections:  # it has ended, or become a websocket
        return
    answer = protocol.cycle
    if answer is not None and not answer.response_complete:
        answer = BUSY
    elif answer is before:
        protocol.transport.close()
        return
    loop.call_later(PATIENCE, _close_if_waiting, loop, protocol, answer)


def _handle_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if getattr(error, "errno", None) in (errno.EMFILE, errno.ENFILE):
        _log_full_server()
    elif not isinstance(error, ConnectionResetError):  # a browser that left, on Windows
        loop.default_exception_handler(context)


def _log_full_server() -> None:
    global _last_line
    if time.monotonic() - _last_line >= SILENCE:
        _last_line = time.monotonic()
        log.warning("no file descriptor is left for more visitors; raise the limit (ulimit -n)")


class HideMetrics:
    """Middleware that hides how many sessions the server has, and how long, from its visitors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._is_open = os.environ.get(METRICS) == "open"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404 for the metrics, and pass all other requests on."""
        hidden = scope["type"] == "http" and scope["path"].endswith("/_stcore/metrics")
        answer = PlainTextResponse("Not found.", 404) if hidden and not self._is_open else self._app
        await answer(scope, receive, send)
