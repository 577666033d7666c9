"""The four methods that the comparisons run."""

import numpy as np
import pytest

from pages.shared.methods import METHODS, Settings
from smmcore.problems import SMMProblem


@pytest.mark.parametrize("name", METHODS)
def test_the_problem_of_a_method_keeps_the_sample_weights(name):
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((24, 5, 4)), rng.uniform(0.1, 10, 24)
    base = SMMProblem(X, np.tile([1.0, -1.0], 12), 1.0, 0.5, sample_weight=weights)
    other = METHODS[name].problem(base, Settings(C=2.0, lam=0.5))
    np.testing.assert_array_equal(other.sample_weight, weights)
