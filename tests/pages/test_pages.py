"""Every page opens with its frame and a picture, without an exception; controls do as they say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from pages.effects.grouping.runs import PRESETS
from pages.effects.rivals.runs import (
    FIGURE_1,
    REVERSED,
    WITH_BLOCKS,
    RaceRun,
    SweepRun,
    race_panels,
    sweep_axis,
    without_idle_weights,
)
from pages.effects.robustness.runs import validation_panels
from pages.navigation import SECTIONS
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine.slices import advance
from pages.shared.numbers import on_control, percent
from pages.shared.player.panels import NAMES_BY_COLOUR
from pages.shared.widgets import sidebar, url
from tests.pages.visit import HOME, LESSONS, finish, link, panels, players, press, visit

TEXTS = "course", "symbols", "errata", "examples"  # pages without a picture
MODELS = {lesson.address: lesson.model for lesson in chain(*SECTIONS.values())}
SMALL = {"n": "40", "p": "6", "q": "8", "r": "2"}
NO_SCORES = SMALL | {"V": "8"}  # each group has one column: grouping scores take longest


def opened(contents, page, **query):
    """Open a page at an address, and wait for its first run."""
    return visit(contents, page, "smm", "threshold", "race", "path", "your data", **query)


def undo(contents):
    """Return the button that takes back a change."""
    return next(button for button in contents.main.button if "Undo" in button.label)


def pictures(contents) -> int:
    """Return how many charts and players the page shows."""
    return len(contents.get("plotly_chart")) + len(players(contents))


def notes(part) -> list[str]:
    """Return the notes below the controls in a part of the page."""
    return [note.value for note in part.text]


def test_charts_are_lettered_in_the_text_colour_of_the_theme(contents):
    for theme, ink in ("light", "#1b2229"), ("dark", "#e8edf2"):
        contents.context = {"theme": theme}
        for chart in visit(contents, "data").get("plotly_chart"):
            layout = json.loads(chart.proto.spec)["layout"]
            assert layout["font"]["color"] == layout["yaxis"]["tickfont"]["color"] == ink


@pytest.mark.parametrize("page", [HOME, *LESSONS])
def test_page_opens_with_its_frame_a_picture_and_the_controls_that_act_on_it(contents, page):
    opened(contents, page)
    assert not contents.exception
    assert not contents.error
    assert contents.title
    assert pictures(contents) or page in TEXTS
    side = contents.sidebar
    drawn = [*side.number_input, *side.select_slider, *side.selectbox]
    model = MODELS.get(page)
    wanted = [] if model is None else [*sidebar.DATA, *model]
    assert sorted(control.key for control in drawn) == sorted(wanted)


def test_the_recipe_of_the_labels_is_that_of_the_data(contents):
    visit(contents, "data")
    by_sign, by_share = r"sign} \langle W, X_i \rangle \end", r"- c), \quad \#\{y_i = 1\} = 10"
    assert any(by_sign in formula.value for formula in contents.get("latex"))
    contents.select_slider(key="share").set_value(0.05).run()
    assert any(by_share in formula.value for formula in contents.get("latex"))


def test_address_sets_the_experiment_and_the_link_spells_out_every_setting(contents):
    # Also the least values: Streamlit ignores what equals a control's own default.
    data = {"n": "120", "seed": "3", "V": "1", "delta": "0", "r": "1"}
    query = data | {"C": "1e-05", "tau": "0", "rho": "100", "eta": "0.5"}
    visit(contents, "live", **query)
    recipe = BlockCorrelated(n=120, groups=1, noise=0.0, rank=1, seed=3)
    experiment = SMMRun(recipe, C=1e-5, tau=0.0, rho=100.0, eta=0.5)
    assert contents.session_state["smm"].experiment == experiment
    settings = link(contents)
    assert settings.items() > query.items()
    assert {*settings} > {*sidebar.control_values(QUICK)}
    assert settings["p"] == "20"  # a default too, for defaults may change
    press(contents.sidebar, "Hard")  # a preset sets every control
    assert not contents.exception
    assert contents.number_input(key="n").value == 500
    assert contents.number_input(key="seed").value == 0
    assert contents.select_slider(key="C").value == 0.1


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("n", "minus one", 200),
        ("n", "5", 10),
        ("n", "99.6", 99),
        ("p", "1000", 200),
        ("C", "nan", 0.05),
        ("C", "0.3", 0.2),
        ("C", "-1", 1e-5),
        ("scaling", "none", "unit variance"),
        ("rho", "' or 1", None),
        ("rho", "3e-08", 1e-8),
        ("rho", "1e-08", 1e-8),
        ("rho", "0.00000001", 1e-8),
        ("rho", "10⁻⁸", 1e-8),
    ],
)
def test_value_in_the_address_is_taken_as_the_nearest_or_nonsense_as_the_default(key, text, value):
    options = (sidebar.DATA | sidebar.MODEL)[key].options
    default = sidebar.control_values(QUICK)[key]
    assert url._nearest(text, options, default, on_control) == value


def test_value_that_is_not_allowed_gets_a_sentence_which_goes_with_the_value(contents):
    visit(contents, "live", n="5", C="0.3")
    experiment = replace(QUICK, data=replace(QUICK.data, n=10), C=0.2)
    assert contents.session_state["smm"].experiment == experiment
    assert notes(contents.sidebar) == [
        "n = 5 in the address is not a whole number from 10 to 2,000; taken as 10.",
        "C = 0.3 in the address is not one of its values; taken as 0.2.",
    ]
    press(contents.sidebar, "Quick")
    assert contents.session_state["smm"].experiment == QUICK
    assert not notes(contents.sidebar)
    assert not contents.exception


@pytest.mark.parametrize(
    ("page", "given", "taken"),
    [
        (
            "compare",
            {"lambda": "0.013", "offset": "perhaps"},
            {"lambda": 0.01, "offset": False},
        ),
        (
            "grouping",
            {"corr": "2", "l1": "400", "pair": "loud"},
            {"corr": 1.0, "l1": 8, "pair": "mixing"},
        ),
    ],
)
def test_controls_of_a_lesson_heed_the_address_as_well(contents, page, given, taken):
    visit(contents, page, **NO_SCORES | given)
    for name, text in given.items():
        key = f"{page}_{name}"
        assert contents.session_state[key] == taken[name]
        assert any(
            note.startswith(f"{key} = {text} in the address is not")
            for note in notes(contents.main)
        )


def test_settings_that_do_not_fit_together_get_a_sentence(contents):
    visit(contents, "smm", n="2000", p="200", q="200")
    assert not contents.exception
    assert pictures(contents)
    assert "n × p × q must be at most 12,000,000" in contents.error[0].value


def test_groups_and_rank_follow_the_shape_and_undo_takes_both_back(contents):
    visit(contents, "data", q="3", V="9", p="3")  # V is in the address, r is not
    assert (contents.session_state["V"], contents.session_state["r"]) == (3, 3)
    said = {"V is at most min(q, n) = 3.", "r is at most min(p, q) = 3."}
    assert {*notes(contents.sidebar)} >= said
    contents.number_input(key="p").set_value(2).run()
    assert contents.session_state["r"] == 2
    assert "r is at most min(p, q) = 2." in notes(contents.sidebar)
    undo(contents).click().run()
    assert (contents.session_state["p"], contents.session_state["r"]) == (3, 3)
    assert not contents.error
    assert not contents.exception


def test_changed_slider_ends_the_old_run_and_begins_another(contents):
    visit(contents, "live", n="1000", p="50", q="50", rho="1e-08")  # not done in a second
    before = contents.session_state["smm"]
    assert not before.ended
    contents.select_slider(key="tau").set_value(2.0).run()
    after = contents.session_state["smm"]
    assert after is not before
    assert before.ended
    assert after.experiment.tau == 2.0


def as_number(mantissa, exponent):
    return float(f"{mantissa}e{exponent or 0}")


def theorem_2(contents) -> tuple[float, str, float]:
    """Return the measured distance, the relation and the bound that the lesson shows."""
    formula = contents.latex[0].value.strip("$\n")
    number = r"([\d.]+)(?: \\times 10\^\{(-?\d+)\})?"
    found = re.search(rf"= {number} \\; (\S+) \\; {number}$", formula)
    return as_number(*found.group(1, 2)), found.group(3), as_number(*found.group(4, 5))


def test_grouping_lesson_shows_a_distance_below_a_bound_that_falls_with_the_correlation(contents):
    opened(contents, "grouping", **NO_SCORES)
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
def test_presets_of_the_grouping_lesson_meet_the_bound(contents, lines):
    opened(contents, "grouping", **NO_SCORES, lines=lines)
    for preset in PRESETS:
        press(contents.main, preset)
        measured, relation, bound = theorem_2(contents)
        assert relation == "="
        assert measured == bound
        assert (bound == 0) == (preset == "Identical")
        assert not contents.exception


def test_a_column_is_never_paired_with_itself(contents):
    opened(contents, "grouping", **NO_SCORES, l2="1")
    assert contents.selectbox(key="grouping_l2").value == 2
    taken = "grouping_l2 = 1 in the address is not one of its values; taken as 2."
    assert taken in notes(contents.main)
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


def test_preset_link_and_controls_give_the_same_picture(contents, other, new_app):
    opened(contents, "grouping", **NO_SCORES)
    opened(other, "grouping", **NO_SCORES)
    kinds = {"grouping_pair": "segmented_control", "scaling": "selectbox"}
    for preset, (own, shared, _) in PRESETS.items():
        press(contents.main, preset)
        by_link = visit(new_app(), "grouping", **link(contents))
        for key, value in ({f"grouping_{name}": own[name] for name in own} | shared).items():
            getattr(other, kinds.get(key, "select_slider"))(key=key).set_value(value)
        other.run()
        assert specs(by_link) == specs(other) == specs(contents)
        assert link(by_link) == link(other) == link(contents)


ODD = {
    "tau = 0": {"tau": "0"},
    "tiny C": {"C": "1e-05"},
    "W = 0": {"tau": "10000"},
    "huge C": {"C": "10000"},
    "few samples": {"n": "10", "pair": "adding y"},
    "one pair": {"p": "2", "q": "2", "V": "1", "r": "1"},
    "one pair of rows": {"p": "2", "r": "1", "lines": "rows"},
    "one group": {"V": "1"},
    "every column a group": {"V": "8"},
    "no noise": {"delta": "0"},
    "no noise, W = 0": {"delta": "0", "tau": "10000", "pair": "adding y"},
}


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
def test_grouping_lesson_says_nothing_false_or_empty_at_odd_settings(contents, query):
    visit(contents, "grouping", **SMALL | query)
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
    visit(contents, "grouping", **NO_SCORES, **query)
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


def test_map_is_drawn_by_the_player_alone_and_a_stopped_path_shows_its_points(contents):
    opened(contents, "rank", **SMALL, map="true")
    finish(contents.session_state["plane"])
    contents.run()
    maps = [panel for panel in players(contents)[1]["panels"] if panel["kind"] == "map"]
    assert [panel["field"] for panel in maps] == ["rank", "held"]
    assert maps[0]["span"] == [0, 6]
    cells = contents.session_state["plane"].frames.metrics
    held = cells["held"][cells["rank"] > 0]
    assert panels(contents, 1)["Held-out accuracy"]["span"] == [held.min(), held.max()]
    assert len(maps[0]["rows"]["values"]) * len(maps[0]["columns"]["values"]) == 117
    assert not contents.get("plotly_chart")
    whole = {slot: contents.session_state[slot].frames for slot in ("path", "plane")}
    for points in (5, 1, 0):
        for slot, frames in whole.items():
            stopped = replace(frames, metrics=frames.metrics[:points])
            contents.session_state[slot]._stopped_at = stopped
        contents.run()
        assert not contents.exception
        names, folded = take_home(contents)
        assert {"smm_path_trace.csv", "smm_path_run.py", "smm_map_trace.csv"} <= names
        assert {"Code", "Link to this page with these settings"} <= folded
        assert len(contents.dataframe) == (points > 0)
        assert bool(contents.info) == (points == 0)


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
    press(contents, "All W of the path")
    assert not contents.exception
    names, _ = take_home(contents)
    assert {"smm_path_all.npz", "smm_path_all.mat"} <= names
    assert "smm_path_all.py" not in names  # the script of the run is the same


def swept(contents):
    """Wait for the sweep, and draw the page again."""
    finish(contents.session_state["sweep"])
    return contents.run()


def test_sweep_marks_what_validation_takes_on_its_curves(contents):
    opened(contents, "compare", **SMALL, machines=["SMM", "R-GLM"])
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


def experiments(contents):
    """Return what the two runs of the comparison compute."""
    return [contents.session_state[slot].experiment for slot in ("race", "sweep")]


def test_presets_of_figure_1_set_all_that_the_link_and_the_sliders_set(contents, other, new_app):
    odd = {"lambda": "0.0001", "tau_rel2": "2", "rank": "1", "offset": "true", "machines": "SMM"}
    visit(contents, "compare", **odd, tau="5", n="50")
    visit(other, "compare")
    first = experiments(other)
    for preset in (WITH_BLOCKS, REVERSED):
        press(contents.main, preset)
        by_link = visit(new_app(), "compare", **link(contents))
        run, lam, _ = FIGURE_1[preset]
        for key, value in (("C", run.C), ("tau", run.tau), ("compare_lambda", lam)):
            other.select_slider(key=key).set_value(value)
        other.run()
        for way in (by_link, other):
            assert experiments(way) == experiments(contents)
            assert panels(way, 0) == panels(contents, 0)
            assert link(way) == link(contents)
    press(contents.main, "First picture")
    assert experiments(contents) == first


def test_machines_that_there_are_not_get_a_sentence_and_all_are_on_when_none_is(contents, other):
    visit(contents, "compare", **SMALL, machines=["R-GLM", "B-SVM"])
    assert contents.session_state["compare_machines"] == ["rglm"]
    assert "machines = B-SVM in the address: there is only SMM" in notes(contents.main)[0]
    assert contents.session_state["race"].experiment.methods == ("rglm",)
    contents.get("button_group")[-1].set_value([]).run()
    assert contents.session_state["compare_machines"] == [*NAMES_BY_COLOUR]
    assert notes(contents.main) == ["One at least takes part: all are on again."]
    visit(other, "compare", **SMALL, machines="nonsense")
    assert other.session_state["race"].experiment.methods == (*NAMES_BY_COLOUR,)
    assert notes(other.main)[0].endswith("taken as SMM, bilinear SVM, R-GLM, linear SVM.")


def test_weights_of_machines_that_are_off_change_nothing(contents):
    visit(contents, "compare", **SMALL, machines="SMM", rank="2")
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


def test_line_of_a_machine_keeps_its_colour_whoever_else_takes_part():
    _, (alone, *_) = race_panels(RaceRun(Split(QUICK.data), methods=("rglm",)), told=True)
    _, (among, *_) = validation_panels([*NAMES_BY_COLOUR])
    colours = {field.label: field.colour for field in among.fields}
    assert [(field.label, field.colour) for field in alone.fields] == [("R-GLM", 2)]
    assert colours["R-GLM"] == 2
    assert len({*colours.values()}) == 4


def test_lambda_stands_under_c_on_the_axes_of_the_sweep_where_there_is_one():
    both, alone = (
        sweep_axis(SweepRun(Split(QUICK.data), methods=methods)).to_json()
        for methods in (("smm", "rglm"), ("smm",))
    )
    assert both["below"] == {"label": "λ / λₘₐₓ", "field": "lam"}
    assert "below" not in alone


def test_models_of_the_race_are_offered_and_the_held_out_accuracy_comes_first(contents):
    opened(contents, "compare", **SMALL, machines="SMM", tie="weakest of the best")
    assert {"smm_race_model.npz", "smm_race_model.mat"} <= take_home(contents)[0]
    columns = "classifier", "held-out accuracy", "grouping score", "rank"
    assert (*contents.dataframe[0].value,)[:4] == columns
    # The rule chooses among the weights of the sweep.
    swept(contents)
    held = contents.session_state["sweep"].frames.metrics["held_smm"]
    (field,) = panels(contents, 1)["Held-out accuracy"]["fields"]
    assert field["chosen"] == np.flatnonzero(held == held.max())[-1]
    assert any(f"one sample is {percent(1 / 12)}" in caption.value for caption in contents.caption)


def test_presets_of_figure_1_swap_the_blocks_at_nearly_equal_accuracy():
    ends = {}
    for preset in (WITH_BLOCKS, REVERSED):
        run, lam, _ = FIGURE_1[preset]
        race = RaceRun(Split(run.data), run.C, run.tau, lam, methods=("smm", "rglm"), tol=1e-3)
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


def test_undo_takes_back_one_change_after_the_other(contents):
    opened(contents, "live")
    assert undo(contents).disabled
    contents.select_slider(key="tau").set_value(2.0).run()
    press(contents.sidebar, "Hard")
    contents.run()  # a rerun without a change is none
    assert contents.session_state["n"] == 500
    undo(contents).click().run()
    assert (contents.session_state["n"], contents.session_state["tau"]) == (200, 2.0)
    assert contents.session_state["smm"].experiment.tau == 2.0
    undo(contents).click().run()
    assert contents.session_state["smm"].experiment == QUICK
    assert undo(contents).disabled


def test_undo_takes_back_changes_of_this_lesson_and_of_the_sidebar_on_any_page(contents):
    visit(contents, "data", **SMALL)
    contents.number_input(key="seed").set_value(7).run()
    contents.switch_page("effects/rank/page.py").run()
    undo(contents).click().run()
    assert contents.session_state["seed"] == 1
    contents.select_slider(key="rank_points").set_value(21).run()
    contents.switch_page("smm/data/page.py").run()
    contents.number_input(key="n").set_value(150).run()
    undo(contents).click().run()
    assert contents.session_state["n"] == 40
    assert undo(contents).disabled  # the lesson's change waits until the reader comes back to it
    contents.switch_page("effects/rank/page.py").run()
    assert contents.select_slider(key="rank_points").value == 21
    undo(contents).click().run()
    assert contents.toast[0].value == r"Undone. Points on the path\: 41"
    assert contents.select_slider(key="rank_points").value == 41
    assert undo(contents).disabled
    assert not contents.exception


def test_undo_takes_back_what_followed_from_a_change(contents):
    opened(contents, "grouping", **NO_SCORES, l1="7")
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
        (
            "rank",
            {"n": "60", "tau": "2", "points": "21", "rank_points": "61"},
            {"n": "60", "rank_points": "61"},
        ),
        (HOME, {"n": "60", "points": "21"}, {}),
    ],
)
def test_parameters_of_an_old_link_get_the_prefix_of_the_lesson(contents, page, query, renamed):
    visit(contents, page, **query)
    assert contents.query_params == renamed
    assert not contents.exception


def test_parameter_that_no_control_has_read_goes_with_its_lesson(contents):
    visit(contents, "vc_dimension", vc_dimension_step="1.0")
    assert contents.query_params == {"vc_dimension_step": "1.0"}
    contents.switch_page("smm/data/page.py").run()
    assert contents.query_params == {}
