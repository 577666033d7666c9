"""Addresses of pages that have become a part of another one."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pages.navigation import OLD_ADDRESSES
from pages.shared.engine.stream import base


def routes() -> list[Route]:
    """Return the server's routes, which lead to the new page with the settings of the link."""
    return [
        Route(f"{base()}/{address}", partial(_lead, place=place))
        for address, place in OLD_ADDRESSES.items()
    ]


async def _lead(request: Request, place: str) -> Response:
    page, _, part = place.partition("#")
    settings = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{base()}/{page}{settings}#{part}", 307)
