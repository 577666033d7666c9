"""Fits on data that solvers stumble over: python -m tests.benchmarks.hard_data [SEEDS] [KINDS].

For each kind of data, C and tau are drawn over nine and six decades, or C in units of 1 / spread^2
for rows in different units. A fit may miss the default tolerance of 1e-6, but it must end without
an exception and with a relative gap of at most 1. Seconds are those of the processor.
"""

import sys
import warnings
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from smmcore import SupportMatrixMachine

SEEDS = 300
LARGEST_GAP = 1.0  # relative; W = 0 with alpha = 0 would prove as much
TOLERANCE = 1e-6
SHARE = 0.99  # of the fits that have to end within the tolerance

Rng = np.random.Generator
Samples = np.ndarray


class Draw(NamedTuple):
    """What a kind of data is made from."""

    rng: Rng
    n: int
    p: int
    q: int
    sign: np.ndarray  # (n,), the labels

    def normal(self) -> Samples:
        return self.rng.standard_normal((self.n, self.p, self.q))

    def one(self) -> np.ndarray:
        return self.rng.standard_normal((self.p, self.q))

    def per_sample(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values)[:, None, None]


def _one_hot(draw: Draw) -> Samples:
    return np.eye(draw.p * draw.q)[draw.rng.integers(0, draw.p * draw.q, draw.n)].reshape(
        draw.n, draw.p, draw.q
    )


def _permutations(draw: Draw) -> Samples:
    return np.stack([np.eye(draw.p)[draw.rng.permutation(draw.p)] for _ in range(draw.n)])


def _correlations(draw: Draw) -> Samples:
    rows = draw.rng.standard_normal((draw.n, draw.p, 20))
    return np.stack([np.atleast_2d(np.corrcoef(row)) for row in rows])


def _few_distinct(draw: Draw) -> Samples:
    some = draw.rng.integers(-1, 2, (4, draw.p, draw.q)).astype(float)
    return some[draw.rng.integers(0, 4, draw.n)]


def _in_units(draw: Draw, decades: float) -> Samples:
    return draw.normal() * 10.0 ** np.linspace(0, decades, draw.p)[:, None]


def _outlier(draw: Draw) -> Samples:
    X = draw.normal()
    X[0] *= 1e6
    return X


KINDS: dict[str, Callable[[Draw], Samples]] = {
    "label x identity": lambda d: d.per_sample(d.sign) * np.eye(d.p),
    "label x fixed": lambda d: d.per_sample(d.sign) * d.one(),
    "label x fixed + 1e-6": lambda d: d.per_sample(d.sign) * d.one() + 1e-6 * d.normal(),
    "identity or zero": lambda d: d.per_sample(d.sign > 0) * np.eye(d.p),
    "one-hot": _one_hot,
    "binary": lambda d: (d.rng.random((d.n, d.p, d.q)) < 0.3).astype(float),
    "few distinct": _few_distinct,
    "permutations": _permutations,
    "correlations": _correlations,
    "separable": lambda d: d.normal() + 5 * d.per_sample(d.sign),
    "Gaussian": lambda d: d.normal(),
    "rank one": lambda d: d.per_sample(d.rng.standard_normal(d.n)) * d.one(),
    "one outlier": _outlier,
    "heavy tails": lambda d: d.rng.standard_cauchy((d.n, d.p, d.q)),
    "counts": lambda d: d.rng.poisson(0.2, (d.n, d.p, d.q)).astype(float),
    "far from zero": lambda d: d.normal() + 1e5,
    "constant entries": lambda d: d.normal() * (d.rng.random((d.p, d.q)) < 0.5),
    "two clusters": lambda d: 1e-3 * d.normal() + d.per_sample(d.rng.random(d.n) < 0.5) * d.one(),
    "units over 3 decades": lambda d: _in_units(d, 3),
    "units over 5 decades": lambda d: _in_units(d, 5),
}
SQUARE = {"label x identity", "identity or zero", "permutations", "correlations"}


def problem(kind: str, seed: int) -> tuple[Samples, np.ndarray, float, float]:
    """Return X, y, C and tau of a fit."""
    rng = np.random.default_rng(seed)
    p, q = (int(size) for size in rng.integers(1, 8, 2))
    p, q = (p, p) if kind in SQUARE else (p, q)
    n = int(rng.integers(p * q // 2 + 2, 6 * p * q + 20))
    sign = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    sign[:2] = -1, 1
    X = KINDS[kind](Draw(rng, n, p, q, sign))
    if rng.random() < 0.3 and not kind.startswith("label"):  # a signal, with some labels wrong
        scores = X.reshape(n, -1) @ rng.standard_normal(p * q)
        sign = np.where((scores > np.median(scores)) ^ (rng.random(n) < 0.1), 1.0, -1.0)
        sign[:2] = -1, 1
    C, tau = 10.0 ** rng.uniform(-3, 6), 10.0 ** rng.uniform(-3, 3)
    if kind.startswith("units"):
        spread = np.linalg.norm(X - X.mean(axis=0)) / np.sqrt(n)
        C = 10.0 ** rng.uniform(-2, 12) / spread**2
    return X, sign, C, tau


class Outcome(NamedTuple):
    """The end of a fit."""

    gap: float  # relative, infinite after an exception
    seconds: float
    what: str  # the type of the exception


def outcome(kind: str, seed: int) -> Outcome:
    """Fit one problem with default settings."""
    X, y, C, tau = problem(kind, seed)
    begin = process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = SupportMatrixMachine(C=C, tau=tau).fit(X, y)
    except Exception as error:  # what is counted here
        return Outcome(np.inf, process_time() - begin, type(error).__name__)
    return Outcome(machine.dual_gap_ / abs(machine.objective_), process_time() - begin, "")


def main() -> int:
    """Print a row for each kind; return 1 if the claim does not hold."""
    seeds = int(sys.argv[1]) if sys.argv[1:] else SEEDS
    kinds = sys.argv[2:] or list(KINDS)
    print(f"{'kind':22}{'exceptions':>11}{'gap > 1':>9}{'missed':>8}{'slowest s':>11}{'all s':>8}")
    everything: list[Outcome] = []
    for kind in kinds:
        ends = [outcome(kind, seed) for seed in range(seeds)]
        everything += ends
        seconds = [end.seconds for end in ends]
        wrong = [seed for seed, end in enumerate(ends) if not end.gap <= TOLERANCE]
        print(
            f"{kind:22}{sum(bool(end.what) for end in ends):>11}"
            f"{sum(not end.gap <= LARGEST_GAP for end in ends):>9}{len(wrong):>8}"
            f"{max(seconds):>11.2f}{sum(seconds):>8.1f}  {wrong[:8] or ''}",
            flush=True,
        )
    reached = np.mean([end.gap <= TOLERANCE for end in everything])
    print(f"{reached:.2%} of {len(everything)} fits ended within {TOLERANCE:g}.")
    return int(reached < SHARE or not all(end.gap <= LARGEST_GAP for end in everything))


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(main())
