"""Serve the frames of a run to the player by long polling, and take the moves of its settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, WeakValueDictionary, ref

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.shared.engine.moves import Seat
from pages.shared.engine.subscription import Subscription

GRIDS = Path(__file__).parents[3] / "assets" / "grids"
MAX_WAIT = 1.0  # seconds
MAX_BYTES = 1_000  # of what a page sends

# Weak references: a subscription and its seat live as long as the session that holds them.
_subscriptions: WeakValueDictionary[str, Subscription[Any]] = WeakValueDictionary()
_seats: WeakKeyDictionary[Subscription[Any], ReferenceType[Seat]] = WeakKeyDictionary()


def publish(subscription: Subscription[Any], seat: Seat | None = None) -> None:
    """Let the player find a subscription by its token, and move the settings in its seat."""
    _subscriptions[subscription.token] = subscription
    if seat is not None:
        _seats[subscription] = ref(seat)


def url(subscription: Subscription[Any]) -> str:
    """Return the path of a subscription's frames, below the server's base path."""
    return f"{base()}/runs/{subscription.token}/frames"


def find(path: str) -> Subscription[Any] | None:
    """Return the subscription whose frames a path names; None if there is none."""
    own = _subscriptions.get(path.removesuffix("/frames").rpartition("/")[2])
    return own if own is not None and url(own) == path else None


def routes() -> list[Route]:
    """Return the server's routes.

    GET <base>/runs/<token>/frames?first=<j>&after=<k>&wait=<seconds> answers with frames j to
    k - 1, or with all from j on if there is no `after`.
    POST <base>/runs/<token>/move?wait=<seconds>&rests=<0 or 1> changes settings of the run on the
    screen, which are a JSON object, and answers with the first frames of the new run. Its header
    "Run" has the path of that run's frames.
    """
    runs = f"{base()}/runs/{{token}}"
    return [
        Route(f"{runs}/frames", _frames),
        Route(f"{runs}/move", _move, methods=["POST"]),
        Route(f"{base()}/grids/{{name}}", _grid),
    ]


def grid_url(name: str) -> str:
    """Return the path of a file with runs that were computed in advance."""
    return f"{base()}/grids/{name}"


async def _grid(request: Request) -> Response:
    path = GRIDS / f"{request.path_params['name']}.bin"
    if path.parent != GRIDS or not path.is_file():
        return PlainTextResponse("There is no such file.", 404)
    return FileResponse(path, headers={"Content-Encoding": "identity", "Cache-Control": "no-cache"})


async def _frames(request: Request) -> Response:
    subscription = _subscriptions.get(request.path_params["token"])
    if subscription is None:
        return PlainTextResponse("This run is gone.", 404)
    try:
        first, wait = _count(request, "first", "0"), _wait(request)
        after = _count(request, "after") if "after" in request.query_params else None
    except ValueError as error:
        return PlainTextResponse(f"{error}.", 400)
    subscription.poll()
    await subscription.wait_for(lambda frames: len(frames.metrics) > first, wait)
    return _answer(subscription, first, after)


async def _move(request: Request) -> Response:
    subscription = _subscriptions.get(request.path_params["token"])
    if subscription is None:
        return PlainTextResponse("This run is gone.", 404)
    if is_from_elsewhere(request):
        return PlainTextResponse("A move must come from a page of this server.", 403)
    seat = _seats[subscription]() if subscription in _seats else None
    try:
        if seat is None or seat.moves is None:
            raise ValueError("No setting of this run can be moved")
        moves, wait = seat.moves, _wait(request)
        rests = request.query_params.get("rests") == "1"
        run = await seat.move(moves.parse(await read_body(request)), rests)
    except ValueError as error:
        return PlainTextResponse(f"{error}.", 400)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody reads it
    publish(run, seat)
    run.poll()
    await asyncio.gather(
        run.wait_for(lambda frames: len(frames.metrics) > 0, MAX_WAIT),
        run.wait_for(moves.shows_result, wait),
    )
    return _answer(run, 0, headers={"Run": url(run)})


def _count(request: Request, name: str, default: str = "") -> int:
    text = request.query_params.get(name, default)
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ValueError(f"{name} must be a whole number, 0 or more, got {text!r}")
    return int(text)


def _wait(request: Request) -> float:
    text = request.query_params.get("wait", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:  # a NaN as well
        raise ValueError(f"wait must be seconds, 0 or more, got {text!r}")
    return min(seconds, MAX_WAIT)


def is_from_elsewhere(request: Request) -> bool:
    """Return whether a browser says that a page of another site has sent the request."""
    return request.headers.get("sec-fetch-site", "same-origin") != "same-origin"


async def read_body(request: Request) -> bytes:
    """Return the JSON that a page of this server has sent; a `ValueError` says what is wrong."""
    kind = request.headers.get("content-type", "")
    # A page of another site cannot send this type unless the server allows it.
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise ValueError(f"the Content-Type must be application/json, got {kind!r}")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise ValueError(f"the body must have at most {MAX_BYTES:,} bytes")
    return body


def _answer(
    subscription: Subscription[Any],
    first: int,
    after: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    return Response(
        subscription.to_bytes(first, after),
        media_type="application/octet-stream",
        # Without a Content-Encoding, Streamlit's server would gzip the answer: 20 times slower.
        headers={"Content-Encoding": "identity", "Cache-Control": "no-store", **(headers or {})},
    )


def base() -> str:
    """Return the server's base path, under which Streamlit mounts only its own routes."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
