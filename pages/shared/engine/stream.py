"""Serve the frames of a run to the player by long polling."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.shared.engine.subscription import Subscription

MAX_WAIT = 1.0  # seconds

# Weak values: a subscription lives as long as the session that holds it.
_subscriptions: WeakValueDictionary[str, Subscription[Any]] = WeakValueDictionary()


def publish(subscription: Subscription[Any]) -> None:
    """Let the player find a subscription by its token."""
    _subscriptions[subscription.token] = subscription


def url(subscription: Subscription[Any]) -> str:
    """Return the path of a subscription's frames, below the server's base path."""
    return f"{_base()}/runs/{subscription.token}/frames"


def route() -> Route:
    """Return the server's route: GET <base>/runs/<token>/frames?first=<k>&wait=<seconds>."""
    return Route(f"{_base()}/runs/{{token}}/frames", _frames)


async def _frames(request: Request) -> Response:
    subscription = _subscriptions.get(request.path_params["token"])
    if subscription is None:
        return Response("This run is gone.", status_code=404)
    try:
        first = int(request.query_params.get("first", 0))
        wait = float(request.query_params.get("wait", 0))
        if not wait >= 0:  # a NaN as well
            raise ValueError
    except ValueError:
        return Response("first must be an integer and wait seconds, 0 or more.", status_code=400)
    subscription.poll()
    await subscription.wait_for_frame(first, min(wait, MAX_WAIT))
    return Response(
        subscription.to_bytes(first),
        media_type="application/octet-stream",
        # Without a Content-Encoding, Streamlit's server would gzip the answer: 20 times slower.
        headers={"Content-Encoding": "identity", "Cache-Control": "no-store"},
    )


def _base() -> str:
    # Streamlit mounts its own routes under the base path, but not those of others.
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
