"""Give a page away as a file, which a process of its own writes: it opens the page as a visitor."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pages.export import HOME, TITLES
from pages.shared.engine.stream import base, is_from_elsewhere

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0  # seconds
KEPT = 20  # files, the newest ones

_files: dict[str, bytes] = {}
_turn = asyncio.Lock()  # one process at a time: it uses a core


def url(address: str) -> str:
    """Return where to ask for the file of a page, by its address; empty if it cannot be saved."""
    name = address or HOME
    return f"{base()}/saved/{name}" if name in TITLES else ""


def routes() -> list[Route]:
    """Return the server's route: POST <base>/saved/<page>?<settings> answers with the file."""
    return [Route(f"{base()}/saved/{{name}}", _save, methods=["POST"])]


async def _save(request: Request) -> Response:
    name, query = request.path_params["name"], request.url.query
    if is_from_elsewhere(request):
        return PlainTextResponse("A file must be asked for by a page of this server.", 403)
    if name not in TITLES:
        return PlainTextResponse("This page cannot be saved.", 404)
    asked = f"{name}?{query}"
    async with _turn:
        if asked not in _files:
            text = await _write(asked, f"{name}.html")
            if text is None:
                return PlainTextResponse("The page could not be saved at these settings.", 503)
            _files[asked] = text
            if len(_files) > KEPT:
                del _files[next(iter(_files))]
    return Response(_files[asked], media_type="text/html")


async def _write(asked: str, file: str) -> bytes | None:
    with tempfile.TemporaryDirectory() as folder:
        words = sys.executable, "-m", "pages.export", folder, asked
        with suppress(subprocess.SubprocessError):
            await asyncio.to_thread(subprocess.run, words, cwd=ROOT, timeout=PATIENCE, check=True)
            return Path(folder, file).read_bytes()
    return None
