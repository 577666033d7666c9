"""What *The grouping effect* computes in a worker: samples and their correlations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Experiment, Frame, Scaled
from smmcore.arrays import Array

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
