"""The experiment of *Sparse regression*, ADMM on one of the penalties, and its panels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pages.shared.data.curves import (
    PENALTIES,
    PreparedDesign,
    RegressionData,
    Sinc,
    Steps,
)
from pages.shared.data.samples import check
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import above_floor, after_iterations
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
from smmcore.sugiyama.penalties import L12, Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS, differences
from smmcore.sugiyama.splitting import SplittingState, balanced_admm, split_admm


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
            metrics: dict[str, float] = {
                "k": iterate.k,
                "zeros": int(np.count_nonzero(iterate.z == 0)),
                "primal_residual": iterate.primal_residual,
                "dual_residual": iterate.dual_residual,
                "primal": proof.primal,
                "dual": proof.dual,
                "gap": proof.relative_gap,  # relative to the objective at 0
                "rho": iterate.rho,
            }
            images = {
                "z": iterate.z,
                "fit_z": prepared.basis @ proof.theta,
            }
            done = proof.within(self.tol) or iterate.k >= self.max_iter
            yield Frame(iterate, metrics, images, proof, done)

    def summary(self, last: Frame) -> str:
        """Say how the run ended and what is proved."""
        proof, z, k = last.certificate, last.state.z, last.state.k
        entries = "jumps" if self.fused else "heights"
        zeros = f"{np.count_nonzero(z == 0)} of {len(z)} {entries} are 0 at step {k}"
        after = after_iterations(k)
        if proof.within(self.tol):
            return f"Done {after}, {above_floor(self.tol)}: {zeros}."
        reached = above_floor(float(f"{proof.relative_gap:.1e}"))
        return f"Ended at its limit, {after}, {reached}: {zeros}."


OWN_LAMBDA = dict.fromkeys(PENALTIES, 0.1) | {"l1,2": 0.5, "fused": 2.0}
OPENING = SparseRegression(Sinc())
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    f"Sparse regression with {penalty}": SparseRegression(
        Steps() if penalty == "fused" else Sinc(), penalty, lam
    )
    for penalty, lam in OWN_LAMBDA.items()
}


def sparse_panels(experiment: SparseRegression) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run of ADMM: the fit, the entries and numbers; and its curves."""
    entries = experiment.data.shape[1] - experiment.fused  # a jump is between two parameters
    numbers = [Number("zeros", f"rings (exactly 0), of {entries}:", "int")]
    z = Series("z", "z", INK)
    fits = [Series("fit_z", "fit", INK)]
    if not isinstance(experiment.data, Sinc):
        jumps = Vectors([z], "z, the jumps of the fit", numbers=numbers)
        stage: list[Panel] = [_curve(experiment.data, fits, "The fit"), jumps]
        residuals = "Residuals ‖Fθ − z‖ and ρ ‖F′(z − z₋)‖"
    else:
        fit = _curve(experiment.data, fits, "The fit, and the height of each bump")
        stage = [replace(fit, stems=z, width=experiment.data.h, numbers=numbers)]
        residuals = "Residuals ‖θ − z‖ and ρ ‖z − z₋‖"
    return stage, [
        Lines(
            [
                Series("primal_residual", "primal", INK),
                Series("dual_residual", "dual", INK, dash="dot"),
            ],
            residuals,
            "log",
        ),
        Lines([Series("zeros", "z", INK)], "Zeros in z", "linear", step=True, format="int"),
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
