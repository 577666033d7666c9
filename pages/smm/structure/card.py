"""Your card: what you painted, what both classifiers found, and a challenge for a friend."""

import streamlit as st

from pages.navigation import APP
from pages.shared.component import component
from pages.shared.data.painted import PAINTINGS, cells_of, encode, truth_of
from pages.shared.engine import session, stream
from pages.shared.player.show_run import callbacks
from pages.shared.widgets import url
from pages.shared.widgets.paintings import own_painting
from pages.shared.widgets.states import State, choose_state
from pages.smm.structure.paint import (
    COUNTS,
    PAINTING,
    choices_for,
    name_of,
    read_painting,
    run_of,
)
from pages.smm.structure.runs import OPENS

SLOT, KEY, HIDDEN = "card", "the card", "hidden"

_component = component("card", "card/card", ["toy", "card/card"])


text = name_of(read_painting())
hidden = url.text(None, "Challenge", key=HIDDEN) == "1"
_, n = url.knob("n", "training samples", COUNTS, COUNTS[0] if hidden else OPENS, key="n")
idea = (
    "Somebody has painted a W*. From how few samples do you see in the SMM's W which one it is?"
    if hidden
    else "What you painted, and what both machines found of it: send the picture, or a challenge."
)
with st.container(horizontal=True, key="idea"):
    st.markdown(idea, width="stretch")
run = session.subscribe(SLOT, run_of(text))
with st.container(key="stage"):
    _component(
        key=KEY,
        data={
            "url": stream.url(run),
            "painting": text,
            "code": encode(truth_of(text)),
            "name": text if text in PAINTINGS else "",
            "cells": cells_of(truth_of(text)),
            "choices": choices_for(text),
            "counts": COUNTS,
            "n": n.to_json(),
            "hidden": hidden,
            "app": APP,
            "keys": {name: url.full_key(name) for name in (PAINTING, HIDDEN)},
        },
        **callbacks(SLOT, KEY, run),
    )
if hidden:
    url.link("smm/structure/page.py", label="**Paint your own →**")
else:
    names = [*PAINTINGS, *own_painting()]
    choose_state(
        [State(name if name in PAINTINGS else "Yours", {PAINTING: name}) for name in names]
    )
