"""The samples of the first picture: crosses and frames, bold or faint, in noise.

`assets/omega/samples.js` draws the same ones in the browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, log, pi, sqrt

import numpy as np

from pages.shared.algorithm1 import Algorithm1
from pages.shared.data.samples import Prepared, Samples
from pages.shared.engine.experiment import Dataset
from pages.shared.engine.worker import get_prepared
from smmcore.arrays import Array
from smmcore.problems import SMMCertificate
from smmcore.solvers import newton, solve_to_gap

SIDE = 12
COUNTS = {0.6: 6, 0.15: 12}  # of each class: samples by their contrast, bold and faint
SIGNAL = 2.25  # size of the pattern; the noise in each cell has variance 1
SEEDS = (173, 27, 82, 192, 175)  # W has rank 2 at tau = 4, and no bold sample has a load


@dataclass(frozen=True)
class Crosses(Dataset):
    """The samples of the picture."""

    seed: int = SEEDS[0]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Samples, rows and columns."""
        return 2 * sum(COUNTS.values()), SIDE, SIDE

    def prepare(self) -> Prepared:
        """Make the samples."""
        return Prepared.of(Samples(*draw_samples(self.seed), pattern()))


START = Algorithm1(Crosses(), C=1.0, tau=4.0)  # where the question is asked


@cache
def pattern() -> Array:
    """Return the cross minus the frame, of length 1."""
    at = np.arange(SIDE)
    cross, frame = (at > 3) & (at < 8), (at < 2) | (at > 9)
    cells = np.logical_or.outer(cross, cross) * 1.0 - np.logical_or.outer(frame, frame)
    return cells / np.linalg.norm(cells)


def uniforms(seed: int, count: int) -> list[float]:
    """Return numbers between 0 and 1 by mulberry32, as the browser does."""
    mask, found = 2**32 - 1, []
    for _ in range(count):
        seed = (seed + 0x6D2B79F5) & mask
        bits = (seed ^ seed >> 15) * (1 | seed) & mask
        bits ^= bits + (bits ^ bits >> 7) * (61 | bits) & mask
        found.append((bits ^ bits >> 14) / 2**32)
    return found


@cache
def draw_samples(seed: int) -> tuple[Array, Array]:
    """Return the samples, of shape (36, 12, 12), and their labels: bold, faint; bold, faint."""
    contrasts = np.concatenate([np.full(count, contrast) for contrast, count in COUNTS.items()])
    y = np.repeat([1.0, -1.0], len(contrasts))
    numbers = iter(uniforms(seed, 2 * len(y) * SIDE**2))
    normals = [
        sqrt(-2 * log(1 - u)) * cos(2 * pi * v) for u, v in zip(numbers, numbers, strict=True)
    ]
    noise = np.reshape(normals, (len(y), SIDE, SIDE))
    scale = np.tile(contrasts, 2)[:, None, None]
    return scale * (y[:, None, None] * SIGNAL * pattern() + noise), y


@lru_cache(maxsize=100)
def solve(experiment: Algorithm1[Crosses]) -> SMMCertificate:
    """Return the certified SMM."""
    problem = experiment.problem(get_prepared(experiment.data).problem)
    proof: SMMCertificate = solve_to_gap(problem, newton(problem), 1e-10, 200)[0]
    return proof
