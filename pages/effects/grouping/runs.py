"""What *The grouping effect* computes in a worker: distances of columns of W, and their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import QUICK, QUICK_DATA, Algorithm1
from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Dataset, Experiment, Frame, Scaled
from pages.shared.engine.worker import get_prepared
from pages.shared.player.panels import INK, Axis, Lines, Panel, Picture, Series, series
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


@dataclass(frozen=True)
class Pair(Dataset):
    """Data in which one column is made from another one, so that the two are grouped."""

    data: BlockCorrelated
    first: int  # counted from 0
    second: int
    correlation: float | None = 0.0  # if None, they differ by the labels: the tight case of Lemma 1

    def __post_init__(self) -> None:
        for name, place in (("first", self.first), ("second", self.second)):
            check(f"the {name} column", place + 1, 1, self.shape[2], "q")
        if self.first == self.second:
            raise ValueError(f"the two columns must differ, got {self.first + 1} twice")
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
        return f"from smmcore.datasets import {name}\n\n{self.data.script()}{make}\n"


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


@dataclass(frozen=True)
class CorrelationPath(Experiment):
    """The solutions at each of CORRELATIONS of a pair, up to equal features."""

    data: Pair  # its own correlation is not used
    C: float = 1.0
    tau: float = 1.0
    tol: float = 1e-6
    max_iter: int = 2_000

    def frames(self, prepared: Prepared, state: tuple[int, float] | None = None) -> Iterator[Frame]:
        """Yield the solutions; the state is how many there are, and the distance in the first."""
        pair = self.data
        base = get_prepared(pair.data).problem
        begin, first = state or (0, 0.0)
        for i in range(begin, len(CORRELATIONS)):
            X = correlated_pair(base.X, *pair.places, CORRELATIONS[i])
            # A cold start, so that each solution equals that of `solve_pair` to the last digit.
            problem = SMMProblem(X, base.y, C=self.C, tau=self.tau)
            proof, Omega, W = _solve(problem, self.tol, self.max_iter)
            lines, sigma = W[:, pair.places], float(np.linalg.norm(Omega, 2))
            measured = float(_distances(lines, sigma)[0, 1])
            first = measured**0.5 if i == 0 else first
            apart = X[:, :, pair.first] - X[:, :, pair.second]
            metrics = {
                "r": CORRELATIONS[i],
                "measured": measured,
                "bound": len(X) * self.C**2 * np.sum(apart**2),
                "share": measured**0.5 / first if first else 0.0,
                "rank": proof.rank,
            }
            images = {"W": W, "lines": lines}
            yield Frame((i + 1, first), metrics, images, proof, i + 1 == len(CORRELATIONS))

    def summary(self, last: Frame) -> str:
        """Return the number of solutions."""
        return f"{last.state[0]} solutions, each certified."


def correlation_path(experiment: Algorithm1[Pair]) -> CorrelationPath:
    """Return the experiment over all correlations; it does not depend on the pair's own."""
    pair = replace(experiment.data, correlation=0.0)
    return CorrelationPath(pair, experiment.C, experiment.tau)


def correlation_panels(pair: Pair) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run over all correlations, and a further one."""
    numbers = f"columns {pair.first + 1}, {pair.second + 1}"
    return [
        Picture("W", "W", columns=pair.places),
        Picture("lines", f"{pair.first + 1} and {pair.second + 1}"),
        Lines(
            series({"share": "distance"}, INK),
            f"Distance of {numbers}: 100 % at correlation 0",
            "linear",
            "percent",
            span=(0.0, 1.0),
        ),
    ], [
        Lines(
            [Series("measured", "measured", INK), Series("bound", "bound", INK, dash="dash")],
            "Squared distance and its bound",
            "log",
            "sci",
        )
    ]


def correlation_axis(correlation: float | None) -> Axis:
    """Return the axis of a run over all correlations, which opens at the given one."""
    steps = len(CORRELATIONS) - 1
    return Axis(
        "correlation",
        "correlation",
        field="r",
        count=steps + 1,
        at=[i / steps for i in range(steps + 1)],
        ticks=[(i / steps, f"{CORRELATIONS[i]:g}") for i in (0, 5, 10, steps)],
        asks=CORRELATIONS.index(0.5),
        answers=steps,
        opens=CORRELATIONS.index(CORRELATIONS[0] if correlation is None else correlation),
    )


SHOWN, ACROSS = 8, 4  # samples, the same at each level of noise


@dataclass(frozen=True)
class SampleOverview(Experiment):
    """Correlations between the columns of samples, and some of the samples; one frame."""

    data: BlockCorrelated

    def frames(self, prepared: Prepared, state: object = None) -> Iterator[Frame]:
        """Yield the frame."""
        X = prepared.problem.X
        correlation = column_correlation(X)
        groups = self.data.group_of_column
        same = (groups[:, None] == groups[None, :]) & ~np.eye(self.data.q, dtype=bool)
        within = float(correlation[same].mean()) if same.any() else np.nan
        images = {
            "correlation": Scaled(correlation, 1.0),
            "samples": Scaled(_tiles(X[:SHOWN]), float(np.abs(X[:SHOWN]).max())),
        }
        lengths = np.linalg.norm(X, axis=0)  # of the features
        metrics = {"within": within, "shortest": lengths.min(), "longest": lengths.max()}
        yield Frame(None, metrics, images, done=True)

    def summary(self, last: Frame) -> str:
        """Return the size of an entry beside that of the noise."""
        size = 1 / np.sqrt(self.data.n)
        return (
            f"Before scaling, an entry without noise is about 1/√n = {size:.2g} in size; the noise "
            f"is δ = {self.data.noise:g}."
        )


def column_correlation(X: Array) -> Array:
    """Return the correlations between the columns of samples, (q, q), averaged over the rows."""
    centred = X - X.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    centred /= np.where(lengths > 0, lengths, 1.0)
    columns = centred.reshape(-1, X.shape[2])
    return np.asarray(columns.T @ columns / X.shape[1])


def _tiles(samples: Array) -> Array:
    """Return samples in rows, with an empty row and column between them."""
    _, p, q = samples.shape
    tiles = np.full((SHOWN, p + 1, q + 1), np.nan)
    tiles[: len(samples), :p, :q] = samples
    rows = tiles.reshape(-1, ACROSS, p + 1, q + 1)
    return np.vstack([np.hstack([*row]) for row in rows])[:-1, :-1]


FIRST, SECOND = 9, 20  # the columns of the page's own pair, counted from 1
USUAL = correlation_path(
    Algorithm1(Pair(QUICK_DATA, FIRST - 1, SECOND - 1), C=QUICK.C, tau=QUICK.tau)
)
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    f"Correlation of columns {FIRST} and {SECOND}": USUAL
}


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
