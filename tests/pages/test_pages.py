"""Every page opens with its frame and a picture, without an exception; controls do as they say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from pages.effects.grouping.runs import PRESETS
from pages.effects.rivals.runs import FIGURE_1, REVERSED, WITH_BLOCKS, RaceRun, without_idle_weights
from pages.navigation import SECTIONS
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine.slices import advance
from pages.shared.numbers import percent
from pages.shared.player.panels import NAMES_BY_COLOUR
from pages.shared.widgets import sidebar
from tests.pages.visit import HOME, LESSONS, finish, link, panels, players, visit

TEXTS = "course", "symbols", "errata", "examples"  # pages without a picture
SMALL = {"n": "40", "p": "6", "q": "8", "r": "2"}


def opened(contents, page, **query):
    """Open a page at an address, and wait for its first run."""
    return visit(contents, page, "smm", "threshold", "race", "path", "your data", **query)


def pictures(contents) -> int:
    """Return how many charts and players the page shows."""
    return len(contents.get("plotly_chart")) + len(players(contents))


@pytest.mark.parametrize(("theme", "ink"), [("light", "#1b2229"), ("dark", "#e8edf2")])
def test_charts_are_lettered_in_the_text_colour_of_the_theme(contents, theme, ink):
    contents.context = {"theme": theme}
    for chart in visit(contents, "data").get("plotly_chart"):
        layout = json.loads(chart.proto.spec)["layout"]
        assert layout["font"]["color"] == layout["yaxis"]["tickfont"]["color"] == ink


@pytest.mark.parametrize("page", [HOME, *LESSONS])
def test_page_opens_with_its_frame_and_a_picture(contents, page):
    opened(contents, page)
    assert not contents.exception
    assert not contents.error
    assert contents.title
    assert pictures(contents) or page in TEXTS


@pytest.mark.parametrize("lesson", [*chain(*SECTIONS.values())], ids=lambda lesson: lesson.address)
def test_sidebar_has_the_controls_that_act_on_the_lesson_and_no_others(contents, lesson):
    side = visit(contents, lesson.address).sidebar
    drawn = [*side.number_input, *side.select_slider, *side.selectbox]
    wanted = [] if lesson.model is None else [*sidebar.DATA, *lesson.model]
    assert sorted(control.key for control in drawn) == sorted(wanted)


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ({}, r"sign} \langle W, X_i \rangle \end"),
        ({"share": "0.05"}, r"- c), \quad \#\{y_i = 1\} = 10"),
    ],
)
def test_the_recipe_of_the_labels_is_that_of_the_data(contents, query, rule):
    page = visit(contents, "data", **query)
    assert any(rule in formula.value for formula in page.get("latex"))


def test_address_sets_the_experiment(contents):
    visit(contents, "live", n="120", C="0.5", rho="100", seed="3")
    experiment = contents.session_state["smm"].experiment
    assert experiment.data == BlockCorrelated(n=120, noise=0.01, seed=3)
    assert (experiment.C, experiment.rho) == (0.5, 100.0)


def test_least_values_come_from_the_address_as_well(contents):
    # Streamlit ignores what equals a control's own default, which must therefore be ours.
    visit(contents, "live", V="1", tau="0", eta="0.5", delta="0", r="1", C="1e-05")
    experiment = contents.session_state["smm"].experiment
    assert (experiment.data.groups, experiment.data.noise, experiment.data.rank) == (1, 0.0, 1)
    assert (experiment.tau, experiment.eta, experiment.C) == (0.0, 0.5, 1e-5)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("n", "minus one", "n = minus one in the address is not a whole number from 10 to 2,000"),
        ("C", "nan", "C = nan in the address is not one of its values; taken as 0.05."),
        (
            "scaling",
            "none",
            "scaling = none in the address is not one of its values; taken",
        ),
        ("rho", "' or 1", "rho = ' or 1 in the address is not one of its values; taken as auto."),
    ],
)
def test_nonsense_in_the_address_falls_back_to_the_default(contents, name, value, sentence):
    visit(contents, "live", **{name: value})
    assert not contents.exception
    assert contents.session_state["smm"].experiment == QUICK
    assert sentence in contents.sidebar.text[0].value


@pytest.mark.parametrize(
    ("name", "value", "taken", "sentence"),
    [
        ("C", "0.3", 0.2, "C = 0.3 in the address is not one of its values; taken as 0.2."),
        ("C", "-1", 1e-5, "C = -1 in the address is not one of its values; taken as 10⁻⁵."),
        (
            "rho",
            "3e-08",
            1e-8,
            "rho = 3e-08 in the address is not one of its values; taken as",
        ),
        ("n", "5", 10, "n = 5 in the address is not a whole number from 10 to 2,000; taken as 10."),
        ("n", "99.6", 99, "n = 99.6 in the address is not a whole number from 10 to 2,000; "),
        ("p", "1000", 200, "p = 1000 in the address is not a whole number from 2 to 200; taken as"),
    ],
)
def test_value_beside_the_allowed_ones_is_taken_as_the_nearest(
    contents, name, value, taken, sentence
):
    visit(contents, "live", **{name: value})
    assert contents.session_state[name] == taken
    assert sentence in contents.sidebar.text[0].value
    next(button for button in contents.sidebar.button if button.label == "Quick").click().run()
    assert not contents.sidebar.text  # the sentence goes with the value


@pytest.mark.parametrize(
    ("page", "name", "value", "taken", "sentence"),
    [
        ("compare", "lambda", "0.013", 0.01, "lambda = 0.013 in the address is not one of its"),
        ("compare", "offset", "perhaps", False, "offset = perhaps in the address is not true or"),
        ("grouping", "corr", "2", 1.0, "corr = 2 in the address is not one of its values; taken"),
        ("grouping", "l1", "400", 8, "l1 = 400 in the address is not one of its values"),
        ("rank", "points", "40", 41, "points = 40 in the address is not one of its values; taken"),
        ("robustness", "noise", "loud", "Gaussian", "noise = loud in the address is not one of"),
        ("yours", "tau_rel", "3%", 0.02, "tau_rel = 3% in the address is not one of its"),
    ],
)
def test_controls_of_a_lesson_heed_the_address_as_well(
    contents, page, name, value, taken, sentence
):
    visit(contents, page, **SMALL | {name: value})
    assert contents.session_state[f"{page}_{name}"] == taken
    assert sentence in contents.main.text[0].value


@pytest.mark.parametrize("text", ["1e-08", "0.00000001", "10⁻⁸"])
def test_rho_of_the_address_is_read_in_every_notation(contents, text):
    visit(contents, "live", rho=text)
    assert contents.session_state["smm"].experiment.rho == 1e-8
    assert not contents.sidebar.text


@pytest.mark.parametrize("page", ["grouping", "data", "smm"])
def test_settings_that_do_not_fit_together_get_a_sentence(contents, page):
    visit(contents, page, n="2000", p="200", q="200")
    assert not contents.exception
    assert pictures(contents)
    assert "n × p × q must be at most 12,000,000" in contents.error[0].value


@pytest.mark.parametrize(
    ("query", "key", "sentence"),
    [
        ({"q": "3", "V": "9"}, "V", "V is at most min(q, n) = 3."),
        ({"q": "3"}, "V", "V is at most min(q, n) = 3."),
        ({"p": "3", "r": "9"}, "r", "r is at most min(p, q) = 3."),
        ({"p": "3"}, "r", "r is at most min(p, q) = 3."),
    ],
)
def test_groups_and_rank_follow_the_shape_of_the_address(contents, query, key, sentence):
    visit(contents, "data", **query)
    assert not contents.exception
    assert not contents.error
    assert contents.session_state[key] == 3
    assert sentence in [note.value for note in contents.sidebar.text]


def test_rank_follows_the_rows_and_undo_takes_both_back(contents):
    visit(contents, "data")
    contents.number_input(key="p").set_value(2).run()
    assert contents.session_state["r"] == 2
    assert "r is at most min(p, q) = 2." in [note.value for note in contents.sidebar.text]
    assert not contents.error
    next(button for button in contents.button if button.label == "↶ Undo").click().run()
    assert (contents.session_state["p"], contents.session_state["r"]) == (20, 5)
    assert not contents.exception


def test_preset_sets_every_control(contents):
    visit(contents, "live", C="100", seed="5")
    next(button for button in contents.sidebar.button if button.label == "Hard").click().run()
    assert not contents.exception
    assert contents.number_input(key="n").value == 500
    assert contents.number_input(key="seed").value == 0
    assert contents.select_slider(key="C").value == 0.1


def test_changed_slider_ends_the_old_run_and_begins_another(contents):
    opened(contents, "live")
    before = contents.session_state["smm"]
    contents.select_slider(key="tau").set_value(2.0).run()
    after = contents.session_state["smm"]
    assert after is not before
    assert before.ended
    assert after.experiment.tau == 2.0


def test_link_spells_out_every_setting_and_restores_the_run(contents):
    visit(contents, "live", seed="4", tau="0.2", rho="0.01")
    query = link(contents)
    assert {*query} > {*sidebar.control_values(QUICK)}
    assert (query["seed"], query["tau"], query["rho"]) == ("4", "0.2", "0.01")
    assert query["n"] == "200"  # a default too, for defaults may change


def as_number(mantissa, exponent):
    return float(f"{mantissa}e{exponent or 0}")


def theorem_2(contents) -> tuple[float, str, float]:
    """Return the measured distance, the relation and the bound that the lesson shows."""
    formula = contents.latex[0].value.strip("$\n")
    number = r"([\d.]+)(?: \\times 10\^\{(-?\d+)\})?"
    found = re.search(rf"= {number} \\; (\S+) \\; {number}$", formula)
    return as_number(*found.group(1, 2)), found.group(3), as_number(*found.group(4, 5))


def test_grouping_lesson_shows_a_distance_below_a_bound_that_falls_with_the_correlation(contents):
    opened(contents, "grouping", **SMALL)
    before = theorem_2(contents)
    assert before[1] == r"\le"
    assert 0 < before[0] < before[2]
    contents.select_slider(key="grouping_corr").set_value(0.99).run()
    after = theorem_2(contents)
    assert after[2] == pytest.approx(before[2] / 10)  # 1 - r is a tenth
    assert 0 < after[0] < before[0]
    contents.segmented_control(key="grouping_lines").set_value("rows").run()
    assert theorem_2(contents)[2] != after[2]
    assert contents.selectbox(key="grouping_k2").value == 6
    assert not contents.exception


@pytest.mark.parametrize("lines", ["columns", "rows"])
@pytest.mark.parametrize("preset", ["Identical", "Tight case"])
def test_presets_of_the_grouping_lesson_meet_the_bound(contents, preset, lines):
    opened(contents, "grouping", **SMALL, lines=lines)
    next(button for button in contents.main.button if button.label == preset).click().run()
    measured, relation, bound = theorem_2(contents)
    assert relation == "="
    assert measured == bound
    assert (bound == 0) == (preset == "Identical")
    assert not contents.exception


def test_a_column_is_never_paired_with_itself(contents):
    opened(contents, "grouping", **SMALL, l2="1")
    assert contents.selectbox(key="grouping_l2").value == 2
    assert "grouping_l2 = 1 in the address is not one of its values; taken as 2." in [
        note.value for note in contents.text
    ]
    contents.selectbox(key="grouping_l2").set_value(7).run()
    contents.selectbox(key="grouping_l1").set_value(7).run()
    assert contents.selectbox(key="grouping_l2").value == 8
    assert "7" not in contents.selectbox(key="grouping_l2").options
    assert not contents.error
    assert not contents.exception
    assert r"\| W_{:7} - W_{:8} \|" in contents.latex[0].value


@pytest.mark.parametrize("query", [{"lines": "rows"}, {"l2": "2"}, {"l2": "2", "pair": "adding y"}])
def test_features_without_noise_are_shown_as_they_are(contents, query):
    opened(contents, "grouping", **SMALL, delta="0", **query)
    assert contents.select_slider(key="grouping_corr").disabled
    mixing = "pair" not in query
    captions = " ".join(note.value for note in contents.caption)
    assert any(
        "have the same features, so their correlation is 1" in note.value for note in contents.info
    )
    assert ("Nothing is replaced" in captions) == mixing
    assert ("is then replaced" in captions) == (not mixing)
    assert (theorem_2(contents)[2] == 0) == mixing
    assert not contents.error
    assert pictures(contents) == (2 if query == {"lines": "rows"} else 4)


def specs(contents) -> list[str]:
    """Return what the charts of the page draw."""
    return [chart.proto.spec for chart in contents.get("plotly_chart")]


@pytest.mark.parametrize("preset", ["Identical", "Tight case"])
def test_preset_link_and_controls_give_the_same_picture(contents, preset, new_app):
    by_link, by_hand = new_app(), new_app()
    opened(contents, "grouping", **SMALL)
    next(button for button in contents.main.button if button.label == preset).click().run()
    visit(by_link, "grouping", **link(contents))
    opened(by_hand, "grouping", **SMALL)
    own, shared, _ = PRESETS[preset]
    for key, value in ({f"grouping_{name}": value for name, value in own.items()} | shared).items():
        kinds = {"grouping_pair": "segmented_control", "scaling": "selectbox"}
        getattr(by_hand, kinds.get(key, "select_slider"))(key=key).set_value(value)
    by_hand.run()
    assert specs(by_link) == specs(by_hand) == specs(contents)
    assert link(by_link) == link(by_hand) == link(contents)


ODD = {
    "tau = 0": {"tau": "0"},
    "tiny C": {"C": "1e-05"},
    "W = 0": {"tau": "10000"},
    "huge C": {"C": "10000", "n": "40"},
    "few samples": {"n": "10"},
    "few samples, tight": {"n": "10", "pair": "adding y"},
    "one pair": {"p": "2", "q": "2", "V": "1", "r": "1"},
    "one pair of two groups": {"p": "2", "q": "2", "V": "2", "r": "1", "n": "20"},
    "one pair of rows": {"p": "2", "r": "1", "lines": "rows"},
    "one group": {"V": "1"},
    "every column a group": {"V": "8"},
    "no noise": {"delta": "0"},
    "no noise, identical": {"delta": "0", "corr": "1"},
    "no noise, W = 0": {"delta": "0", "tau": "10000", "pair": "adding y"},
}


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
def test_grouping_lesson_says_nothing_false_or_empty_at_odd_settings(contents, query):
    visit(contents, "grouping", **{"n": "60", "p": "6", "q": "8", "r": "2"} | query)
    assert not contents.exception
    assert not contents.error
    texts = [
        *(
            part.value
            for kind in ("markdown", "caption", "latex", "info")
            for part in contents.get(kind)
        ),
        *(table.value.to_string() for table in contents.table),
        *specs(contents),
    ]
    for text in texts:
        assert not re.search(r"\b(nan|inf|infinity)\b", text, re.IGNORECASE), text
    grouped = 1 < int(query.get("V", 4)) < int(query.get("q", 8))
    assert bool(contents.table) == grouped


def test_link_of_the_grouping_lesson_restores_it(contents):
    own = {"lines": "rows", "k1": "3", "k2": "5", "pair": "mixing", "corr": "0.5"}
    query = {"seed": "2"} | {f"grouping_{name}": value for name, value in own.items()}
    visit(contents, "grouping", **SMALL, **query)
    assert link(contents).items() > query.items()
    assert r"\| W_{3:} - W_{5:} \|" in contents.latex[0].value


def take_home(contents):
    """Return the names of the downloads, and the labels of what can be unfolded."""
    names = {button.key for button in contents.get("download_button")}
    return names, {expander.label for expander in contents.expander}


def test_accuracy_of_the_question_on_rank_changes_by_two_samples_at_most(contents):
    contents.session_state["rank_prediction"] = None
    visit(contents, "rank", "path")
    assert players(contents)[0]["covered"]
    assert not any("ccuracy" in str(panel) for panel in players(contents)[0]["panels"])
    curves = contents.session_state["path"].frames.metrics
    held = curves["held"][curves["rank"] > 0] * contents.session_state["path"].experiment.data.tests
    assert contents.session_state["path"].experiment.data.tests == 60
    assert held.max() - held.min() < 2.5
    assert curves["train"].argmax() >= np.flatnonzero(curves["rank"] > 1)[0]


@pytest.mark.parametrize("held", [0, 1, 5])
def test_stopped_path_shows_the_points_that_it_has(contents, held):
    opened(contents, "rank", **SMALL, map="true")
    for slot in ("path", "plane"):
        run = contents.session_state[slot]
        run._stopped_at = replace(run.frames, metrics=run.frames.metrics[:held])
    contents.run()
    assert not contents.exception
    names, folded = take_home(contents)
    assert {"smm_path_trace.csv", "smm_path_run.py", "smm_map_trace.csv"} <= names
    assert {"Code", "Link to this page with these settings"} <= folded
    assert len(contents.dataframe) == (held > 0)
    assert bool(contents.info) == (held == 0)


def test_samples_that_cannot_be_split_get_a_sentence_in_the_lesson_on_rank(contents):
    opened(contents, "rank", n="10", p="2", q="2", V="1", r="1", seed="38")
    assert not contents.exception
    assert "Each class needs at least 2 samples" in contents.error[0].value
    names, _ = take_home(contents)
    assert "smm_path_run.py" in names


def test_link_brings_decades_points_and_map_of_a_path_back(contents, other):
    chosen = {"rank_decades": "2", "rank_points": "21", "rank_map": "true"}
    visit(contents, "rank", **SMALL, **chosen)
    settings = link(contents)
    assert settings.items() >= chosen.items()
    visit(other, "rank", **settings)
    for slot in ("path", "plane"):
        experiment = contents.session_state[slot].experiment
        assert other.session_state[slot].experiment == experiment
    experiment = other.session_state["path"].experiment
    assert (experiment.decades, experiment.points) == (2.0, 21)
    other.select_slider(key="rank_decades").set_value(4).run()
    assert other.session_state["path"].experiment == replace(experiment, decades=4.0)


def test_all_w_of_a_path_are_offered_to_who_asks(contents):
    opened(contents, "rank", **SMALL, points="21")
    names, _ = take_home(contents)
    assert "smm_path_all.npz" not in names
    assert "smm_path_model.npz" in names
    next(b for b in contents.button if b.label == "All W of the path").click().run()
    assert not contents.exception
    names, _ = take_home(contents)
    assert {"smm_path_all.npz", "smm_path_all.mat"} <= names
    assert "smm_path_all.py" not in names  # the script of the run is the same


def test_map_is_drawn_by_the_player_alone(contents):
    opened(contents, "rank", **SMALL, map="true")
    maps = [panel for panel in players(contents)[1]["panels"] if panel["kind"] == "map"]
    assert [panel["field"] for panel in maps] == ["rank", "held"]
    assert maps[0]["span"] == [0, 6]
    finish(contents.session_state["plane"])
    contents.run()
    cells = contents.session_state["plane"].frames.metrics
    held = cells["held"][cells["rank"] > 0]
    (span,) = (
        panel["span"]
        for panel in players(contents)[1]["panels"]
        if panel.get("title") == "Held-out accuracy"
    )
    assert span == [held.min(), held.max()]
    assert len(maps[0]["rows"]["values"]) * len(maps[0]["columns"]["values"]) == 117
    assert not contents.get("plotly_chart")


def swept(contents):
    """Wait for the sweep, and draw the page again."""
    finish(contents.session_state["sweep"])
    return contents.run()


def test_sweep_marks_what_validation_takes_on_its_curves(contents):
    opened(contents, "compare", n="40", p="6", q="8", r="2", machines=["SMM", "R-GLM"])
    fields = panels(contents, 1)["Held-out accuracy"]["fields"]
    assert [field["label"] for field in fields] == ["SMM", "R-GLM"]
    swept(contents)
    assert not contents.exception
    curves = contents.session_state["sweep"].frames.metrics
    titles = {"held_": "Held-out accuracy", "group_": "Grouping score of the columns of W"}
    for prefix, title in titles.items():
        for method, field in zip(
            ("smm", "rglm"), panels(contents, 1)[title]["fields"], strict=True
        ):
            held = curves[f"held_{method}"]
            assert field["name"] == prefix + method
            assert field["chosen"] == held.argmax()  # the strongest of the best
            assert {*np.flatnonzero(held == held.max())} <= {*field["near"]}


def test_large_sweep_waits_for_a_click_and_ends_with_another(contents):
    visit(contents, "compare", n="300", p="80", q="100", machines="R-GLM")
    assert "sweep" not in contents.session_state
    contents.toggle(key="compare_large").set_value(True).run()
    sweep = contents.session_state["sweep"]
    assert not sweep.ended
    contents.toggle(key="compare_large").set_value(False).run()
    assert sweep.ended
    assert "sweep" not in contents.session_state
    assert not contents.exception


@pytest.mark.parametrize("preset", FIGURE_1)
def test_preset_of_figure_1_sets_the_rivals_too(contents, preset):
    visit(contents, "compare", rank="1", offset="true", machines="SMM", tau="5", n="50")
    next(button for button in contents.main.button if preset in button.label).click().run()
    run, lam, _ = FIGURE_1[preset]
    assert contents.session_state["race"].experiment == RaceRun(
        Split(run.data), C=run.C, tau=run.tau, lam=lam
    )


def test_first_picture_comes_back_after_any_other(contents, other):
    visit(other, "compare")
    visit(contents, "compare", **{"lambda": "0.0001"}, tau_rel2="2", machines="R-GLM")
    next(button for button in contents.main.button if button.label == "First picture").click().run()
    for slot in ("race", "sweep"):
        assert contents.session_state[slot].experiment == other.session_state[slot].experiment


@pytest.mark.parametrize("preset", [WITH_BLOCKS, REVERSED])
def test_preset_link_and_sliders_give_the_same_comparison(contents, preset, new_app):
    by_link, by_hand = new_app(), new_app()
    visit(contents, "compare")
    next(button for button in contents.main.button if button.label == preset).click().run()
    visit(by_link, "compare", **link(contents))
    visit(by_hand, "compare")
    run, lam, _ = FIGURE_1[preset]
    for key, value in (("C", run.C), ("tau", run.tau), ("compare_lambda", lam)):
        by_hand.select_slider(key=key).set_value(value)
    by_hand.run()
    for way in (by_link, by_hand):
        for slot in ("race", "sweep"):
            assert way.session_state[slot].experiment == contents.session_state[slot].experiment
        assert panels(way, 0) == panels(contents, 0)
        assert link(way) == link(contents)


@pytest.mark.parametrize(
    ("machines", "taken", "sentence"),
    [
        (["nonsense"], [*NAMES_BY_COLOUR], "machines = nonsense in the address: there is only SMM"),
        (["R-GLM", "B-SVM"], ["rglm"], "machines = B-SVM in the address: there is only SMM"),
        ([""], [*NAMES_BY_COLOUR], "taken as SMM, bilinear SVM, R-GLM, linear SVM."),
    ],
)
def test_machines_that_there_are_not_get_a_sentence(contents, machines, taken, sentence):
    visit(contents, "compare", machines=machines)
    assert sentence in contents.main.text[0].value
    assert contents.session_state["compare_machines"] == taken
    assert contents.session_state["race"].experiment.methods == tuple(taken)


def test_pills_are_on_again_when_the_last_goes_off(contents):
    visit(contents, "compare", machines="SMM")
    contents.get("button_group")[-1].set_value([]).run()
    assert contents.session_state["compare_machines"] == [*NAMES_BY_COLOUR]
    assert contents.main.text[0].value == "One at least takes part: all are on again."
    assert contents.session_state["race"].experiment.methods == tuple(NAMES_BY_COLOUR)


def test_weights_of_machines_that_are_off_change_nothing(contents):
    visit(contents, "compare", machines="SMM", **{"lambda": "0.1"}, rank="2")
    race, sweep = (contents.session_state[slot] for slot in ("race", "sweep"))
    assert race.experiment.lam == RaceRun.lam
    for key in ("compare_lambda", "compare_rank"):
        assert contents.select_slider(key=key).disabled
    assert contents.toggle(key="compare_offset").disabled
    contents.session_state["compare_lambda"] = 0.5  # as a link or Undo may
    contents.run()
    assert contents.session_state["race"] is race
    assert contents.session_state["sweep"] is sweep
    said = " ".join(caption.value for caption in contents.caption)
    assert "C = 0.05 (SMM), τ = 0.2 (SMM)" in said
    assert "λ" not in said
    assert "bilinear" not in panels(contents, 0)["Relative gap"]["title"]


def test_without_idle_weights_keeps_those_that_are_used():
    race = RaceRun(Split(QUICK.data), 2.0, 3.0, 0.5, 7, offset=True)
    assert without_idle_weights(race) == race
    glm = without_idle_weights(replace(race, methods=("rglm",)))
    assert glm == RaceRun(race.data, lam=0.5, methods=("rglm",))


def test_line_of_a_machine_keeps_its_colour_whoever_else_takes_part(contents, other):
    visit(contents, "compare", n="40", p="6", q="8", r="2", machines=["R-GLM"])
    (alone,) = panels(contents, 0)["Held-out accuracy"]["fields"]
    visit(other, "robustness")
    among = panels(other, 0)["Accuracy in cross-validation"]["fields"]
    assert {field["label"]: field["colour"] for field in among}["R-GLM"] == alone["colour"] == 2
    assert len({field["colour"] for field in among}) == 4


def test_lambda_stands_under_c_on_the_axes_of_the_sweep_where_there_is_one(contents, other):
    small = {"n": "40", "p": "6", "q": "8", "r": "2"}
    visit(contents, "compare", **small, machines=["SMM", "R-GLM"])
    assert players(contents)[1]["axis"]["below"] == {"label": "λ / λₘₐₓ", "field": "lam"}
    assert "Training accuracy" in panels(contents, 1)
    visit(other, "compare", **small, machines="SMM")
    assert "below" not in players(other)[1]["axis"]


def test_models_of_the_race_are_offered_and_the_held_out_accuracy_comes_first(contents):
    opened(contents, "compare", n="40", p="6", q="8", r="2")
    assert {"smm_race_model.npz", "smm_race_model.mat"} <= take_home(contents)[0]
    assert list(contents.dataframe[0].value)[:4] == [
        *("classifier", "held-out accuracy", "grouping score", "rank"),
    ]


def test_rule_chooses_among_the_weights_of_the_sweep(contents):
    chosen = {"n": "40", "p": "6", "q": "8", "r": "2", "machines": "SMM"}
    opened(contents, "compare", **chosen, tie="weakest of the best")
    swept(contents)
    held = contents.session_state["sweep"].frames.metrics["held_smm"]
    (field,) = panels(contents, 1)["Held-out accuracy"]["fields"]
    assert field["chosen"] == np.flatnonzero(held == held.max())[-1]
    assert any(f"one sample is {percent(1 / 12)}" in caption.value for caption in contents.caption)


def test_presets_of_figure_1_swap_the_blocks_at_nearly_equal_accuracy():
    ends = {}
    for preset in (WITH_BLOCKS, REVERSED):
        run, lam, _ = FIGURE_1[preset]
        race = RaceRun(Split(run.data), run.C, run.tau, lam, methods=("smm", "rglm"))
        ends[preset] = advance(race, None, 60.0).metrics[-1]
    printed, reverse = ends.values()
    assert printed["group_smm"] > 0.95
    assert printed["group_rglm"] < 0.3
    assert reverse["group_rglm"] > 0.95
    assert reverse["group_smm"] < 0.3
    held = [end[f"held_{name}"] for end in ends.values() for name in ("smm", "rglm")]
    assert max(held) - min(held) < 0.05


def test_one_group_of_columns_has_no_score_and_the_page_says_so(contents):
    opened(contents, "compare", **SMALL, V="1", machines="SMM")
    assert "There is no grouping score" in contents.info[0].value
    assert list(contents.dataframe[0].value["grouping score"]) == ["–"]
    for place in (0, 1):
        assert not any("rouping" in title for title in panels(contents, place) if title)


def test_machine_whose_w_is_zero_is_named_in_the_table(contents):
    opened(contents, "compare", **SMALL, C="1e-05", machines="SMM")
    assert list(contents.dataframe[0].value["grouping score"]) == ["W = 0"]


def test_link_of_the_comparison_restores_race_and_sweep(contents, other):
    small = {"n": "50", "p": "10", "q": "12", "r": "2", "C": "0.01"}
    chosen = {"lambda": "0.0001", "rank": "2", "offset": "true", "tau_rel2": "0.5"}
    visit(contents, "compare", **small, **chosen, machines=["SMM", "bilinear SVM"])
    visit(other, "compare", **link(contents))
    for slot in ("race", "sweep"):
        experiment = contents.session_state[slot].experiment
        assert (experiment.methods, experiment.rank, experiment.offset) == (
            ("smm", "bsvm"),
            2,
            True,
        )
        assert other.session_state[slot].experiment == experiment
    assert not other.exception


def undo(contents):
    return next(button for button in contents.main.button if "Undo" in button.label)


def test_undo_takes_back_one_change_after_the_other(contents):
    opened(contents, "live")
    assert undo(contents).disabled
    contents.select_slider(key="tau").set_value(2.0).run()
    next(button for button in contents.sidebar.button if button.label == "Hard").click().run()
    contents.run()  # a rerun without a change is none
    assert contents.session_state["n"] == 500
    undo(contents).click().run()
    assert (contents.session_state["n"], contents.session_state["tau"]) == (200, 2.0)
    assert contents.session_state["smm"].experiment.tau == 2.0
    undo(contents).click().run()
    assert contents.session_state["smm"].experiment == QUICK
    assert undo(contents).disabled


def test_undo_takes_back_a_change_of_a_lesson_and_of_the_page_before(contents):
    visit(contents, "data")
    contents.number_input(key="seed").set_value(7).run()
    contents.switch_page("effects/rank/page.py").run()
    contents.select_slider(key="rank_points").set_value(21).run()
    undo(contents).click().run()
    assert contents.session_state["rank_points"] == 41
    undo(contents).click().run()
    assert contents.session_state["seed"] == 1
    assert not contents.exception


def test_undo_leaves_a_lesson_alone_until_the_reader_comes_back_to_it(contents):
    visit(contents, "rank")
    contents.select_slider(key="rank_points").set_value(21).run()
    contents.switch_page("smm/data/page.py").run()
    contents.number_input(key="n").set_value(150).run()
    undo(contents).click().run()
    assert contents.session_state["n"] == 200
    assert undo(contents).disabled
    contents.switch_page("effects/rank/page.py").run()
    assert contents.select_slider(key="rank_points").value == 21
    undo(contents).click().run()
    assert contents.toast[0].value == r"Undone. Points on the path\: 41"
    assert contents.select_slider(key="rank_points").value == 41
    assert undo(contents).disabled
    assert not contents.exception


def test_undo_takes_back_what_followed_from_a_change(contents):
    opened(contents, "grouping", **SMALL, l1="7")
    contents.number_input(key="q").set_value(5).run()
    assert contents.selectbox(key="grouping_l1").value == 1
    undo(contents).click().run()
    assert contents.number_input(key="q").value == 8
    assert contents.selectbox(key="grouping_l1").value == 7
    assert undo(contents).disabled


def test_controls_of_one_name_in_two_lessons_have_nothing_in_common(contents):
    visit(contents, "robustness", unit="unit variance")  # as in an old link
    assert contents.query_params == {"robustness_unit": "unit variance"}
    contents.switch_page("research/bilevel/page.py").run()
    assert contents.run().query_params == {}  # AppTest reads the address of the run before
    assert contents.select_slider(key="bilevel_unit").value == 1.0
    contents.select_slider(key="bilevel_unit").set_value(10.0).run()
    contents.switch_page("effects/robustness/page.py").run()
    assert contents.query_params == {"robustness_unit": "unit variance"}
    assert contents.selectbox(key="robustness_unit").value == "unit variance"
    assert undo(contents).disabled  # nothing was changed here
    contents.switch_page("research/bilevel/page.py").run()
    assert contents.query_params == {"bilevel_unit": "10"}
    undo(contents).click().run()
    assert contents.toast[0].value == r"Undone. Multiply the samples by\: 1"
    assert contents.select_slider(key="bilevel_unit").value == 1.0
    assert undo(contents).disabled
    contents.switch_page("effects/robustness/page.py").run()
    assert contents.selectbox(key="robustness_unit").value == "unit variance"
    assert not contents.exception


@pytest.mark.parametrize(
    ("page", "query", "renamed"),
    [
        (
            "compare",
            {"n": "60", "machines": ["SMM", "R-GLM"], "lambda": "0.1"},
            {"n": "60", "compare_machines": ["SMM", "R-GLM"], "compare_lambda": "0.1"},
        ),
        (
            "trace_norm",
            {"n": "60", "tr_n": "50", "tr_R": "0.8", "nonsense": "1"},
            {"trace_norm_n": "50", "trace_norm_R": "0.8"},
        ),
        (
            "yours",
            {"rank_smm": "2", "smm_by": "rank"},
            {"yours_rank_smm": "2", "yours_smm_by": "rank"},
        ),
        ("rank", {"points": "21", "rank_points": "61"}, {"rank_points": "61"}),
        (HOME, {"n": "60", "points": "21"}, {}),
        ("rank", {"n": "60", "tau": "2", "rho": "0.1"}, {"n": "60"}),
    ],
)
def test_parameters_of_an_old_link_get_the_prefix_of_the_lesson(contents, page, query, renamed):
    visit(contents, page, **query)
    assert contents.query_params == renamed
    assert not contents.exception


def test_parameter_that_no_control_has_read_goes_with_its_lesson(contents):
    visit(contents, "sparse", sparse_step="1.0")  # of another experiment than the first
    assert contents.query_params == {"sparse_step": "1.0"}
    contents.switch_page("smm/data/page.py").run()
    assert contents.query_params == {}
