"""The map of the lesson: both classifiers at each rank of W*, with each number of samples.

    python -m pages.smm.structure.tiles     # trains them all, in half an hour, and writes PATH

All of them are in the page, so a tap needs no answer from the server. The header of the file (see
`pages.shared.packed`) has the draws and the means over them; its body has W* of each rank and W of
both classifiers at each tile, of the first draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.painted import SIDE, exact_accuracy, unit
from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.engine.experiment import Dataset
from pages.shared.engine.worker import get_prepared
from pages.shared.packed import pack
from pages.smm.structure.runs import (
    CLASSIFIERS,
    STRENGTHS,
    Choice,
    choose,
    train,
)
from smmcore.arrays import Array

PATH = Path(__file__).parents[3] / "assets" / "grids" / "tiles.bin"
RANKS = range(1, SIDE + 1)
COUNTS = 50, 70, 100, 140, 200, 280, 400, 560, 800, 1120, 1600  # training samples
EQUAL, FALLING = "equal", "falling"  # heights of the layers of W*
DRAWS = {EQUAL: 10, FALLING: 5}  # each with its own W* and samples
NEW = 1_000  # new samples, of which so many are right
LEVELS, LARGEST = 20, 0.165  # of a colour, and the entry at the last one; W has norm 1


class Found(NamedTuple):
    """What both classifiers find, by their names in `CLASSIFIERS`."""

    W: Mapping[str, Array]  # of norm 1
    right: Mapping[str, float]  # of NEW new samples, exactly
    gap: float  # the larger relative duality gap


@dataclass(frozen=True)
class Tile(Dataset):
    """One place of the map: a random W*, and normal samples with labels from it."""

    layers: str
    rank: int
    n: int
    draw: int = 0  # of W* and of the samples
    again: int = 0  # other samples of the same W*

    def __post_init__(self) -> None:
        check("the rank of W*", self.rank, 1, SIDE)
        check("n, the number of samples,", self.n, COUNTS[0], COUNTS[-1])

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, SIDE, SIDE

    def prepare(self) -> Prepared:
        """Make W* and the samples; fewer samples are the first ones of more."""
        rng = np.random.default_rng([self.draw, self.rank])
        W = _make_equal(self.rank, rng) if self.layers == EQUAL else _make_falling(self.rank, rng)
        if self.again:
            rng = np.random.default_rng([self.draw, self.rank, self.again])
        X = rng.standard_normal(self.shape)
        return Prepared.of(Samples(X, np.where(np.tensordot(X, W) > 0, 1.0, -1.0), W))


def _make_equal(rank: int, rng: np.random.Generator) -> Array:
    left, right = (np.linalg.qr(rng.standard_normal((SIDE, rank)))[0] for _ in range(2))
    return unit(left @ right.T)


def _make_falling(rank: int, rng: np.random.Generator) -> Array:
    return unit(rng.standard_normal((SIDE, rank)) @ rng.standard_normal((rank, SIDE)))


def find(tile: Tile) -> Found:
    """Train both classifiers, with settings chosen on a quarter of the samples."""
    problem, truth, _ = get_prepared(tile)
    X, y = problem.X, problem.y
    choices: Mapping[str, Choice] = {}
    for strength in STRENGTHS:
        choices = choose(X, y, strength, choices)
    proofs = {name: train(X, y, choices[name]) for name in CLASSIFIERS}
    W = {name: unit(proof.W) for name, proof in proofs.items()}
    right = {name: NEW * exact_accuracy(float(np.vdot(W[name], truth))) for name in W}
    return Found(W, right, max(proof.relative_gap for proof in proofs.values()))


def train_again(tile: Tile) -> dict[str, Any]:
    """Return what the picture shows of one tile: right of NEW, and both W in levels; a task."""
    found = find(tile)
    W = {name: to_levels(W).ravel().tolist() for name, W in found.W.items()}
    return {"right": {name: round(right) for name, right in found.right.items()}, "W": W}


def to_levels(W: Array) -> NDArray[np.int8]:
    """Return the entries in levels of a colour, from -LEVELS to LEVELS."""
    return np.clip(np.rint(LEVELS / LARGEST * W), -LEVELS, LEVELS).astype(np.int8)


def tiles(layers: str, draw: int = 0) -> Iterator[Tile]:
    """Yield the tiles of one map, row by row."""
    for n in COUNTS:
        for rank in RANKS:
            yield Tile(layers, rank, n, draw)


def bake(results: Mapping[Tile, Found]) -> bytes:
    """Return the file of what was found at all tiles in all draws."""
    header: dict[str, Any] = {"counts": COUNTS, "levels": LEVELS}
    body = []
    for layers, draws in DRAWS.items():
        maps = [[results[tile] for tile in tiles(layers, draw)] for draw in range(draws)]
        right = {
            name: np.array([[found.right[name] for found in one_map] for one_map in maps])
            for name in CLASSIFIERS
        }
        gains = right["smm"] - right["svm"]  # of pairs on the same samples
        truths = [get_prepared(Tile(layers, rank, COUNTS[0])).coef for rank in RANKS]
        header[layers] = {
            "draws": [*range(draws)],
            **{name: each.mean(0).round().astype(int).tolist() for name, each in right.items()},
            "error": (gains.std(0, ddof=1) / draws**0.5).round(1).tolist(),
        }
        found = [each.W[name] for name in CLASSIFIERS for each in maps[0]]
        body += [to_levels(W).tobytes() for W in (*truths, *found)]
    return pack(header, body)


def main() -> None:
    """Train both classifiers at all tiles, and write the file."""
    results: dict[Tile, Found] = {}
    for layers, draws in DRAWS.items():
        for draw in range(draws):
            results |= {tile: find(tile) for tile in tiles(layers, draw)}
            print(f"{layers} layers: {draw + 1} of {draws} draws", flush=True)
    PATH.write_bytes(bake(results))
    print(f"{len(results)} tiles, {PATH.stat().st_size / 1e3:.0f} kB in {PATH.name}")


if __name__ == "__main__":
    main()
