"""One server and one browser for all browser tests, started as a reader starts them."""

from __future__ import annotations

import os

import pytest

from tests.server import serve


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address and process of `streamlit run app.py`."""
    with serve(tmp_path_factory.mktemp("server") / "log") as running:
        yield running


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; in CI its absence is a failure, elsewhere a reason to skip."""
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=30_000)  # a shared machine may be slow; no test here is about time
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox"]
            )
        except Error as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"no browser: {error}")
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh visitor; what the page complains about is in `page.complaints`."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda message: _note(page.complaints, message))
    page.set_default_timeout(30_000)
    yield page
    print(*page.complaints, sep="\n")
    context.close()


# What Chromium says of Plotly's solids where it has no graphics card.
SOLIDS = "GL Driver Message", "willReadFrequently"


def _note(complaints: list[str], message) -> None:
    # On a deep link Streamlit tries its own addresses below the page's path first.
    its_own = "_stcore/" in message.location["url"] and "404" in message.text
    its_own = its_own or any(text in message.text for text in SOLIDS)
    if message.type in ("error", "warning") and not its_own:
        complaints.append(f"{message.type}: {message.text} {message.location['url']}".strip())
