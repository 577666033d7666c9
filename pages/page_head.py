"""Styles and scripts of all pages, which the server adds to the head of the HTML that it sends.

Elements of a page arrive one by one after the page is first drawn; styles among them would come too
late, and the page would jump.
"""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ASSETS = Path(__file__).parents[1] / "assets" / "head"
SCRIPTS = "settle", "reveal", "history", "section", "present"


def make_head() -> bytes:
    """Return the elements to add: a style sheet, and the scripts as one module."""
    scripts = [(ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    style = (ASSETS / "page.css").read_text(encoding="utf-8")
    script = "\n".join(scripts)
    return f'<style>{style}</style>\n<script type="module">{script}</script>\n'.encode()


class AddHead:
    """Middleware that adds styles and scripts to the head of each HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._head = make_head()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; change the answer if it is a page."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A page that is compressed further in could not be changed here.
        wants_page = any(
            name == b"accept" and b"text/html" in text for name, text in scope["headers"]
        )
        if wants_page:
            headers = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
            scope = {**scope, "headers": headers}
        start: Message | None = None
        body = b""

        async def change(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    start = message
                    return
            if start is None:
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            page = body.replace(b"</head>", self._head + b"</head>", 1)
            headers = MutableHeaders(scope=start)
            headers["content-length"] = str(len(page))
            for name in ("etag", "last-modified"):  # of the file without the addition
                del headers[name]
            await send(start)
            await send({"type": "http.response.body", "body": page})

        await self._app(scope, receive, change)
