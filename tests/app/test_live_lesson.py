"""The laboratory: pinned runs, the race of two settings, the panels that follow a step."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pages.matrix.live import pins
from pages.matrix.live.runs import LIVE
from pages.shared.algorithm1 import PLAIN, QUICK
from pages.shared.engine.slices import advance
from pages.shared.parts import downloads
from tests.app.visit import finish, link, panels, players, visit


def button(contents, label):
    return next(button for button in contents.button if button.label == label)


def test_the_last_six_pins_are_kept_and_drawn_behind_the_run(contents):
    visit(contents, "live", "smm", n="20", p="4", q="5", r="1")
    for seed in range(1, 9):
        contents.number_input(key="seed").set_value(seed).run()
        finish(contents.session_state["smm"])
        button(contents.run(), "Pin this run").click().run()
        assert not contents.exception
    held = contents.session_state["pins"]
    assert [pin.name for pin in held] == [f"run {number}" for number in range(3, 9)]
    assert all(len(pin.frames.images) == 0 for pin in held)
    assert all(pin.frames.images.base is None for pin in held)  # and none is kept alive
    behind = panels(contents, 0)["Combined residual c(k)"]["behind"]
    assert [curve["label"] for curve in behind] == [pin.name for pin in held[:-1]]  # but for itself
    assert contents.dataframe[0].value["seed"].tolist() == ["3", "4", "5", "6", "7", "8"]
    assert behind[0]["values"] == held[0].frames.metrics["residual"].tolist()
    names = {button.key for button in contents.get("download_button")}
    assert {"smm_run_3_trace.csv", "smm_run_3_model.mat", "smm_run_3_run.py"} <= names


def test_pin_gives_its_settings_back_and_can_be_removed(contents):
    visit(contents, "live", "smm", n="20", p="4", q="5", r="1", tau="0.5", rho="1")
    button(contents, "Pin this run").click().run()
    pinned = contents.session_state["pins"][0].experiment
    button(contents, "Many restarts").click().run()
    assert contents.session_state["smm"].experiment == LIVE["Many restarts"][0]
    assert contents.selectbox(key="W Left").options == ["this run", "run 1"]  # of other shapes
    button(contents, "Use its settings").click().run()
    assert contents.session_state["smm"].experiment == pinned
    button(contents, "Remove").click().run()
    assert contents.session_state["pins"] == []
    assert not contents.exception


def test_long_curves_are_sent_in_part(contents, monkeypatch):
    monkeypatch.setattr(pins, "MAX_POINTS", 10)
    visit(contents, "live", "smm", rho="100")
    button(contents, "Pin this run").click().run()
    button(contents, "One restart").click().run()
    [curve] = panels(contents, 0)["Combined residual c(k)"]["behind"]
    whole = contents.session_state["pins"][0].frames.metrics["residual"]
    frames = [*range(0, 199, 20), 199]  # the last one among them
    assert (len(whole), curve["frames"]) == (200, frames)
    assert curve["values"] == whole[frames].tolist()


def test_race_takes_its_settings_from_the_address_and_the_link_spells_them_out(contents):
    own = {
        "live_second_way": PLAIN,
        "live_second_rho": "0.1",
        "live_first_rho": "auto",
        "live_first_eta": "0.9",
    }
    visit(contents, "live", "smm", **own)
    race = contents.session_state["duel"].experiment
    assert (race.first.rho, race.first.eta) == (None, 0.9)
    assert (race.second.algorithm, race.second.rho) == (PLAIN, 0.1)
    assert link(contents).items() > own.items()


@pytest.mark.parametrize("name", LIVE)
def test_presets_open_from_precomputed_runs(contents, name):
    visit(contents, "live", "smm")
    button(contents, name).click().run()
    run = contents.session_state["smm"]
    assert run.experiment == LIVE[name][0]
    assert run.status == "finished"
    assert not contents.exception


def test_same_W_may_stand_on_both_sides(contents):
    visit(contents, "live", "smm")
    button(contents, "Pin this run").click().run()
    contents.selectbox(key="W Right").set_value("this run").run()
    assert not contents.exception
    contents.session_state["smm"]._stopped_at = replace(
        contents.session_state["smm"].frames, certificate=None
    )  # as while it begins
    contents.run()
    assert not contents.exception
    assert contents.selectbox(key="W Left").options == ["run 1"]


def test_a_run_without_frames_is_not_pinned(contents):
    visit(contents, "live", "smm")
    run = contents.session_state["smm"]
    run._stopped_at = replace(run.frames, metrics=run.frames.metrics[:0], certificate=None)
    button(contents, "Pin this run").click().run()
    assert "nothing to pin yet" in contents.toast[0].value
    assert not contents.session_state["pins"]
    assert not contents.exception


def test_script_of_a_stopped_run_ends_where_it_was_stopped():
    experiment = QUICK
    piece = advance(experiment, None, 0.0)
    run = SimpleNamespace(experiment=experiment, status="stopped", frames=piece)
    assert downloads._limit_to_frames(run) == replace(experiment, max_iter=1)
    assert (
        downloads._limit_to_frames(
            SimpleNamespace(experiment=experiment, status="finished", frames=piece)
        )
        == experiment
    )


def test_demos_have_the_restarts_that_they_promise():
    for run, restarts in ((QUICK, 1), (LIVE["Many restarts"][0], 14)):
        assert advance(run, None, 60.0).metrics["restarted"].sum() >= restarts
    assert advance(QUICK, None, 60.0).metrics["restarted"].sum() == 1


def test_answer_is_not_in_the_page_before_a_choice(contents):
    contents.session_state["live_prediction"] = None
    visit(contents, "live")
    assert players(contents)[0]["covered"]
    assert len(players(contents)) == 1  # the race comes later
    assert not any("overshot" in text.value for text in contents.markdown)
