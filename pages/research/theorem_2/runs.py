"""What *Theorem 2* computes in a worker: distances of columns of W, and their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import Algorithm1
from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Dataset
from pages.shared.engine.worker import get_prepared
from smmcore import theory
from smmcore.arrays import Array
from smmcore.datasets import correlated_pair, tight_pair
from smmcore.path import solve_path
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.prox import singular_value_threshold

CORRELATIONS = (*(k / 10 for k in range(10)), 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)

MIXED, TIGHT = "mixing", "adding y"
PRESETS: dict[str, tuple[dict[str, object], dict[str, object], str]] = {
    # settings of the lesson, of the recipe, and a note
    "Identical": ({"pair": MIXED, "corr": 1.0}, {}, "The same features twice: correlation 1."),
    "Tight case": (
        {"pair": TIGHT},
        {"C": 1e-5, "tau": 0.0, "scaling": "as printed"},
        "Features that differ by the labels, equal classes, and a C so small that every α is C. "
        "Sets C, τ and the scaling; Quick in the data recipe sets them back.",
    ),
}


def columns_of(data: BlockCorrelated) -> tuple[int, int]:
    """Return the columns that the page compares, of two groups where there are so many columns."""
    second = min(19, data.q - 1)
    return min(8, second - 1), second


@dataclass(frozen=True)
class Pair(Dataset):
    """Data in which one column is made from another one, so that the two are grouped."""

    data: BlockCorrelated
    first: int  # counted from 0
    second: int
    correlation: float | None = 0.0  # if None, they differ by the labels: the tight case of Lemma 1

    def __post_init__(self) -> None:
        if self.correlation is not None:
            check("the correlation", self.correlation, 0, 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q), an upper bound in the tight case, which has fewer samples."""
        return self.data.shape

    @property
    def places(self) -> tuple[int, int]:
        """Both columns, to look up their entry in a table of all pairs."""
        return self.first, self.second

    @property
    def changed(self) -> bool:
        """Whether the second is replaced; without noise the columns of a group are equal."""
        group = self.data.group_of_column
        alike = group[self.first] == group[self.second]
        return self.correlation is None or self.data.noise > 0 or not alike

    def prepare(self) -> Prepared:
        """Generate the samples with the second column replaced."""
        return Prepared.of(self.load())

    def load(self) -> Samples:
        """Generate the samples; the true W is that of the labels, before the replacement."""
        X, y, coef = self.data.load()
        if self.correlation is None:
            return Samples(*tight_pair(X, y, *self.places), coef)
        return Samples(correlated_pair(X, *self.places, self.correlation), y, coef)

    def script(self) -> str:
        """Return the statements that make X and y."""
        if not self.changed:
            return self.data.script()
        if self.correlation is None:
            name, make = "tight_pair", f"X, y = tight_pair(X, y, {self.first}, {self.second})"
        else:
            name = "correlated_pair"
            make = f"X = correlated_pair(X, {self.first}, {self.second}, {self.correlation!r})"
        return f"from smmcore.datasets import {name}\n{self.data.script()}{make}\n"


class Farthest(NamedTuple):
    """The largest difference between entries of the chosen two in Omega, and Lemma 1's bound."""

    at: int  # row of the entries
    measured: float  # |Omega_kl - Omega_kl'|; 0 if within rounding
    bound: float


class Grouping(NamedTuple):
    """A solved problem, and the distances between its q columns."""

    W: Array  # (p, q), D_tau(Omega), the solution up to the gap
    Omega: Array  # (p, q)
    sigma: float  # the largest singular value of Omega
    factor: float  # [1 - tau / sigma]_+, between distances in Omega and in W
    groups: NDArray[np.intp]  # (q,), the group of each
    measured: Array  # (q, q), squared distances in W; 0 if within rounding
    bound: Array  # (q, q), of Theorem 2
    farthest: Farthest
    above: int  # pairs that exceed their bound
    n: int
    correlation: float  # of the chosen two, averaged over the rows
    at_C: float  # share of the samples with alpha_i = C
    relative_gap: float


def solve_pair(experiment: Algorithm1[Pair]) -> Grouping:
    """Solve the problem of a pair and compare the distances of all pairs with Theorem 2."""
    pair = experiment.data
    assert isinstance(pair, Pair)
    problem = experiment.problem(get_prepared(pair).problem)
    proof, Omega, W = _solve(problem, experiment.tol, experiment.max_iter)
    sigma = float(np.linalg.norm(Omega, 2))
    measured, bound = _distances(W, sigma), theory.column_distance_bound(problem.X, experiment.C)
    first, second = (problem.X[:, :, place] for place in pair.places)
    centred = [features - features.mean(axis=0) for features in (first, second)]
    lengths = np.prod([np.linalg.norm(features, axis=0) for features in centred], axis=0)
    cosines = np.sum(centred[0] * centred[1], axis=0) / np.where(lengths > 0, lengths, 1.0)
    apart = np.abs(Omega[:, pair.first] - Omega[:, pair.second])
    at = int(apart.argmax())
    limit = theory.element_distance_bound(
        problem.X, experiment.C, (at, pair.first), (at, pair.second)
    )
    return Grouping(
        W=W,
        Omega=Omega,
        sigma=sigma,
        factor=max(1 - experiment.tau / sigma, 0.0) if sigma else 0.0,
        groups=pair.data.group_of_column,
        measured=measured,
        bound=bound,
        farthest=Farthest(
            at, float(apart[at]) if apart[at] ** 2 > _rounding(sigma) else 0.0, float(limit**0.5)
        ),
        above=int(np.count_nonzero(np.triu(measured > bound * (1 + 1e-12) + _rounding(sigma)))),
        n=len(problem.X),
        correlation=float(cosines.mean()),
        at_C=float(np.mean(proof.alpha >= experiment.C * (1 - 1e-9))),
        relative_gap=proof.relative_gap,
    )


def _solve(problem: SMMProblem, tol: float, max_iter: int) -> tuple[SMMCertificate, Array, Array]:
    """Return the certificate, Omega and W = D_tau(Omega), as in the theorem.

    The W of the certificate is scaled.
    """
    proof = next(solve_path([problem], tol=tol, max_iter=max_iter))
    Omega = problem.omega(proof.alpha)
    return proof, Omega, singular_value_threshold(Omega, problem.tau)


def _distances(M: Array, sigma: float) -> Array:
    """Return the squared distances between columns; 0 if within rounding."""
    distances = theory.column_distances(M)
    return np.where(distances > _rounding(sigma), distances, 0.0)


def _rounding(sigma: float) -> float:
    return (1e-13 * sigma) ** 2  # of a squared distance between columns of a matrix of that size
