"""The panels of the player: what they need of a run, and what the JavaScript reads."""

import re

import pytest

from pages.shared.component import ASSETS
from pages.shared.player.panels import (
    Bars,
    Case,
    Curve,
    LabelledField,
    Lines,
    Map,
    MapSide,
    Mark,
    Number,
    Panel,
    PerLine,
    Picture,
    Points,
    Readout,
    Sentence,
    Stems,
    check,
    series,
)
from pages.smm.live.panels import Band, Decision, Ratio, Residuals

SIDE = MapSide("C", [1.0])
POINTS = Points("samples", [0.0], [1.0])
GAP = series({"gap": "gap"})
PANELS = [  # each with the metrics and the images that it needs
    (Picture("W", "W"), [], ["W", "W_scale"]),
    (Map("rank", "Rank", SIDE, SIDE, "rank", "int", (0, 4)), ["rank"], []),
    (Bars("sigma", "σ"), [], ["sigma"]),
    (Bars("sigma", "σ", LabelledField("truth", "of Θ*")), [], ["sigma", "truth"]),
    (Stems(series({"z": "z"}), "z", among=["z", "theta"]), [], ["z", "z", "theta"]),
    (Curve(series({"fit": "θ"}), "Fit", "x", [0.0], POINTS, [POINTS], False), [], ["fit"]),
    (Lines(GAP, "Gap", "log"), ["gap"], []),
    (Lines(GAP, "Gap", "log", marks=[Mark("flag", "end", "end")]), ["gap", "end"], []),
    (Lines(GAP, "Gap", "log", bands=PerLine("sd", {"gap": "sd"})), ["gap", "sd"], []),
    (Lines(GAP, "Gap", "log", against=PerLine("s", {"gap": "time"})), ["gap", "time"], []),
    (Lines(GAP, "Gap", "log", levels=PerLine("printed", {"gap": 1.0})), ["gap"], []),
    (Sentence([Case("step", 1, "c = {c:sci:bar}, by {by:sci}")]), ["step", "c", "bar", "by"], []),
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
    assert Sentence([Case("step", 0, "One.")]).to_json() == {
        "kind": "sentence",
        "cases": [{"field": "step", "is": 0, "text": "One."}],
    }


def test_the_javascript_draws_every_kind_of_panel():
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in (ASSETS / "player").glob("*.js")
    )
    paint = re.search(r"const PAINT = \{(.*?)\n\};", source, re.DOTALL)[1]
    drawn = {*re.findall(r"(\w+): paint", paint), *re.findall(r"^PAINT\.(\w+) =", source, re.M)}
    of_lessons = {panel.kind for panel in (Band, Decision, Ratio, Residuals)}
    assert drawn == {panel.kind for panel in Panel.__subclasses__()} | of_lessons
