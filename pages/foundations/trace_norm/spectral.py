"""Singular values: both forms of the trace norm, thresholds, and the trace-norm ball."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pages.foundations.trace_norm.runs import LowRank, TraceNormRun
from pages.shared.data.samples import Array
from pages.shared.engine.dataset_cache import get_prepared
from smmcore.balls import outline
from smmcore.penalties import Ball, ElasticBall, Lp, TraceNorm, WeightedNorm
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.prox import thresholded_svd
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap

FORMS_TOL, FORMS_MAX_ITER = 1e-10, 5_000
IDLE_TOL = 1e-6  # relative: a bound does not bind if it is missed, or its multiplier is 0, by this
SMM_ETA = 0.5  # weight of ||W||_F^2 in the SMM


class Forms(NamedTuple):
    """The constrained and the penalised solution that belong together."""

    lam: float  # the multiplier of ||Theta||_tr <= R, 0 where R does not bind
    lam_max: float  # the least lambda with Theta = 0
    curvature: float  # L
    size: float  # ||Theta_lambda||_tr
    apart: float  # ||Theta_R - Theta_lambda||_F
    omega: Array  # (min(p, q),), singular values of sum r_i X_i of the elastic net at lambda
    net: Array  # (min(p, q),), those of its Theta


def solve_forms(run: TraceNormRun) -> Forms:
    """Solve the constrained form, the penalised form at its multiplier, and the elastic net there.

    Parameters
    ----------
    run : TraceNormRun
        With a radius.
    """
    data = get_prepared(run.data)
    norm = TraceNorm(data.truth.shape)
    problem = RegularizedLS(data.Phi, data.y, Ball(norm, run.radius))
    constrained = _solve(problem)
    lam, lam_max = data.multiplier(constrained), norm.dual(data.Phi.T @ data.y)
    if lam <= IDLE_TOL * lam_max:
        size, none = float(norm.value(constrained.theta)), np.zeros(0)
        return Forms(0.0, lam_max, problem.curvature, size, 0.0, none, none)
    penalty = WeightedNorm(norm, lam)
    penalised = _solve(problem.with_penalty(penalty))
    net = _solve(RegularizedLS(data.Phi, data.y, penalty, None, SMM_ETA))
    return Forms(
        lam,
        lam_max,
        problem.curvature,
        float(norm.value(penalised.theta)),
        float(np.linalg.norm(penalised.theta - constrained.theta)),
        norm.singular_values(data.Phi.T @ (data.y - net.fitted)),
        norm.singular_values(net.theta),
    )


def _solve(problem: RegularizedLS) -> LSCertificate:
    return solve_to_gap(problem, proximal_gradient(problem), FORMS_TOL, FORMS_MAX_ITER)[0]


class NoisyMatrix(NamedTuple):
    """A random matrix with expectation Theta*, and Theta*."""

    M: Array  # (p, q), the mean of y_i X_i
    truth: Array  # (p, q)


def noisy_matrix(data: LowRank) -> NoisyMatrix:
    """Return the mean of y_i X_i; since the X_i are normal, its expectation is Theta*."""
    X, y, *_, truth = get_prepared(data)
    return NoisyMatrix(np.tensordot(y, X, axes=1) / len(y), truth)


class Thresholded(NamedTuple):
    """Singular values after a thresholding rule."""

    rule: str
    sigma: Array  # (min(p, q),)
    error: float  # ||Z - Theta*||_F


def apply_rules(noisy: NoisyMatrix, tau: float, eta: float, rank: int) -> list[Thresholded]:
    """Apply no rule, the soft threshold, the elastic net's and the hard rank to a matrix."""
    soft, sigma, thresholded = thresholded_svd(noisy.M, tau)
    U, _, Vt = np.linalg.svd(noisy.M, full_matrices=False)
    largest = np.where(np.arange(len(sigma)) < rank, sigma, 0.0)
    rules = {
        "M itself": (noisy.M, sigma),
        f"trace norm, τ = {tau:g}": (soft, thresholded),
        f"elastic net, η = {eta:g}": (soft / (1 + 2 * eta), thresholded / (1 + 2 * eta)),
        f"rank at most {rank}": ((U * largest) @ Vt, largest),
    }
    return [
        Thresholded(rule, values, float(np.linalg.norm(Z - noisy.truth)))
        for rule, (Z, values) in rules.items()
    ]


def ball_sections() -> dict[str, Array]:
    """Return the boundaries of balls in the quadrant of two singular values, by name, (91, 2)."""
    balls = {
        "trace norm: σ₁ + σ₂": Ball(Lp(1), 1.0),
        "elastic net, half of each": ElasticBall(0.5, 1.0),
        "Frobenius: √(σ₁² + σ₂²)": Ball(Lp(2), 1.0),
    }
    return {name: outline(ball)[:91] for name, ball in balls.items()}  # the first quadrant


class Cylinder(NamedTuple):
    """The boundary of ||Theta||_tr <= 1 for symmetric 2 x 2 matrices.

    Its coordinates are Theta_11, sqrt(2) Theta_12 and Theta_22, so that distances are those of the
    Frobenius norm.
    """

    mesh: Array  # (k, m, 3)
    rims: tuple[Array, Array]  # (m, 3), the matrices of rank 1: u u' and -v v'


def trace_ball(m: int = 73) -> Cylinder:
    """Return two discs and the lateral surface between them.

    A line of the mesh runs from the centre of the first disc, I / 2, to its rim, parallel to I to
    the other rim, and to -I / 2. Its points crowd at the rims, which therefore look sharp.
    """
    angle = np.linspace(0, np.pi, m)
    c, s = np.cos(angle), np.sin(angle)
    identity = np.array([1.0, 0.0, 1.0])
    rim = np.stack([c * c, np.sqrt(2) * c * s, s * s], axis=-1)
    centre = np.broadcast_to(identity / 2, rim.shape)
    stations = np.stack([centre, rim, rim - identity, -centre])
    at = np.array([0, 0.98, 1, 1.02, 1.98, 2, 2.02, 3])
    left = np.minimum(at.astype(int), 2)
    share = (at - left)[:, None, None]
    mesh = (1 - share) * stations[left] + share * stations[left + 1]
    return Cylinder(mesh, (rim, rim - identity))
