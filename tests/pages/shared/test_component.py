"""Components: scripts that are fetched once, by a name that changes with what they say."""

import re
from functools import partial

import pytest
import streamlit as st

from pages.shared import component as module
from pages.shared.component import ASSETS, component, route
from pages.shared.engine.session import MOVE
from tests.pages.runs import in_loop, request


@pytest.fixture
def mount(monkeypatch):
    """A function that says how it mounts a component."""
    monkeypatch.setattr(st.components.v2, "component", lambda name, **parts: partial(dict, parts))
    monkeypatch.setattr(module, "_scripts", {})
    return component("two", ["player/numbers", "knobs/knobs"], ["knobs/knobs"])


@pytest.fixture
def sent(mount):
    """What a component sends with each message."""
    return mount(key="two")


def test_message_says_where_the_script_is_and_the_server_has_it(sent):
    address = re.search(r'new URL\("(/scripts/two-\w+\.js)"', sent["js"])[1]
    answer = get(address.rpartition("/")[2])
    files = [ASSETS / "player" / "numbers.js", ASSETS / "knobs" / "knobs.js"]
    assert answer.body.decode() == "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert len(sent["js"]) < 200 < len(sent["css"])


@pytest.mark.parametrize("name", ["two.js", "../app.py", "two-000000000000.js"])
def test_no_other_file_is_served(sent, name):
    assert get(name).status_code == 404


def test_what_it_says_when_its_page_has_been_left_is_not_heard(mount, monkeypatch):
    heard = []
    say = mount(key="two", on_moved_change=lambda: heard.append("moved"))["on_moved_change"]
    monkeypatch.setattr(st, "session_state", {"another": {}})
    say()
    assert heard == []
    for message in ({}, "no message", {"number": "2"}):
        monkeypatch.setattr(st, "session_state", {"two": {"moved": message}})
        say()
        assert MOVE not in st.session_state
    assert heard == ["moved"] * 3


def test_data_have_the_number_of_the_last_message_that_was_heard(mount, monkeypatch):
    draw = component("three", ["moved", "knobs/knobs"])
    assert draw(key="three", data={})["data"] == {"number": 0}
    hear = mount(key="two", on_moved_change=list)["on_moved_change"]
    monkeypatch.setattr(st, "session_state", {"two": {"moved": {"place": 1, "number": 7}}})
    hear()
    assert draw(key="three", data={"at": 1})["data"] == {"at": 1, "number": 7}


def get(name):
    """Return what the server's route answers."""
    return in_loop(route().endpoint(request(name=name)))
