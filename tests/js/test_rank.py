"""What the picture of the rank says, in Node, about the run that the lesson opens with."""

import re

import pytest

from pages.effects.rank.runs import BUILT_IN, COUNTS, OPENS, TAUS, TRUTHS, path_of
from pages.shared.engine import precomputed
from tests.js.node import evaluate

SAY = """(metrics, taus, counts, rank, settings) => {
    const paths = pathsOf(metrics, taus.length);
    const latest = { count: metrics.n?.length ?? 0 };
    const data = { counts, fewer: 200, opens: 400 };
    const view = { taus, paths, data, isTold: true, truth: { rank }, latest, ...settings };
    return sentenceOf(view, paths.get(view.n), settings.isHidden).replace(/<\\/?b>/g, "");
}"""


def say(name="Plaid", frames=None, rank=1, **settings):
    metrics = precomputed.metrics(BUILT_IN[name])[:frames]
    columns = {field: metrics[field].tolist() for field in ("n", "rank", "train", "new")}
    usual = {"n": OPENS, "step": 2, "k": 0, "isHidden": False, "heights": [1.234, 0.056]}
    settings = usual | settings
    return evaluate(["rank/paths"], SAY, columns, TAUS, COUNTS, rank, settings)


def test_sentences_name_what_is_drawn_and_nothing_of_new_samples_before_the_guess():
    path = path_of(OPENS)
    best = int(path["new"].argmax())
    said = say(step=1, k=22, isHidden=True)
    assert said == (
        "At τ = 1.12 W has rank 15 and gets all 400 training samples right. "
        "How many of new samples? Guess above."
    )
    for k, verdict in ((best, "No line gets more."), (best - 3, "too high"), (30, "too low")):
        right, train = round(1000 * path["new"][k]), round(OPENS * path["train"][k])
        said = say(k=k)
        assert f"rank {path['rank'][k]}, W gets {right} of 1,000 new samples right" in said
        assert ("all 400" if train == OPENS else f"{train} of the 400") in said
        assert verdict in said
        less = round(1000 * path["new"].max()) - right
        assert (f"That is {less} fewer than the best" in said) == (k != best)
    assert "W has rank 2, W* 1: layer 2 is only 0.056 high, layer 1 1.2." in say(k=best)
    assert "W = 0" in say(step=1)
    assert "500 of 1,000" in say()


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Rank 2", "With more samples the best line goes down"),
        ("Plaid", "With more samples the best line goes down"),
        ("Smiley", "From n = 200 on the best line goes down"),
        ("Full rank", "For every n the best line is the lowest one"),
    ],
)
def test_how_the_best_line_moves_is_said_as_it_is(name, verdict):
    metrics = precomputed.metrics(BUILT_IN[name])
    own = metrics[metrics["n"] == 800]
    best = own[own["new"].argmax()]
    said = say(name, step=3, n=800)
    here = f"τ = {best['tau']:g} (rank {best['rank']:.0f}, {1000 * best['new']:.0f} of 1,000)"
    assert said.startswith(f"With 800 samples the best line is at {here}.")
    assert verdict in said


def test_what_is_not_known_yet_is_not_said():
    points = len(TAUS)
    assert "12 of 205 are done" in say(frames=12)
    assert "goes down" not in say(frames=2 * points + 3, step=3)  # only 400 and 200
    full = say("Full rank", k=points - 1, rank=20)
    assert re.search(r"No line gets more: W\* has rank 20", full)
    assert {*TRUTHS} == {*BUILT_IN}
