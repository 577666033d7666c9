"""The panels of the player: what they need of a run, and what the JavaScript reads."""

import re

import pytest

from pages.effects.rivals.runs import RivalsSweep
from pages.shared.component import ASSETS
from pages.shared.player.panels import (
    Curve,
    Lines,
    Mark,
    Number,
    Panel,
    Picture,
    Points,
    Readout,
    Vectors,
    check,
    series,
)
from pages.smm.live.panels import Band, Decision, Ratio, Residuals
from tests.pages.runs import SPLIT

POINTS = Points("samples", [0.0], [1.0])
GAP = series({"gap": "gap"})
PANELS = [  # each with the metrics and the images that it needs
    (Picture("W", "W"), [], ["W", "W_scale"]),
    (Vectors(series({"sigma": "σ"}), "σ"), [], ["sigma"]),
    (Curve(series({"fit": "θ"}), "Fit", "x", [0.0], POINTS, POINTS, False), [], ["fit"]),
    (Lines(GAP, "Gap", "log"), ["gap"], []),
    (Lines(GAP, "Gap", "log", marks=[Mark("end", "end")]), ["gap", "end"], []),
    (Readout([Number("gap", "gap", "sci")]), ["gap"], []),
]


@pytest.mark.parametrize(("panel", "metrics", "images"), PANELS)
def test_check_refuses_a_run_without_a_metric_or_an_image_of_a_panel(panel, metrics, images):
    check([panel], metrics, images)
    for name in {*metrics, *images}:
        others = [[other for other in names if other != name] for names in (metrics, images)]
        with pytest.raises(ValueError, match=rf"^the {panel.kind} .*shows the \w+ '{name}'; the"):
            check([panel], *others)


def test_json_has_the_names_of_the_javascript_and_no_field_at_its_default():
    assert Readout([Number("gap", "gap", "sci")]).to_json() == {
        "kind": "readout",
        "fields": [{"name": "gap", "label": "gap", "format": "sci"}],
    }
    assert "own" not in Picture("W", "W").to_json()


SWEEP = RivalsSweep(SPLIT)


def test_the_javascript_draws_every_kind_of_panel():
    source = (ASSETS / "player" / "panels.js").read_text(encoding="utf-8")
    table = re.search(r"const KINDS = \{(.*?)\n\};", source, re.DOTALL)[1]
    drawn = {*re.findall(r"^  (\w+)[:,]", table, re.M)}
    of_lessons = {panel.kind for panel in (Band, Decision, Ratio, Residuals)}
    assert drawn == {panel.kind for panel in Panel.__subclasses__()} | of_lessons
