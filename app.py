"""The server. Start it with: streamlit run app.py

The pages start at pages/contents.py. This file holds what lives as long as the server: the workers,
the routes of their frames and moves, the route of votes, the styles of all pages, and the message
that replaces a page that fails.
"""

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware

from pages.compression import CompressStatic
from pages.course import lecturer_page
from pages.export import route as export
from pages.old_addresses import routes as old_addresses
from pages.page_head import AddHead
from pages.shared import component
from pages.shared.data.spool_folder import delete_folder, delete_left_folders
from pages.shared.engine import session, stream
from pages.shared.engine.connections import HideMetrics, guard_connections
from pages.shared.engine.memory import share_pools
from pages.shared.engine.reconnection import follow_reconnections, free_left_sessions
from pages.shared.votes import routes as votes
from pages.your_data.files.sandbox import start_reader
from pages.your_data.reading.arrivals import LimitUploads

# An upload stays in memory, where Streamlit keeps it; Starlette would write it to the disk first.
MultiPartParser.spool_max_size = sys.maxsize


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Start the workers before the first visitor comes; stop them with the server."""
    guard_connections(asyncio.get_running_loop())
    delete_left_folders()
    session.start_workers("pages.shared.algorithm1")
    start_reader(st.get_option("server.address"))
    follow_reconnections()
    cleaning = asyncio.create_task(free_left_sessions())
    share_pools()
    gc.collect()
    gc.freeze()  # what is loaded so far stays: no collection needs to visit it
    try:
        yield
    finally:
        cleaning.cancel()
        session.stop_workers()
        delete_folder()


def show_failure(error: Exception) -> bool:
    """Show a message in place of a page that failed, and log the traceback."""
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    st.error(
        "Something went wrong on the server, and it has been written to its log. Reload the page; "
        "if it happens again, open its address without the part after the question mark."
    )
    return True


app = st.App(
    "pages/contents.py",
    lifespan=lifespan,
    routes=[
        *stream.routes(),
        *votes.routes(),
        *lecturer_page.routes(),
        *export.routes(),
        *old_addresses(),
        component.route(),
    ],
    middleware=[
        Middleware(HideMetrics),
        Middleware(LimitUploads),
        Middleware(CompressStatic),
        Middleware(AddHead),
    ],
    on_script_error=show_failure,
)
