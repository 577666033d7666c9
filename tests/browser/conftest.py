"""One server and one browser for all browser tests, started as a reader starts them."""

import os
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.server import serve

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 900}
PATIENCE = 60_000  # ms: tests wait for what happens, and none is about how long it takes

# Tabs that share a process share the scripts that it has compiled.
FLAGS = "--no-sandbox", "--process-per-site"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep these tests in two processes, which share a server each; its first visit is first."""
    for item in items:
        if item.path.is_relative_to(HERE):
            half = 1 + (item.path.name >= "test_l")
            item.add_marker(pytest.mark.xdist_group(f"browser {half}"))
    items.sort(key=lambda item: not item.name.startswith("test_first_visit"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address and process of `streamlit run app.py`."""
    # A busy machine would starve workers at a lower priority, and the tests wait for them.
    log, site = tmp_path_factory.mktemp("server") / "log", HERE / "same_priority"
    with serve(log, PYTHONPATH=str(site)) as running:
        yield running


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; in CI its absence is a failure, elsewhere a reason to skip."""
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            chromium = launch(playwright)
        except Error as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"no browser: {error}")
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tab(browser):
    """A tab that tests share: a new one would compile Streamlit's and Plotly's scripts again."""
    return open_tab(browser)


@pytest.fixture(scope="session")
def touched_tab(browser):
    """The tab of a phone, which tests share."""
    return open_tab(browser, {"width": 390, "height": 844}, has_touch=True)


@pytest.fixture
def page(tab):
    """A visitor with an empty tab, about whose pages the browser has nothing to complain."""
    tab.set_viewport_size(SIZE)
    yield from lent(tab)


@pytest.fixture
def phone(touched_tab):
    """A visitor with a phone, whose fingers one moves; its browser has nothing to complain."""
    yield from lent(touched_tab)


@pytest.fixture
def new_page(tab):
    """A visitor in a tab of the test's own, with the compiled scripts of the shared one."""
    page = watch(tab.context.new_page())
    page.emulate_media(reduced_motion="reduce")
    yield page
    print(*page.complaints, sep="\n")
    for each in tab.context.pages[1:]:  # further ones of the test, too
        leave(each)
        each.close()


def lent(tab):
    """Lend a shared tab to a test, and empty it.

    Its visitor wants no motion, which is half of the work of a browser without a graphics card; a
    test of what moves wants some.
    """
    tab.complaints.clear()
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield tab
    complaints = [*tab.complaints]
    leave(tab)
    tab.mouse.up()
    tab.mouse.move(0, 0)
    assert complaints == []


def leave(tab):
    """Empty a tab, and forget what its visitor has stored."""
    tab.unroute_all()
    if tab.url.startswith("http"):  # from another page: this one's clock writes as it leaves
        tab.goto(urljoin(tab.url, "/_stcore/health"))
        tab.evaluate("() => [localStorage, sessionStorage].forEach((each) => each.clear())")
    tab.context.clear_cookies()
    tab.goto("about:blank")


def launch(playwright):
    """Start Debian's Chromium: its headless shell, which is faster, or else the whole browser."""
    program = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
    return playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE)


def open_tab(browser, viewport=SIZE, **context):
    """Open a tab with an empty cache; what its pages complain about is in `complaints`."""
    return watch(browser.new_context(viewport=viewport, **context).new_page())


def watch(page):
    """Write down what the pages of a tab complain about."""
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda message: _note(page.complaints, message))
    page.set_default_timeout(PATIENCE)
    return page


# What Chromium says of Plotly's solids where it has no graphics card.
SOLIDS = "GL Driver Message", "willReadFrequently"


def _note(complaints: list[str], message) -> None:
    # On a deep link Streamlit tries its own addresses below the page's path first.
    its_own = "_stcore/" in message.location["url"] and "404" in message.text
    its_own = its_own or any(text in message.text for text in SOLIDS)
    if message.type in ("error", "warning") and not its_own:
        complaints.append(f"{message.type}: {message.text} {message.location['url']}".strip())
