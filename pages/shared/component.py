"""Components of the pages, whose scripts the browser fetches once.

Streamlit sends the script of a component with every message that draws it, which would be 140 kB
for the player after each move of a knob. What these components send imports it from the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit.runtime.scriptrunner import RerunException

from pages.shared.engine.stream import base

ASSETS = Path(__file__).parents[2] / "assets"
components: dict[str, tuple[str, Sequence[str]]] = {}  # script and styles of each, by its name
PICTURE = "picture of this run"  # in the session, once a component has drawn one

_scripts = {
    path.relative_to(ASSETS).as_posix(): path.read_bytes() for path in sorted(ASSETS.rglob("*.js"))
}
_version = sha256(b"".join(_scripts.values())).hexdigest()[:12]


def address(script: str) -> str:
    """Return the address of a script below `assets`; it changes with what the scripts say."""
    return f"{base()}/scripts/{_version}/{script}.js"


def component(name: str, script: str, styles: Sequence[str] = (), **rest: Any) -> Any:
    """Register a component and return the function that mounts it.

    Its script is a module below `assets`, which imports others; it exports what Streamlit calls.
    What it says when its page has been left has no effect. It is told the address that this run of
    the page has read, see `assets/lib/settings.js`.
    """
    components[name] = script, styles
    # Without an `await` at its top, which in WebKit breaks a module that two components import at
    # once (bug 242740). Of the calls before the scripts have come, the newest of an element counts:
    # Streamlit may make them in another order than the runs of the page.
    mount: Callable[..., Any] = st.components.v2.component(
        name,
        css=_read(("forms", *styles), "css") if styles else None,
        js=f"const names = {json.dumps([address(script), address('lib/settings')])};\n"
        "const load = (name) => import(new URL(name, location.origin));\n"
        "const scripts = Promise.all(names.map(load));\n"
        "const calls = new WeakMap();\n"
        "export default async (api) => {\n"
        "  const at = api.parentElement, before = calls.get(at);\n"
        "  calls.set(at, api);\n"
        "  const [{ default: draw }, { whileHere }] = await scripts;\n"
        "  if (calls.get(at) === api) return whileHere(draw)(api, before);\n"
        "};",
        **rest,
    )

    def draw(key: str, **settings: Any) -> Any:
        if {"toy", "player/player"} & {*styles}:
            st.session_state[PICTURE] = True
        params = st.query_params
        told = sorted((name, text) for name in params for text in params.get_all(name))
        settings["data"] = {**settings.get("data", {}), "address": told}
        heard = {
            name: partial(_call_unless_left, key, setting) if name.startswith("on_") else setting
            for name, setting in settings.items()
        }
        return mount(key=key, **heard)

    return draw


def _call_unless_left(key: str, callback: Callable[[], object]) -> None:
    """Call what the browser calls for, also if Streamlit breaks it off for a newer request.

    It does so at any look into the session, and drops what was said. It looks once for a request.
    """
    try:
        _call_if_here(key, callback)
    except RerunException:
        _call_if_here(key, callback)
        raise


def _call_if_here(key: str, callback: Callable[[], object]) -> None:
    # A picture that still moves when the reader goes on says where it ends during the next page.
    if key in st.session_state:
        callback()


def _read(names: Sequence[str], ending: str) -> str:
    return "\n".join((ASSETS / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)


def route() -> Route:
    """Return the server's route to the scripts, whose version changes with what they say."""
    return Route(f"{base()}/scripts/{{version}}/{{name:path}}", _serve)


async def _serve(request: Request) -> Response:
    script = _scripts.get(request.path_params["name"])
    if script is None or request.path_params["version"] != _version:
        return PlainTextResponse("There is no such script.", 404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(script, media_type="text/javascript", headers=headers)
