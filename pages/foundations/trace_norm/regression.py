"""Trace-norm regression: the data set, a run, both forms, thresholds, and the trace-norm ball."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pages.shared.data.samples import Array, check, check_size
from pages.shared.engine.dataset_cache import get_prepared
from pages.shared.summaries import after_iterations
from smmcore.balls import outline
from smmcore.datasets import make_low_rank
from smmcore.experiments.experiment import Dataset, Experiment, Frame, Scaled
from smmcore.penalties import Ball, ElasticBall, Lp, TraceNorm, WeightedNorm
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.prox import thresholded_svd
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.proximal import ProximalState

TEST_SAMPLES = 300
ROUNDED_ZERO = 1e-12  # smaller singular values are zeros with rounding errors
FORMS_TOL, FORMS_MAX_ITER = 1e-10, 5_000
IDLE_TOL = 1e-6  # relative: with more slack, or a smaller multiplier, a bound does not bind
SMM_ETA = 0.5  # weight of ||W||_F^2 in the SMM


class Measurements(NamedTuple):
    """Matrices X_i, the numbers y_i = <Theta*, X_i> + noise, and Theta*."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    X_test: Array  # (TEST_SAMPLES, p, q)
    y_test: Array  # (TEST_SAMPLES,)
    truth: Array  # (p, q), Theta*

    @property
    def Phi(self) -> Array:
        """The training matrices as rows, (n, p q)."""
        return self.X.reshape(len(self.X), -1)

    def first(self, n: int) -> Measurements:
        """Return these measurements with the first n training samples only."""
        return self._replace(X=self.X[:n], y=self.y[:n])

    def rmse(self, theta: Array) -> tuple[float, float]:
        """Return the root mean square errors on the training and on the test samples."""
        return _rmse(self.X, self.y, theta), _rmse(self.X_test, self.y_test, theta)

    def multiplier(self, proof: LSCertificate) -> float:
        """Return the multiplier of ||Theta||_tr <= R: the lambda whose solution has this R."""
        return TraceNorm(self.truth.shape).dual(self.Phi.T @ (self.y - proof.fitted))


def _rmse(X: Array, y: Array, theta: Array) -> float:
    return float(np.sqrt(np.mean((y - X.reshape(len(X), -1) @ theta.ravel()) ** 2)))


@dataclass(frozen=True)
class LowRank(Dataset):
    """Normal matrices X_i and y_i = <Theta*, X_i> + noise, ||Theta*||_F = 1."""

    n: int = 200
    p: int = 20
    q: int = 16
    rank: int = 2
    noise: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        check_size(self.n, self.p, self.q, 2_000, 1_000_000)
        check("the rank of Theta*", self.rank, 1, min(self.p, self.q), "min(p, q)")
        check("the noise", self.noise, 0, 100)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, self.p, self.q

    @property
    def freedom(self) -> int:
        """The degrees of freedom of a p x q matrix of this rank: r (p + q - r)."""
        return self.rank * (self.p + self.q - self.rank)

    def prepare(self) -> Measurements:
        """Generate the test samples first, so that a larger n only adds training samples."""
        count = TEST_SAMPLES + self.n
        X, y, truth = make_low_rank(count, (self.p, self.q), self.rank, 0.0, self.seed)
        y += self.noise * np.random.default_rng([self.seed, 1]).standard_normal(count)
        test, train = slice(TEST_SAMPLES), slice(TEST_SAMPLES, None)
        return Measurements(X[train], y[train], X[test], y[test], truth)

    def script(self) -> str:
        """Return the statements that make X, y and Theta*, once NumPy is imported."""
        count, test = TEST_SAMPLES + self.n, TEST_SAMPLES
        return f"""\
from smmcore.datasets import make_low_rank

X, y, truth = make_low_rank({count}, ({self.p}, {self.q}), {self.rank}, 0.0, {self.seed})
y += {self.noise!r} * np.random.default_rng([{self.seed}, 1]).standard_normal(len(y))
X_test, y_test, X, y = X[:{test}], y[:{test}], X[{test}:], y[{test}:]
"""


def measure_estimate(
    proof: LSCertificate, data: Measurements
) -> tuple[dict[str, float], dict[str, Any]]:
    """Return metrics and images of an estimate beside Theta*; both matrices share one scale."""
    Theta = proof.theta.reshape(data.truth.shape)
    sigma, sigma_truth = (np.linalg.svd(M, compute_uv=False) for M in (Theta, data.truth))
    train, test = data.rmse(Theta)
    metrics: dict[str, float] = {
        "trace": float(sigma.sum()),
        "rank": int(np.count_nonzero(sigma > ROUNDED_ZERO)),
        "error": float(np.linalg.norm(Theta - data.truth)),
        "train": train,
        "test": test,
        "lam": data.multiplier(proof),
    }
    scale = float(max(np.abs(Theta).max(), np.abs(data.truth).max()))
    images = {
        "Theta": Scaled(Theta, scale),
        "truth": Scaled(data.truth, scale),
        "sigma": sigma,
        "sigma_truth": sigma_truth,
    }
    return metrics, images


@dataclass(frozen=True)
class TraceNormRun(Experiment):
    """Least squares with the trace norm by proximal gradient, from zero until certified."""

    data: LowRank
    radius: float | None = 1.2  # the constrained form
    lam: float | None = None  # the penalised form
    accelerated: bool = True
    tol: float = 1e-6
    max_iter: int = 3_000

    limit = "max_iter"

    def __post_init__(self) -> None:
        if (self.radius is None) == (self.lam is None):
            raise ValueError(
                f"one of R and lambda must be given, got R = {self.radius}, lambda = {self.lam}"
            )
        if self.radius is not None:
            check("R, the bound of the trace norm,", self.radius, 1e-6, 1e6)
        if self.lam is not None:
            check("lambda, the weight of the trace norm,", self.lam, 1e-12, 1e12)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)

    @property
    def penalty(self) -> Ball | WeightedNorm:
        """The constraint or the penalty."""
        norm = TraceNorm(self.data.shape[1:])
        if self.radius is not None:
            return Ball(norm, self.radius)
        assert self.lam is not None  # see `__post_init__`
        return WeightedNorm(norm, self.lam)

    def frames(self, prepared: Measurements, state: ProximalState | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        problem = RegularizedLS(prepared.Phi, prepared.y, self.penalty)
        states = proximal_gradient(problem, accelerated=self.accelerated, start=state)
        for state in states:
            proof = state.certificate(problem)
            measured, images = measure_estimate(proof, prepared)
            metrics = {
                "k": state.k,
                "restarted": state.restarted,
                "residual": state.residual,  # L ||Theta - V||_F
                "primal": proof.primal,
                "dual": proof.dual,
                "gap": proof.relative_gap,
                **measured,
            }
            done = proof.within(self.tol) or state.k >= self.max_iter
            yield Frame(state, metrics, images, proof, done)

    def summary(self, last: Frame) -> str:
        """Say how the run ended."""
        steps, proof = after_iterations(last.state.k), last.certificate
        gap = f"gap {proof.relative_gap:.1e} of the objective at 0"
        if proof.within(self.tol):
            return f"Certified {steps}: {gap}."
        return f"Ended at its limit, {steps}: {gap}, wanted {self.tol:.0e}."

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.penalties import Ball, TraceNorm, WeightedNorm
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient

{self.data.script()}
problem = RegularizedLS(X.reshape(len(X), -1), y, {self.penalty!r})
states = proximal_gradient(problem, accelerated={self.accelerated})

for state in islice(states, {self.max_iter}):
    proof = state.certificate(problem)
    Theta = proof.theta.reshape(truth.shape)
    error = np.linalg.norm(Theta - truth)
    print(state.k, proof.primal, proof.relative_gap, np.linalg.matrix_rank(Theta), error)
    if proof.within({self.tol!r}):
        break
'''


class Forms(NamedTuple):
    """A constrained solution and the penalised solution with its multiplier."""

    lam: float  # the multiplier of ||Theta||_tr <= R, 0 where R does not bind
    lam_max: float  # the least lambda with Theta = 0
    curvature: float  # L
    size: float  # ||Theta_lambda||_tr
    distance: float  # ||Theta_R - Theta_lambda||_F
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
    problem = RegularizedLS(data.Phi, data.y, run.penalty)
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
    steps = proximal_gradient(problem)
    proof: LSCertificate = solve_to_gap(problem, steps, FORMS_TOL, FORMS_MAX_ITER)[0]
    return proof


class NoisyMatrix(NamedTuple):
    """A random matrix with expectation Theta*, and Theta*."""

    M: Array  # (p, q), the mean of y_i X_i
    truth: Array  # (p, q)


def noisy_matrix(data: LowRank) -> NoisyMatrix:
    """Return the mean of y_i X_i; since the X_i are normal, its expectation is Theta*."""
    X, y, *_, truth = get_prepared(data)
    return NoisyMatrix(np.tensordot(y, X, axes=1) / len(y), truth)


class ThresholdedMatrix(NamedTuple):
    """Singular values after a thresholding rule."""

    rule: str
    sigma: Array  # (min(p, q),)
    error: float  # ||Z - Theta*||_F


def apply_rules(noisy: NoisyMatrix, tau: float, eta: float, rank: int) -> list[ThresholdedMatrix]:
    """Apply to a matrix: no rule, the soft threshold, the elastic net and the hard rank."""
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
        ThresholdedMatrix(rule, values, float(np.linalg.norm(Z - noisy.truth)))
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


def describe_idle_bound(radius: float, forms: Forms, data: LowRank) -> str:
    """Describe the solution with a bound that does not bind."""
    n, p, q = data.shape
    idle = f"R = {radius:g} does not bind, λ = 0: "
    if n >= p * q:
        return (
            f"{idle}the sum of squares has its minimum inside, with a trace norm of "
            f"{forms.size:.4g}."
        )
    return (
        f"{idle}as n = {n} < p q = {p * q}, the sum of squares is 0 at many Θ inside. From Θ = 0 "
        f"one with a trace norm of {forms.size:.4g} is reached, and nothing makes it the best."
    )
