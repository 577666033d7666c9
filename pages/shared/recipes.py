"""Recipes: the data and the model of a run as values that are compared, sent, linked and printed.

A recipe never carries arrays. It says how to make them, so it is small enough to be the cache key,
the address of a picture, the script that a reader takes home and the order that a worker gets.
"""

from __future__ import annotations

import hashlib
import tempfile
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smmcore.datasets import (
    column_groups,
    correlated_pair,
    make_block_correlated,
    tight_pair,
)
from smmcore.problems import SMMProblem
from smmcore.robustness import NOISES, UNITS, Weights, strengths
from smmcore.solvers import fast_admm
from smmcore.solvers.admm import ADMMState

Array = NDArray[np.float64]

SCALINGS = ("as printed", "unit length", "unit variance")
MAX_SIDE = 512  # rows or columns
MAX_SAMPLES, MAX_ENTRIES = 3_000, 20_000_000  # n and n p q: their Gram matrix takes 10 seconds
# Whoever moves a slider wants no more than the paper, and a worker has others to serve.
MAX_SAMPLES_MADE, MAX_ENTRIES_MADE = 2_000, 12_000_000
MAX_SPOOL = 2_000_000_000  # bytes of all uploads that are held at one time


class Samples(NamedTuple):
    """Matrices with labels -1 and +1, and the matrix the labels came from, where there is one."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    coef: Array | None  # (p, q)


@dataclass(frozen=True)
class BlockCorrelated:
    """The synthetic data of the SMM paper's section 5.1: V groups of correlated columns."""

    n: int = 200
    p: int = 20
    q: int = 25
    groups: int = 4
    noise: float = 1e-3
    rank: int = 5
    scaling: str = "unit variance"
    seed: int = 0

    def __post_init__(self) -> None:
        check_size(self.n, self.p, self.q, MAX_SAMPLES_MADE, MAX_ENTRIES_MADE)
        _check("V, the number of groups,", self.groups, 1, min(self.q, self.n), "min(q, n)")
        _check("delta, the noise,", self.noise, 0, 100)
        _check("the rank of the true W", self.rank, 1, min(self.p, self.q), "min(p, q)")
        _check("the seed", self.seed, 0, 2**32 - 1)
        if self.scaling not in SCALINGS:
            raise ValueError(f"the scaling must be one of {SCALINGS}, got {self.scaling!r}")

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, self.p, self.q

    @property
    def group_of_column(self) -> NDArray[np.intp]:
        """The group of each column, (q,)."""
        return column_groups(self.q, self.groups)

    def load(self) -> Samples:
        """Generate the samples."""
        return Samples(
            *make_block_correlated(
                self.n,
                (self.p, self.q),
                n_groups=self.groups,
                noise=self.noise,
                rank=self.rank,
                scaling=self.scaling,
                random_state=self.seed,
                coef=True,
            )
        )

    def script(self) -> str:
        """Return the statements that make X and y."""
        return f"""\
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(
    {self.n},
    ({self.p}, {self.q}),
    n_groups={self.groups},
    noise={self.noise!r},
    rank={self.rank},
    scaling={self.scaling!r},
    random_state={self.seed},
)
"""


@dataclass(frozen=True)
class Digits:
    """Two classes of scikit-learn's handwritten digits: 8 x 8 matrices of grey values 0 to 16."""

    first: int = 3
    second: int = 8

    def __post_init__(self) -> None:
        _check("the first digit", self.first, 0, 9)
        _check("the second digit", self.second, 0, 9)
        if self.first == self.second:
            raise ValueError(f"the two digits must differ, got {self.first} twice")

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        target = _digits().target
        return int(np.isin(target, (self.first, self.second)).sum()), 8, 8

    def load(self) -> Samples:
        """Take the two classes out of the bundled set; the second one is +1."""
        digits = _digits()
        rows = np.isin(digits.target, (self.first, self.second))
        y = np.where(digits.target[rows] == self.second, 1.0, -1.0)
        return Samples(digits.images[rows], y, None)

    def script(self) -> str:
        """Return the statements that make X and y."""
        return f"""\
import numpy as np
from sklearn.datasets import load_digits

digits = load_digits()
rows = np.isin(digits.target, ({self.first}, {self.second}))
X = digits.images[rows]
y = np.where(digits.target[rows] == {self.second}, 1.0, -1.0)
"""


@dataclass(frozen=True)
class Upload:
    """Samples that somebody brought: known by the hash of their content, made by `spool`.

    Where the arrays lie is no part of what they are: two uploads of one content are equal.
    """

    sha256: str
    shape: tuple[int, int, int]
    path: str = field(compare=False, repr=False)

    def load(self) -> Samples:
        """Read the spooled arrays."""
        try:
            with np.load(self.path) as arrays:
                return Samples(arrays["X"], arrays["y"], None)
        except FileNotFoundError:
            sentence = "the uploaded samples are gone: please upload the file again"
            raise ValueError(sentence) from None

    def script(self) -> str:
        """Return the statements that make X and y."""
        return """\
import numpy as np

with np.load("samples.npz") as arrays:  # the download beside this script
    X, y = arrays["X"], arrays["y"]
"""


def spool(X: NDArray, y: NDArray) -> Upload:
    """Write samples to a temporary file, once for each content, and return their recipe.

    The file lives as long as anybody in this process holds the recipe (a session, one of its
    runs), so nothing is left behind by sessions that are gone.

    Parameters
    ----------
    X : ndarray of shape (n, p, q)
    y : ndarray of shape (n,)
        Labels -1 and +1.
    """
    check_size(*X.shape)
    X, y = np.ascontiguousarray(X, dtype=float), np.ascontiguousarray(y, dtype=float)
    sha256 = hashlib.sha256(repr(X.shape).encode() + X.tobytes() + y.tobytes()).hexdigest()
    with _spool_lock:
        if (held := _spooled.get(sha256)) is not None:
            return held
        if sum(footprint(other) for other in _spooled.values()) + X.nbytes > MAX_SPOOL:
            raise ValueError("the server holds as many uploads as it can: please try again later")
        # Its own name: what finalizes an older upload of this content must not delete this file.
        path = Path(_spool_directory().name, f"{next(_numbers)}.npz")
        np.savez(path, X=X, y=y)
        upload = _spooled[sha256] = Upload(sha256, X.shape, str(path))
    weakref.finalize(upload, path.unlink, missing_ok=True)
    return upload


# Weak values: an entry goes with the last session or run that holds its recipe.
_spooled: weakref.WeakValueDictionary[str, Upload] = weakref.WeakValueDictionary()
_spool_lock = threading.Lock()
_numbers = count()


@cache
def _spool_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="smm-lab-")


@dataclass(frozen=True)
class Split:
    """The training part of other data; the rest is kept for testing. Classes keep their shares."""

    data: BlockCorrelated | Digits | Upload
    test_size: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        _check("the test share", self.test_size, 0.05, 0.95)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q), of the whole; nobody needs more than the bound."""
        return self.data.shape

    def load(self) -> Samples:
        """Return the samples to train on."""
        return self.parts()[0]

    def parts(self) -> tuple[Samples, Samples]:
        """Return the samples to train on and those to test on."""
        X, y, coef = self.data.load()
        train, test = self.rows(y)
        return Samples(X[train], y[train], coef), Samples(X[test], y[test], coef)

    def rows(self, y: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows of the data that are trained on, and the rows that are tested on."""
        from sklearn.model_selection import train_test_split  # 2 s to import

        if min(np.count_nonzero(y < 0), np.count_nonzero(y > 0)) < 2:
            raise ValueError("each class needs at least 2 samples, one to train on and one to test")
        train, test = train_test_split(
            np.arange(len(y)), test_size=self.test_size, stratify=y, random_state=self.seed
        )
        return train, test

    def script(self) -> str:
        """Return the statements that make X and y, and X_test and y_test."""
        return f"""\
from sklearn.model_selection import train_test_split

{self.data.script()}
X, X_test, y, y_test = train_test_split(
    X, y, test_size={self.test_size!r}, stratify=y, random_state={self.seed}
)
"""


@dataclass(frozen=True)
class Pair:
    """Other data in which one column, or row, is made from another one, so that the two group."""

    data: BlockCorrelated
    first: int  # counted from 0
    second: int
    correlation: float | None = 0.0  # None: they differ by the labels, the tight case of Lemma 1
    rows: bool = False

    def __post_init__(self) -> None:
        line, letter = ("row", "p") if self.rows else ("column", "q")
        count = self.shape[1 if self.rows else 2]
        for name, place in (("first", self.first), ("second", self.second)):
            _check(f"the {name} {line}", place + 1, 1, count, letter)
        if self.first == self.second:
            raise ValueError(f"the two {line}s must differ, got {self.first + 1} twice")
        if self.correlation is not None:
            _check("the correlation", self.correlation, 0, 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q); the tight case has fewer samples, nobody needs more than the bound."""
        return self.data.shape

    def load(self) -> Samples:
        """Make the one from the other. The true W stays, for which the labels were."""
        X, y, coef = self.data.load()
        if self.correlation is None:
            return Samples(*tight_pair(X, y, self.first, self.second, rows=self.rows), coef)
        X = correlated_pair(X, self.first, self.second, self.correlation, rows=self.rows)
        return Samples(X, y, coef)

    def script(self) -> str:
        """Return the statements that make X and y."""
        lines = f"{self.first}, {self.second}"
        if self.correlation is None:
            name, make = "tight_pair", f"X, y = tight_pair(X, y, {lines}, rows={self.rows})"
        else:
            name = "correlated_pair"
            make = f"X = correlated_pair(X, {lines}, {self.correlation!r}, rows={self.rows})"
        return f"from smmcore.datasets import {name}\n\n{self.data.script()}{make}\n"


Data = BlockCorrelated | Digits | Upload | Split | Pair


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

    def __post_init__(self) -> None:
        _check("C, the weight of the loss,", self.C, 1e-100, 1e100)  # volts ask for large ones
        _check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        if self.rho is not None:
            _check("rho, the penalty of ADMM,", self.rho, 1e-12, 1e12)
        _check("eta, the threshold of a restart,", self.eta, 0.01, 0.999999)
        _check("the tolerance", self.tol, 1e-12, 1)
        _check("the limit of iterations", self.max_iter, 1, 10_000)

    def problem(self, base: SMMProblem) -> SMMProblem:
        """Return this run's problem, given one on the same samples at any weights."""
        return base.with_weights(C=self.C, tau=self.tau)

    def states(self, problem: SMMProblem, start: ADMMState | None = None) -> Iterator[ADMMState]:
        """Return the endless solver, cold or from one of its own states."""
        return fast_admm(problem, rho=self.rho or "auto", eta=self.eta, start=start)

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        rho = self.rho or "auto"
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.C!r}, tau={self.tau!r})

states = fast_admm(problem, rho={rho!r}, eta={self.eta!r})

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
class PathRun:
    """The solutions of the SMM along tau: one step above tau_max, there, and some decades down."""

    data: Split
    C: float = 1.0
    points: int = 61
    decades: float = 3.0
    tol: float = 1e-6

    def __post_init__(self) -> None:
        _check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        _check("the number of points", self.points, 3, 500)
        _check("the decades of tau", self.decades, 0.1, 8)
        _check("the tolerance", self.tol, 1e-12, 1)

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
        """Return a program that makes the same solutions and prints their ranks."""
        return f'''\
"""A map of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.path import tau_path
from smmcore.problems import SMMProblem

{self.data.script()}
spread2 = np.sum((X - X.mean(axis=0)) ** 2) / len(X)
base = SMMProblem(X, y, C=1.0, tau=1.0)
shares = 10.0 ** -np.linspace(0, 3, {self.columns})
for C in 10.0 ** np.linspace(-1, 3, {self.rows}) / spread2:
    path = tau_path(base.with_weights(C=C), shares * C * base.tau_max(1e-3), tol={self.tol!r})
    print(f"{{C:.3g}}", *(proof.rank for proof in path))
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
        _check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        _check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        _check("lambda, in units of its largest,", self.lam, 1e-8, 2)
        _check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)
        _check_methods(self.methods)

    def script(self) -> str:
        """Return a program that fits the same machines and prints their numbers."""
        end = f"tol={self.tol!r}, max_iter={self.max_iter}"
        made = {
            "smm": f"SupportMatrixMachine(C={self.C!r}, tau={self.tau!r}, {end})",
            "bsvm": f"BilinearSVM(rank={self.rank}, C={self.C!r}, fit_intercept={self.offset}, "
            f"n_init=1, {end})",
            "rglm": f"RegularizedGLM(lam={self.lam!r} * GLMProblem(X, y, 1.0).lam_max(), {end})",
            "lsvm": f"LinearSVM(C={self.C!r})",
        }
        lines = "\n".join(f"    {METHODS[name]!r}: {made[name]}," for name in self.methods)
        return f'''\
"""A comparison of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.datasets import column_groups
from smmcore.problems import GLMProblem
from smmcore.theory import grouping_score

{self.data.script()}
groups = column_groups({self.data.data.q}, {self.data.data.groups})
machines = {{
{lines}
}}
for name, machine in machines.items():
    machine.fit(X, y)
    score = grouping_score(machine.coef_, groups)
    print(name, machine.rank_, score, machine.score(X, y), machine.score(X_test, y_test))
'''


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
        _check("tau, in units of the linear SVM's norm,", self.tau, 0, 100)
        _check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)
        _check("the number of points", self.points, 2, 50)
        _check_methods(self.methods)

    @property
    def steps(self) -> list[Step]:
        """The weights, (points,)."""
        shares = np.linspace(0, 1, self.points)
        return [Step(10 ** (4 * s - 1), 10 ** (-0.3 - 4.7 * s)) for s in shares.tolist()]

    def at(self, C: float, tau: float, lam: float) -> RaceRun:
        """Return the race at given weights."""
        return RaceRun(self.data, C, tau, lam, self.rank, self.offset, self.methods, self.tol)


def _check_methods(methods: tuple[str, ...]) -> None:
    if not methods or not set(methods) <= set(METHODS):
        raise ValueError(f"the methods must be some of {', '.join(METHODS)}, got {methods}")


NOISY = 0.3  # deviation of the noise that a validation shows beside none


@dataclass(frozen=True)
class ValidationRun:
    """Four methods, each at the same number of weights: accuracies by cross-validation."""

    data: Split  # of a `BlockCorrelated` as printed
    unit: str = "as printed"  # of the features, fitted on the training part
    count: int = 6  # of weights
    folds: int = 3
    draws: int = 1  # of the data: this seed and those after it

    def __post_init__(self) -> None:
        _check("the number of weights", self.count, 2, 20)
        _check("the number of folds", self.folds, 2, 20)
        _check("the number of data sets", self.draws, 1, 5)
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
        made = "\n".join(
            f"{split.script()}\nX, X_test = in_unit({self.unit!r}, X, X_test)\n"
            "draws.append((X, y, X_test, y_test))\n"
            for split in self.splits
        )
        return f'''\
"""Figure 2 in the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.robustness import METHODS, accuracies, fit, fold_of, in_unit, strengths

draws = []
{made}'''


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
            _check("the number of a weight", number, 0, self.validation.count - 1)
        _check("the value of the salt", self.salt, -1e6, 1e6)
        _check("the number of repetitions", self.repetitions, 2, 100)
        if self.noise not in NOISES:
            raise ValueError(f"the noise must be one of {NOISES}, got {self.noise!r}")

    @property
    def data(self) -> Split:
        """What is trained on, and what is kept for testing."""
        return self.validation.data

    @property
    def levels(self) -> tuple[float, ...]:
        """No noise, then deviations in about equal ratios, or densities in equal steps."""
        if self.noise == "Gaussian":
            return 0.0, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, NOISY, 0.5, 0.7, 1.0
        return 0.0, 0.001, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035

    def script(self) -> str:
        """Return a program that prints level, mean, deviation and exact accuracy of the methods."""
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
    shares = np.concatenate([
        accuracies(machines, X, y, {self.noise!r}, level, salt={self.salt!r},
                   repetitions={self.repetitions}, random_state=[draw, number])
        for draw, (machines, (_, _, X, y)) in enumerate(zip(learned, draws))
    ])
    exact = [[{exact} for machine in machines]
             for machines, (_, _, X, y) in zip(learned, draws)]
    print(level, *shares.mean(axis=0), *shares.std(axis=0, ddof=1), *np.mean(exact, axis=0))
"""


Recipe = SMMRun | PathRun | PlaneRun | RaceRun | SweepRun | ValidationRun | RobustnessRun


def footprint(data: Data) -> int:
    """Return the bytes that a worker keeps for a data set: samples, centred ones, Gram matrix."""
    n, p, q = data.shape
    return 8 * (2 * n * p * q + n * n)


def check_size(
    n: int, p: int, q: int, samples: int = MAX_SAMPLES, entries: int = MAX_ENTRIES
) -> None:
    """Refuse data that a shared server should not work on.

    Parameters
    ----------
    n, p, q : int
        The shape of the samples.
    samples, entries : int
        The most that n and n p q may be.

    Raises
    ------
    ValueError
        With the number that is too large or too small, and what is allowed.
    """
    _check("n, the number of samples,", n, 2, samples)
    _check("p, the number of rows,", p, 1, MAX_SIDE)
    _check("q, the number of columns,", q, 1, MAX_SIDE)
    if n * p * q > entries:
        raise ValueError(
            f"n x p x q must be at most {entries:,}, got {n} x {p} x {q} = {n * p * q:,}"
        )


def _check(name: str, value: float, low: float, high: float, limit: str = "") -> None:
    if not low <= value <= high:  # a NaN fails as well
        at_most = f"{limit} = {high:g}" if limit else f"{high:,}"
        raise ValueError(f"{name} must be at least {low:g} and at most {at_most}, got {value:g}")


@cache
def _digits():
    from sklearn.datasets import load_digits  # 2 s to import

    return load_digits()
