"""The rank of what a reader paints, and its text in the address."""

import numpy as np

from pages.shared.data import painted
from pages.shared.data.painted import PAINTINGS
from tests.js.node import evaluate

SIDE = 20


def test_rank_in_the_browser_is_that_of_numpy():
    rng = np.random.default_rng(0)
    shape = SIDE, SIDE
    sparse = [rng.integers(-1, 2, shape) * (rng.random(shape) < p) for p in (0.05, 0.1, 0.2, 1)]
    copied = rng.integers(-1, 2, shape)
    copied[7:] = copied[rng.integers(0, 7, 13)]
    matrices = [*PAINTINGS.values(), *sparse, copied, copied.T, np.zeros(shape)]
    cells = [[int(cell) for cell in W.ravel()] for W in matrices]
    found = evaluate(["lib/painting"], "(all) => all.map(rankOf)", cells)
    assert found == [np.linalg.matrix_rank(W) for W in matrices]


def test_text_in_the_browser_is_that_which_the_page_reads():
    rng = np.random.default_rng(1)
    matrices = [*PAINTINGS.values(), *rng.integers(-1, 2, (5, SIDE, SIDE))]
    cells = [[int(cell) for cell in W.ravel()] for W in matrices]
    texts = evaluate(["lib/painting"], "(all) => all.map(encode)", cells)
    assert texts == [painted.encode(W) for W in matrices]


def test_photo_is_painted_on_the_smaller_side_of_otsus_threshold():
    rng = np.random.default_rng(2)
    ramp = np.arange(SIDE * SIDE) % 256
    disc = np.where(np.hypot(*np.mgrid[-9.5:10, -9.5:10]) < 6, 220, 30).ravel() + rng.integers(0, 9)
    greys = [rng.integers(0, 256, SIDE * SIDE), ramp, disc, 255 - disc, rng.integers(90, 93, 400)]
    found = evaluate(
        ["lib/painting"], "(all) => all.map(paintingOf)", [each.tolist() for each in greys]
    )
    for grey, cells in zip(greys, found, strict=True):
        # The split into two sides of which each varies least.
        spread = {cut: sum(part.size * part.var() for part in sides(grey, cut)) for cut in grey}
        cut = min((cut for cut in spread if cut > grey.min()), key=spread.__getitem__)
        dark = grey < cut
        expected = dark if 2 * dark.sum() <= dark.size else ~dark
        np.testing.assert_array_equal(cells, expected)
    np.testing.assert_array_equal(found[2], disc > 128)
    np.testing.assert_array_equal(found[3], found[2])
    assert not any(evaluate(["lib/painting"], "paintingOf", [7] * SIDE**2))


def sides(grey, cut):
    """The greys below a threshold, and the others."""
    return [part for part in (grey[grey < cut], grey[grey >= cut]) if part.size]
