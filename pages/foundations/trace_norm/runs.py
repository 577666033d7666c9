"""The experiments of the lesson on the trace norm: one run, the path along R, fewer samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pages.shared.data.samples import Array, check, check_size
from pages.shared.player.images import MAX_CURVES
from pages.shared.player.panels import lines, readout
from pages.shared.summaries import after_iterations, describe_solutions
from smmcore.datasets import make_low_rank
from smmcore.experiments.experiment import Dataset, Experiment, Frame, Scaled
from smmcore.penalties import Ball, Lp, TraceNorm, Weighted
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified
from smmcore.solvers.proximal import ProximalState

TEST_SAMPLES = 300
ROUNDED_ZERO = 1e-12  # singular values below are zeros with rounding errors
ESTIMATES = {  # what is bounded
    "ls": "nothing (least norm)",
    "l2": "ℓ₂ (Frobenius) norm",
    "l1": "ℓ₁ norm of the entries",
    "trace": "trace norm",
}


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
        """Return the same with the first n training samples only."""
        return self._replace(X=self.X[:n], y=self.y[:n])

    def rmse(self, theta: Array) -> tuple[float, float]:
        """Return the root mean square errors on the training and on the test samples."""
        pairs = (self.X, self.y), (self.X_test, self.y_test)
        return tuple(
            float(np.sqrt(np.mean((y - X.reshape(len(X), -1) @ theta.ravel()) ** 2)))
            for X, y in pairs
        )

    def multiplier(self, proof: LSCertificate) -> float:
        """Return the multiplier of ||Theta||_tr <= R: the lambda whose solution has this R."""
        return TraceNorm(self.truth.shape).dual(self.Phi.T @ (self.y - proof.fitted))


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
        """Generate the samples: first those for testing, so that a larger n only adds samples."""
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


def measure(
    proof: LSCertificate, data: Measurements
) -> tuple[dict[str, float], dict[str, Array | Scaled]]:
    """Return metrics and images of an estimate beside Theta*; both matrices share one scale."""
    Theta = proof.theta.reshape(data.truth.shape)
    sigma, sigma_truth = (np.linalg.svd(M, compute_uv=False) for M in (Theta, data.truth))
    train, test = data.rmse(Theta)
    metrics = {
        "trace": float(sigma.sum()),
        "rank": np.count_nonzero(sigma > ROUNDED_ZERO),
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

    def __post_init__(self) -> None:
        if (self.radius is None) == (self.lam is None):
            raise ValueError(
                f"one of R and lambda must be given, got R = {self.radius}, lambda = {self.lam}"
            )
        if self.radius is not None:
            check("R, the bound of the trace norm,", self.radius, 1e-6, 1e6)
        else:
            check("lambda, the weight of the trace norm,", self.lam, 1e-12, 1e12)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)

    def frames(self, prepared: Measurements, state: ProximalState | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        norm = TraceNorm(self.data.shape[1:])
        penalty = Weighted(norm, self.lam) if self.radius is None else Ball(norm, self.radius)
        problem = RegularizedLS(prepared.Phi, prepared.y, penalty)
        states = proximal_gradient(problem, accelerated=self.accelerated, start=state)
        for state in states:
            proof = state.certificate(problem)
            measured, images = measure(proof, prepared)
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
        norm = f"TraceNorm({self.data.shape[1:]})"
        penalty = (
            f"Weighted({norm}, {self.lam!r})"
            if self.radius is None
            else f"Ball({norm}, {self.radius!r})"
        )
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.penalties import Ball, TraceNorm, Weighted
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient

{self.data.script()}
problem = RegularizedLS(X.reshape(len(X), -1), y, {penalty})
states = proximal_gradient(problem, accelerated={self.accelerated})

for state in islice(states, {self.max_iter}):
    proof = state.certificate(problem)
    Theta = proof.theta.reshape(truth.shape)
    error = np.linalg.norm(Theta - truth)
    print(state.k, proof.primal, proof.relative_gap, np.linalg.matrix_rank(Theta), error)
    if proof.within({self.tol!r}):
        break
'''


class PathPosition(NamedTuple):
    """How far a path has got."""

    done: int  # points
    state: ProximalState | None  # the solver's, at the last point
    loose: int = 0  # points that missed the tolerance


@dataclass(frozen=True)
class TraceNormPath(Experiment):
    """The constrained solutions along R, up to 1.5 ||Theta*||_tr."""

    data: LowRank
    steps: int = 24  # up to ||Theta*||_tr
    tol: float = 1e-6
    max_iter: int = 2_000

    def __post_init__(self) -> None:
        check("the number of steps", self.steps, 2, 200)

    @property
    def shares(self) -> Array:
        """R of each point in units of ||Theta*||_tr, ascending."""
        return np.arange(1, self.steps * 3 // 2 + 1) / self.steps

    def solutions(
        self, data: Measurements, done: int = 0, start: ProximalState | None = None
    ) -> Iterator[tuple[float, LSCertificate, ProximalState]]:
        """Yield R, solution and last state of each point, warm-started from the point before.

        Parameters
        ----------
        data : Measurements
        done : int
            Points to leave out.
        start : ProximalState, optional
            The last state of the last point that is left out.
        """
        norm = TraceNorm(data.truth.shape)
        unit = float(norm.value(data.truth.ravel()))
        base = RegularizedLS(data.Phi, data.y, Ball(norm, unit))
        for share in self.shares[done:]:
            radius = float(share * unit)
            problem = base.with_penalty(Ball(norm, radius))
            steps = proximal_gradient(problem, start=start)
            proof, start = certified(problem, steps, self.tol, self.max_iter)
            yield radius, proof, start

    def frames(self, prepared: Measurements, state: PathPosition | None = None) -> Iterator[Frame]:
        """Yield the points of the path."""
        at, shares = state or PathPosition(0, None), self.shares
        for radius, proof, solved in self.solutions(prepared, at.done, at.state):
            share, loose = shares[at.done], at.loose + (not proof.within(self.tol))
            at = PathPosition(at.done + 1, solved, loose)
            measured, images = measure(proof, prepared)
            sigma = np.pad(images["sigma"], (0, MAX_CURVES))[:MAX_CURVES]
            metrics = {
                "radius": radius,
                "share": share,  # of ||Theta*||_tr
                "at_truth": share == 1,
                "gap": proof.relative_gap,
                **measured,
                **{f"s{i}": value for i, value in enumerate(sigma, 1)},
            }
            yield Frame(at, metrics, images, done=at.done == len(shares))

    def summary(self, last: Frame) -> str:
        """Say what is proved."""
        return f"{describe_solutions(last.state.done, last.state.loose, self.tol)}."

    def script(self) -> str:
        """Return a program that makes the same solutions and prints R, rank and errors."""
        return f'''\
"""A path of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.penalties import Ball, TraceNorm
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified

{self.data.script()}
Phi, norm, state = X.reshape(len(X), -1), TraceNorm(truth.shape), None
for share in np.arange(1, {len(self.shares)} + 1) / {self.steps}:
    radius = float(share * norm.value(truth.ravel()))
    problem = RegularizedLS(Phi, y, Ball(norm, radius))
    steps = proximal_gradient(problem, start=state)
    proof, state = certified(problem, steps, {self.tol!r}, {self.max_iter})
    Theta = proof.theta.reshape(truth.shape)
    test = np.sqrt(np.mean((y_test - np.tensordot(X_test, Theta)) ** 2))
    print(radius, np.linalg.matrix_rank(Theta), np.linalg.norm(Theta - truth), test)
'''


@dataclass(frozen=True)
class RecoveryRun(Experiment):
    """Four estimates of Theta* from more and more samples, each at the bound that tests best."""

    few: LowRank
    steps: int = 10  # equal steps of n, up to 1.4 p q
    tol: float = 1e-4  # a picture shows no more
    max_iter: int = 1_000

    def __post_init__(self) -> None:
        check("the number of steps", self.steps, 2, 50)

    @property
    def counts(self) -> list[int]:
        """The numbers of samples, ascending; n of the page is among them."""
        _, p, q = self.few.shape
        steps = np.linspace(0, 1.4 * p * q, self.steps + 1)[1:]
        return sorted({max(2, round(n)) for n in steps} | {self.few.n})

    @property
    def data(self) -> LowRank:
        """The data with the largest number of samples; smaller ones take the first samples."""
        return replace(self.few, n=self.counts[-1])

    @property
    def shares(self) -> Array:
        """The bounds to try, in units of the norm of Theta*."""
        return np.arange(1, 13) / 8

    def estimates(self, data: Measurements) -> dict[str, Array]:
        """Return the Theta of each of `ESTIMATES`, (p, q)."""
        shape = data.truth.shape
        norms = {"l2": Lp(2), "l1": Lp(1), "trace": TraceNorm(shape)}
        found = {"ls": np.linalg.lstsq(data.Phi, data.y)[0]}
        found |= {name: self._best_solution(norm, data) for name, norm in norms.items()}
        return {name: theta.reshape(shape) for name, theta in found.items()}

    def _best_solution(self, norm: Lp | TraceNorm, data: Measurements) -> Array:
        """Return the solution at the bound with the least test error."""
        size, state, solutions = float(norm.value(data.truth.ravel())), None, []
        base = RegularizedLS(data.Phi, data.y, Ball(norm, size))
        for share in self.shares:
            problem = base.with_penalty(Ball(norm, float(share * size)))
            steps = proximal_gradient(problem, start=state)
            proof, state = certified(problem, steps, self.tol, self.max_iter)
            solutions.append(proof.theta)
        return min(solutions, key=lambda theta: data.rmse(theta)[1])

    def frames(self, prepared: Measurements, state: int | None = None) -> Iterator[Frame]:
        """Yield the four estimates from each number of samples; the state is how many are done."""
        counts, start = self.counts, state or 0
        for done, n in enumerate(counts[start:], start + 1):
            found = self.estimates(prepared.first(n))
            errors = {name: np.linalg.norm(M - prepared.truth) for name, M in found.items()}
            metrics = {
                "n": n,
                "own": n == self.few.n,
                **errors,
                **{f"test_{name}": prepared.rmse(M)[1] for name, M in found.items()},
                **{f"rank_{name}": np.linalg.matrix_rank(M) for name, M in found.items()},
            }
            scale = max(float(np.abs(Theta).max()) for Theta in found.values())
            images = {f"Theta_{name}": Scaled(Theta, scale) for name, Theta in found.items()}
            yield Frame(done, metrics, images, done=done == len(counts))

    def summary(self, last: Frame) -> str:
        """Say what is compared."""
        return f"Four estimates from {len(self.counts)} numbers of samples."


PRECOMPUTED = {  # see tests/bake.py
    "Rank against R": TraceNormPath(LowRank()),
    "Fewer samples than entries": RecoveryRun(LowRank()),
}


TRUTH = {"kind": "picture", "field": "truth", "title": "Θ*, the truth"}
THETA = {"kind": "picture", "field": "Theta", "title": "Θ, learned"}
SPECTRUM = {
    "kind": "bars",
    "field": "sigma",
    "title": "Singular values of Θ",
    "behind": {"field": "sigma_truth", "label": "of Θ*"},
}
ERRORS = lines(
    {"error": "‖Θ − Θ*‖", "test": "test error", "train": "training error"},
    "Errors",
    "linear",
    span=(0, 0),
)
NUMBERS = [
    ("rank", "rank of Θ", "int"),
    ("error", "‖Θ − Θ*‖_F", "number"),
    ("test", "test error", "number"),
    ("trace", "‖Θ‖_tr", "number"),
    ("lam", "λ = ‖Σ rᵢ Xᵢ‖₂", "number"),
]


def proximal_panels() -> list[dict[str, Any]]:
    """Return the panels of a run of proximal gradient."""
    restarts = [{"kind": "flag", "field": "restarted", "label": "restart"}]
    steps = {"gap": "duality gap", "residual": "residual"}
    return [
        *(TRUTH, THETA, SPECTRUM, ERRORS),
        readout([*NUMBERS, ("train", "training error", "number")]),
        lines({"primal": "P(Θ)", "dual": "D"}, "Objective and its bound", "linear"),
        lines(steps, "Gap, residual", "log", marks=restarts),
    ]


def radius_panels(path: TraceNormPath) -> list[dict[str, Any]]:
    """Return the panels of the path along R."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(MAX_CURVES, *path.data.shape[1:])]
    entering = {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)}
    curves = (
        lines(entering, "Singular values along R", "linear"),
        lines({"rank": "rank"}, "Rank of Θ", "linear", step=True, format="int"),
        ERRORS,
    )
    at_truth = {"marks": [{"kind": "flag", "field": "at_truth", "label": "R = ‖Θ*‖_tr"}]}
    numbers = readout([("radius", "R", "number"), *NUMBERS])
    return [THETA, numbers, SPECTRUM, *(curve | at_truth for curve in curves)]


def radius_axis(path: TraceNormPath) -> dict[str, Any]:
    """Return the axis of the path: a frame for each R."""
    largest = path.shares[-1]
    return {
        "name": "R / ‖Θ*‖_tr =",
        "label": "R / ‖Θ*‖_tr",
        "field": "share",
        "also": [{"name": "R =", "field": "radius"}],
        "count": len(path.shares),
        "at": (path.shares / largest).tolist(),
        "ticks": [[share / largest, f"{share:g}"] for share in (0, 0.25, 0.5, 0.75, 1, 1.25)],
    }


def recovery_panels() -> list[dict[str, Any]]:
    """Return the panels of the four estimates."""
    short = {"ls": "none", "l2": "ℓ₂", "l1": "ℓ₁", "trace": "trace"}
    tests = {f"test_{name}": label for name, label in short.items()}
    own = [{"kind": "flag", "field": "own", "label": "n of this page"}]
    return [
        *(
            {"kind": "picture", "field": f"Theta_{name}", "title": bound[0].upper() + bound[1:]}
            for name, bound in ESTIMATES.items()
        ),
        lines(short, "‖Θ − Θ*‖_F", "linear", span=(0, 0), marks=own),
        lines(tests, "Test error", "linear", span=(0, 0), marks=own),
    ]


def recovery_axis(recovery: RecoveryRun) -> dict[str, Any]:
    """Return the axis of the estimates: a frame for each n, at first the n of the page."""
    counts, largest = recovery.counts, recovery.counts[-1]
    step = next(s for s in (5, 10, 20, 50, 100, 200) if largest / s <= 6 or s == 200)
    return {
        "name": "n =",
        "label": "n",
        "field": "n",
        "count": len(counts),
        "opens": counts.index(recovery.few.n),
        "at": [n / largest for n in counts],
        "ticks": [[n / largest, str(n)] for n in range(step, largest, step)],
    }


def radius_arrays(path: TraceNormPath) -> dict[str, Array]:
    """Solve the path again and return each Theta in full; frames hold images of them only."""
    data = path.data.prepare()
    points = ((radius, proof.theta) for radius, proof, _ in path.solutions(data))
    radius, theta = zip(*points, strict=True)
    return {
        "radius": np.array(radius),
        "Theta": np.reshape(theta, (-1, *data.truth.shape)),
        "truth": data.truth,
    }


def recovery_arrays(recovery: RecoveryRun) -> dict[str, Array]:
    """Make the four estimates at the n of the page again, in full."""
    data = recovery.data.prepare().first(recovery.few.n)
    found = recovery.estimates(data)
    return {**{f"Theta_{name}": Theta for name, Theta in found.items()}, "truth": data.truth}
