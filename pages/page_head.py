"""Styles and scripts of all pages, which the server adds to the head of the HTML that it sends.

Elements of a page arrive one by one after the page is first drawn; styles among them would come too
late, and the page would jump. An address without a page leads to Home, which names it.
"""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.navigation import PAGES
from pages.shared.component import ASSETS, address
from pages.shared.engine.stream import base
from pages.shared.theme import colour
from pages.shared.widgets.url import WRONG

PRELOADED = "head", "lib", "player"  # folders of scripts that most pages need


def make_scripts() -> bytes:
    """Return the elements of the scripts: the first ones run before Streamlit's."""
    scripts = [path for name in PRELOADED for path in sorted((ASSETS / name).glob("*.js"))]
    names = [path.relative_to(ASSETS).with_suffix("").as_posix() for path in scripts]
    links = "".join(f'<link rel="modulepreload" href="{address(name)}">\n' for name in names)
    early = ((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("scale", "browser"))
    inline = "".join(f"<script>{script}</script>\n" for script in early)
    first = f'<script type="module" src="{address("head/head")}"></script>\n'
    return f"{inline}{first}{links}".encode()


def make_style() -> bytes:
    """Return the element of the style sheet."""
    style = (ASSETS / "head" / "page.css").read_text(encoding="utf-8")
    for name, of in {"accent": "primaryColor", "ground": "backgroundColor"}.items():
        style += f".stApp {{ --{name}: light-dark({colour(of)}, {colour(of, 'dark')}); }}\n"
    return f"<style>{style}</style>\n".encode()


class AddHead:
    """Middleware that adds styles and scripts to the head of each HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._scripts, self._style = make_scripts(), make_style()

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
            page = body
            if b'id="root"' in body:  # a page of Streamlit, which sends it for any address
                asked = scope["path"].removeprefix(base()).strip("/")
                if asked and asked not in PAGES:
                    home = RedirectResponse(f"{base()}/?{urlencode({WRONG: asked})}", 307)
                    await home(scope, receive, send)
                    return
                page = body.replace(b"<script", self._scripts + b"<script", 1)
                page = page.replace(b"</head>", self._style + b"</head>", 1)
            headers = MutableHeaders(scope=start)
            headers["content-length"] = str(len(page))
            for name in ("etag", "last-modified"):  # of the file without the addition
                del headers[name]
            await send(start)
            await send({"type": "http.response.body", "body": page})

        await self._app(scope, receive, change)
