"""Preprocessing of samples: a frequency band, a crop, block means, standardisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smmcore.arrays import Array

ROUNDING = 1e-9  # relative: a band includes its ends


@dataclass(frozen=True)
class Preprocessing:
    """Steps that change each sample in the same way, whatever the other samples are.

    In this order: `band` filters the whole recording, `rows` and `columns` cut a part out of it,
    `blocks` averages blocks of what is left, and `each` standardises the result. All but the last
    are linear, X becomes A X B.

    The filter keeps some of the cosines of the discrete cosine transform (DCT-II) along the axis
    that runs over time. Of m samples in time, the k-th cosine has the frequency k rate / (2 m) for
    k = 0, ..., m - 1. The filter is an orthogonal projection. It continues a recording at its ends
    by its mirror image, so that it does not join the end to the beginning, as a Fourier transform
    does.
    """

    # The first row (column) to keep and the one behind the last, from 0; all by default
    rows: tuple[int, int] | None = None
    columns: tuple[int, int] | None = None
    # Rows and columns of the blocks of which the mean is taken. The rows and columns at the end
    # that fill no block are cut off.
    blocks: tuple[int, int] = (1, 1)
    # Whether time runs along the rows, from one column to the next ("columns"), or down the
    # columns, from one row to the next ("rows")
    time: str = "columns"
    band: tuple[float, float] | None = None  # the lowest and the highest frequency to keep
    rate: float = 1.0  # samples per second. At 1, frequencies are in cycles per sample
    # Whether each sample is standardised: less the mean of its entries, divided by their standard
    # deviation
    each: bool = False

    def __post_init__(self) -> None:
        if self.band is None:
            return
        low, high = self.band
        if low > high:
            raise ValueError(f"band must begin below its end, got {low:g} to {high:g}")
        if not high <= self.rate / 2:
            raise ValueError(
                f"band must end at or below half of the sampling rate, {self.rate / 2:g}, got "
                f"{high:g}"
            )

    def matrices(self, p: int, q: int) -> tuple[Array | None, Array | None]:
        """Return A and B, with which a sample X of shape (p, q) becomes A X B."""
        left, right = self._matrix("rows", p), self._matrix("columns", q)
        return left, None if right is None else np.ascontiguousarray(right.T)

    def shape(self, p: int, q: int) -> tuple[int, int]:
        """Return the shape (p', q') of what a sample of shape (p, q) becomes."""
        return self._part("rows", p)[1], self._part("columns", q)[1]

    def describe(self, p: int, q: int) -> str:
        """Return what the steps do to samples p x q, in words."""
        parts = []
        if self.band:
            low, high = self.band
            unit = "cycles per sample" if self.rate == 1 else "Hz"
            along = "rows" if self.time == "columns" else "columns"
            parts.append(f"band from {low:g} to {high:g} {unit} along the {along}")
        crops = {"rows": self.rows, "columns": self.columns}
        parts += [f"{side} {part[0] + 1} to {part[1]}" for side, part in crops.items() if part]
        if self.blocks != (1, 1):
            parts.append(f"means of blocks of {self.blocks[0]} × {self.blocks[1]}")
        if self.each:
            parts.append("each sample standardised")
        if not parts:
            return "none"
        height, width = self.shape(p, q)
        return f"{', '.join(parts)}; {p} × {q} becomes {height} × {width}"

    def _part(self, side: str, m: int) -> tuple[int, int, int]:
        """Return the first of m rows (columns) to keep, and the number and size of the blocks."""
        first, end = getattr(self, side) or (0, m)
        block = self.blocks[side == "columns"]
        if end > m:
            raise ValueError(f"{side} {first} to {end} are asked for, but a sample has {m} {side}")
        if block > end - first:
            raise ValueError(
                f"blocks of {block} {side} do not fit: a sample has {end - first} {side}"
                + (" after the crop" if end - first < m else "")
            )
        return first, (end - first) // block, block

    def _matrix(self, side: str, m: int) -> Array | None:
        """Return the steps along one axis as a matrix of shape (m', m), or None."""
        first, length, block = self._part(side, m)
        filters = self.band is not None and self.time == side
        if not filters and length == m:
            return None
        means, kept = np.zeros((length, m)), np.arange(length * block)
        means[kept // block, first + kept] = 1 / block
        return np.asarray(means @ self._projection(m)) if filters else means

    def _projection(self, m: int) -> Array:
        """Return the projection on the cosines in the band, shape (m, m)."""
        assert self.band is not None
        frequencies = self.rate * np.arange(m) / (2 * m)
        slack = ROUNDING * self.rate
        low, high = self.band
        inside = (frequencies >= low - slack) & (frequencies <= high + slack)
        if not inside.any():
            raise ValueError(
                f"no frequency lies in the band from {low:g} to {high:g}: with {m} {self.time} "
                f"they are the multiples of {self.rate / (2 * m):g} up to {frequencies[-1]:g}"
            )
        cosines = np.cos(np.pi * np.outer(np.flatnonzero(inside), np.arange(m) + 0.5) / m)
        cosines /= np.linalg.norm(cosines, axis=1, keepdims=True)
        return np.asarray(cosines.T @ cosines)
