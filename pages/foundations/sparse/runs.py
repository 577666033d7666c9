"""The experiments of the lesson, ADMM alone and beside others, and their panels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.foundations.sparse.regression import (
    PENALTIES,
    Features,
    PreparedDesign,
    RegressionData,
    Sinc,
    Steps,
)
from pages.foundations.sparse.reproduce import LISTING_ITERATIONS, LISTING_TOL, SMALL_ENTRY
from pages.shared.data.samples import Array, check
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import after_iterations, scientific
from pages.shared.player.panels import (
    FAINT,
    INK,
    Axis,
    Curve,
    Lines,
    Mark,
    Number,
    Panel,
    Points,
    Series,
    Stems,
    series,
)
from pages.shared.race import Measurement, Race, Runner
from smmcore.penalties import L12, Lp, WeightedNorm
from smmcore.problems import LSCertificate, RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm, stochastic_gradient
from smmcore.solvers.splitting import SplittingState
from smmcore.solvers.stochastic import StochasticState

DASHES: tuple[Literal["dash", "dot"] | None, ...] = (None, "dash", "dot")  # of three lines


@dataclass(frozen=True)
class SparseRun(Experiment):
    """Least squares with a penalty by ADMM, from zero until the gap is certified."""

    data: RegressionData
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
        share = f", ω = {self.tau:g}" if self.penalty == "l1 + l2" else ""
        return f"{PENALTIES[self.penalty]}, λ = {self.lam:g}{share}"

    @property
    def _norm(self) -> WeightedNorm:
        if self.penalty == "l1,2":
            group_of_parameter = tuple(j // self.size for j in range(self.data.shape[1]))
            return WeightedNorm(L12(group_of_parameter), self.norm_weight)
        return WeightedNorm(Lp(1), self.norm_weight)

    def problem(self, prepared: PreparedDesign) -> RegularizedLS:
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
        self, prepared: PreparedDesign, state: SplittingState | None = None
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
        gap = f"relative gap {scientific(proof.relative_gap)}"
        after = after_iterations(last.state.k)
        if proof.within(self.tol):
            return f"Certified {after}: {gap}, {zeros}."
        return f"Ended at its limit, {after}: {gap}, wanted {scientific(self.tol, 1)}; {zeros}."


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


@dataclass(frozen=True)
class SparseComparison(Race):
    """ADMM on the same samples with several penalties or weights, side by side.

    The names of metrics and images end with the index of the run: ``z_0`` is z of the first run.
    """

    runs: tuple[SparseRun, ...]

    def __post_init__(self) -> None:
        if len({(run.data, run.tol, run.max_iter) for run in self.runs}) != 1:
            raise ValueError("the runs must have data, tolerance and limit in common")

    @property
    def data(self) -> RegressionData:
        """The samples of all runs."""
        return self.runs[0].data

    @property
    def tol(self) -> float:  # read-only, as in any frozen dataclass
        """The tolerance of all runs."""
        return self.runs[0].tol

    @property
    def max_iter(self) -> int:
        """The limit of all runs."""
        return self.runs[0].max_iter

    def problems(self, prepared: PreparedDesign) -> Mapping[str, RegularizedLS]:
        """Return the problem of each run, by its index."""
        return {str(i): run.problem(prepared) for i, run in enumerate(self.runs)}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[SplittingState]:
        """Return the solver of a run."""
        return self.runs[int(name)].states(problem, start)

    def measure(self, runner: Runner, prepared: PreparedDesign) -> Measurement:
        """Return the zeros, the last step and the gap of a run, and the images of z and the fit."""
        state = runner.state
        metrics = {
            "zeros": np.count_nonzero(state.z == 0),
            "small": np.count_nonzero(np.abs(state.theta) < SMALL_ENTRY),
            "change": state.change,
            "gap": runner.proof.relative_gap,
        }
        return Measurement(metrics, {"z": state.z, "fit": prepared.basis @ state.theta})

    def summary(self, last: Frame) -> str:
        """Say how each run ended."""
        ends = zip(self.runs, last.state.values(), strict=True)
        return " ".join(
            f"{run.label}: {run.summary(Frame(runner.state, certificate=runner.proof))}"
            for run, runner in ends
        )


@dataclass(frozen=True)
class StochasticRun(Experiment):
    """The stochastic gradient with thresholding, and ADMM, on the same l1 problem."""

    admm: SparseRun
    step: float = 0.1  # epsilon, in units of 1 / max ||phi(x_i)||^2
    every: int = 10  # steps before a threshold
    passes: int = 300  # over the samples
    seed: int = 0  # for drawing the samples

    def __post_init__(self) -> None:
        if self.admm.penalty != "l1":
            raise ValueError(f"the penalty must be 'l1', got {self.admm.penalty!r}")
        check("epsilon, the step,", self.step, 1e-6, 1.9, "1.9, below 2")
        check("the steps before a threshold", self.every, 1, 10_000)
        check("the passes over the samples", self.passes, 1, 1_000)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def data(self) -> RegressionData:
        """The samples of both methods."""
        return self.admm.data

    @property
    def threshold_weight(self) -> float:
        """The lambda of the threshold, lam every / n, for which both methods have one solution."""
        return self.admm.lam * self.every / self.data.shape[0]

    @property
    def stride(self) -> int:
        """Rounds from one frame to the next: about a pass over the samples."""
        return max(1, self.data.shape[0] // self.every)

    @property
    def last_round(self) -> int:
        """The number of the last round."""
        return self.stride * max(1, self.passes * self.data.shape[0] // (self.stride * self.every))

    def epsilon(self, Phi: Array) -> float:
        """Return the step size for these samples."""
        return self.step / float((Phi * Phi).sum(axis=1).max())

    def states(
        self, prepared: PreparedDesign, start: StochasticState | None = None
    ) -> Iterator[StochasticState]:
        """Return the endless solver, from zero or from one of its own states."""
        return stochastic_gradient(
            prepared.Phi,
            prepared.y,
            self.threshold_weight,
            self.epsilon(prepared.Phi),
            every=self.every,
            seed=self.seed,
            start=start,
        )

    def frames(
        self, prepared: PreparedDesign, state: StochasticState | None = None
    ) -> Iterator[Frame]:
        """Yield theta = 0 and then each pass, beside the same number of ADMM iterations."""
        problem = self.admm.problem(prepared)
        references = _admm_certificates(self.admm)
        best = references[-1].dual
        rounds = self.states(prepared, state)
        passes: Iterator[StochasticState] = islice(rounds, self.stride - 1, None, self.stride)
        if state is None:
            zero, no_samples = np.zeros(problem.Phi.shape[1]), np.zeros(0, np.intp)
            passes = chain([StochasticState(0, zero, no_samples, problem.fingerprint)], passes)
        for iterate in passes:
            passed = iterate.k * self.every / len(prepared.y)
            admm = references[min(int(passed), len(references) - 1)]
            metrics: dict[str, float] = {
                "passes": passed,  # over the samples
                # Of the objective, above the dual value of ADMM, relative to the objective at 0.
                "excess": max(0.0, problem.primal(iterate.theta) - best) / admm.at_zero,
                "zeros": int(np.count_nonzero(iterate.theta == 0)),
                "admm_excess": max(0.0, admm.primal - best) / admm.at_zero,
                "admm_zeros": int(np.count_nonzero(admm.theta == 0)),
            }
            images = {
                "theta": iterate.theta,
                "admm_z": admm.theta,
                "fit": prepared.basis @ iterate.theta,
                "admm_fit": prepared.basis @ admm.theta,
            }
            done = iterate.k >= self.last_round
            yield Frame(iterate, metrics, images, iterate.certificate(problem), done)

    def summary(self, last: Frame) -> str:
        """Say how far above the optimum the run ended."""
        end = last.metrics
        return (
            f"After {last.state.k * self.every:,} steps: zeros {end['zeros']}, objective "
            f"{scientific(end['excess'])} P(0) above the optimum. ADMM: zeros {end['admm_zeros']}."
        )


@lru_cache(maxsize=2)  # each slice of a run uses them
def _admm_certificates(run: SparseRun) -> list[LSCertificate]:
    """Return the certificates of theta = 0 and of all iterations of ADMM."""
    problem = run.problem(run.data.prepare())
    at_zero = problem.certificate(np.zeros(run.z_length))
    return [at_zero, *(frame.certificate for frame in run.run())]


def sinc_or_default(data: RegressionData) -> Sinc:
    """Return the data if they are a curve, and the book's curve otherwise."""
    return data if isinstance(data, Sinc) else Sinc()


def listing_comparison(data: RegressionData) -> SparseComparison:
    """Return the listing of Fig. 24.4 with the threshold that it defines and the one it uses."""
    curve = sinc_or_default(data)
    return SparseComparison(tuple(SparseRun(curve, "l1", lam, rho=1.0) for lam in (0.1, 1.0)))


def listing_rows(
    comparison: SparseComparison, metrics: NDArray[np.void]
) -> list[dict[str, object]]:
    """Return a row for each threshold: the listing's last iteration, and the zeros."""
    rows = []
    for i, run in enumerate(comparison.runs):
        stopped = np.flatnonzero(metrics[f"change_{i}"][:LISTING_ITERATIONS] < LISTING_TOL)
        at = stopped[0] if len(stopped) else min(LISTING_ITERATIONS, len(metrics)) - 1
        rows.append(
            {
                "threshold": f"{run.lam:g}",
                "the listing stops after": int(metrics["k"][at]),
                "it counts |θⱼ| < 0.001": int(metrics[f"small_{i}"][at]),
                "relative gap there": f"{scientific(metrics[f'gap_{i}'][at])}",
                "zeros in z at the end": int(metrics[f"zeros_{i}"][-1]),
            }
        )
    return rows


def selection_comparison(data: Features, lam: float) -> SparseComparison:
    """Return a selection of features by three penalties of the same weight."""
    return SparseComparison(tuple(SparseRun(data, name, lam) for name in ("l1", "l1 + l2", "l1,2")))


def selection_rows(comparison: SparseComparison, images: np.void) -> list[dict[str, object]]:
    """Return a row for each penalty: how many features it selects, in all and in each group."""
    rows = []
    for i, run in enumerate(comparison.runs):
        counts = np.count_nonzero(images[f"z_{i}"].reshape(Features.groups, -1), axis=1)
        rows.append(
            {"penalty": PENALTIES[run.penalty], "features": int(counts.sum())}
            | {f"group {g}": int(count) for g, count in enumerate(counts, 1)}
        )
    return rows


DATA_PASSES = Axis("pass", "passes over the samples", "passes")


def sparse_panels(run: SparseRun) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run of ADMM: the fit, the entries and numbers; and its curves."""
    numbers = [Number("zeros", f"zeros of {run.z_length}", "int")]
    theta, z = Series("theta", "θ", FAINT), Series("z", "z", INK)
    if run.fused:
        fits = [Series("fit_theta", "θ", FAINT), Series("fit_z", "from z", INK)]
        entries = Stems([z], "z, the jumps of the fit", numbers=numbers)
        residuals = "Residuals ‖Fθ − z‖ and ρ ‖F′(z − z₋)‖"
        zeros = _counts([Series("zeros", "z", INK)], "Zeros in z")
    else:
        every = run.size if run.penalty == "l1,2" else None
        fits = [Series("fit_theta", "θ", FAINT), Series("fit_z", "z", INK)]
        entries = Stems([theta, z], "θ and z", every, numbers=numbers)
        residuals = "Residuals ‖θ − z‖ and ρ ‖z − z₋‖"
        small = Series("small", "θ", INK, dash="dash")
        zeros = _counts([small, Series("zeros", "z", INK)], "Zeros in z, and |θⱼ| < 0.001")
    new_rho = Mark("change", "rho", "new ρ", "ρ = {rho:sci} from here")
    return [
        _curve(run.data, fits, "The fit"),
        entries,
    ], [
        Lines(
            [
                Series("primal_residual", "primal", INK),
                Series("dual_residual", "dual", INK, dash="dot"),
            ],
            residuals,
            "log",
            marks=[new_rho],
        ),
        zeros,
        Lines(
            [Series("primal", "P, primal", INK), Series("dual", "D, dual", INK, dash="dot")],
            "Objective and its dual",
            "linear",
        ),
        Lines([Series("gap", "gap", INK)], "Certificate: relative gap (P − D) / P(0)", "log"),
    ]


def threshold_panels(comparison: SparseComparison) -> list[Panel]:
    """Return the panels of the listing with two thresholds: both fits, both z, counts."""
    thresholds = [f"{run.lam:g}" for run in comparison.runs]
    numbered = list(enumerate(thresholds))
    among = [f"z_{i}" for i, _ in numbered]
    return [
        *(
            _curve(comparison.data, [Series(f"fit_{i}", "θ", INK)], f"Fit, threshold {lam}")
            for i, lam in numbered
        ),
        *(
            Stems([Series(f"z_{i}", "z", INK)], f"z, threshold {lam}", among=among)
            for i, lam in numbered
        ),
        _counts(series({f"small_{i}": lam for i, lam in numbered}), "Count of |θⱼ| < 0.001"),
        Lines(
            series({f"change_{i}": lam for i, lam in numbered}),
            "‖θ − θ₋‖: the listing stops below 10⁻⁴",
            "log",
        ),
    ]


def selection_panels(comparison: SparseComparison) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a selection of features: what each penalty takes; and the gaps."""
    numbered = list(enumerate(comparison.runs))
    among = [f"z_{i}" for i, _ in numbered]
    gaps = [
        Series(f"gap_{i}", PENALTIES[run.penalty], INK, dash=dash)
        for (i, run), dash in zip(numbered, DASHES, strict=True)
    ]
    coefficients = [
        Stems([Series(f"z_{i}", "z", INK)], f"Coefficients, {run.label}", Features.size, among)
        for i, run in numbered
    ]
    return [*coefficients], [Lines(gaps, "Relative gap", "log")]


def stochastic_panels(run: StochasticRun) -> list[Panel]:
    """Return the panels of the stochastic gradient beside ADMM."""

    def both(ours: str, admm: str) -> list[Series]:
        return [Series(ours, "stochastic", INK), Series(admm, "ADMM", FAINT)]

    return [
        _curve(run.data, both("fit", "admm_fit"), "The fit"),
        Stems(both("theta", "admm_z"), "θ, after the threshold, and z"),
        Lines(
            both("excess", "admm_excess"),
            "Objective above the optimum, relative to P(0)",
            "log",
        ),
        _counts(both("zeros", "admm_zeros"), "Zeros"),
    ]


def _curve(data: RegressionData, fits: Sequence[Series], title: str) -> Curve:
    """Return a panel with fits over the samples and the truth."""
    _, y, x, truth, grid, _ = data.prepare()
    return Curve(
        fits,
        title,
        label="x",
        x=grid.tolist(),
        dots=Points("samples", x.tolist(), y.tolist()),
        behind=[Points("truth", x.tolist(), truth.tolist())],
        step=isinstance(data, Steps),
    )


def _counts(counts: Sequence[Series], title: str) -> Lines:
    """Return a panel with lines of whole numbers."""
    return Lines(counts, title, "linear", step=True, format="int")
