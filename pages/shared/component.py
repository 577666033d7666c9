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

from pages.shared.engine.session import MOVE
from pages.shared.engine.stream import base

ASSETS = Path(__file__).parents[2] / "assets"
# What the scripts of pictures that one touches begin with, and those whose frames are a run's.
TOY = "moved", "player/numbers", "player/canvas", "player/pictures", "toy"
RUN = "player/protocol", "player/store"

_scripts: dict[str, str] = {}  # by the name of the file that the browser asks for


def component(name: str, scripts: Sequence[str], styles: Sequence[str] = (), **rest: Any) -> Any:
    """Register a component and return the function that mounts it.

    Its script is in as many files as it has ideas, below `assets` and without the ending; the last
    one has what Streamlit calls. What it says when its page has been left has no effect. One that
    says what was moved (see `assets/moved.js`) is told the number of what was heard last.
    """
    script = _read(scripts, "js")
    file = f"{name}-{sha256(script.encode()).hexdigest()[:12]}.js"
    _scripts[file] = script
    address = json.dumps(f"{base()}/scripts/{file}")
    mount: Callable[..., Any] = st.components.v2.component(
        name,
        css=_read(styles, "css") or None,
        js=f"const script = await import(new URL({address}, location.origin));\n"
        "export default window.whileHere(script.default);",
        **rest,
    )

    def draw(key: str, **settings: Any) -> Any:
        if "moved" in scripts:
            settings["data"] = settings["data"] | {"number": st.session_state.get(MOVE, 0)}
        heard = {
            name: partial(_call_unless_left, key, setting) if name.startswith("on_") else setting
            for name, setting in settings.items()
        }
        return mount(key=key, **heard)

    return draw


def _call_unless_left(key: str, callback: Callable[[], object]) -> None:
    # A picture that still moves when the reader goes on says where it ends during the next page.
    if key not in st.session_state:
        return
    moved = st.session_state[key].get("moved")
    if isinstance(moved, dict) and isinstance(number := moved.get("number"), int):
        st.session_state[MOVE] = number
    callback()


def _read(names: Sequence[str], ending: str) -> str:
    return "\n".join((ASSETS / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)


def route() -> Route:
    """Return the server's route to the scripts. The name of a file changes with what it says."""
    return Route(f"{base()}/scripts/{{name}}", _serve)


async def _serve(request: Request) -> Response:
    script = _scripts.get(request.path_params["name"])
    if script is None:
        return PlainTextResponse("There is no such script.", 404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(script, media_type="text/javascript", headers=headers)
