"""The stack of layers: its numbers, and what the lesson says about its pictures."""

import numpy as np
import pytest

from pages.foundations.trace_norm.layers import (
    CROSS,
    DIAGONAL,
    FACE,
    PICTURES,
    PLAID,
    SIDE,
    decompose,
    make_picture,
    read_greys,
)
from smmcore.sugiyama.penalties import TraceNorm

BUILT_IN = PICTURES[:-1]


@pytest.mark.parametrize("name", BUILT_IN)
def test_layers_add_up_to_the_picture_and_their_heights_to_its_nuclear_norm(name):
    picture = make_picture(name)
    columns, heights, rows = layers = decompose(picture)
    assert picture.shape == (SIDE, SIDE)
    assert 0 <= picture.min() < picture.max() <= 1
    np.testing.assert_allclose((columns * heights) @ rows, picture, atol=1e-12)
    assert layers.rank == np.linalg.matrix_rank(picture)
    assert heights.sum() == pytest.approx(TraceNorm((SIDE, SIDE)).value(picture.ravel()), rel=1e-9)


def test_answers_say_what_the_pictures_are():
    """The plaid has one layer, the cross two, the face 25 of which most are low."""
    heights = {name: decompose(make_picture(name)).heights for name in BUILT_IN}
    ranks = {name: np.count_nonzero(each) for name, each in heights.items()}
    assert ranks == {FACE: 25, PLAID: 1, CROSS: 2, DIAGONAL: 25}
    np.testing.assert_allclose(heights[DIAGONAL], 1.0)
    assert np.median(heights[FACE]) < heights[FACE][0] / 20
    assert len(np.unique(make_picture(CROSS), axis=0)) == 2
    assert np.linalg.matrix_rank(1 - make_picture(CROSS)) == 1  # the corners: the first exercise
    columns, _, rows = decompose(make_picture(CROSS))
    for strip in (columns[:, 1], rows[1]):
        assert strip.min() < 0 < strip.max()
    assert len(np.unique(make_picture(FACE), axis=0)) == 25


def test_picture_that_a_browser_sends_is_read_and_anything_else_ignored():
    greys = list(range(256)) * 2 + [7] * 113
    picture = read_greys(greys)
    np.testing.assert_allclose(picture.ravel(), np.array(greys) / 255)
    wrong = (
        None,
        "x" * 625,
        [0] * 625,
        [1] * 624,
        [256] * 625,
        [-1] * 625,
        [1.5] * 625,
        [True] * 625,
    )
    assert [read_greys(values) for values in wrong] == [None] * len(wrong)
