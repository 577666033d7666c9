"""The poster of a poll on the wall: the address where students vote, as text and as a QR code."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.net_util import get_internal_ip

from pages.shared.votes import qr

COMMAND = "streamlit run app.py --server.address 0.0.0.0"  # opens the server to other computers


def make_poster(origin: str, path: str, rest: str) -> dict[str, Any]:
    """Return what a poster shows, for a lecturer who has opened the app at `origin`.

    What follows the path is in the QR code only. A lecturer may open the app by `localhost`, which
    leads phones to themselves: they need the address of this machine, and where the server does not
    listen there, the command that opens it.
    """
    site = urlsplit(origin)
    if site.scheme not in ("http", "https") or not site.hostname:
        raise ValueError("the origin must be the address of this server")
    host = site.netloc
    if _is_loopback(site.hostname):
        own = get_internal_ip() or "127.0.0.1"
        if _is_loopback(st.get_option("server.address") or "") or _is_loopback(own):
            return {"command": COMMAND}
        host = own + (f":{site.port}" if site.port else "")
    text = f"{site.scheme}://{host}{path}{rest}"
    code = {"qr": draw_code(text)} if len(text) <= qr.MAX_BYTES else {}
    return {"address": f"{host}{path}"} | code


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def draw_code(text: str) -> str:
    """Return a QR code as SVG, with its quiet zone."""
    modules = qr.encode(text)
    size = len(modules) + 8
    dark = zip(*modules.nonzero(), strict=True)
    path = "".join(f"M{column + 4} {row + 4}h1v1h-1z" for row, column in dark)
    return (
        f'<svg viewBox="0 0 {size} {size}" role="img" aria-label="QR code of the address">'
        f'<path d="M0 0h{size}v{size}h-{size}z" class="light" fill="none"/><path d="{path}"/></svg>'
    )
