"""The experiment of *How the data are made*: correlations and samples at a level of noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Experiment, Frame, Scaled
from pages.shared.player.panels import Axis, Number, Panel, Picture
from pages.smm.data.survey import make_survey
from smmcore.arrays import Array

SHOWN = 6  # samples of each class, in two columns
AXIS = Axis("", "", count=1)


@dataclass(frozen=True)
class SampleOverview(Experiment):
    """Correlations between the columns of samples, and some of the samples."""

    data: BlockCorrelated

    def frames(self, prepared: Prepared, state: int | None = None) -> Iterator[Frame]:
        """Yield the only frame."""
        survey = make_survey(self.data, SHOWN)
        groups = self.data.group_of_column
        same = groups[:, None] == groups[None, :]
        within = survey.correlation[same & ~np.eye(self.data.q, dtype=bool)]
        between = survey.correlation[~same]
        metrics = {
            "within": float(within.mean()) if within.size else np.nan,
            "between": float(between.mean()) if between.size else np.nan,
        }
        classes = [survey.samples[survey.labels == label] for label in (-1, 1)]
        pictures = np.hstack([_tiles(samples) for samples in classes])[:, :-1]
        images = {
            "correlation": Scaled(survey.correlation, 1.0),
            "samples": Scaled(pictures, float(np.abs(survey.samples).max())),
        }
        yield Frame(1, metrics, images, done=True)

    def summary(self, last: Frame) -> str:
        """Return the size of an entry beside that of the noise."""
        size = 1 / np.sqrt(self.data.n)
        return (
            f"Before scaling, an entry without noise is about 1/√n = {size:.2g} in size; the noise "
            f"is δ = {self.data.noise:g}."
        )


def _tiles(samples: Array) -> Array:
    """Return samples in two columns, with an empty row and column after each."""
    _, p, q = samples.shape
    tiles = np.full((2 * -(-SHOWN // 2), p + 1, q + 1), np.nan)
    tiles[: len(samples), :p, :q] = samples
    return np.vstack([np.hstack([*pair]) for pair in tiles.reshape(-1, 2, p + 1, q + 1)])[:-1]


def move(run: SampleOverview, noise: float) -> SampleOverview:
    """Return the run where the hand has moved."""
    return replace(run, data=replace(run.data, noise=noise))


def stage_panels(data: BlockCorrelated) -> list[Panel]:
    """Return the panels of the lesson."""
    return [
        Picture(
            "correlation",
            "Correlation of columns",
            numbers=[Number("within", "within a group", "number")],
        ),
        Picture(
            "samples",
            "Samples: two columns in class −1, two in class +1",
            tile=(data.p + 1, data.q + 1),
        ),
    ]
