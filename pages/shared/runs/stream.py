"""The way of the frames: the player asks for what it lacks, the server answers when it is there."""

from __future__ import annotations

from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.shared.runs.run import Run

LONGEST_WAIT = 1.0  # seconds

# Weak values: a run lives as long as the session that began it, and its address no longer.
_runs: WeakValueDictionary[str, Run] = WeakValueDictionary()


def publish(run: Run) -> None:
    """Let the player find the run under its token."""
    _runs[run.token] = run


def url(run: Run) -> str:
    """Return where the player gets the frames of a run, under the server's base path."""
    return f"{_base()}/runs/{run.token}/frames"


def route() -> Route:
    """Return the server's route: GET <base>/runs/<token>/frames?first=<k>&wait=<seconds>."""
    return Route(f"{_base()}/runs/{{token}}/frames", _frames)


async def _frames(request: Request) -> Response:
    run = _runs.get(request.path_params["token"])
    if run is None:
        return Response("This run is gone.", status_code=404)
    try:
        first = int(request.query_params.get("first", 0))
        wait = float(request.query_params.get("wait", 0))
        if not wait >= 0:  # a NaN as well
            raise ValueError
    except ValueError:
        return Response("first must be an integer and wait seconds, 0 or more.", status_code=400)
    run.poll()
    await run.news(first, min(wait, LONGEST_WAIT))
    # In this order: the end of a run is said after its frames are there (see Run.receive).
    status, message = run.status, run.message
    return Response(
        run.frames.packed(first, status, message),
        media_type="application/octet-stream",
        # Without an encoding of its own Streamlit's server would gzip the answer, at 20 times cost.
        headers={"Content-Encoding": "identity", "Cache-Control": "no-store"},
    )


def _base() -> str:
    # Streamlit mounts its own routes under the base path and leaves those of others where they are.
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
