"""Recipes of runs: which algorithm is to work on which data, with which weights, and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from math import inf
from textwrap import indent
from typing import NamedTuple, TypeVar

import numpy as np

from pages.shared.recipes.data import Data, Split
from pages.shared.recipes.samples import MAX_SIDE, Array, check
from smmcore.problems import SMMProblem
from smmcore.robustness import NOISES, UNITS, Weights, strengths
from smmcore.solvers import admm, fast_admm
from smmcore.solvers.admm import ADMMState

RESTARTED, UNGUARDED, PLAIN = ALGORITHMS = (
    "fast ADMM with restart",  # Algorithm 1
    "fast ADMM without restart",
    "plain ADMM",
)


@dataclass(frozen=True)
class SMMRun:
    """Algorithm 1 of the SMM paper on some data, from a cold start until its gap is certified."""

    data: Data
    C: float = 1.0
    tau: float = 1.0
    rho: float | None = None  # None: chosen by the solver
    eta: float = 0.999
    tol: float = 1e-6
    max_iter: int = 2_000
    algorithm: str = RESTARTED

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)  # volts ask for large ones
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        if self.rho is not None:
            check("rho, the penalty of ADMM,", self.rho, 1e-12, 1e12)
        check("eta, the threshold of a restart,", self.eta, 0.01, 0.999999)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 10_000)
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"the algorithm must be one of {ALGORITHMS}, got {self.algorithm!r}")

    def problem(self, base: SMMProblem) -> SMMProblem:
        """Return this run's problem, given one on the same samples at any weights."""
        return base.with_weights(C=self.C, tau=self.tau)

    def states(self, problem: SMMProblem, start: ADMMState | None = None) -> Iterator[ADMMState]:
        """Return the endless solver, cold or from one of its own states."""
        solver, options = self._solver
        return solver(problem, start=start, **options)

    @property
    def _solver(self) -> tuple[Callable, dict[str, object]]:
        options = {"rho": self.rho or "auto"}
        if self.algorithm == PLAIN:
            return admm, options
        return fast_admm, options | {"eta": inf if self.algorithm == UNGUARDED else self.eta}

    @property
    def call(self) -> str:
        """The solver as a program calls it."""
        solver, options = self._solver
        said = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return f"{solver.__name__}(problem, {said})".replace("=inf", '=float("inf")')

    @property
    def said(self) -> str:
        """The solver as a reader calls it."""
        eta = f", η = {self.eta:g}" if self.algorithm == RESTARTED else ""
        return f"{self.algorithm}, ρ {'auto' if self.rho is None else f'= {self.rho:g}'}{eta}"

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.C!r}, tau={self.tau!r})

states = {self.call}

for state in islice(states, {self.max_iter}):
    certificate = state.certificate(problem)
    print(state.k, certificate.primal, certificate.dual, certificate.relative_gap)
    if certificate.within({self.tol!r}):
        break

W, b = certificate.W, certificate.b
print(f"rank {{certificate.rank}}, ||W - W*||_F at most {{certificate.radius:.1e}}")
'''


DRAWN = 6  # singular values that have a curve of their own along a path


@dataclass(frozen=True)
class DuelRun:
    """Two settings of ADMM on the same problem: other rho, eta or algorithm, and nothing else."""

    first: SMMRun
    second: SMMRun

    def __post_init__(self) -> None:
        way = {name: getattr(self.first, name) for name in ("rho", "eta", "algorithm")}
        if replace(self.second, **way) != self.first:
            raise ValueError("the two must differ in rho, eta and the algorithm only")

    @property
    def data(self) -> Data:
        """Those of both."""
        return self.first.data

    @property
    def tol(self) -> float:
        """That of both."""
        return self.first.tol

    @property
    def max_iter(self) -> int:
        """That of both."""
        return self.first.max_iter

    def script(self) -> str:
        """Return a program that prints iterations and gap of both."""
        sides = "\n".join(f"    {run.said!r}: {run.call}," for run in (self.first, self.second))
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.first.C!r}, tau={self.first.tau!r})
runners = {{
{sides}
}}
for name, states in runners.items():
    for state in islice(states, {self.max_iter}):
        certificate = state.certificate(problem)
        if certificate.within({self.tol!r}):
            break
    print(name, state.k, certificate.relative_gap)
'''


@dataclass(frozen=True)
class PathRun:
    """The solutions of the SMM along tau: one step above tau_max, there, and some decades down."""

    data: Split
    C: float = 1.0
    points: int = 61
    decades: float = 3.0
    tol: float = 1e-6

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the number of points", self.points, 3, 500)
        check("the decades of tau", self.decades, 0.1, 8)
        check("the tolerance", self.tol, 1e-12, 1)

    @property
    def shares(self) -> Array:
        """tau of each point in units of tau_max, descending, (points,).

        At the second one W = 0, which rounding would leave a direction without the 1e-9.
        """
        steps = np.arange(-1, self.points - 1) * (self.decades / (self.points - 2))
        return (1 + 1e-9) * 10.0**-steps

    def script(self) -> str:
        """Return a program that makes the same solutions and prints their ranks."""
        return f'''\
"""A path of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.path import tau_path
from smmcore.problems import SMMProblem

{self.data.script()}
problem = SMMProblem(X, y, C={self.C!r}, tau=1.0)
steps = np.arange(-1, {self.points} - 1) * ({self.decades!r} / ({self.points} - 2))
taus = problem.tau_max(1e-4) * (1 + 1e-9) * 10.0**-steps

for tau, proof in zip(taus, tau_path(problem, taus, tol={self.tol!r})):
    right = np.sign(np.tensordot(X_test, proof.W) + proof.b) == y_test
    print(tau, proof.rank, right.mean(), proof.relative_gap)
'''


@dataclass(frozen=True)
class PlaneRun:
    """The solutions of the SMM on a grid of C and tau, each row of it a path."""

    data: Split
    rows: int = 9  # values of C
    columns: int = 13  # of tau
    tol: float = 1e-4  # a map shows no more

    @property
    def weights(self) -> Array:
        """C of each row in units of 1 / s^2, ascending, (rows,)."""
        return 10.0 ** np.linspace(-1, 3, self.rows)

    @property
    def shares(self) -> Array:
        """tau of each column in units of tau_max at that C, descending, (columns,)."""
        return 10.0 ** -np.linspace(0, 3, self.columns)

    def script(self) -> str:
        """Return a program that makes the same solutions and prints their ranks and accuracies."""
        return f'''\
"""A map of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.path import tau_path
from smmcore.problems import SMMProblem

{self.data.script()}
base = SMMProblem(X, y, C=1.0, tau=1.0)
shares = 10.0 ** -np.linspace(0, 3, {self.columns})
for c in 10.0 ** np.linspace(-1, 3, {self.rows}):
    C = c / base.spread**2
    path = tau_path(base.with_weights(C=C), shares * C * base.tau_max(1e-3), tol={self.tol!r})
    for share, proof in zip(shares, path):
        right = [
            np.mean((np.tensordot(X, proof.W) + proof.b > 0) == (y > 0))
            for X, y in ((X, y), (X_test, y_test))
        ]
        print(c, share, proof.rank, *right)
'''


METHODS = {  # by the names that frames and addresses use
    "smm": "SMM",
    "bsvm": "bilinear SVM",
    "rglm": "R-GLM",
    "lsvm": "linear SVM",
}


@dataclass(frozen=True)
class RaceRun:
    """The support matrix machine and its rivals on the same samples, at given weights."""

    data: Split  # of block-correlated data
    C: float = 1.0
    tau: float = 1.0
    lam: float = 1e-2  # of the R-GLM, in units of its lam_max
    rank: int = 4  # of the bilinear SVM, at most min(p, q)
    offset: bool = False  # of the bilinear SVM
    methods: tuple[str, ...] = tuple(METHODS)
    tol: float = 1e-6
    max_iter: int = 4_000

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        check("lambda, in units of its largest,", self.lam, 1e-8, 2)
        check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)
        _check_methods(self.methods)

    def script(self) -> str:
        """Return a program that fits the same machines and prints their numbers."""
        limits, lam = dict.fromkeys(METHODS, self.max_iter), f"{self.lam!r} * glm.lam_max()"
        machines = _machines(self, repr(self.C), repr(self.tau), lam, limits)
        return f"""\
{_comparison(self)}
machines = {{
{indent(machines, " " * 4)}
}}
for name, machine in machines.items():
    machine.fit(X, y)
    score = grouping_score(machine.coef_, groups)
    print(name, machine.rank_, score, machine.score(X, y), machine.score(X_test, y_test))
"""


SWEEP_LIMITS = {"smm": 500, "lsvm": 1, "bsvm": 100, "rglm": 4_000}  # iterations at one weight


class Step(NamedTuple):
    """A step of a sweep: equal steps towards weaker regularisation for all machines."""

    C: float  # in units of 1 / spread^2
    lam: float  # in units of lam_max


@dataclass(frozen=True)
class SweepRun:
    """The machines of a race against the strength of their regularisation."""

    data: Split
    tau: float = 0.1  # of the SMM, in units of the linear SVM's ||W||_2 at the same C
    rank: int = 4
    offset: bool = False
    methods: tuple[str, ...] = tuple(METHODS)
    points: int = 11
    tol: float = 1e-4  # a picture shows no more

    def __post_init__(self) -> None:
        check("tau, in units of the linear SVM's norm,", self.tau, 0, 100)
        check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)
        check("the number of points", self.points, 2, 50)
        _check_methods(self.methods)

    @property
    def steps(self) -> list[Step]:
        """The weights, (points,)."""
        shares = np.linspace(0, 1, self.points).tolist()
        steps = [(10 ** (4 * share - 1), 10 ** (-0.3 - 4.7 * share)) for share in shares]
        return [Step(float(f"{C:.1e}"), float(f"{lam:.1e}")) for C, lam in steps]  # to be read

    def at(self, C: float, tau: float, lam: float) -> RaceRun:
        """Return the race at given weights."""
        return RaceRun(self.data, C, tau, lam, self.rank, self.offset, self.methods, self.tol)

    def script(self) -> str:
        """Return a program that fits the same machines and prints their numbers."""
        machines = _machines(self, "C", "tau", "lam", SWEEP_LIMITS)
        return f"""\
{_comparison(self)}
for c, share in {[tuple(step) for step in self.steps]}:
    C, lam = c / glm.spread**2, share * glm.lam_max()
    tau = {self.tau!r} * LinearSVM(C=C).fit(X, y).singular_values_[0]
    machines = {{
{indent(machines, " " * 8)}
    }}
    for name, machine in machines.items():
        machine.fit(X, y)
        score = grouping_score(machine.coef_, groups)
        right = machine.score(X, y), machine.score(X_test, y_test)
        print(c, share, name, machine.rank_, score, *right, sep=", ")
"""


Comparison = TypeVar("Comparison", RaceRun, SweepRun)


def _comparison(run: RaceRun | SweepRun) -> str:
    """Write how a program that compares machines begins."""
    return f'''\
"""A comparison of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.datasets import column_groups
from smmcore.problems import GLMProblem
from smmcore.theory import grouping_score

{run.data.script()}
groups = column_groups({run.data.data.q}, {run.data.data.groups})
glm = GLMProblem(X, y, 1.0)'''


def _machines(
    run: RaceRun | SweepRun, C: str, tau: str, lam: str, limits: Mapping[str, int]
) -> str:
    """Write the entries of a dictionary of estimators, at weights that are expressions."""
    end = {name: f"tol={run.tol!r}, max_iter={limit}" for name, limit in limits.items()}
    made = {
        "smm": f"SupportMatrixMachine(C={C}, tau={tau}, {end['smm']})",
        "bsvm": f"BilinearSVM(rank={run.rank}, C={C}, fit_intercept={run.offset}, n_init=1, "
        f"{end['bsvm']})",
        "rglm": f"RegularizedGLM(lam={lam}, {end['rglm']})",
        "lsvm": f"LinearSVM(C={C})",
    }
    return "\n".join(f"{METHODS[name]!r}: {made[name]}," for name in run.methods)


WEIGHTS = {  # of a comparison, and the machines that have them
    "C": ("smm", "bsvm", "lsvm"),
    "tau": ("smm",),
    "lam": ("rglm",),
    "rank": ("bsvm",),
    "offset": ("bsvm",),
}


def without_idle_weights(run: Comparison) -> Comparison:
    """Return the same comparison with the default for each weight that no machine in it has."""
    idle = {
        field.name: field.default
        for field in fields(run)
        if not set(WEIGHTS.get(field.name, METHODS)) & set(run.methods)
    }
    return replace(run, **idle)


def _check_methods(methods: tuple[str, ...]) -> None:
    if not methods or not set(methods) <= set(METHODS):
        raise ValueError(f"the methods must be some of {', '.join(METHODS)}, got {methods}")


ANY_SEED = 2**32 - 1  # stands in a script where the name of a variable goes
NOISY = 0.3  # deviation of the noise that a validation shows beside none


@dataclass(frozen=True)
class ValidationRun:
    """Four methods, each at the same number of weights: accuracies by cross-validation."""

    data: Split  # of a `BlockCorrelated` as printed
    unit: str = "as printed"  # of the features, fitted on the training part
    count: int = 7  # of weights
    folds: int = 3
    draws: int = 1  # of the data: this seed and those after it

    def __post_init__(self) -> None:
        check("the number of weights", self.count, 2, 20)
        check("the number of folds", self.folds, 2, 20)
        check("the number of data sets", self.draws, 1, 5)
        if self.unit not in UNITS:
            raise ValueError(f"the unit must be one of {UNITS}, got {self.unit!r}")

    @property
    def splits(self) -> list[Split]:
        """The data sets."""
        seeds = range(self.data.data.seed, self.data.data.seed + self.draws)
        return [replace(self.data, data=replace(self.data.data, seed=seed)) for seed in seeds]

    @property
    def weights(self) -> list[Weights]:
        """From strong to weak."""
        return strengths(self.count)

    def script(self) -> str:
        """Return a program that prints the accuracies, a row for each weight."""
        return f"""\
{self._begin()}
for weights in strengths({self.count}):
    right = np.zeros(len(METHODS))
    for X, y, _, _ in draws:
        fold = fold_of(y, {self.folds})
        for k in range({self.folds}):
            train, kept = fold != k, fold == k
            machines = [fit(method, X[train], y[train], weights) for method in METHODS]
            right += [machine.accuracy(X[kept], y[kept]) * kept.sum() for machine in machines]
    print(*weights, *right / sum(len(y) for _, y, _, _ in draws))
"""

    def _begin(self) -> str:
        first, last = self.data.data.seed, self.data.data.seed + self.draws
        named = replace(self.data, data=replace(self.data.data, seed=ANY_SEED)).script()
        lines = [line for line in named.replace(str(ANY_SEED), "seed").splitlines() if line]
        imports = "\n".join(line for line in lines if line.startswith("from "))
        made = "\n".join(line for line in lines if not line.startswith("from "))
        return f'''\
"""Figure 2 in the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np
{imports}
from smmcore.robustness import METHODS, accuracies, fit, fold_of, in_unit, strengths, summary

draws = []
for seed in range({first}, {last}):
{indent(made, " " * 4)}
    X, X_test = in_unit({self.unit!r}, X, X_test)
    draws.append((X, y, X_test, y_test))

'''


@dataclass(frozen=True)
class RobustnessRun:
    """The methods at chosen weights, trained on clean samples and tested on noisy ones."""

    validation: ValidationRun
    chosen: tuple[int, int, int, int]  # numbers of the weights, for each of METHODS
    noise: str = "Gaussian"
    salt: float = 1.0
    repetitions: int = 10

    def __post_init__(self) -> None:
        for number in self.chosen:
            check("the number of a weight", number, 0, self.validation.count - 1)
        check("the value of the salt", self.salt, -1e6, 1e6)
        check("the number of repetitions", self.repetitions, 2, 100)
        if self.noise not in NOISES:
            raise ValueError(f"the noise must be one of {NOISES}, got {self.noise!r}")

    @property
    def data(self) -> Split:
        """What is trained on, and what is kept for testing."""
        return self.validation.data

    @property
    def levels(self) -> tuple[float, ...]:
        """No noise, then deviations in ratios of 1.3 to 1.7, or 0.001 and steps of 0.005."""
        if self.noise == "Gaussian":
            return 0.0, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, NOISY, 0.5, 0.7, 1.0
        return 0.0, 0.001, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035

    def script(self) -> str:
        """Return a program that prints level, mean, both deviations and exact accuracy."""
        # Of salt and pepper there is no exact value.
        gaussian = self.noise == "Gaussian"
        exact = "machine.exact_accuracy(X, y, level)" if gaussian else "np.nan"
        return f"""\
{self.validation._begin()}
weights = strengths({self.validation.count})
chosen = dict(zip(METHODS, {self.chosen}))
learned = [[fit(method, X, y, weights[chosen[method]]) for method in METHODS]
           for X, y, _, _ in draws]

for number, level in enumerate({self.levels}):
    shares = [
        accuracies(machines, X, y, {self.noise!r}, level, salt={self.salt!r},
                   repetitions={self.repetitions}, random_state=[draw, number])
        for draw, (machines, (_, _, X, y)) in enumerate(zip(learned, draws))
    ]
    exact = [[{exact} for machine in machines]
             for machines, (_, _, X, y) in zip(learned, draws)]
    print(level, *np.concatenate(summary(shares)), *np.mean(exact, axis=0))
"""


Recipe = SMMRun | DuelRun | PathRun | PlaneRun | RaceRun | SweepRun | ValidationRun | RobustnessRun
