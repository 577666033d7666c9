"""Recipes of comparisons: the machines at given weights, and against their strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from textwrap import indent
from typing import NamedTuple, TypeVar

import numpy as np

from pages.shared.recipes.data import Split
from pages.shared.recipes.samples import MAX_SIDE, check

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
