"""The grouping effect: its question, its settings, and the recipe of its samples."""

import numpy as np
import pytest

from pages.effects.grouping import rail
from pages.effects.grouping.runs import SampleOverview
from pages.navigation import OLD_ADDRESSES
from tests.pages.runs import SPLIT
from tests.pages.visit import SMALL, experiments, visit


def test_lesson_keeps_the_place_of_the_recipe(contents):
    visit(contents, "grouping")
    assert not contents.error
    assert "How the data are made" in [each.value for each in contents.main.get("header")]
    assert OLD_ADDRESSES["data"] == "grouping#how-the-data-are-made"


def test_recipe_follows_its_knobs(contents):
    visit(contents, "grouping", **SMALL, delta="0.2")
    (overview,) = experiments(contents).values()
    assert isinstance(overview, SampleOverview)
    assert (overview.data.n, overview.data.noise) == (40, 0.2)


def test_overview_of_the_samples_has_the_correlation_within_a_group():
    (frame,) = SampleOverview(SPLIT.data).run()
    X = SPLIT.data.load().X
    same = SPLIT.data.group_of_column[:, None] == SPLIT.data.group_of_column
    pairs = np.argwhere(np.triu(same, 1))
    each = [
        np.mean([np.corrcoef(X[:, j, k], X[:, j, m])[0, 1] for j in range(X.shape[1])])
        for k, m in pairs
    ]
    assert frame.metrics["within"] == pytest.approx(np.mean(each))


@pytest.mark.parametrize("seed", rail.SEEDS)
def test_draws_are_balanced_and_show_clear_samples(seed):
    parts = rail.draw_parts(seed)
    assert 28 <= (parts.y > 0).sum() <= 32
    np.testing.assert_allclose(parts.numbers.T @ parts.numbers, rail.N * np.eye(4), atol=1e-9)
    shown = rail.choose_shown(parts)
    assert [*parts.y[shown]] == [1, -1, 1, -1, 1, -1]
    assert len({*shown}) == 6
