"""Norms and balls: proximal operators, projections, conjugates, each against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.prox import l1_ball_threshold, soft_threshold
from smmcore.sugiyama.penalties import L12, Ball, ElasticBall, Lp, TraceNorm, WeightedNorm
from tests.smmcore.conftest import seeds

NORMS = [
    *(Lp(p) for p in (1, 1.1, 1.4, 2, 3, 5, np.inf)),
    L12((0, 1, 0, 2, 2, 2)),
    TraceNorm((2, 3)),
    TraceNorm((3, 2)),
]
REGIONS = [
    *(Ball(norm, 1.5) for norm in NORMS),
    *(ElasticBall(tau, 1.3) for tau in (0.0, 1e-3, 0.5, 1.0)),
]


def vector(seed, scale=2.0):
    return scale * np.random.default_rng(seed).standard_normal(6)


def by_definition(region, x):
    """The left side of the book's inequality and the right one, written as the book writes them."""
    if isinstance(region, ElasticBall):
        tau = region.tau
        return (1 - tau) * sum(abs(t) for t in x) + tau * sum(t * t for t in x), region.bound
    norm = region.norm
    if isinstance(norm, TraceNorm):
        M = x.reshape(norm.shape)
        return np.sqrt(np.maximum(np.linalg.eigvalsh(M.T @ M), 0)).sum(), region.radius
    if isinstance(norm, L12):
        members = [[t for t, g in zip(x, norm.groups, strict=True) if g == j] for j in range(3)]
        return sum(sum(t * t for t in part) ** 0.5 for part in members), region.radius
    if norm.p == np.inf:
        return max(abs(t) for t in x), region.radius
    if norm.p == 0:
        return sum(t != 0 for t in x), region.radius
    return sum(abs(t) ** norm.p for t in x) ** (1 / norm.p), region.radius


@pytest.mark.parametrize(
    "region", [*REGIONS, *(Ball(Lp(p), 1.5) for p in (0.1, 0.5, 0.9)), Ball(Lp(0), 3)]
)
@given(seeds)
def test_a_ball_holds_the_points_of_its_definition(region, seed):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((40, 6)) * (rng.random((40, 6)) < rng.random())
    points *= rng.uniform(0, 1.5, (40, 1))
    for x, inside in zip(points, region.contains(points), strict=True):
        left, right = by_definition(region, x)
        if abs(left - right) > 1e-7:  # eigenvalues of X'X have half the digits
            assert inside == (left < right)


@pytest.mark.parametrize("region", [*REGIONS, *(Ball(Lp(p), 1.5) for p in (0.1, 0.5))])
@given(seeds)
def test_the_reach_of_a_direction_is_the_boundary(region, seed):
    d = vector(seed)
    t = region.reach(d)
    assert region.contains(t * d)
    assert not region.contains(t * (1 + 1e-9) * d)


@pytest.mark.parametrize("region", REGIONS)
@given(seeds, seeds)
def test_projections_satisfy_the_three_point_inequality(region, one, other):
    # z is nearest to v in a convex set iff ||x - v||^2 >= ||x - z||^2 + ||z - v||^2 for x in it.
    v, x = vector(one, 3.0), vector(other)
    x *= min(1.0, region.reach(x))
    z = region.project(v)
    assert region.contains(z)
    for point in (x, z + 1e-3 * (x - z), np.zeros(6)):
        right = np.sum((point - z) ** 2) + np.sum((z - v) ** 2)
        assert np.sum((point - v) ** 2) >= right - 1e-11 * right
    # The same for all x at once: <v - z, x> is at most <v - z, z>, the support function of v - z.
    assert region.conjugate(v - z) == pytest.approx((v - z) @ z, rel=1e-9, abs=1e-10)
    np.testing.assert_allclose(region.project(z), z, atol=1e-12)


@pytest.mark.parametrize("bound", [1e-24, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("tau", [0.0, 1e-9, 0.3, 1.0])
@pytest.mark.parametrize("s", [(0, 2, 0), (2, 2, 2), (2, -2, 0)])
def test_the_conjugate_of_an_elastic_ball_is_exact_however_small_it_is(tau, bound, s):
    # As the ball does not tell axes apart, <s, x> is largest along s if all that s holds is equal.
    ball, s = ElasticBall(tau, bound), np.array(s, dtype=float)
    assert ball.conjugate(s) == pytest.approx(ball.reach(s) * s @ s, rel=1e-12)


@pytest.mark.parametrize("norm", NORMS)
@given(seeds, seeds, st.sampled_from([0.0, 0.1, 1.0, 4.0]))
def test_proximal_operators_satisfy_the_three_point_inequality(norm, one, other, t):
    # For the minimiser of a 1-strongly convex function: f(x) >= f(z) + 1/2 ||x - z||^2.
    penalty = WeightedNorm(norm, 0.5)
    v, x = vector(one), vector(other)
    z = penalty.prox(v, t)

    def f(point):
        return 0.5 * np.sum((point - v) ** 2) + t * penalty.value(point)

    for point in (x, z + 1e-3 * x, np.zeros(6), v):
        assert f(point) >= f(z) + 0.5 * np.sum((point - z) ** 2) - 1e-11 * (1 + f(point))
    if t:  # Fenchel and Young: equality at s in the subdifferential, which is where v - z lies
        s = (v - z) / t
        assert penalty.share(s) >= 1 - 1e-10
        assert s @ z == pytest.approx(penalty.value(z), rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("norm", NORMS)
@given(seeds, seeds)
def test_the_dual_norm_bounds_products_and_scales_to_where_the_conjugate_is_finite(
    norm, one, other
):
    x, s = vector(one), vector(other)
    assert s @ x <= norm.dual(s) * norm.value(x) * (1 + 1e-12)
    penalty = WeightedNorm(norm, 0.5)
    share = penalty.share(s)
    assert penalty.conjugate(share * s) == 0
    assert share == 1 or penalty.conjugate(1.001 * share * s) == np.inf


@given(seeds, st.integers(0, 6))
def test_of_p_zero_the_largest_entries_stay(seed, count):
    v = vector(seed)
    z = Lp(0).project(v, count)
    kept = np.abs(v) >= np.sort(np.abs(v))[6 - count] if count else np.zeros(6, bool)
    np.testing.assert_array_equal(z, np.where(kept, v, 0))


@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1e8, 1e150])
def test_norms_and_projections_do_not_overflow(scale):
    v = scale * np.array([3.0, -1.0, 2.0])
    for p in (1, 1.5, 2, 7, np.inf):
        assert Lp(p).value(v) == pytest.approx(scale * Lp(p).value(v / scale), rel=1e-14)
        ours, unscaled = Lp(p).project(v, scale), Lp(p).project(v / scale, 1.0)
        np.testing.assert_allclose(ours / scale, unscaled, atol=1e-14)


@pytest.mark.parametrize("p", [1, 1 + 1e-12, 1 + 1e-6, 1.0001, 1.01, 100, 1e5, 1e15, np.inf])
@pytest.mark.parametrize("radius", [1e-6, 1.0])
@pytest.mark.parametrize("scale", [1.0, 1e3, 1e8])
def test_a_projection_stays_in_the_ball_however_far_the_point_and_near_p_to_an_end(
    p, radius, scale
):
    ball = Ball(Lp(p), radius)
    for v in (scale * np.random.default_rng(0).standard_normal(6), np.full(4, scale)):
        z = ball.project(v)
        assert ball.contains(z)
        if not ball.contains(v):
            # The support function of v - z at z, up to the rounding of v.
            rounding = 1e-15 * scale / radius + 1e-6 * (p < 1.001)
            assert (v - z) @ z == pytest.approx(ball.conjugate(v - z), rel=1e-9 + 10 * rounding)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Lp(-1), "p must be at least 0, got -1"),
        (lambda: Ball(Lp(1), 0.0), "radius must be positive and finite, got 0.0"),
        (lambda: ElasticBall(1.5, 1.0), "tau must lie between 0 and 1, got 1.5"),
        (lambda: ElasticBall(0.5, np.inf), "bound must be positive and finite, got inf"),
        (lambda: WeightedNorm(Lp(1), -1.0), "lam must be at least 0 and finite, got -1.0"),
        (lambda: L12((0, 2)), r"groups must be counted from 0 without gaps, got \(0, 2\)"),
        (lambda: L12(()), r"groups must be counted from 0 without gaps, got \(\)"),
        (lambda: TraceNorm((2, 0)), r"shape must be \(p, q\), each at least 1, got \(2, 0\)"),
        (lambda: Lp(0.5).dual(np.ones(2)), "p must be at least 1 for a norm, got 0.5"),
        (lambda: Ball(Lp(0.5), 1.0).project(np.ones(2)), "p must be 0 or at least 1 .*, got 0.5"),
        (lambda: soft_threshold(np.ones(3), -1.0), "t must be at least 0, got -1"),
        (lambda: l1_ball_threshold(np.ones(3), -1.0), "radius must be at least 0, got -1"),
        (lambda: Lp(1).project(np.ones(3), -1.0), "radius must be at least 0"),
        (lambda: L12((0, 1, 1)).prox(np.ones(3), -1.0), "t must be at least 0"),
        (lambda: L12((0, 1)).dual(np.ones(3)), "x must have 2 entries in its last axis"),
        (lambda: TraceNorm((2, 2)).value(np.ones(3)), "x must have 2 x 2 entries in its last axis"),
    ],
)
def test_what_is_out_of_range_is_named(build, message):
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize("p", [0, 1, 1.5, 2, 3, np.inf])
def test_balls_of_radius_zero_and_infinity_hold_zero_alone_and_every_point(p):
    assert not Lp(p).project([1.0, -2.0, 0.1, 0.1], 0.0).any()
    np.testing.assert_array_equal(Lp(p).project([1.0, -2.0], np.inf), [1.0, -2.0])


METHODS_ON_VECTORS = {
    "soft_threshold": lambda v: soft_threshold(v, 0.5),
    "l1_ball_threshold": lambda v: l1_ball_threshold(v, 1.0),
    **{f"Lp({p})": lambda v, p=p: Lp(p).project(v, 1.0) for p in (0, 1, 1.5, 2, 3, np.inf)},
    "L12.dual": L12((0, 1, 1)).dual,
    "L12.prox": lambda v: L12((0, 1, 1)).prox(v, 0.5),
    "L12.project": lambda v: L12((0, 1, 1)).project(v, 1.0),
    "ElasticBall": ElasticBall(0.5, 1.0).project,
}


@pytest.mark.parametrize("name", METHODS_ON_VECTORS)
def test_only_finite_real_vectors_are_projected(name):
    method = METHODS_ON_VECTORS[name]
    np.testing.assert_array_equal(method([3, -2, 1]), method(np.array([3.0, -2.0, 1.0])))
    for v in ([np.nan, 2.0, 1.0], [np.inf, 2.0, 1.0]):
        with pytest.raises(ValueError, match="v must be finite, got NaN or infinity"):
            method(v)
    with pytest.raises(ValueError, match="v must be real, got complex numbers"):
        method([1j, 2.0, 1.0])
    if name != "soft_threshold":  # of each entry, whatever the shape
        with pytest.raises(ValueError, match=r"v must be a vector, got an array of shape \(1, 3\)"):
            method([[1.0, 2.0, 1.0]])
