"""No control is dead: each one changes a picture or a table of its page."""

import json
import re

import pytest

from pages.navigation import SECTIONS
from pages.shared.widgets import recipe, url
from tests.pages.visit import TEXTS, controls, experiments, figures, finish, link, runs, visit

# Those whose runs take less than two seconds in all; the others: python -m pytest -m sweep
QUICK = "grouping", "imbalance", "squared_loss", "vc_dimension", "bilevel", "reproduce"
PLAYED = "by_hand", "structure", "rank"  # only their pictures set something
LESSONS = {page.address: page for section in SECTIONS.values() for page in section}
PAGES = [
    pytest.param(address, marks=[] if address in QUICK else [pytest.mark.sweep])
    for address in LESSONS
    if address not in (*TEXTS, *PLAYED)
]
# Small data, so that runs are short.
SIDEBAR = {"n": "40", "p": "6", "q": "8"}
SMALL = {
    "sparse": {"sparse_n_samples": "20"},
}
BRINGS_FIELDS = "yours_time"  # and changes nothing before one of them is filled in
TYPED = "2-5"  # into a field for a text
# Components that draw controls, or set them: what they are given is no picture.
NO_PICTURES = "control", "knobs", "slider", "states", "setter"


def shown(app):
    """Return what the page computes, and what its pictures and tables are given.

    The addresses of runs are left out.
    """
    drawn = [part.proto for part in app.get("bidi_component")]
    parts = [
        json.loads(re.sub(r"/runs/[^/]+/", "", part.json)) | {"address": None}
        for part in drawn
        if part.component_name not in NO_PICTURES
    ]
    tables = [table.value.to_string() for table in app.dataframe]
    tables += [text.value for text in app.markdown if text.value.startswith("|")]
    tables += [each.proto.body for each in app.get("html") if "<table" in each.proto.body]
    return experiments(app), parts, [*map(str, figures(app))], tables


def other_texts(control):
    """Return texts of other values of a control: the next one, and the two at the ends.

    None stands for the default, as in the browser.
    """
    kind = control.get("kind", "knob")
    if kind == "text":
        return [TYPED]
    if kind == "number":
        value, step = control["value"], control["step"]
        near = value + step if value + step <= control["high"] else value - step
        return [None if near == control["usual"] else str(near)]
    texts = control["texts"]
    if kind == "several":
        usual = control["usual"]
        return [usual[:-1] if len(usual) > 2 else texts]
    at, end = control["at"], len(texts) - 1
    near = at + 1 if at < end else at - 1
    places = [near, *(place for place in range(end, -1, -1) if place not in (near, at))]
    return [None if place == control["default"] else texts[place] for place in places]


def go_to(app, address):
    """Run the page at this address."""
    app.query_params.clear()
    app.query_params.update(address)
    app.run()
    return app


def finish_all(app):
    """Wait for all runs of a page, those that follow from others as well, and draw it again."""
    finished = None
    while (begun := runs(app)) != finished:
        for run in begun.values():
            finish(run)
        app.run()
        finished = begun
    return app


def changes_something(app, key, others, address, before):
    """Return whether the control alone changes what is computed, or shown at the end."""
    rest = {name: text for name, text in address.items() if name != key}
    for text in others:
        go_to(app, rest if text is None else rest | {key: text})
        if experiments(app) != before[0] or shown(finish_all(app)) != before:
            return True
    return False


@pytest.mark.parametrize("page", PAGES)
def test_each_control_changes_a_picture_or_a_table(contents, page):
    visit(contents, page, **SMALL.get(page, {} if LESSONS[page].model is None else SIDEBAR))
    # Switches for all pages set other controls, or none.
    drawn = {key: each for key, each in controls(contents).items() if key not in url.KEPT}
    keys = [key for key, each in drawn.items() if not each.get("disabled")]
    if page != "grouping":  # one is enough to show that the page follows the data of the recipe
        keys = [key for key in keys if key == "seed" or key not in recipe.DATA]
    keys = [key for key in keys if key != BRINGS_FIELDS]
    assert keys
    address = link(contents)
    others = {key: other_texts(drawn[key]) for key in keys}
    before = shown(finish_all(go_to(contents, address)))
    dead = [
        key for key in keys if not changes_something(contents, key, others[key], address, before)
    ]
    assert dead == []
    # So each was compared with its own values.
    assert shown(finish_all(go_to(contents, address))) == before
    assert not contents.exception
