"""Fold flattened samples: the numbers tell how long the lines of a picture are."""

from __future__ import annotations

from math import isqrt, log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .formats import MatFileError, shown

Order = Literal["F", "C"]
Fold = tuple[tuple[int, int] | None, Order]  # rows and columns, and how they are run through

RGB = 3  # red, green and blue
LEAST = 3  # rows and columns: fewer make no matrix of a few measurements
ENOUGH = 200  # samples that tell how smooth pictures are
LEAST_DIP = 0.95  # of noise 0.995, of pictures 0.3 to 0.7, of EEG 0.1 to 0.9
FOR_SQUARE = 0.1  # how much a dip must be deeper where the picture is e times as long
HARMONIC = 1.5  # a multiple of the line length may dip as deep by chance
MOMENTS = 10  # times as many as numbers in each
LEAST_STEP = 0.25  # from one moment to the next, as a share of that between any two
# Times: time beside targets and channels; poses of an object beside its pixels are not.
SMOOTHER = 4
SYMMETRY = 0.5  # faces: 0.8, 0.95, 0.7; characters and objects below 0.1, either way
BORDER = 0.25  # of the largest variance: less around characters and objects, more of anything else
HIGHER = 1.05  # digits and objects: 1.1 to 1.5; faces tell by their symmetry


def folds(
    rows: NDArray[Any],
    declared: tuple[int, int] | None = None,
    by_rows: bool = False,
    upright: bool = False,
    name: str = "samples",
) -> list[Fold]:
    """How flattened samples fold, best first: ((p, q), order).

    Lines of a picture agree with their neighbours: at the length of a line numbers differ less than
    at a distance one more or less. That does not tell a picture from its transpose. Faces tell by
    their symmetry; others are read as upright, or as their makers are used to. Of a picture in
    three colours the red, green and blue ones stand side by side, or below one another.
    """
    m = rows.shape[1]
    if not (lengths := _lengths(m)):
        raise MatFileError(
            f"Each sample of {shown(name)} is a vector of {m:,} numbers, which "
            + "is prime: it " * (m > 3 and all(m % p for p in range(2, isqrt(m) + 1)))
            + f"folds to no matrix of {LEAST} rows and columns or more."
        )
    some = scaled(rows)
    dips = {length: _dip(some, length) for length in lengths}
    square = sorted(lengths, key=lambda length: (round(abs(log(length**2 / m)), 9), -length))
    if declared and declared[0] != declared[1]:
        p, q = declared
        across = dips[q] < dips[p] / LEAST_DIP if by_rows else dips[q] < LEAST_DIP * dips[p]
        best = q if across else p
    else:
        best = declared[0] if declared else _line(dips, m) or square[0]
        grey, line, best = _of_one_colour(some, best)
        across = _rather_rows(grey, line, by_rows, upright)
    order: Order = "C" if across else "F"
    more = [_as(order, length, m) for length in square if length != best]
    return [_as(order, best, m), _as("F" if across else "C", best, m), *more[:2]]


def tell_lines(rows: NDArray[Any]) -> bool:
    """Whether the numbers of flattened samples tell how long their lines are."""
    m = rows.shape[1]
    some = scaled(rows)
    return bool(_line({length: _dip(some, length) for length in _lengths(m)}, m))


def is_recording(rows: NDArray[Any]) -> bool:
    """Whether samples are rather the moments of a recording: many, each nearly that before it."""
    n, m = rows.shape
    if n < MOMENTS * m:
        return False
    some = rows[: 10 * ENOUGH].astype(float)
    some = np.where(np.isfinite(some), some, 0)
    steps = float(np.mean(np.diff(some, axis=0) ** 2))
    return steps < LEAST_STEP * 2 * float(some.var(axis=0).mean()) and not tell_lines(rows)


def roughness(values: NDArray[Any], axis: int) -> float:
    """How much neighbours along an axis differ, of how much any two do: 1 for trials."""
    lines = np.moveaxis(values, axis, -1).reshape(-1, values.shape[axis])
    some = scaled(lines)
    steps, spread = float(np.mean(np.diff(some) ** 2)), float(some.var(axis=1, ddof=1).mean())
    return steps / (2 * spread) if spread else 1.0


def _lengths(m: int) -> list[int]:
    """The lines that m numbers may have: none where even the squarest fold is too narrow."""
    lengths = [length for length in range(2, m // 2 + 1) if m % length == 0]
    return lengths if any(min(length, m // length) >= LEAST for length in lengths) else []


def scaled(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Enough of the samples, at most 1: squares of the largest numbers would overflow."""
    some = rows[:: -(-len(rows) // ENOUGH)].astype(float)
    some = np.where(np.isfinite(some), some, 0)
    return np.asarray(some / (np.abs(some).max() or 1.0))


def _line(dips: dict[int, float], m: int) -> int:
    """The length at which lines agree with their neighbours, 0 where none does."""

    def cost(length: int) -> float:
        return log(dips[length]) + FOR_SQUARE * abs(log(length**2 / m))

    if not dips:
        return 0
    best = min(dips, key=cost)
    enough = min(LEAST_DIP, HARMONIC * dips[best])
    return min((short for short in dips if best % short == 0 and dips[short] < enough), default=0)


def _of_one_colour(rows: NDArray[np.float64], line: int) -> tuple[NDArray[np.float64], int, int]:
    """Pictures of one colour each, the length of their lines, and that of all colours together.

    Without colours, and where those of one colour tell no lines, they are the samples themselves.
    """
    m = rows.shape[1]
    plane = m // RGB
    pixels = line == RGB  # one after another, each with its colours
    planes = m % (RGB * line) == 0 and (
        line == plane or _dip(rows, plane, line) < LEAST_DIP  # colours agree where lines do not
    )
    if pixels or planes:
        grey = rows[:, ::RGB] if pixels else rows.reshape(-1, plane)
        found = _line({length: _dip(grey, length) for length in _lengths(plane)}, plane)
        if found:
            return grey, found, RGB * found if pixels else found
    return rows, line, line


def _as(order: Order, line: int, m: int) -> Fold:
    return ((line, m // line) if order == "F" else (m // line, line)), order


def _dip(rows: NDArray[Any], length: int, step: int = 1) -> float:
    """How much less numbers differ at this distance than at a step more or less."""

    def difference(lag: int) -> float:
        return float(np.mean((rows[:, lag:] - rows[:, :-lag]) ** 2)) + 1e-300

    return difference(length) / min(difference(length - step), difference(length + step))


def _rather_rows(rows: NDArray[Any], line: int, by_rows: bool, upright: bool) -> bool:
    """Whether lines of this length are rather the rows of the pictures than their columns."""
    lines = rows.mean(0).reshape(-1, line)
    lines = lines - lines.mean()
    size = (lines**2).sum() or 1.0
    mirrored = (lines * lines[:, ::-1]).sum() / size  # high where lines are rows of a face
    turned = (lines * lines[::-1]).sum() / size
    if abs(mirrored - turned) > SYMMETRY:
        return bool(mirrored > turned)
    across = len(lines)
    if line == across and (taller := _taller(rows.var(0).reshape(-1, line))):
        return taller < 1
    picture = line != across and max(line, across) <= 2 * min(line, across)
    return line < across if picture and (upright or not by_rows) else by_rows


def _taller(ink: NDArray[Any]) -> float:
    """How much further ink reaches along lines than across: 0 where it fills the square, or is as
    wide as high. Characters and objects are rather high than wide.
    """
    border = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]]).mean()
    if border > BORDER * ink.max():
        return 0.0
    across, along = (
        np.sqrt(np.cov(np.arange(len(ink)), aweights=ink.sum(1 - axis), bias=True))
        for axis in (0, 1)
    )
    taller = float(along / across)
    return taller if abs(log(taller)) > log(HIGHER) else 0.0
