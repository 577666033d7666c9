"""The laboratory: pinned runs, the race of two settings, the panels that follow a step."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from pages.shared import history, presets
from pages.shared.recipes import PLAIN
from tests.app.test_pages import opened, panels


def button(contents, label):
    return next(button for button in contents.button if button.label == label)


def test_the_last_six_pins_are_kept_and_drawn_behind_the_run(contents):
    opened(contents, "matrix/live.py", n="20", p="4", q="5", r="1")
    for seed in range(1, 9):
        contents.number_input(key="seed").set_value(seed).run()
        contents.session_state["smm"].wait(30)
        button(contents.run(), "Pin this run").click().run()
        assert not contents.exception
    held = contents.session_state["pins"]
    assert [pin.name for pin in held] == [f"run {number}" for number in range(3, 9)]
    assert all(len(pin.frames.pictures) == 0 for pin in held)
    assert button(contents, "Pin this run").disabled  # this very run is pinned
    behind = panels(contents, 0)["Combined residual c(k)"]["behind"]
    assert [curve["label"] for curve in behind] == [pin.name for pin in held]
    assert behind[0]["values"] == held[0].frames.curves["residual"].tolist()
    names = {button.key for button in contents.get("download_button")}
    assert {"smm_run_3_trace.csv", "smm_run_3_model.mat", "smm_run_3_run.py"} <= names


def test_pin_gives_its_settings_back_and_can_be_removed(contents):
    opened(contents, "matrix/live.py", n="20", p="4", q="5", r="1", tau="0.5", rho="1")
    button(contents, "Pin this run").click().run()
    pinned = contents.session_state["pins"][0].recipe
    button(contents, "Many restarts").click().run()
    assert contents.session_state["smm"].recipe == presets.LIVE["Many restarts"][0]
    assert contents.selectbox(key="W Left").options == ["this run", "run 1"]  # of other shapes
    button(contents, "Use its settings").click().run()
    assert contents.session_state["smm"].recipe == pinned
    button(contents, "Remove").click().run()
    assert contents.session_state["pins"] == []
    assert not contents.exception


def test_long_curves_are_sent_in_part(contents, monkeypatch):
    monkeypatch.setattr(history, "MOST_POINTS", 10)
    opened(contents, "matrix/live.py", rho="100")
    button(contents, "Pin this run").click().run()
    [curve] = panels(contents, 0)["Combined residual c(k)"]["behind"]
    whole = contents.session_state["pins"][0].frames.curves["residual"]
    frames = [*range(0, 199, 20), 199]  # the last one among them
    assert (len(whole), curve["frames"]) == (200, frames)
    assert curve["values"] == whole[frames].tolist()


def test_race_takes_its_settings_from_the_address_and_the_link_spells_them_out(contents):
    own = {"second_way": PLAIN, "second_rho": "0.1", "first_rho": "auto", "first_eta": "0.9"}
    opened(contents, "matrix/live.py", **own)
    race = contents.session_state["duel"].recipe
    assert (race.first.rho, race.first.eta) == (None, 0.9)
    assert (race.second.algorithm, race.second.rho) == (PLAIN, 0.1)
    link = parse_qs(urlsplit(contents.get("code")[-1].value).query)
    assert {name: values[0] for name, values in link.items()}.items() > own.items()


@pytest.mark.parametrize("name", presets.LIVE)
def test_presets_open_from_baked_runs(contents, name):
    opened(contents, "matrix/live.py")
    button(contents, name).click().run()
    run = contents.session_state["smm"]
    assert run.recipe == presets.LIVE[name][0]
    assert run.status == "finished"
    assert not contents.exception
