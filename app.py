"""The server. Start it with: streamlit run app.py

The pages begin at pages/contents.py. Here is what lives as long as the server does: the workers,
the route that streams their frames, and the sentence that a reader sees when a page fails.
"""

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from pages.shared import runs
from smmcore.matfile import warm_up


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Start the workers before the first visitor comes; end them with the server."""
    runs.open()
    warm_up()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: no collection needs to look at it again
    try:
        yield
    finally:
        runs.close()


def say_sorry(error: Exception) -> bool:
    """Show a sentence where a page failed; the traceback is for the server's log."""
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    st.error(
        "Something went wrong on the server, and it has been written to its log. Reload the page; "
        "if it happens again, press Quick in the side bar."
    )
    return True


app = st.App(
    "pages/contents.py", lifespan=lifespan, routes=[runs.route()], on_script_error=say_sorry
)
