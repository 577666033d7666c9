"""The experiments of the lesson and their panels: one solution, along R, and from fewer samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.foundations.trace_norm.regression import (
    LowRank,
    Measurements,
    measure_estimate,
)
from pages.shared.data.samples import Array, check
from pages.shared.engine.experiment import Experiment, Frame, Scaled
from pages.shared.engine.slices import get_prepared
from pages.shared.numbers import after_iterations, describe_solutions, scientific
from pages.shared.player.images import MAX_CURVES
from pages.shared.player.panels import (
    INK,
    Axis,
    Bars,
    FurtherValue,
    LabelledField,
    Lines,
    Mark,
    Number,
    Panel,
    Picture,
    Readout,
    Series,
    series,
)
from smmcore.penalties import Ball, Lp, TraceNorm, WeightedNorm
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.proximal import ProximalState

FORMS_TOL, FORMS_MAX_ITER = 1e-10, 5_000
IDLE_TOL = 1e-6  # relative: with more slack, or a smaller multiplier, a bound does not bind
SMM_ETA = 0.5  # weight of ||W||_F^2 in the SMM
ESTIMATES = {  # what is bounded
    "ls": "nothing (least norm)",
    "l2": "ℓ₂ (Frobenius) norm",
    "l1": "ℓ₁ norm of the entries",
    "trace": "nuclear norm",
}


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
            check("R, the bound of the nuclear norm,", self.radius, 1e-6, 1e6)
        if self.lam is not None:
            check("lambda, the weight of the nuclear norm,", self.lam, 1e-12, 1e12)
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
        gap = f"gap {scientific(proof.relative_gap)} of the objective at 0"
        if proof.within(self.tol):
            return f"Certified {steps}: {gap}."
        return f"Ended at its limit, {steps}: {gap}, wanted {scientific(self.tol, 1)}."


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
    """Solve the constrained form, and at its multiplier the penalised form and the elastic net."""
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


class RadiusPosition(NamedTuple):
    """The position of a path, from which it resumes."""

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
        """Yield R, solution and last state of each point, warm-started from the point before."""
        norm = TraceNorm(data.truth.shape)
        unit = float(norm.value(data.truth.ravel()))
        base = RegularizedLS(data.Phi, data.y, Ball(norm, unit))
        for share in self.shares[done:]:
            radius = float(share * unit)
            problem = base.with_penalty(Ball(norm, radius))
            steps = proximal_gradient(problem, start=start)
            proof, start = solve_to_gap(problem, steps, self.tol, self.max_iter)
            yield radius, proof, start

    def frames(
        self, prepared: Measurements, state: RadiusPosition | None = None
    ) -> Iterator[Frame]:
        """Yield the points of the path."""
        at, shares = state or RadiusPosition(0, None), self.shares
        for radius, proof, solved in self.solutions(prepared, at.done, at.state):
            share, loose = shares[at.done], at.loose + (not proof.within(self.tol))
            at = RadiusPosition(at.done + 1, solved, loose)
            measured, images = measure_estimate(proof, prepared)
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


@dataclass(frozen=True)
class RecoveryRun(Experiment):
    """Four estimates of Theta* from growing samples, each with the bound of least test error."""

    few: LowRank
    steps: int = 10  # equal steps of n, up to 1.4 p q
    tol: float = 1e-4  # enough for a picture
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
        norms: dict[str, Lp | TraceNorm] = {"l2": Lp(2), "l1": Lp(1), "trace": TraceNorm(shape)}
        found: dict[str, Array] = {"ls": np.asarray(np.linalg.lstsq(data.Phi, data.y)[0], float)}
        found |= {name: self._best_solution(norm, data) for name, norm in norms.items()}
        return {name: theta.reshape(shape) for name, theta in found.items()}

    def _best_solution(self, norm: Lp | TraceNorm, data: Measurements) -> Array:
        """Return the solution with the bound of least test error."""
        size, state, solutions = float(norm.value(data.truth.ravel())), None, []
        base = RegularizedLS(data.Phi, data.y, Ball(norm, size))
        for share in self.shares:
            problem = base.with_penalty(Ball(norm, float(share * size)))
            steps = proximal_gradient(problem, start=state)
            proof, state = solve_to_gap(problem, steps, self.tol, self.max_iter)
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


PRECOMPUTED = {  # see tests/precompute.py
    "Rank against R": TraceNormPath(LowRank()),
    "Fewer samples than entries": RecoveryRun(LowRank()),
}


TRUTH = Picture("truth", "Θ*, the truth")
THETA = Picture("Theta", "Θ, learned")
SPECTRUM = Bars("sigma", "Singular values of Θ", LabelledField("sigma_truth", "of Θ*"))
ERRORS = Lines(
    [
        Series("error", "‖Θ − Θ*‖", INK),
        Series("test", "test error", INK, dash="dash"),
        Series("train", "training error", INK, dash="dot"),
    ],
    "Errors",
    "linear",
    span=(0, 0),
)
NUMBERS = [
    Number("rank", "rank of Θ", "int"),
    Number("error", "‖Θ − Θ*‖", "number"),
    Number("test", "test error", "number"),
    Number("trace", "‖Θ‖∗", "number"),
    Number("lam", "λ = ‖Σ eᵢ Xᵢ‖₂", "number"),
]


def proximal_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run of proximal gradient: matrices and numbers; and curves."""
    restarts = [Mark("flag", "restarted", "restart")]
    numbers = [*NUMBERS, Number("train", "training error", "number")]
    beside = [Number("rank", "rank", "int"), Number("error", "‖Θ − Θ*‖", "number")]
    pictures = [replace(TRUTH, bare=True), replace(THETA, bare=True, numbers=beside)]
    return [*pictures, SPECTRUM], [
        Readout(numbers),
        ERRORS,
        Lines(
            [Series("primal", "P(Θ)", INK), Series("dual", "D", INK, dash="dot")],
            "Objective and its bound",
            "linear",
        ),
        Lines(
            [Series("gap", "duality gap", INK), Series("residual", "residual", INK, dash="dot")],
            "Gap, residual",
            "log",
            marks=restarts,
        ),
    ]


def radius_panels(path: TraceNormPath) -> list[Panel]:
    """Return the panels of the path along R."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(MAX_CURVES, *path.data.shape[1:])]
    entering = {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)}
    curves = (
        Lines(series(entering), "Singular values along R", "linear"),
        Lines(series({"rank": "rank"}), "Rank of Θ", "linear", step=True, format="int"),
        ERRORS,
    )
    at_truth = [Mark("flag", "at_truth", "R = ‖Θ*‖∗")]
    numbers = Readout([Number("radius", "R", "number"), *NUMBERS])
    return [THETA, numbers, SPECTRUM, *(replace(curve, marks=at_truth) for curve in curves)]


def radius_axis(path: TraceNormPath) -> Axis:
    """Return the axis of the path: a frame for each R."""
    largest = path.shares[-1]
    return Axis(
        "R / ‖Θ*‖∗ =",
        "R / ‖Θ*‖∗",
        "share",
        also=[FurtherValue("R =", "radius")],
        count=len(path.shares),
        at=(path.shares / largest).tolist(),
        ticks=[(share / largest, f"{share:g}") for share in (0, 0.25, 0.5, 0.75, 1, 1.25)],
    )


def recovery_panels() -> list[Panel]:
    """Return the panels of the four estimates."""
    short = {"ls": "none", "l2": "ℓ₂", "l1": "ℓ₁", "trace": "nuclear"}
    tests = {f"test_{name}": label for name, label in short.items()}
    own = [Mark("flag", "own", "n of this page")]
    return [
        *(
            Picture(f"Theta_{name}", bound[0].upper() + bound[1:], bare=True)
            for name, bound in ESTIMATES.items()
        ),
        Lines(series(short), "‖Θ − Θ*‖", "linear", span=(0, 0), marks=own),
        Lines(series(tests), "Test error", "linear", span=(0, 0), marks=own),
    ]


def recovery_axis(recovery: RecoveryRun) -> Axis:
    """Return the axis of the estimates: a frame for each n, at first the n of the page."""
    counts, largest = recovery.counts, recovery.counts[-1]
    step = next(s for s in (5, 10, 20, 50, 100, 200) if largest / s <= 6 or s == 200)
    return Axis(
        "n =",
        "n",
        "n",
        count=len(counts),
        at=[n / largest for n in counts],
        ticks=[(n / largest, str(n)) for n in range(step, largest, step)],
        opens=counts.index(recovery.few.n),
    )


def radius_arrays(path: TraceNormPath) -> dict[str, Array]:
    """Solve the path again and return each Theta in full; frames hold only images of them."""
    data = path.data.prepare()
    points = ((radius, proof.theta) for radius, proof, _ in path.solutions(data))
    radius, theta = zip(*points, strict=True)
    return {
        "radius": np.array(radius),
        "Theta": np.reshape(theta, (-1, *data.truth.shape)),
        "truth": data.truth,
    }


def recovery_arrays(recovery: RecoveryRun) -> dict[str, Array]:
    """Compute the four estimates at the n of the page again, in full."""
    data = recovery.data.prepare().first(recovery.few.n)
    found = recovery.estimates(data)
    return {**{f"Theta_{name}": Theta for name, Theta in found.items()}, "truth": data.truth}


def describe_path(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe the path along R: its nearest point, its ranks, and its end."""
    # The first of the points that are equally good in the digits shown.
    best, least = (curves[curves[name].round(3).argmin()] for name in ("error", "test"))
    at = curves[curves["at_truth"] == 1][0]
    falls = np.count_nonzero(np.diff(curves["rank"]) < 0)
    true = curves[curves["rank"] == data.rank]
    if len(true):
        first, last, nearest = true["radius"][0], true["radius"][-1], true["error"].min()
        short = ": its singular values add up to too little" if last < at["radius"] else ""
        ranks = (
            f"Of rank {data.rank}, as Θ* is, are points from R = {first:.2f} to {last:.2f}; the "
            f"nearest of them is {nearest:.3f} from Θ*{short}."
        )
    else:
        ranks = f"Of rank {data.rank}, as Θ* is, is no point of the path."
    return (
        f"‖Θ*‖∗ = {at['radius']:.3f}. Nearest to Θ* is R = {best['radius']:.2f}, at a distance "
        f"of {best['error']:.3f} and with **rank {best['rank']:.0f}**; the least test error, "
        f"{least['test']:.3f}, is at R = {least['radius']:.2f}. {ranks} The rank "
        + (f"falls {falls} times" if falls else "never falls")
        + " as R grows, here. Of a new sample the expected squared error is ‖Θ − Θ*‖² + "
        f"{data.noise:g}²: at R = {best['radius']:.2f} its root is "
        f"{np.hypot(best['error'], data.noise):.3f}, and {best['test']:.3f} was measured."
        f"\n\n{_describe_idle_end(curves, data)}"
    )


def _describe_idle_end(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe the end of a path, if the bound does not bind there."""
    idle = curves[curves["trace"] < curves["radius"] * (1 - IDLE_TOL)]
    if not len(idle):
        return ""
    n, p, q = data.shape
    start = f"From R = {idle['radius'][0]:.2f} on the bound does not bind"
    if n >= p * q:
        return f"{start}: Θ is the least-squares solution."
    return (
        f"{start}: as n < p q, many Θ have no training error, and the path stays at the one that "
        f"it came to, of nuclear norm {idle['trace'][0]:.3f}. A run from Θ = 0 with such an R ends "
        "at another one: raise R above, and compare the errors."
    )


def recovery_rows(curves: NDArray[np.void]) -> list[dict[str, object]]:
    """Return a row for each estimate at the n of the page."""
    at = curves[curves["own"] == 1][0]
    return [
        {
            "bound on": bound,
            "‖Θ − Θ*‖": float(at[name]),
            "test error": float(at[f"test_{name}"]),
            "rank": int(at[f"rank_{name}"]),
        }
        for name, bound in ESTIMATES.items()
    ]


def describe_recovery(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe how many samples each estimate needs to come close to Θ*."""
    _, p, q = data.shape
    needed = []
    for name, bound in ESTIMATES.items():
        near = curves["n"][curves[name] <= 0.2]
        needed.append(f"{bound}: {f'n = {near[0]}' if len(near) else 'none of these'}")
    if data.rank < min(p, q):
        made, where = f"but Θ* is made of r (p + q − r) = {data.freedom} numbers", "only in"
    else:
        made, where = "as many as Θ*", "nor in"
    at = int(np.abs(curves["n"].astype(int) - p * q).argmin())
    around = curves["ls"][max(at - 1, 0) : at + 2]
    rises = data.noise and len(around) == 3 and around.argmax() == 1
    peak = (
        " Without a bound the error rises to a peak near n = p q: there Θ just fits all samples, "
        "their noise included."
    )
    return (
        f"Θ has p q = {p * q} entries, {made}. The first n of the picture with ‖Θ − Θ*‖ ≤ 0.2: "
        f"{'; '.join(needed)}. ℓ₂ and ℓ₁ do not see rows and columns: put the entries in another "
        f"order and they do the same. Θ* is not sparse in its entries, {where} its singular values."
    ) + (peak if rises else "")


def describe_idle_bound(radius: float, forms: Forms, data: LowRank) -> str:
    """Describe the solution with a bound that does not bind."""
    n, p, q = data.shape
    idle = f"R = {radius:g} does not bind, λ = 0: "
    if n >= p * q:
        return (
            f"{idle}the sum of squares has its minimum inside, with a nuclear norm of "
            f"{forms.size:.4g}."
        )
    return (
        f"{idle}as n = {n} < p q = {p * q}, the sum of squares is 0 at many Θ inside. From Θ = 0 "
        f"one with a nuclear norm of {forms.size:.4g} is reached, and nothing makes it the best."
    )
