"""Every page opens with its frame and a picture, without an exception; controls do as they say."""

import re
from dataclasses import replace
from itertools import chain, cycle

import pytest
from streamlit.testing.v1 import AppTest

from pages.navigation import SECTIONS
from pages.shared.algorithm1 import QUICK, Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.widgets import recipe
from pages.smm.live.runs import OPENING
from tests.pages.visit import (
    HOME,
    LESSONS,
    SMALL,
    TEXTS,
    choose,
    control_settings,
    controls,
    current_states,
    experiments,
    knobs,
    link,
    notes,
    pictures,
    set_address,
    states,
    turn,
    visit,
)

MODELS = {lesson.address: lesson.model for lesson in chain(*SECTIONS.values())}


@pytest.mark.systems
@pytest.mark.parametrize("page", [HOME, *LESSONS])
def test_page_opens_with_its_frame_a_picture_and_the_controls_that_act_on_it(contents, page):
    visit(contents, page, "live", "rank")
    assert not contents.error
    assert contents.title
    assert pictures(contents) or page in TEXTS
    model = MODELS.get(page)
    assert controls(contents).keys() & {*recipe.DATA, *recipe.MODEL} == (
        set() if model is None else {*recipe.DATA, *model}
    )


ODD = {
    "below the path": {"tau": "1e-05"},
    "W = 0": {"tau": "10000"},
    "huge C": {"C": "10000"},
    "few samples": {"n": "10", "pair": "adding y"},
    "one pair": {"p": "2", "q": "2", "V": "1", "r": "1"},
    "one column more than rows": {"p": "2", "q": "3", "V": "1", "r": "1"},
    "one class tiny": {"share": "0.05"},
    "one group": {"V": "1"},
    "every column a group": {"V": "8"},
    "no noise, W = 0": {"delta": "0", "tau": "10000", "pair": "adding y"},
}
OF_COLUMNS = "few samples", "one pair", "one group", "every column a group", "no noise, W = 0"


@pytest.mark.parametrize("odd", ODD)
def test_odd_settings_get_a_whole_page_with_numbers(contents, odd):
    page = "theorem_2" if odd in OF_COLUMNS else "live"
    visit(contents, page, "live", **SMALL | ODD[odd])
    assert not contents.error
    assert pictures(contents) or "no pairs to draw" in contents.info[0].value
    kinds = "markdown", "caption", "latex", "info"
    texts = [part.value for kind in kinds for part in contents.get(kind)]
    for text in [*texts, *(chart.proto.spec for chart in contents.get("plotly_chart"))]:
        assert not re.search(r"\b(nan|inf|infinity)\b", text, re.IGNORECASE), text


def test_the_recipe_of_the_labels_is_that_of_the_data(contents):
    visit(contents, "grouping")
    by_sign, by_share = r"sign} \langle W, X_i \rangle \end", r"- c), \quad \#\{y_i = 1\} = 10"
    assert any(by_sign in formula.value for formula in contents.get("latex"))
    turn(contents, "share", 0.05)
    assert any(by_share in formula.value for formula in contents.get("latex"))


def test_address_and_presets_set_the_experiment(contents):
    data = {"n": "120", "seed": "3", "V": "1", "delta": "0", "r": "1"}
    query = data | {"C": "1e-05", "tau": "0", "rho": "100", "eta": "0.5"}
    visit(contents, "live", **query)
    made = BlockCorrelated(n=120, groups=1, noise=0.0, rank=1, seed=3)
    experiment = Algorithm1(made, C=1e-5, tau=0.0, rho=100.0, eta=0.5)
    assert contents.session_state["live"].experiment == experiment
    assert control_settings(contents).items() > query.items()
    choose(contents, "Hard")  # a preset sets every control
    assert not contents.exception
    assert control_settings(contents).items() >= {"n": "500", "seed": "0", "C": "0.1"}.items()
    assert current_states(contents) == ["Hard"]


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("sparse", {"lam": "0.2", "tau_net": "0.25", "n_samples": "30", "penalty": "l1 + l2"}),
        ("trace_norm", {"R": "0.8", "layers": "2"}),
        ("rank", {"truth": "Plaid", "n": "100", "tau": "10.6", "step": "3"}),
        ("imbalance", {"positives": "20", "C": "0.2"}),
    ],
)
def test_link_of_a_lesson_restores_what_it_computes(contents, other, page, query):
    query = {f"{page}_{name}": value for name, value in query.items()}
    visit(contents, page, **query)
    assert control_settings(contents).items() >= query.items()
    visit(other, page, **link(contents))
    mine, again = experiments(contents), experiments(other)
    assert mine
    assert mine.items() <= again.items()  # what follows the end of a run may have come by now
    for app in (contents, other):
        assert not app.error


def test_value_that_is_not_allowed_gets_a_sentence_which_goes_with_the_value(contents):
    visit(contents, "live", n="5", C="0.3")
    experiment = replace(OPENING, data=replace(QUICK.data, n=10), C=0.2)
    assert contents.session_state["live"].experiment == experiment
    assert notes(contents) == [
        "The address sets C to 0.3, which is not available. Using 0.2.",
        "The address sets n to 5; it must be a whole number from 10 to 2,000. Using 10.",
    ]
    choose(contents, "Quick")
    assert contents.session_state["live"].experiment == QUICK
    assert not notes(contents)
    assert not contents.exception


def test_settings_that_do_not_fit_together_get_a_sentence(contents):
    visit(contents, "live", n="2000", p="200", q="200")
    assert pictures(contents)
    assert "n × p × q must be at most 12,000,000" in contents.error[0].value


def test_groups_and_rank_follow_the_shape(contents):
    visit(contents, "grouping", q="3", V="9", p="3")  # V is in the address, r is not
    assert control_settings(contents).items() >= {"V": "3", "r": "3"}.items()
    assert notes(contents) == [
        "The address sets V to 9; it must be at most min(q, n) = 3. Using 3."
    ]
    turn(contents, "p", 2)
    assert control_settings(contents)["r"] == "2"
    turn(contents, "q", 12)
    assert control_settings(contents)["V"] == "9"  # which the address has kept
    assert not notes(contents)
    assert not contents.error
    assert not contents.exception


def test_failing_page_shows_a_sentence_and_logs_the_traceback(caplog):
    def script():
        import app

        app.show_failure(RuntimeError("the details"))

    shown = AppTest.from_function(script).run(timeout=240)
    assert not shown.exception
    assert "Something went wrong" in shown.error[0].value
    assert "the details" not in shown.error[0].value
    assert "the details" in caplog.text


def test_a_lesson_opens_with_its_own_settings_whatever_was_set_in_the_others(contents, other):
    """Of the lessons that share data and model; the address of the last one is left behind.

    All controls go to their first values in one lesson, and to their last ones in the next.
    """
    sharing = [each.address for each in chain(*SECTIONS.values()) if each.model is not None]
    for page, end in zip(sharing, cycle([0, -1]), strict=False):
        visit(contents, page)
        mine, fresh = experiments(contents), experiments(visit(other, page))
        assert mine == fresh
        assert control_settings(contents) == control_settings(other)
        set_address(contents, {key: knob["texts"][end] for key, knob in knobs(contents).items()})
        assert not contents.exception
        contents.query_params.clear()
        other.query_params.clear()


def test_what_was_set_elsewhere_is_offered_and_taken_back_where_it_was_set(contents):
    visit(contents, "squared_loss", tau="2", n="120")
    contents.query_params.clear()
    visit(contents, "live")
    (offer,) = (name for name in states(contents) if "yours" in name)
    assert offer == "yours: n = 120, τ = 2 · use them here"
    assert contents.session_state["live"].experiment.tau == OPENING.tau
    choose(contents, offer)
    assert control_settings(contents).items() >= {"tau": "2", "n": "120"}.items()
    set_address(contents, dict.fromkeys(("tau", "n")))
    contents.query_params.clear()
    visit(contents, "squared_loss")
    (offer,) = (name for name in states(contents) if "yours" in name)  # its own, from before
    choose(contents, offer)
    set_address(contents, dict.fromkeys(("tau", "n")))
    assert not any("yours" in name for name in states(contents))
