"""No control is dead: each one changes a picture or a table of its page."""

import re

import pytest
from streamlit.testing.v1 import element_tree

from pages.navigation import SECTIONS
from pages.shared.widgets import recipe
from tests.pages.visit import TEXTS, experiments, figures, finish, knobs, runs, visit

# Those whose runs take less than two seconds in all; the others: python -m pytest -m sweep
QUICK = "data", "imbalance", "structure", "squared_loss", "vc_dimension", "bilevel", "reproduce"
LESSONS = {page.address: page for section in SECTIONS.values() for page in section}
PAGES = [
    pytest.param(address, marks=[] if address in QUICK else [pytest.mark.sweep])
    for address in LESSONS
    if address not in TEXTS
]
# Small data, so that runs are short.
SIDEBAR = {"n": "40", "p": "6", "q": "8"}
SMALL = {
    "sparse": {"sparse_n_curve": "20"},
    "trace_norm": {"trace_norm_n": "30", "trace_norm_p": "6", "trace_norm_q": "5"},
}
BRINGS_FIELDS = "yours_time"  # and changes nothing before one of them is filled in
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
    """Return what the pictures and tables of a page are given, but for the addresses of runs."""
    parts = [re.sub(r"/runs/[^/]+/", "", part.proto.json) for part in app.get("bidi_component")]
    tables = [table.value.to_string() for table in app.dataframe]
    tables += [text.value for text in app.markdown if text.value.startswith("|")]
    tables += [each.proto.body for each in app.get("html") if "<table" in each.proto.body]
    return experiments(app), parts, [str(figure) for figure in figures(app)], tables


class Knob:
    """A knob of the page, driven as the controls of Streamlit are."""

    type, disabled = "knob", False
    format_func = staticmethod(str)

    def __init__(self, app, knob):
        self.app, self.key, self.options, self.knob = app, knob.key, [*knob.texts], knob
        self.value = knob.texts[knob.at]

    def set_value(self, text):
        """Turn it to the value with this text."""
        self.app.session_state[self.key] = self.knob.values[self.options.index(text)]
        return self.app


def controls_of(app):
    """Return all controls of a page."""
    drawn = [each for kind in (NUMBERS, SWITCHES, *CHOICES) for each in app.get(kind)]
    return [*drawn, *(Knob(app, app.session_state["controls"].knobs[key]) for key in knobs(app))]


def find(app, key):
    """Return a control by its key."""
    return next((each for each in controls_of(app) if each.key == key), None)


def written(control):
    """Return the value of a control, or what is written on the option that it has."""
    if control.type in (NUMBERS, SWITCHES) or isinstance(control.value, list):
        return control.value
    return control.format_func(control.value)


def other_values(control):
    """Return values of a control other than its own: the next one, and the two at the ends."""
    value = written(control)
    if control.type == NUMBERS:
        return [
            value + control.step if value + control.step <= control.max else value - control.step
        ]
    if control.type == SWITCHES:
        return [not value]
    if isinstance(value, list):
        texts = [control.format_func(each) for each in value]
        return [texts[:-1] if len(texts) > 2 else control.options]
    at = control.options.index(value)
    near = control.options[at + 1 if at + 1 < len(control.options) else at - 1]
    return [near, *(text for text in control.options[::-1] if text not in (near, value))]


def finish_all(app):
    """Wait for all runs of a page, those that follow from others as well, and draw it again."""
    finished = None
    while (begun := runs(app)) != finished:
        for run in begun.values():
            finish(run)
        app.run()
        finished = begun
    return app


def set_back(app, values):
    """Set all controls to these values; draw the page first while some of them are hidden."""
    while True:
        controls = {key: find(app, key) for key in values}
        hidden = [key for key, each in controls.items() if each is None or each.disabled]
        for key in values.keys() - hidden:
            controls[key].set_value(values[key])
        if not hidden:
            return
        app.run()


def changes_something(app, key, others, values, before):
    """Return whether the control alone changes what is computed, or shown at the end."""
    for other in others:
        set_back(app, values)
        find(app, key).set_value(other).run()
        if experiments(app) != before[0] or shown(finish_all(app)) != before:
            return True
    return False


@pytest.mark.parametrize("page", PAGES)
def test_each_control_changes_a_picture_or_a_table(contents, page):
    visit(contents, page, **SMALL.get(page, {} if LESSONS[page].model is None else SIDEBAR))
    # States and the switches of a class set other controls, or none.
    keys = [each.key for each in controls_of(contents) if not each.disabled and each.key]
    keys = [key for key in keys if not re.search(r"_state(_\d+)?$", key) and key != "ask first"]
    values = {key: written(find(contents, key)) for key in keys}
    if page != "data":  # one is enough to show that the page follows the data of the recipe
        keys = [key for key in keys if key == "seed" or key not in recipe.DATA]
    keys = [key for key in keys if key != BRINGS_FIELDS]
    assert keys
    before = shown(finish_all(contents))
    others = {key: other_values(find(contents, key)) for key in keys}
    dead = [
        key for key in keys if not changes_something(contents, key, others[key], values, before)
    ]
    assert dead == []
    set_back(contents, values)
    assert shown(finish_all(contents.run())) == before  # so each was compared with its own values
    assert not contents.exception
