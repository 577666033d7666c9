"""The tensors of the lesson on low-rank SVMs."""

import numpy as np
import pytest

from pages.variants.low_rank.tensor_data import make_rank_one_tensors


def test_tensors_are_separated_by_an_outer_product():
    X, y, W = make_rank_one_tensors(30, (4, 3, 2), 5)
    assert X.shape == (30, 4, 3, 2)
    np.testing.assert_array_equal(y, np.sign(np.einsum("nijk,ijk->n", X, W)))
    for axis in range(3):
        assert np.linalg.matrix_rank(np.moveaxis(W, axis, 0).reshape(W.shape[axis], -1)) == 1
    with pytest.raises(ValueError, match="n_samples must be at least 2, got 1"):
        make_rank_one_tensors(1)
    with pytest.raises(ValueError, match=r"one axis or more, each of 1 or more, got \(4, 0\)"):
        make_rank_one_tensors(30, (4, 0))
