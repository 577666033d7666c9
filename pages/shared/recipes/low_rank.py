"""Recipes of the low-rank SVM: iterative weighting beside AROM, and the cyclic algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from pages.shared.recipes.relevant import Relevant
from pages.shared.recipes.samples import check

WEIGHTED = {"lowrank": "LowRank", "arom": "AROM"}  # by the names that frames use
STARTS = {"svm": "the linear SVM", "random": "a random start"}


@dataclass(frozen=True)
class WeightingRun:
    """Iterative weighting of rank-one features, and of single ones, on the same samples."""

    data: Relevant
    C: float = 1e4  # a hard margin
    tol: float = 1e-6  # change of W in a pass, relative to its norm
    max_iter: int = 200

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of passes", self.max_iter, 1, 10_000)

    def script(self) -> str:
        """Return a program that prints change and test accuracy of each pass."""
        return f'''\
"""Iterative weighting in the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.weighting import elementwise, spectral

{self.data.script()}
problem = WeightingProblem(X, y, C={self.C!r})
for name, weigh in (("LowRank", spectral), ("AROM", elementwise)):
    for state in islice(iterative_weighting(problem, weigh), {self.max_iter}):
        right = (np.tensordot(X_test, state.W) + state.b > 0) == (y_test > 0)
        print(name, state.k, state.change, right.mean())
        if state.change <= {self.tol!r}:
            break
    print(name, "keeps", np.count_nonzero(state.D > 0.01 * state.D.max()))
'''


@dataclass(frozen=True)
class CyclicRun:
    """The rank-k SVM, one vector at a time: from the linear SVM, and from a random start."""

    data: Relevant
    rank: int = 6
    C: float = 1e4
    tol: float = 1e-4  # what moving one vector could still gain, relative to the objective
    max_iter: int = 100  # cycles

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("k, the rank,", self.rank, 1, min(self.data.shape[1:]), "min(p, q)")
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of cycles", self.max_iter, 1, 10_000)

    def script(self) -> str:
        """Return a program that prints objective and gap after each cycle."""
        return f'''\
"""The cyclic algorithm in the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.problems import BilinearProblem
from smmcore.solvers import cyclic_svm
from smmcore.solvers.alternating import linear_svm

{self.data.script()}
problem = BilinearProblem(X, y, C={self.C!r}, rank={self.rank}, offset=True)
svm = linear_svm(problem)
random = np.random.RandomState({self.data.seed}).standard_normal(svm.shape)
random *= np.linalg.norm(svm) / np.linalg.norm(random)
cycle = 2 * {self.rank}
for name, start in (("svm", svm), ("random", random)):
    for state in islice(cyclic_svm(problem, start=start), cycle, None, cycle):
        proof = state.certificate(problem)
        print(name, state.k, proof.primal, proof.relative_gap)
        if proof.within({self.tol!r}) or state.k == {self.max_iter}:
            break
'''
