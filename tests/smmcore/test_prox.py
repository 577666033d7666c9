import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.prox import (
    elastic_value,
    group_norms,
    group_soft_threshold,
    l1_ball_threshold,
    lp_norm,
    project_elastic_ball,
    project_group_ball,
    project_l1_ball,
    project_lp_ball,
    project_simplex_ball,
    project_trace_ball,
    singular_value_threshold,
    soft_threshold,
)

seeds = st.integers(0, 2**32 - 1)


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


@given(seeds, st.floats(0, 3))
def test_svt_and_the_projection_on_the_spectral_ball_add_up_to_the_matrix(seed, tau):
    # Moreau: prox of tau ||.||_* plus the projection on ||.||_2 <= tau is the identity.
    M = np.random.default_rng(seed).standard_normal((4, 6))
    U, sigma, Vt = np.linalg.svd(M, full_matrices=False)
    projection = (U * np.minimum(sigma, tau)) @ Vt
    np.testing.assert_allclose(singular_value_threshold(M, tau) + projection, M, atol=1e-14 * 10)


def test_svt_with_threshold_zero_is_the_identity_and_above_the_norm_is_zero():
    M = np.random.default_rng(0).standard_normal((3, 5))
    np.testing.assert_allclose(singular_value_threshold(M, 0), M, atol=1e-14)
    assert not singular_value_threshold(M, np.linalg.norm(M, 2) * 1.001).any()


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


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8))
def test_projection_on_the_simplex_ball_satisfies_the_obtuse_angle(values):
    # z is the projection of v on a convex set iff <v - z, x - z> <= 0 for all x in it.
    v = np.sort(values)[::-1]
    z = project_simplex_ball(v)
    assert z.min() >= 0
    assert z.sum() <= 1 + 1e-12
    for x in (*np.eye(len(v)), np.zeros(len(v))):  # the set's corners are enough
        assert (v - z) @ (x - z) <= 1e-12 * max(1, np.abs(v).max())


GROUPS = np.array([0, 1, 1])


@pytest.mark.parametrize(
    ("project", "name"),
    [
        (lambda v: soft_threshold(v, -1.0), "t"),
        (lambda v: group_soft_threshold(v, GROUPS, -1.0), "t"),
        (lambda v: project_l1_ball(v, -1.0), "radius"),
        (lambda v: project_group_ball(v, GROUPS, -1.0), "radius"),
        (lambda v: project_trace_ball(v[None], -1.0), "radius"),
        (lambda v: project_lp_ball(v, 2, -1.0), "radius"),
        (lambda v: project_elastic_ball(v, 0.5, -1.0), "bound"),  # for which it looked for ever
    ],
)
def test_a_negative_threshold_or_radius_is_named(project, name):
    with pytest.raises(ValueError, match=f"{name} must be at least 0, got -1.0"):
        project(np.ones(3))


@pytest.mark.parametrize("p", [0, 1, 1.5, 2, 3, np.inf])
def test_a_ball_of_radius_zero_holds_zero_alone(p):
    assert not project_lp_ball(np.array([1.0, -2.0, 0.1, 0.1]), p, 0.0).any()


OF_VECTORS = {
    "soft_threshold": lambda v: soft_threshold(v, 0.5),
    "group_norms": lambda v: group_norms(v, [0, 1, 1]),
    "group_soft_threshold": lambda v: group_soft_threshold(v, [0, 1, 1], 0.5),
    "l1_ball_threshold": lambda v: l1_ball_threshold(v, 1.0),
    "project_simplex_ball": project_simplex_ball,
    "project_l1_ball": lambda v: project_l1_ball(v, 1.0),
    "project_group_ball": lambda v: project_group_ball(v, [0, 1, 1], 1.0),
    **{f"project_lp_ball {p}": lambda v, p=p: project_lp_ball(v, p, 1.0)
       for p in (0, 1, 1.5, 2, 3, np.inf)},
    "project_elastic_ball": lambda v: project_elastic_ball(v, 0.5, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_VECTORS)
@pytest.mark.parametrize(
    ("v", "message"),
    [
        ([np.nan, 2.0, 1.0], "v must be finite, got NaN or infinity"),
        ([np.inf, 2.0, 1.0], "v must be finite, got NaN or infinity"),
        ([1j, 2.0, 1.0], "v must be real, got complex numbers"),
    ],
)
def test_vectors_that_are_none_are_refused(name, v, message):
    with pytest.raises(ValueError, match=message):
        OF_VECTORS[name](v)


@pytest.mark.parametrize("name", [name for name in OF_VECTORS if name != "soft_threshold"])
def test_a_matrix_is_no_vector(name):
    with pytest.raises(ValueError, match=r"v must be a vector, got an array of shape \(1, 3\)"):
        OF_VECTORS[name]([[1.0, 2.0, 1.0]])


@pytest.mark.parametrize("name", OF_VECTORS)
def test_lists_and_integers_are_taken_as_arrays_of_floats(name):
    np.testing.assert_array_equal(
        OF_VECTORS[name]([3, -2, 1]), OF_VECTORS[name](np.array([3.0, -2.0, 1.0]))
    )


def test_norms_take_lists():
    assert lp_norm([3, -4], 2) == 5
    assert elastic_value([3, -4], 0.5) == 16


@pytest.mark.parametrize("M", [[[np.nan]], [[np.inf]]])
def test_the_trace_ball_refuses_what_is_not_finite(M):
    with pytest.raises(ValueError, match="M must be finite, got NaN or infinity"):
        project_trace_ball(M, 1.0)


@pytest.mark.parametrize("groups", [[0, 1], [0, 1, -1], [0.0, 1.0, 1.0]])
def test_groups_must_number_every_entry(groups):
    with pytest.raises(ValueError, match="groups must hold an integer from 0 for each of the 3"):
        group_soft_threshold(np.ones(3), groups, 0.5)


@pytest.mark.parametrize("p", [0, 1, 1.5, 2, 3, np.inf])
def test_a_ball_of_infinite_radius_leaves_every_point(p):
    np.testing.assert_array_equal(project_lp_ball([1.0, -2.0], p, np.inf), [1.0, -2.0])
