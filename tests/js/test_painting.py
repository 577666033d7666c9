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
