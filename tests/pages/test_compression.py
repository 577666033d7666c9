"""Streamlit's scripts and styles travel compressed."""

import gzip
from unittest.mock import AsyncMock

import pytest
from starlette.responses import PlainTextResponse

from pages import compression
from pages.compression import FILES, CompressStatic
from tests.pages.runs import in_loop

SCRIPT = next(name for name in FILES if name.startswith("static/js/index."))


def ask(path, encoding="gzip, br", method="GET"):
    """Return status, headers and body of an answer; "passed on" is the server's own."""
    send = AsyncMock()
    headers = [(b"accept-encoding", encoding.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    in_loop(CompressStatic(PlainTextResponse("passed on"))(scope, None, send))
    start, body = (call.args[0] for call in send.call_args_list)
    return start["status"], dict(start["headers"]), body["body"]


@pytest.mark.parametrize("base", ["", "/smm", "/static"])
def test_a_script_is_compressed_once(base, monkeypatch):
    compression.compress.cache_clear()
    for _ in range(2):
        status, headers, body = ask(f"{base}/{SCRIPT}")
        assert status == 200
        assert gzip.decompress(body) == FILES[SCRIPT].read_bytes()
        assert headers[b"content-encoding"] == b"gzip"
        assert b"immutable" in headers[b"cache-control"]
        assert headers[b"content-type"].startswith(b"text/javascript")
    assert compression.compress.cache_info().misses == 1


@pytest.mark.parametrize(
    ("path", "how"),
    [
        (f"/{SCRIPT}", {"encoding": "identity"}),
        (f"/{SCRIPT}", {"method": "HEAD"}),
        ("/static/js/../../index.html", {}),
        ("/static/media/none.js", {}),
        ("/live", {}),
    ],
)
def test_other_requests_are_passed_on(path, how):
    assert ask(path, **how)[2] == b"passed on"
