"""Penalised regression: the data sets of the lesson, and their solution by ADMM."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pages.shared.data.samples import Array, check
from pages.shared.summaries import after_iterations
from smmcore.datasets import make_feature_groups, make_sinc, make_steps
from smmcore.experiments.experiment import Dataset, Experiment, Frame
from smmcore.penalties import L12, Lp, WeightedNorm
from smmcore.problems import RegularizedLS, differences, gaussian_design
from smmcore.solvers import balanced_admm, split_admm
from smmcore.solvers.splitting import SplittingState

PENALTIES = {
    "l2": "ℓ₂",
    "l1": "ℓ₁",
    "l1 + l2": "ℓ₁ + ℓ₂",
    "l1,2": "ℓ₁,₂, groups",
    "fused": "fused (total variation)",
}
SMALL_ENTRY = 1e-3  # the listing of Fig. 24.4 counts |theta_j| below it as zero
MAX_SAMPLES = 300  # also of the parameters: ADMM decomposes a matrix of this order
GRID_POINTS = 241  # points at which the fit of a curve is drawn


class PreparedRegression(NamedTuple):
    """The samples of a regression, and the grid on which a fit is drawn."""

    Phi: Array  # (n, b)
    y: Array  # (n,)
    x: Array  # (n,), places of the samples; empty for features
    truth: Array  # (n,), y without its noise; for features their coefficients, (b,)
    grid: Array  # (m,), where a fit is drawn; empty for features
    basis: Array  # (m, b); the fit of theta is basis @ theta


class Regression(Dataset):
    """A data set for a regression; a subclass has the fields ``n``, ``noise`` and ``seed``."""

    n: int
    noise: float
    seed: int

    def __post_init__(self) -> None:
        check("n, the number of samples,", self.n, 10, MAX_SAMPLES)
        check("the noise", self.noise, 0, 100)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1), where b = n: one parameter for each sample."""
        return self.n, self.n, 1

    @property
    @abstractmethod
    def provenance(self) -> str:
        """Sentences about the data and their scaling, for a caption."""


@dataclass(frozen=True)
class Sinc(Regression):
    """The book's noisy curve, and the Gaussian kernel model on its samples."""

    n: int = 50
    noise: float = 0.2
    h: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check("h, the width of the basis functions,", self.h, 0.01, 10)

    @property
    def provenance(self) -> str:
        """The curve, its noise and the basis functions."""
        return (
            f"Data: {self.n} samples of sin(πx) / (πx) + 0.1 x, x in equal steps from −3 to 3, "
            f"plus noise of deviation {self.noise:g}, seed {self.seed}. Model: {self.n} basis "
            f"functions exp(−(x − xⱼ)² / (2h²)), one at each sample, h = {self.h:g}. Nothing is "
            "scaled, and there is no offset."
        )

    def prepare(self) -> PreparedRegression:
        """Generate the samples of the curve."""
        x, y, truth = make_sinc(self.n, self.noise, self.seed)
        grid = np.linspace(-3, 3, GRID_POINTS)
        Phi, basis = (gaussian_design(at, x, self.h) for at in (x, grid))
        return PreparedRegression(Phi, y, x, truth, grid, basis)

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        return f"""\
from smmcore.datasets import make_sinc
from smmcore.problems import gaussian_design

x, y, truth = make_sinc({self.n}, {self.noise!r}, {self.seed})
Phi = gaussian_design(x, x, {self.h!r})
"""


@dataclass(frozen=True)
class Steps(Regression):
    """A noisy signal of a few steps, with one parameter for each sample."""

    n: int = 100
    noise: float = 0.3
    pieces: int = 6
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check("the number of steps", self.pieces, 1, self.n // 2, "n / 2")

    @property
    def provenance(self) -> str:
        """The signal and its noise."""
        return (
            f"Data: {self.n} samples of a signal with {self.pieces} levels, jumps of 1 to 3, plus "
            f"noise of deviation {self.noise:g}, seed {self.seed}. Model: a parameter for each "
            "sample, Φ = I. Nothing is scaled."
        )

    def prepare(self) -> PreparedRegression:
        """Generate the signal."""
        x, y, truth = make_steps(self.n, self.pieces, self.noise, self.seed)
        return PreparedRegression(np.eye(self.n), y, x, truth, x, np.eye(self.n))

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        return f"""\
import numpy as np

from smmcore.datasets import make_steps

x, y, truth = make_steps({self.n}, {self.pieces}, {self.noise!r}, {self.seed})
Phi = np.eye({self.n})
"""


@dataclass(frozen=True)
class Features(Regression):
    """Eight groups of five nearly equal features; y depends on the first two groups only."""

    n: int = 30
    spread: float = 0.003  # of the features of a group
    noise: float = 0.5
    seed: int = 0

    groups, size = 8, 5

    def __post_init__(self) -> None:
        super().__post_init__()
        check("the spread of the copies", self.spread, 0, 10)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, b, 1)."""
        return self.n, self.groups * self.size, 1

    @property
    def provenance(self) -> str:
        """The groups, and how y depends on them."""
        return (
            f"Data: {self.n} samples of {self.groups} groups of {self.size} features of deviation "
            "near 1, not scaled; y is the sum of the first group minus that of the second, plus "
            f"noise of deviation {self.noise:g}, seed {self.seed}. No offset."
        )

    def prepare(self) -> PreparedRegression:
        """Generate the features; no fit is drawn."""
        X, y, coef = make_feature_groups(
            self.n, self.groups, self.size, 2, self.spread, self.noise, self.seed
        )
        empty = np.zeros(0)
        return PreparedRegression(X, y, empty, coef, empty, np.zeros((0, len(coef))))

    def script(self) -> str:
        """Return the statements that make Phi and y."""
        numbers = f"{self.groups}, {self.size}, 2, {self.spread!r}, {self.noise!r}, {self.seed}"
        return f"""\
from smmcore.datasets import make_feature_groups

Phi, y, coef = make_feature_groups({self.n}, {numbers})
"""


@dataclass(frozen=True)
class SparseRun(Experiment):
    """Least squares with a penalty by ADMM, from zero until the gap is certified."""

    data: Regression
    penalty: str = "l1"
    lam: float = 0.1
    tau: float = 0.5  # of l1 + l2: the share of the squares
    size: int = 5  # of l1,2: parameters in a group
    rho: float | None = None  # None: balanced by the solver
    tol: float = 1e-6
    max_iter: int = 3_000

    limit = "max_iter"

    def __post_init__(self) -> None:
        check("lambda, the weight of the penalty,", self.lam, 1e-6, 1e6)
        check("tau, the share of the squares,", self.tau, 0, 1)
        check("the size of a group", self.size, 1, self.data.shape[1], "b")
        if self.rho is not None:
            check("rho, the penalty of ADMM,", self.rho, 1e-6, 1e6)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)
        if self.penalty not in PENALTIES:
            raise ValueError(f"the penalty must be one of {list(PENALTIES)}, got {self.penalty!r}")

    @property
    def eta(self) -> float:
        """The weight of ||theta||^2."""
        return self.lam * {"l2": 1.0, "l1 + l2": self.tau}.get(self.penalty, 0.0)

    @property
    def norm_weight(self) -> float:
        """The weight of the norm: lambda without the share of the squares."""
        return self.lam - self.eta

    @property
    def fused(self) -> bool:
        """Whether the penalty applies to differences of neighbours, F theta, not to theta."""
        return self.penalty == "fused"

    @property
    def z_length(self) -> int:
        """The number of entries of z, to which the penalty applies."""
        return self.data.shape[1] - self.fused

    @property
    def label(self) -> str:
        """The penalty and its weights, for a reader."""
        tau = f", τ = {self.tau:g}" if self.penalty == "l1 + l2" else ""
        return f"{PENALTIES[self.penalty]}, λ = {self.lam:g}{tau}"

    @property
    def _norm(self) -> WeightedNorm:
        if self.penalty == "l1,2":
            group_of_parameter = tuple(j // self.size for j in range(self.data.shape[1]))
            return WeightedNorm(L12(group_of_parameter), self.norm_weight)
        return WeightedNorm(Lp(1), self.norm_weight)

    def problem(self, prepared: PreparedRegression) -> RegularizedLS:
        """Return this run's problem on its samples."""
        F = differences(self.data.shape[1]) if self.fused else None
        return RegularizedLS(prepared.Phi, prepared.y, self._norm, F, self.eta)

    def states(
        self, problem: RegularizedLS, start: SplittingState | None = None
    ) -> Iterator[SplittingState]:
        """Return the endless solver, from zero or from one of its own states."""
        if self.rho is None:
            return balanced_admm(problem, start=start)
        return split_admm(problem.split(self.rho), start=start)

    def frames(
        self, prepared: PreparedRegression, state: SplittingState | None = None
    ) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        problem = self.problem(prepared)
        for iterate in self.states(problem, state):
            proof = iterate.certificate(problem)
            metrics = {
                "k": iterate.k,
                "zeros": np.count_nonzero(iterate.z == 0),
                "small": np.count_nonzero(np.abs(iterate.theta) < SMALL_ENTRY),
                "primal_residual": iterate.primal_residual,
                "dual_residual": iterate.dual_residual,
                "change": iterate.change,  # ||theta - theta_prev||
                "primal": proof.primal,
                "dual": proof.dual,
                "gap": proof.relative_gap,  # relative to the objective at 0
                "radius": np.sqrt(2 * proof.gap),  # bounds the distance of the fitted values
                "rho": iterate.rho,
            }
            images = {
                "theta": iterate.theta,
                "z": iterate.z,
                "fit_theta": prepared.basis @ iterate.theta,
                "fit_z": prepared.basis @ proof.theta,
            }
            done = proof.within(self.tol) or iterate.k >= self.max_iter
            yield Frame(iterate, metrics, images, proof, done)

    def summary(self, last: Frame) -> str:
        """Say how the run ended and what is proved."""
        proof, z = last.certificate, last.state.z
        zeros = f"{np.count_nonzero(z == 0)} of {len(z)} zeros in z"
        gap = f"relative gap {proof.relative_gap:.1e}"
        after = after_iterations(last.state.k)
        if proof.within(self.tol):
            return f"Certified {after}: {gap}, {zeros}."
        return f"Ended at its limit, {after}: {gap}, wanted {self.tol:.0e}; {zeros}."

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        F = f"differences({self.data.shape[1]})" if self.fused else "None"
        solver = (
            "balanced_admm(problem)"
            if self.rho is None
            else f"split_admm(problem.split({self.rho!r}))"
        )
        return f'''\
"""Sparse regression in the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.penalties import L12, Lp, WeightedNorm
from smmcore.problems import RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm

{self.data.script()}
problem = RegularizedLS(Phi, y, {self._norm!r}, {F}, {self.eta!r})
for state in islice({solver}, {self.max_iter}):
    certificate = state.certificate(problem)
    print(state.k, certificate.primal, certificate.dual, certificate.relative_gap)
    if certificate.within({self.tol!r}):
        break

theta, z = certificate.theta, state.z
print(np.count_nonzero(z == 0), "zeros of", len(z))
'''


class ScikitLearnSolution(NamedTuple):
    """scikit-learn's solution of the problem of a run."""

    name: str
    call: str
    theta: Array  # (b,)
    fitted: Array  # (n,), Phi theta
    primal: float


def solve_with_scikit_learn(run: SparseRun) -> ScikitLearnSolution:
    """Solve the problem of an l1, l2 or l1 + l2 penalty with scikit-learn, starting at 0."""
    from sklearn.linear_model import ElasticNet, Lasso, Ridge

    problem, n = run.problem(run.data.prepare()), run.data.shape[0]
    lam, eta = run.norm_weight, run.eta
    both = lam + 2 * eta
    limits = {"tol": 1e-10, "max_iter": 20_000}
    if not lam:
        kind, weights, limits = Ridge, {"alpha": 2 * eta}, {}
    elif not eta:
        kind, weights = Lasso, {"alpha": lam / n}
    else:
        kind, weights = ElasticNet, {"alpha": both / n, "l1_ratio": lam / both}
    with warnings.catch_warnings(action="ignore"):  # the page shows the gap
        model = kind(fit_intercept=False, **weights, **limits).fit(problem.Phi, problem.y)
    theta = np.ravel(model.coef_)
    arguments = ", ".join(f"{name}={value:.4g}" for name, value in weights.items())
    return ScikitLearnSolution(
        name=f"scikit-learn, {kind.__name__}",
        call=f"{kind.__name__}({arguments})",
        theta=theta,
        fitted=problem.Phi @ theta,
        primal=problem.primal(theta),
    )
