"""No control is dead: each one changes a picture or a table of its page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import element_tree

from pages.navigation import SECTIONS
from pages.shared.engine.subscription import Subscription
from pages.shared.widgets import sidebar
from tests.pages.visit import figures, finish, visit

# Their runs take seconds: python -m pytest -m sweep
SLOW = "compare", "robustness", "yours", "cyclic", "table_1", "table_2"
LESSONS = {page.address: page for section in SECTIONS.values() for page in section}
PAGES = [
    pytest.param(address, marks=[pytest.mark.sweep] if address in SLOW else [])
    for address, page in LESSONS.items()
    if page.has_controls
]
# Small data, where the lesson takes them from the sidebar, so that its runs are short.
SMALL = {"n": "40", "p": "6", "q": "8"}
NUMBERS, SWITCHES = "number_input", "toggle"
CHOICES = "select_slider", "selectbox", "button_group"


@pytest.fixture(autouse=True)
def options_by_their_text(monkeypatch):
    """Let a test choose an option as a reader does, by what is written on it."""
    for kind in (element_tree.SelectSlider, element_tree.Selectbox, element_tree.ButtonGroup):
        write = kind.format_func.fget

        def either(control, write=write):
            return lambda value: value if value in control.options else write(control)(value)

        monkeypatch.setattr(kind, "format_func", property(either))


def shown(app):
    """Return what the pictures and tables of a page are given."""
    parts = [part.proto.json for part in app.get("bidi_component")]
    tables = [table.value.to_string() for table in app.dataframe]
    tables += [text.value for text in app.markdown if text.value.startswith("|")]
    tables += [each.proto.body for each in app.get("html") if "<table" in each.proto.body]
    return parts, [str(figure) for figure in figures(app)], tables


def find(app, key):
    """Return a control by its key."""
    controls = [each for kind in (NUMBERS, SWITCHES, *CHOICES) for each in app.get(kind)]
    return next((each for each in controls if each.key == key), None)


def other_values(control):
    """Return values of a control other than its own: the next one, and the two at the ends."""
    if control.type == NUMBERS:
        up = control.value + control.step
        return [up if up <= control.max else control.value - control.step]
    if control.type == SWITCHES:
        return [not control.value]
    chosen = control.value if isinstance(control.value, list) else [control.value]
    texts = [control.format_func(value) for value in chosen]
    if isinstance(control.value, list):
        return [texts[:-1] if len(texts) > 2 else control.options]
    at = control.options.index(texts[0])
    near = control.options[at + 1 if at + 1 < len(control.options) else at - 1]
    return [near, *(text for text in control.options[::-1] if text not in (near, texts[0]))]


def finish_all(app):
    """Wait for all runs of a page, and draw it again."""
    for value in [*app.session_state._state.filtered_state.values()]:
        if isinstance(value, Subscription):
            finish(value)
    return app.run()


def changes_something(app, key, before):
    """Return whether another value of a control changes what was shown at the end before."""
    value = find(app, key).value
    for other in other_values(find(app, key)):
        find(app, key).set_value(other).run()
        after = shown(finish_all(app))
        find(app, key).set_value(value).run()
        if after != before:
            return True
    return False


@pytest.mark.parametrize("page", PAGES)
def test_each_control_changes_a_picture_or_a_table(contents, page):
    follows_sidebar = LESSONS[page].model is not None and page != "data"
    visit(contents, page, **(SMALL if follows_sidebar else {}))
    controls = [each for kind in (NUMBERS, SWITCHES, *CHOICES) for each in contents.get(kind)]
    keys = [each.key for each in controls if not each.disabled and each.key]
    if page != "data":  # one is enough to show that the page follows the data of the sidebar
        keys = [key for key in keys if key == "seed" or key not in sidebar.DATA]
    assert keys
    before = shown(finish_all(contents))
    assert [key for key in keys if not changes_something(contents, key, before)] == []
    assert not contents.exception
