import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.prox import singular_value_threshold
from tests.smmcore.conftest import seeds


def objective(Z, M, tau):
    return 0.5 * np.sum((Z - M) ** 2) + tau * np.linalg.norm(Z, "nuc")


@given(seeds, st.integers(1, 7), st.integers(1, 7), st.sampled_from([0.0, 0.1, 1.0, 3.0]))
def test_svt_satisfies_the_three_point_inequality(seed, p, q, tau):
    # For the minimiser Z* of a 1-strongly convex function: f(Z) >= f(Z*) + 1/2 ||Z - Z*||^2.
    rng = np.random.default_rng(seed)
    M, Z = rng.standard_normal((2, p, q))
    star = singular_value_threshold(M, tau)
    for other in (Z, star + 1e-3 * Z, np.zeros_like(M), M):
        bound = objective(star, M, tau) + 0.5 * np.sum((other - star) ** 2)
        assert objective(other, M, tau) >= bound - 1e-13 * max(bound, 1)


@pytest.mark.parametrize(
    ("M", "tau", "message"),
    [
        (np.ones(3), 1, r"M must be a matrix, got an array of shape \(3,\)"),
        (np.ones((2, 2)) * 1j, 1, "M must be real, got complex numbers"),
        ([[np.nan]], 1, "M must be finite, got NaN or infinity"),
        (np.ones((2, 2)), -1, "tau must be at least 0, got -1"),
        (np.ones((2, 2)), np.nan, "tau must be at least 0, got nan"),
    ],
)
def test_svt_names_what_is_wrong(M, tau, message):
    with pytest.raises(ValueError, match=message):
        singular_value_threshold(M, tau)
