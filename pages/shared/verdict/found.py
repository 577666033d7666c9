"""What a trial has found: its machines, and the curves and numbers of their tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.runs import Divided, TrialRun
from pages.shared import evaluation
from pages.shared.panels import NAMES
from pages.shared.recipes import METHODS
from smmcore.model_selection import Tested


class Verdict:
    """The machines of a trial and their tests.

    Parameters
    ----------
    recipe : TrialRun
    divided : Divided
    tested : sequence of Tested
        At least one.
    classes : ndarray of shape (K,)
        The labels as they came.
    names : sequence of str
        How they are written.
    rows : ndarray of shape (n,)
        Place of each sample in its source, from 0.
    """

    def __init__(
        self,
        recipe: TrialRun,
        divided: Divided,
        tested: Sequence[Tested],
        classes: NDArray,
        names: Sequence[str],
        rows: NDArray[np.intp],
    ) -> None:
        self.recipe, self.divided, self.classes, self.rows = recipe, divided, classes, rows
        self.names = [escape(name) for name in names]  # Plotly reads HTML
        self.of = {
            method: found
            for method in NAMES
            if (found := [one for one in tested if one.machine.method == method])
        }

    def truths(self, method: str) -> list[NDArray[np.intp]]:
        """The classes of the test samples, for each split that a method has been through."""
        return [self.divided.y[self.divided.splits[one.split][1]] for one in self.of[method]]

    def decisions(self, method: str) -> list[NDArray[np.float64]]:
        """What it says about them."""
        return [one.decision for one in self.of[method]]

    @cached_property
    def summaries(self) -> dict[str, evaluation.Summary]:
        """By method, its right answers."""
        return {
            method: evaluation.summary(
                self.truths(method), self.decisions(method), len(self.classes)
            )
            for method in self.of
        }

    @cached_property
    def areas(self) -> dict[str, evaluation.Roc | None]:
        """By method, the curve of the second of two classes, or the mean of those of all."""
        return {
            method: evaluation.macro(self.truths(method), self.decisions(method))
            if len(self.classes) > 2
            else evaluation.curves(self.truths(method), self.decisions(method))[0]
            for method in self.of
        }

    def singular_values(self, split: int, k: int) -> dict[str, NDArray[np.float64] | None]:
        """Those of each method's W in a split, where the method has been through it."""
        found: dict[str, NDArray[np.float64] | None] = dict.fromkeys(METHODS.values())
        for method, tested in self.of.items():
            for one in tested:
                if one.split == split:
                    found[METHODS[method]] = np.linalg.svd(one.W[k], compute_uv=False)
        return found

    def splits(self, method: str) -> list[tuple[NDArray, NDArray]]:
        """The splits that a method has been through."""
        return [self.divided.splits[one.split] for one in self.of[method]]
