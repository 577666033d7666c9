"""Saved pages need no server, and show what the app shows."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.navigation import next_frames

ROOT = Path(__file__).parents[2]
SAVED = ["by_hand", "structure", "imbalance"]
ALL = ["index", *SAVED, "corners", "trace_norm", "smm", "live", "grouping", "rank", "compare"]
ALL += ["robustness", "sparse", "low_rank_svm", "squared_loss"]
DRAWS = 12  # random settings of a page


def run(*words):
    """Run a command of this project, and return what it prints."""
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with three saved lessons."""
    folder = tmp_path_factory.mktemp("saved")
    run("-m", "pages.export", folder, *SAVED)
    return folder


@pytest.fixture
def offline(browser):
    """A tab that must not ask for anything but files."""
    tab = open_tab(browser)
    tab.route("**/*", lambda route: route.continue_() if _is_local(route) else route.abort())
    yield tab
    assert tab.complaints == []
    tab.context.close()


def _is_local(route):
    return route.request.url.partition(":")[0] in ("file", "data", "blob")


def drawn(tab, path, query=""):
    """Open a saved page and wait for its picture."""
    tab.goto(f"file://{path}{query}")
    tab.wait_for_function("() => window.saved?.drawn !== undefined")
    expect(tab.locator(".st-key-stage canvas").first).to_be_visible()
    next_frames(tab)


def test_picture_follows_the_hand_and_the_question_has_its_answer(folder, offline):
    drawn(offline, folder / "imbalance.html")
    player = offline.locator(".st-key-stage .player")
    knob = offline.locator(".st-key-controls input[type=range]").first
    first = offline.evaluate("() => window.saved.drawn['player of imbalance'].url")
    knob.focus()
    offline.keyboard.press("End")
    offline.wait_for_function(
        "(first) => window.saved.drawn['player of imbalance'].url !== first", arg=first
    )
    assert "?imbalance_" in offline.url
    offline.go_back()
    offline.wait_for_function(
        "(first) => window.saved.drawn['player of imbalance'].url === first", arg=first
    )
    offline.locator(".st-key-question button.chip").first.click()
    expect(offline.locator(".st-key-question .reply")).not_to_be_empty()
    expect(player).not_to_have_attribute("data-frame", "-1")


def test_what_the_file_does_not_hold_is_a_sentence(folder, offline):
    drawn(offline, folder / "structure.html", "?structure_painting=0" + "1" * 20)
    expect(offline.get_by_role("status").filter(has_text="needs the app")).to_be_visible()


def test_page_works_in_a_sandboxed_frame(folder, offline, tmp_path):
    source = (folder / "by_hand.html").as_uri()
    frame = tmp_path / "frame.html"
    frame.write_text(
        f'<iframe sandbox="allow-scripts" width="1200" height="700" src="{source}">',
        encoding="utf-8",
    )
    offline.goto(frame.as_uri())
    inside = offline.frame_locator("iframe")
    expect(inside.locator(".st-key-stage canvas").first).to_be_visible()
    inside.get_by_role("button", name="Light / dark").click()
    expect(inside.locator("html.dark")).to_be_attached()


def test_two_exports_are_equal(folder, tmp_path):
    run("-m", "pages.export", tmp_path, "by_hand")
    assert (tmp_path / "by_hand.html").read_bytes() == (folder / "by_hand.html").read_bytes()


EXPECTED = """
import json, sys
from pages.export.record import record
from pages.shared.engine import session
if __name__ == "__main__":
    for address, query in json.load(sys.stdin):
        print(json.dumps(record(address, query).parts))
    session.stop_workers()
"""


def expected(asked):
    """Return what the app draws at addresses."""
    done = subprocess.run(
        [sys.executable, "-c", EXPECTED],
        cwd=ROOT,
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.sweep] * (each != "imbalance")) for each in ALL]
)
def test_file_says_what_the_app_says(name, folder, offline):
    """At random settings of those that the file offers, it draws what the app draws there.

    Where the file has no results for all of them together, the last one holds, and it says so.
    """
    path = folder / f"{name}.html"
    if not path.exists():
        run("-m", "pages.export", folder, name)
    drawn(offline, path)
    places, start = offline.evaluate("() => [window.saved.page.places, window.saved.page.defaults]")
    draw = random.Random(1)
    asked, found = [], []
    for _ in range(DRAWS if places else 1):
        picked = draw.sample(sorted(places), min(len(places), draw.randint(1, 2)))
        query = {key: draw.choice(places[key]) for key in picked}
        query = {key: text for key, text in query.items() if text != start[key]}
        drawn(offline, path, f"?{urlencode(query)}")
        found.append(offline.evaluate("() => window.saved.drawn"))
        here = offline.evaluate("() => Object.fromEntries(new URLSearchParams(location.search))")
        if here != query:
            expect(offline.get_by_role("status").filter(has_text="went back")).to_be_visible()
        asked.append(("" if name == "index" else name, here))
    for query, shown, right in zip(asked, found, expected(asked), strict=True):
        if "/runs/grid/" not in json.dumps(shown):  # those of the grid have no name of their own
            assert runs_of(shown) == runs_of(right), query
        assert without_settings(shown) == without_settings(right), query


def runs_of(parts):
    return re.findall("/runs/[^/]*/", json.dumps(parts))


def without_settings(part):
    """Leave out what the browser reads from the address, and places that are not in the file."""
    if isinstance(part, list):
        return [without_settings(each) for each in part]
    if not isinstance(part, dict):
        return "a run" if isinstance(part, str) and part.startswith("/runs/") else part
    skipped = {"at", "default", "texts", "to", "values"} if "key" in part else set()
    return {key: without_settings(each) for key, each in part.items() if key not in skipped}
