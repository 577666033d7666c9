"""Open a lesson as a visitor does who follows a link, and wait for its runs."""

import base64
import json
import time
from itertools import chain
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.navigation import SECTIONS
from pages.shared import component
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import in_address
from pages.shared.widgets import recipe, url

# Pages of text and tables
TEXTS = {"course", "symbols", "examples", "errata", "table_1", "table_2"}
LESSONS = [lesson.address for lesson in chain(*SECTIONS.values())]
HOME = ""
WORDS = "markdown", "latex", "caption"
SMALL = {"n": "40", "p": "6", "q": "8", "r": "2"}


def as_address(page: str, query: dict[str, Any]) -> dict[str, Any]:
    """Return query parameters with the prefix of the page's own controls."""
    bare = {*recipe.DATA, *recipe.MODEL, *url.KEPT, url.ANSWER}
    return {
        name if name in bare or name.startswith(f"{page}_") else f"{page}_{name}": text
        for name, text in query.items()
    }


def visit(app: AppTest, page: str, *slots: str, **query: str | list[str]) -> AppTest:
    """Open a page at its address, and again when the run in each slot has ended.

    A query parameter of the page's own controls needs no prefix.
    """
    app.query_params.update(as_address(page, query))
    if page != HOME:
        # `switch_page` knows an address that is not the file's name only after a run of Home.
        app._page_hash = calc_hash(page)
    app.run()
    for slot in slots:
        if slot in app.session_state:
            finish(app.session_state[slot])
            app.run()
    assert not app.exception
    return app


def press(part: Any, label: str) -> None:
    """Click the button with this label in the app, or in a part of it."""
    next(button for button in part.button if button.label == label).click().run()


def finish(run: Subscription) -> None:
    """Wait until a run has ended, as a reader does who watches."""
    while not run.ended:
        run.poll()
        time.sleep(0.02)


def runs(app: AppTest) -> dict[str, Subscription]:
    """Return the runs of the session by their slots, those that the page has left as well."""
    slots = app.session_state._state.filtered_state.items()
    return {slot: each for slot, each in slots if isinstance(each, Subscription)}


def experiments(app: AppTest) -> dict[str, Any]:
    """Return what the runs on the page compute."""
    parts = "".join(part.proto.json for part in app.get("bidi_component"))
    return {slot: each.experiment for slot, each in runs(app).items() if each.token in parts}


def link(app: AppTest) -> dict[str, str | list[str]]:
    """Return the settings in the page's address, as a copied link has them."""
    return {name: text[0] if len(text) == 1 else text for name, text in app.query_params.items()}


def control_settings(app: AppTest) -> dict[str, str | list[str]]:
    """Return the settings of all controls of the page, also of those at their defaults."""
    drawn = app.session_state["page"].drawn.items()
    return {
        key: [*map(in_address, value)] if isinstance(value, tuple) else in_address(value)
        for key, value in ((key, each.value) for key, each in drawn)
    }


def components(part: Any, *names: str) -> list[dict[str, Any]]:
    """Return what the components with these names in a part of the page are given."""
    found = (
        each.proto for each in part.get("bidi_component") if each.proto.component_name in names
    )
    return [json.loads(each.json) for each in found]


def knobs(part: Any, *names: str) -> dict[str, dict[str, Any]]:
    """Return the knobs in a part of the page by their keys."""
    rows = components(part, *(names or ("knobs",)))
    return {knob["key"]: knob for row in rows for knob in row["knobs"]}


def controls(part: Any) -> dict[str, dict[str, Any]]:
    """Return all controls in a part of the page by their keys, knobs among them."""
    others = {each["key"]: each for each in components(part, "control")}
    return others | knobs(part, "knobs", "slider")


def shown(part: Any, key: str) -> str:
    """Return what a control over given values shows."""
    control = controls(part)[key]
    return control["texts"][control["at"]]


def turn(app: AppTest, key: str, value: Any) -> AppTest:
    """Set a control as the browser does, in the address, and run the page."""
    assert key in controls(app)
    return set_address(app, {key: app.session_state["page"].drawn[key].text_of(value)})


def set_address(app: AppTest, texts: dict[str, Any]) -> AppTest:
    """Set texts in the address and run the page; None stands for a default."""
    for key, text in texts.items():
        app.query_params.pop(key, None)
        if text is not None:
            app.query_params[key] = text
    return app.run()


def states(part: Any) -> dict[str, dict[str, str | None]]:
    """Return the settings of the states in a part of the page by their names."""
    rows = components(part, "states")
    return {state["text"]: state["texts"] for row in rows for state in row["states"]}


def choose(app: AppTest, name: str) -> AppTest:
    """Choose a state, as the browser does."""
    return set_address(app, states(app)[name])


def current_states(app: AppTest) -> list[str]:
    """Return the names of the states that the page is in, as the browser marks them."""
    here = link(app)
    return [
        name
        for name, texts in states(app).items()
        if texts and all(here.get(key) == text for key, text in texts.items())
    ]


def players(app: AppTest) -> list[dict[str, Any]]:
    """Return what each player of the page is given."""
    return components(app, "player")


def panels(app: AppTest, place: int) -> dict[str, dict[str, Any]]:
    """Return what a player of the page draws, by title."""
    player = players(app)[place]
    return {panel.get("title"): panel for panel in [*player["panels"], *player["more"]]}


def figures(app: AppTest) -> list[dict[str, Any]]:
    """Return the Plotly figures of the page, with their arrays decoded."""

    def decode(part: dict[str, Any]) -> Any:
        if part.keys() != {"dtype", "bdata"}:
            return part
        return np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])

    charts = app.get("plotly_chart")
    return [json.loads(chart.proto.spec, object_hook=decode) for chart in charts]


def pictures(contents) -> int:
    """Return how many charts, players and toys the page shows."""
    styles = (
        component.components[part.proto.component_name][1]
        for part in contents.get("bidi_component")
    )
    drawn = [each for each in styles if {"toy", "player/player"} & {*each}]
    return len(contents.get("plotly_chart")) + len(drawn)


def words(app: AppTest) -> str:
    """Return all that the page says in paragraphs, formulas and captions."""
    return "\n".join(part.value for kind in WORDS for part in app.get(kind))


def notes(part) -> list[str]:
    """Return the notes below the controls in a part of the page."""
    return [note.value for note in part.text]


def take_home(contents) -> set[str]:
    """Return the names of the downloads of the page."""
    return {button.key for button in contents.get("download_button")}
