"""Connections that never end, and more of them than the server can hold."""

import asyncio
import errno
import logging
import math
import socket
from contextlib import suppress
from unittest.mock import AsyncMock

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn import Config
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from pages.shared import system
from pages.shared.engine import connections
from pages.shared.engine.connections import HideMetrics, guard_connections
from tests.pages.runs import in_loop

WHOLE, HALF = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\nHo"


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    """What a server changes is undone after each test."""
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", connections.connection_made)
    monkeypatch.setattr(connections, "_last_line", -connections.SILENCE)
    monkeypatch.setattr(system, "raise_descriptor_limit", lambda: math.inf)


async def visit(*visits):
    """Serve visits with uvicorn's own protocol; the answers wait until `done` is set."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    async def answer(_request):
        await done.wait()
        return PlainTextResponse("answered")

    async def attend(send, address):
        reader, writer = await asyncio.open_connection(*address)
        received = await send(done, reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        return received

    config = Config(Starlette(routes=[Route("/", answer)]), lifespan="off", timeout_keep_alive=600)
    state = ServerState()
    guard_connections(loop)
    line = socket.socket()  # as Streamlit makes it
    line.bind(("127.0.0.1", 0))
    server = await loop.create_server(lambda: AutoHTTPProtocol(config, state, {}), sock=line)
    async with server:
        return [await attend(each, server.sockets[0].getsockname()) for each in visits]


async def send_half(_done, reader, writer):
    writer.write(HALF)
    return await reader.read()


async def wait_long(done, reader, writer):
    """Wait for an answer for longer than the server waits for a request, then send half a one."""
    writer.write(WHOLE)
    await asyncio.sleep(3 * connections.PATIENCE)
    done.set()
    answer = await reader.readuntil(b"answered")
    writer.write(HALF)
    return answer, await reader.read()


def test_a_connection_without_a_whole_request_is_closed(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.1)
    half, (answer, rest) = in_loop(visit(send_half, wait_long))
    assert half == rest == b""
    assert answer.startswith(b"HTTP/1.1 200 OK")


def test_no_answer_waits_for_the_acknowledgement_of_the_one_before(monkeypatch):
    """Streamlit binds its socket without naming a protocol, and asyncio then leaves that out."""
    options, made = [], connections.connection_made

    def connect(protocol, transport):
        made(protocol, transport)
        line = transport.get_extra_info("socket")
        asyncio.get_running_loop().call_soon(
            lambda: options.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        )

    monkeypatch.setattr(connections, "connection_made", connect)
    monkeypatch.setattr(connections, "PATIENCE", 0.1)
    in_loop(visit(send_half))
    assert options == [1]


def test_connections_without_room_are_closed_and_the_log_has_one_line(monkeypatch, caplog):
    monkeypatch.setattr(system, "raise_descriptor_limit", lambda: 10_000)
    monkeypatch.setattr(connections, "ROOM", 0)
    assert in_loop(visit(send_half)) == [b""]
    loop = asyncio.new_event_loop()
    full = OSError(errno.EMFILE, "Too many open files")
    connections._handle_exception(loop, {"message": "accept", "exception": full})
    assert [each.message for each in caplog.records if each.levelno >= logging.WARNING] == [
        "no file descriptor is left for more visitors; raise the limit (ulimit -n)"
    ]
    left = ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")
    connections._handle_exception(loop, {"message": "a browser left", "exception": left})
    connections._handle_exception(loop, {"message": "another"})
    assert caplog.messages[-1] == "another"
    loop.close()


@pytest.mark.parametrize(("setting", "status"), [("", 404), ("open", 200)])
def test_metrics_are_hidden_unless_asked_for(monkeypatch, setting, status):
    monkeypatch.setenv(connections.METRICS, setting)
    send = AsyncMock()
    scope = {"type": "http", "path": "/_stcore/metrics"}
    in_loop(HideMetrics(PlainTextResponse("3 sessions"))(scope, None, send))
    assert send.call_args_list[0].args[0]["status"] == status
