"""The experiments of *Sparse regression*, ADMM alone and with three penalties, and their panels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.further.sparse.reproduce import SMALL_ENTRY
from pages.shared.data.curves import (
    PENALTIES,
    Features,
    PreparedDesign,
    RegressionData,
    Steps,
)
from pages.shared.data.samples import check
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import after_iterations, scientific
from pages.shared.player.panels import (
    INK,
    Curve,
    Lines,
    Number,
    Panel,
    Points,
    Series,
    Vectors,
)
from pages.shared.race import Measurement, Race, Runner
from smmcore.penalties import L12, Lp, WeightedNorm
from smmcore.problems import RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm
from smmcore.solvers.splitting import SplittingState


@dataclass(frozen=True)
class SparseRegression(Experiment):
    """Least squares with a penalty by ADMM, from zero until the gap is certified."""

    data: RegressionData
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
        share = f", ω = {self.tau:g}" if self.penalty == "l1 + l2" else ""
        return f"{PENALTIES[self.penalty]}, λ = {self.lam:g}{share}"

    @property
    def _norm(self) -> WeightedNorm:
        if self.penalty == "l1,2":
            group_of_parameter = tuple(j // self.size for j in range(self.data.shape[1]))
            return WeightedNorm(L12(group_of_parameter), self.norm_weight)
        return WeightedNorm(Lp(1), self.norm_weight)

    def problem(self, prepared: PreparedDesign) -> RegularizedLS:
        """Return this experiment's problem on its samples."""
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


@dataclass(frozen=True)
class PenaltyRace(Race):
    """Three penalties of the same weight on the same features, side by side."""

    data: Features
    lam: float = 10.0
    tol: float = 1e-6
    max_iter: int = 3_000

    @property
    def experiments(self) -> dict[str, SparseRegression]:
        """The experiment with each penalty alone, by its name."""
        penalties = {"l1": "l1", "net": "l1 + l2", "groups": "l1,2"}
        return {
            name: SparseRegression(self.data, each, self.lam) for name, each in penalties.items()
        }

    def problems(self, prepared: PreparedDesign) -> Mapping[str, RegularizedLS]:
        """Return the problem of each penalty."""
        return {name: one.problem(prepared) for name, one in self.experiments.items()}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[SplittingState]:
        """Return the solver of a penalty."""
        return self.experiments[name].states(problem, start)

    def measure(self, runner: Runner, prepared: PreparedDesign) -> Measurement:
        """Return the gap of a penalty and its z."""
        return Measurement({"gap": runner.proof.relative_gap}, {"z": runner.state.z})

    def summary(self, last: Frame) -> str:
        """Say how each penalty ended."""
        return self.describe_ends(last, {name: one.label for name, one in self.experiments.items()})


def selection_rows(selection: PenaltyRace, images: np.void) -> list[dict[str, object]]:
    """Return a row for each penalty: how many features it selects, in all and in each group."""
    rows = []
    for name, one in selection.experiments.items():
        counts = np.count_nonzero(images[f"z_{name}"].reshape(Features.groups, -1), axis=1)
        rows.append(
            {"penalty": PENALTIES[one.penalty], "features": int(counts.sum())}
            | {f"group {g}": int(count) for g, count in enumerate(counts, 1)}
        )
    return rows


def sparse_panels(experiment: SparseRegression) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run of ADMM: the fit, the entries and numbers; and its curves."""
    numbers = [Number("zeros", "exact zeros", "int")]
    z = Series("z", "z", INK)
    fits = [Series("fit_z", "fit", INK)]
    if experiment.fused:
        jumps = Vectors([z], "z, the jumps of the fit", numbers=numbers)
        stage: list[Panel] = [_curve(experiment.data, fits, "The fit"), jumps]
        residuals = "Residuals ‖Fθ − z‖ and ρ ‖F′(z − z₋)‖"
        zeros = _counts([Series("zeros", "z", INK)], "Zeros in z")
    else:
        fit = _curve(experiment.data, fits, "The fit, and the height of each bump")
        stage = [replace(fit, stems=z, numbers=numbers)]
        residuals = "Residuals ‖θ − z‖ and ρ ‖z − z₋‖"
        small = Series("small", "θ", INK, dash="dash")
        zeros = _counts([small, Series("zeros", "z", INK)], "Zeros in z, and |θⱼ| < 0.001")
    return stage, [
        Lines(
            [
                Series("primal_residual", "primal", INK),
                Series("dual_residual", "dual", INK, dash="dot"),
            ],
            residuals,
            "log",
        ),
        zeros,
        Lines(
            [Series("primal", "P, primal", INK), Series("dual", "D, dual", INK, dash="dot")],
            "Objective and its dual",
            "linear",
        ),
        Lines([Series("gap", "gap", INK)], "Certificate: relative gap (P − D) / P(0)", "log"),
    ]


def selection_panels(selection: PenaltyRace) -> list[Panel]:
    """Return the panels of a selection of features: what each penalty takes."""
    among = [f"z_{name}" for name in selection.experiments]
    return [
        Vectors([Series(f"z_{name}", "z", INK)], f"Coefficients, {one.label}", Features.size, among)
        for name, one in selection.experiments.items()
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
        behind=Points("truth", x.tolist(), truth.tolist()),
        step=isinstance(data, Steps),
    )


def _counts(counts: Sequence[Series], title: str) -> Lines:
    """Return a panel with lines of whole numbers."""
    return Lines(counts, title, "linear", step=True, format="int")
