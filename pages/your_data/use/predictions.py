"""Predictions of a machine for the samples of a file that it was not trained on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.files import MatFileError
from pages.shared.files.layout import RawSamples
from pages.shared.files.samples import label_names
from pages.your_data.trial.saved_machine import SavedMachine

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Columns = tuple[dict[str, Any], dict[str, Any]]  # of a table, and their settings

CHUNK = 2_000_000  # numbers that are converted at one time


@dataclass(frozen=True, eq=False)
class Predictions(ABC):
    """What a machine says about the samples of a file."""

    rows: Rows  # (m,), place of each sample in the file, from 0
    labels: NDArray[Any] | None  # (m,), as the file has them
    left_out: int  # samples with missing numbers, for which there is nothing to fill in

    @abstractmethod
    def columns(self, count: int) -> Columns:
        """Return the columns of the table about the first samples."""

    @abstractmethod
    def to_csv(self) -> bytes:
        """Return the table of predictions (.csv); samples are counted from 1."""

    @abstractmethod
    def draw_quality(self) -> None:
        """Draw how well the predictions agree with the labels, if there are labels."""

    @abstractmethod
    def explain(self) -> str:
        """Return what the numbers of the table mean, in Markdown."""


Common = tuple[Rows, NDArray[Any] | None, int]  # the fields of `Predictions`


class ShownPredictions(NamedTuple):
    """Predictions, and what the page shows of the samples."""

    predictions: Predictions
    strips: list[str]  # data URLs of the pictures of the first samples


def apply_in_parts(
    machine: SavedMachine,
    stored: RawSamples,
    function: Callable[[Array], Array],
    has_labels: bool,
) -> tuple[Common, Array]:
    """Apply a function of a machine to the samples of a file, a part of them at a time."""
    n, p, q = stored.shape
    if (p, q) != machine.shape:
        size, own = (f"{rows} × {columns}" for rows, columns in ((p, q), machine.shape))
        raise MatFileError(
            f"The samples of this file are {size} in this reading; the model was trained on "
            f"samples of {own}."
        )
    step = max(1, CHUNK // (p * q))
    kept, values = [], []
    for first in range(0, n, step):
        some = np.arange(first, min(first + step, n))
        X = stored.take(some).X
        if machine.scaling.fill is None:
            whole = np.isfinite(X).all(axis=(1, 2))
            some, X = some[whole], X[whole]
        if len(some):
            kept.append(some)
            values.append(function(X))
    if not kept:
        raise MatFileError(
            "Every sample holds NaN or infinity; the model was trained on complete samples and "
            "has nothing to fill in."
        )
    places = np.concatenate(kept)
    labels = stored.y[places] if has_labels else None
    return (stored.rows[places], labels, n - len(places)), np.concatenate(values)


def as_numbers(labels: NDArray[Any]) -> Array | None:
    """Return labels as numbers, also those that are written as text; None if one is no number."""
    if labels.dtype.kind not in "biufU":
        return None
    try:
        return labels.astype(float)
    except ValueError:
        return None


def label_texts(labels: NDArray[Any]) -> list[str]:
    """Return the labels as they are drawn; equal labels have equal texts."""
    distinct, places = np.unique(labels, return_inverse=True)
    names = label_names(distinct)
    return [names[place] for place in places]
