"""The experiments of the lesson Sparse regression: ADMM, and the stochastic gradient beside it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.foundations.sparse.data import Features, PreparedRegression, Regression, Sinc, Steps
from pages.shared.data.samples import Array, check
from pages.shared.player.panels import lines, readout
from pages.shared.race import Measurement, Race, Runner
from pages.shared.summaries import after_iterations
from smmcore.experiments.experiment import Experiment, Frame
from smmcore.penalties import L12, Lp, Weighted
from smmcore.problems import LSCertificate, RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm, stochastic_gradient
from smmcore.solvers.splitting import SplittingState
from smmcore.solvers.stochastic import StochasticState

PENALTIES = {
    "l2": "ℓ₂",
    "l1": "ℓ₁",
    "l1 + l2": "ℓ₁ + ℓ₂",
    "l1,2": "ℓ₁,₂, groups",
    "fused": "fused (total variation)",
}
SMALL = 1e-3  # the listing of Fig. 24.4 counts |theta_j| below it as zero
LISTING_STOP = 1e-4  # the listing stops where theta moves by less
LISTING_ITERATIONS = 1_000


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
    def _norm(self) -> Weighted:
        if self.penalty == "l1,2":
            group_of_parameter = tuple(j // self.size for j in range(self.data.shape[1]))
            return Weighted(L12(group_of_parameter), self.norm_weight)
        return Weighted(Lp(1), self.norm_weight)

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
                "small": np.count_nonzero(np.abs(iterate.theta) < SMALL),
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
        if proof.within(self.tol):
            return f"Certified {after_iterations(last.state.k)}: {gap}, {zeros}."
        return (
            f"Ended at its limit, {after_iterations(last.state.k)}: {gap}, wanted {self.tol:.0e}; "
            f"{zeros}."
        )

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

from smmcore.penalties import L12, Lp, Weighted
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


@dataclass(frozen=True)
class Contest(Race):
    """ADMM on the same samples with several penalties, or weights, side by side.

    Metrics and images of a run get its place: z of the first is ``z_0``.
    """

    runs: tuple[SparseRun, ...]

    def __post_init__(self) -> None:
        if len({(run.data, run.tol, run.max_iter) for run in self.runs}) != 1:
            raise ValueError("the runs must have data, tolerance and limit in common")

    @property
    def data(self) -> Regression:
        """The samples of all runs."""
        return self.runs[0].data

    @property
    def tol(self) -> float:
        """The tolerance of all runs."""
        return self.runs[0].tol

    @property
    def max_iter(self) -> int:
        """The limit of all runs."""
        return self.runs[0].max_iter

    def problems(self, prepared: PreparedRegression) -> Mapping[str, RegularizedLS]:
        """Return the problem of each run, by its place."""
        return {str(i): run.problem(prepared) for i, run in enumerate(self.runs)}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[SplittingState]:
        """Return the solver of a run."""
        return self.runs[int(name)].states(problem, start)

    def measure(self, runner: Runner, prepared: PreparedRegression) -> Measurement:
        """Return the counts of zeros, the last step and the gap of a run; z, and the fit."""
        state = runner.state
        metrics = {
            "zeros": np.count_nonzero(state.z == 0),
            "small": np.count_nonzero(np.abs(state.theta) < SMALL),
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
    """The stochastic gradient with thresholding on an l1 problem, and ADMM on the same."""

    admm: SparseRun
    step: float = 0.1  # epsilon, in units of 1 / max ||phi(x_i)||^2
    every: int = 10  # steps before a threshold
    passes: int = 300  # over the samples
    seed: int = 0  # of the samples that are drawn

    def __post_init__(self) -> None:
        if self.admm.penalty != "l1":
            raise ValueError(f"the penalty must be 'l1', got {self.admm.penalty!r}")
        check("epsilon, the step,", self.step, 1e-6, 1.9, "1.9, below 2")
        check("the steps before a threshold", self.every, 1, 10_000)
        check("the passes over the samples", self.passes, 1, 1_000)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def data(self) -> Regression:
        """The samples of both methods."""
        return self.admm.data

    @property
    def threshold_weight(self) -> float:
        """The lambda of the threshold, lam every / n: with it both have the same solution."""
        return self.admm.lam * self.every / self.data.shape[0]

    @property
    def stride(self) -> int:
        """Rounds from one frame to the next: about a pass over the samples."""
        return max(1, self.data.shape[0] // self.every)

    @property
    def last_round(self) -> int:
        """The number of the round with which the run ends."""
        return self.stride * max(1, self.passes * self.data.shape[0] // (self.stride * self.every))

    def epsilon(self, Phi: Array) -> float:
        """Return the step in the units of the samples."""
        return self.step / float((Phi * Phi).sum(axis=1).max())

    def states(
        self, prepared: PreparedRegression, start: StochasticState | None = None
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
        self, prepared: PreparedRegression, state: StochasticState | None = None
    ) -> Iterator[Frame]:
        """Yield theta = 0 and then the passes, each beside as many iterations of ADMM."""
        problem = self.admm.problem(prepared)
        references = _admm_certificates(self.admm)
        best = references[-1].dual
        rounds = self.states(prepared, state)
        passes = islice(rounds, self.stride - 1, None, self.stride)
        if state is None:
            zero, no_samples = np.zeros(problem.Phi.shape[1]), np.zeros(0, np.intp)
            passes = chain([StochasticState(0, zero, no_samples, problem.fingerprint)], passes)
        for iterate in passes:
            passed = iterate.k * self.every / len(prepared.y)
            admm = references[min(int(passed), len(references) - 1)]
            metrics = {
                "passes": passed,  # over the samples
                # Of the objective, above the dual value of ADMM, relative to the objective at 0.
                "excess": max(0.0, problem.primal(iterate.theta) - best) / admm.at_zero,
                "zeros": np.count_nonzero(iterate.theta == 0),
                "admm_excess": max(0.0, admm.primal - best) / admm.at_zero,
                "admm_zeros": np.count_nonzero(admm.theta == 0),
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
            f"{end['excess']:.1e} P(0) above the optimum. ADMM: zeros {end['admm_zeros']}."
        )


@lru_cache(maxsize=2)  # each slice of a run needs them
def _admm_certificates(run: SparseRun) -> list[LSCertificate]:
    """Return the certificates of theta = 0 and of all iterations of ADMM."""
    problem = run.problem(run.data.prepare())
    begin = problem.certificate(np.zeros(run.z_length))
    return [begin, *(frame.certificate for frame in run.run())]


class ScikitLearnSolution(NamedTuple):
    """The solution that scikit-learn finds for the problem of a run."""

    name: str
    call: str
    theta: Array  # (b,)
    fitted: Array  # (n,), Phi theta
    primal: float


def solve_with_scikit_learn(run: SparseRun) -> ScikitLearnSolution:
    """Solve the problem of an l1, l2 or l1 + l2 penalty with scikit-learn, from nothing."""
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
    with warnings.catch_warnings(action="ignore"):  # at its limit: the page shows the gap
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


def sinc_or_default(data: Regression) -> Sinc:
    """Return the data if they are a curve, and the book's curve otherwise."""
    return data if isinstance(data, Sinc) else Sinc()


def listing(data: Regression) -> Contest:
    """Return the listing of Fig. 24.4 on a curve, at the threshold it defines and at the other."""
    curve = sinc_or_default(data)
    return Contest(tuple(SparseRun(curve, "l1", lam, rho=1.0) for lam in (0.1, 1.0)))


def listing_rows(contest: Contest, metrics: NDArray[np.void]) -> list[dict[str, object]]:
    """Return a row for each threshold: where the listing stops, what it counts, and the end."""
    rows = []
    for i, run in enumerate(contest.runs):
        stopped = np.flatnonzero(metrics[f"change_{i}"][:LISTING_ITERATIONS] < LISTING_STOP)
        at = stopped[0] if len(stopped) else min(LISTING_ITERATIONS, len(metrics)) - 1
        rows.append(
            {
                "threshold": f"{run.lam:g}",
                "the listing stops after": int(metrics["k"][at]),
                "it counts |θⱼ| < 0.001": int(metrics[f"small_{i}"][at]),
                "relative gap there": f"{metrics[f'gap_{i}'][at]:.1e}",
                "zeros in z at the end": int(metrics[f"zeros_{i}"][-1]),
            }
        )
    return rows


def selection_rows(contest: Contest, images: np.void) -> list[dict[str, object]]:
    """Return a row for each penalty: how many features it takes, of each of the groups."""
    rows = []
    for i, run in enumerate(contest.runs):
        counts = np.count_nonzero(images[f"z_{i}"].reshape(Features.groups, -1), axis=1)
        rows.append(
            {"penalty": PENALTIES[run.penalty], "features": int(counts.sum())}
            | {f"group {g}": int(count) for g, count in enumerate(counts, 1)}
        )
    return rows


DATA_PASSES = {"name": "pass", "label": "passes over the samples", "field": "passes"}


def sparse_panels(run: SparseRun) -> list[dict[str, Any]]:
    """Return the panels of a run of ADMM."""
    numbers = [("zeros", f"zeros in z, of {run.z_length}", "int")]
    if run.fused:
        fits = {"fit_theta": "θ", "fit_z": "from z"}
        entries = _stems({"z": "z"}, "z, the jumps of the fit", colour=1)
        residuals = "Residuals ‖Fθ − z‖ and ρ ‖F′(z − z₋)‖"
        zeros = _counts({"zeros": "z"}, "Zeros in z") | {"fields": _named({"zeros": "z"}, 1)}
    else:
        groups = {"every": run.size} if run.penalty == "l1,2" else {}
        fits = {"fit_theta": "θ", "fit_z": "z"}
        entries = _stems({"theta": "θ", "z": "z"}, "θ and z", **groups)
        residuals = "Residuals ‖θ − z‖ and ρ ‖z − z₋‖"
        zeros = _counts({"small": "θ", "zeros": "z"}, "Zeros in z, and |θⱼ| < 0.001")
        numbers += [("small", "|θⱼ| < 0.001, as the book counts", "int")]
    numbers += [("primal", "objective P", "sci"), ("gap", "relative gap", "sci")]
    numbers += [("radius", "√(2 gap)", "sci"), ("rho", "ρ", "sci")]
    new_rho = {"kind": "change", "field": "rho", "label": "new ρ"}
    new_rho |= {"text": "ρ = {rho:sci} from here"}
    return [
        _curve(run.data, fits, "The fit"),
        entries,
        readout(numbers),
        lines(
            {"primal_residual": "primal", "dual_residual": "dual"},
            residuals,
            "log",
            marks=[new_rho],
        ),
        zeros,
        lines({"primal": "P, primal", "dual": "D, dual"}, "Objective and its dual", "linear"),
        lines({"gap": "gap"}, "Certificate: relative gap (P − D) / P(0)", "log"),
    ]


def threshold_panels(contest: Contest) -> list[dict[str, Any]]:
    """Return the panels of the listing with two thresholds: both fits, both z, counts."""
    thresholds = [f"{run.lam:g}" for run in contest.runs]
    numbered = list(enumerate(thresholds))
    among = [f"z_{i}" for i, _ in numbered]
    return [
        *(
            _curve(contest.data, {f"fit_{i}": "θ"}, f"Fit, threshold {lam}", colour=i)
            for i, lam in numbered
        ),
        *(
            _stems({f"z_{i}": "z"}, f"z, threshold {lam}", colour=i, among=among)
            for i, lam in numbered
        ),
        _counts({f"small_{i}": lam for i, lam in numbered}, "Count of |θⱼ| < 0.001"),
        lines(
            {f"change_{i}": lam for i, lam in numbered},
            "‖θ − θ₋‖: the listing stops below 10⁻⁴",
            "log",
        ),
    ]


def selection_panels(contest: Contest) -> list[dict[str, Any]]:
    """Return the panels of a selection of features: what each penalty takes, and the gaps."""
    numbered = list(enumerate(contest.runs))
    shared = {"every": Features.size, "among": [f"z_{i}" for i, _ in numbered]}
    return [
        *(
            _stems({f"z_{i}": "z"}, f"Coefficients, {run.label}", colour=i, **shared)
            for i, run in numbered
        ),
        lines({f"gap_{i}": PENALTIES[run.penalty] for i, run in numbered}, "Relative gap", "log"),
    ]


def stochastic_panels(run: StochasticRun) -> list[dict[str, Any]]:
    """Return the panels of the stochastic gradient beside ADMM."""
    return [
        _curve(run.data, {"fit": "stochastic", "admm_fit": "ADMM"}, "The fit"),
        _stems({"theta": "stochastic", "admm_z": "ADMM"}, "θ, after the threshold, and z"),
        lines(
            {"excess": "stochastic", "admm_excess": "ADMM"},
            "Objective above the optimum, relative to P(0)",
            "log",
        ),
        _counts({"zeros": "stochastic", "admm_zeros": "ADMM"}, "Zeros"),
    ]


def _curve(
    data: Sinc | Steps, fields: Mapping[str, str], title: str, colour: int | None = None
) -> dict[str, Any]:
    """Return a panel with fits over the samples and the truth."""
    _, y, x, truth, grid, _ = data.prepare()
    return {
        "kind": "curve",
        "fields": _named(fields, colour),
        "title": title,
        "label": "x",
        "x": grid.tolist(),
        "dots": {"x": x.tolist(), "y": y.tolist(), "label": "samples"},
        "behind": [{"label": "truth", "x": x.tolist(), "y": truth.tolist()}],
        "step": isinstance(data, Steps),
    }


def _stems(
    fields: Mapping[str, str], title: str, colour: int | None = None, **rest: object
) -> dict[str, Any]:
    """Return a panel with a stem for each entry of some vectors."""
    return {"kind": "stems", "fields": _named(fields, colour), "title": title, **rest}


def _counts(fields: Mapping[str, str], title: str) -> dict[str, Any]:
    """Return a panel with lines of whole numbers."""
    return lines(fields, title, "linear", step=True, format="int")


def _named(fields: Mapping[str, str], colour: int | None) -> list[dict[str, Any]]:
    own = {} if colour is None else {"colour": colour}
    return [{"name": name, "label": label, **own} for name, label in fields.items()]
