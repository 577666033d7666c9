"""Components: scripts that are fetched once, by a name that changes with what they say."""

import json
import re
import subprocess
from functools import partial
from posixpath import dirname, join, normpath

import pytest
import streamlit as st
from playwright._impl._driver import compute_driver_executable
from streamlit.runtime.scriptrunner import RerunData, RerunException

from pages.shared import component as module
from pages.shared.component import ASSETS, component, route
from tests.pages.runs import in_loop, request


@pytest.fixture
def mount(monkeypatch):
    """A function that says how it mounts a component."""
    monkeypatch.setattr(st.components.v2, "component", lambda name, **parts: partial(dict, parts))
    return component("two", "knobs/knobs", ["knobs/knobs"])


@pytest.fixture
def sent(mount):
    """What a component sends with each message."""
    return mount(key="two")


def test_message_says_where_the_script_is_and_the_server_has_it_and_its_imports(sent):
    known, ahead = set(), {re.search(r"/scripts/\w+/(knobs/knobs\.js)", sent["js"])[1]}
    while ahead:
        name = ahead.pop()
        answer = get(name)
        assert answer.body == (ASSETS / name).read_bytes()
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]
        known.add(name)
        imports = re.findall(r'^import .*"(\..*)";$', answer.body.decode(), re.MULTILINE)
        ahead |= {normpath(join(dirname(name), path)) for path in imports} - known
    assert "lib/dom.js" in known
    assert len(sent["js"]) < 500 < len(sent["css"])


@pytest.mark.parametrize("look", [1, 2])
def test_a_newer_request_does_not_lose_what_the_browser_said(mount, monkeypatch, look):
    class Session(dict):
        looks = 0

        def __contains__(self, key):
            self.looks += 1
            if self.looks == look:
                raise RerunException(RerunData())  # as Streamlit does where a request has come
            return super().__contains__(key)

    monkeypatch.setattr(st, "session_state", Session(one=0))
    heard = []
    said = mount(key="one", on_said_change=lambda: "one" in st.session_state and heard.append(1))
    with pytest.raises(RerunException):
        said["on_said_change"]()
    assert heard == [1]


def test_a_table_tells_the_script_and_the_styles_of_each_component(mount):
    assert module.components["two"] == ("knobs/knobs", ["knobs/knobs"])
    for script, styles in module.components.values():
        assert (ASSETS / f"{script}.js").exists()
        assert all((ASSETS / f"{style}.css").exists() for style in styles)


@pytest.mark.parametrize("name", ["two.js", "../app.py", "head/page.css", "knobs/knobs"])
def test_no_other_file_is_served(name):
    assert get(name).status_code == 404


def test_a_page_from_before_an_update_finds_no_script_of_another_version():
    old = request(name="knobs/knobs.js", version="000000000000")
    assert in_loop(route().endpoint(old)).status_code == 404


def test_what_it_says_when_its_page_has_been_left_is_not_heard(mount, monkeypatch):
    heard = []
    say = mount(key="two", on_moved_change=lambda: heard.append("moved"))["on_moved_change"]
    monkeypatch.setattr(st, "session_state", {"another": {}})
    say()
    assert heard == []


def test_data_have_the_address_that_the_page_has_read(mount, monkeypatch):
    monkeypatch.setattr(st, "query_params", Params(C=["1"], digits=["8", "3"]))
    sent = mount(key="two", data={"at": 1})["data"]
    assert sent == {"at": 1, "address": [("C", "1"), ("digits", "3"), ("digits", "8")]}


class Params(dict):
    """Query parameters, each with its texts."""

    get_all = dict.__getitem__


# Playwright brings its own Node, which can tell without running a module.
THOSE_THAT_AWAIT = """
const { SourceTextModule } = require("vm"), texts = JSON.parse(require("fs").readFileSync(0));
const awaits = (name) => new SourceTextModule(texts[name]).hasTopLevelAwait();
console.log(JSON.stringify(Object.keys(texts).filter(awaits)));"""


def test_no_module_has_an_await_at_its_top(sent):
    """WebKit would break a module that two components import at once (its bug 242740)."""
    texts = {str(path): path.read_text(encoding="utf-8") for path in ASSETS.rglob("*.js")}
    texts |= {"sent": sent["js"], "bad": "if (true) { await import('./good.js'); }"}
    node, _ = compute_driver_executable()
    command = [node, "--no-warnings", "--experimental-vm-modules", "-e", THOSE_THAT_AWAIT]
    given = json.dumps(texts).encode()
    ran = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True)
    assert json.loads(ran.stdout) == ["bad"]


def get(name):
    """Return what the server's route answers."""
    return in_loop(route().endpoint(request(name=name, version=module._version)))
