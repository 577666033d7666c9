"""The results of a trial: its machines, the numbers and curves of their tests, and cautions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.results import cautions
from pages.matrix.your_data.results.roc import Roc, macro, roc_curves
from pages.matrix.your_data.results.scores import Array, Rows, Split, Spread, Summary, summarise
from pages.matrix.your_data.runs import Divided, TrialRun
from pages.shared.player.panels import NAMES, NAMES_BY_COLOUR
from smmcore.model_selection import SplitResult, grid_paths


@dataclass(frozen=True, eq=False)
class TrialResults:
    """The machines of a trial, at least one, and their tests."""

    experiment: TrialRun
    divided: Divided
    tested: Sequence[SplitResult]
    classes: NDArray  # (K,), the labels as they came
    names: Sequence[str]  # of the classes
    rows: NDArray[np.intp]  # (n,), place of each sample in its source, from 0

    @cached_property
    def html_names(self) -> list[str]:
        """Names of the classes for Plotly."""
        return [escape(name) for name in self.names]

    @cached_property
    def of(self) -> dict[str, list[SplitResult]]:
        """Machines by method."""
        found = {
            method: [one for one in self.tested if one.spec.method == method] for method in NAMES
        }
        return {method: machines for method, machines in found.items() if machines}

    def splits(self, method: str) -> list[Split]:
        """Return the splits that a method has been through."""
        return [self.divided.splits[one.split] for one in self.of[method]]

    def truths(self, method: str) -> list[Rows]:
        """Return the classes of the test samples in each of its splits."""
        return [self.divided.y[test] for _, test in self.splits(method)]

    def decisions(self, method: str) -> list[Array]:
        """Return the decision values of these samples."""
        return [one.decision for one in self.of[method]]

    @cached_property
    def summaries(self) -> dict[str, Summary]:
        """Right answers by method."""
        K = len(self.classes)
        return {
            method: summarise(self.truths(method), self.decisions(method), K) for method in self.of
        }

    @cached_property
    def areas(self) -> dict[str, Roc | None]:
        """By method, the curve of the second of two classes, or the mean of those of all."""

        def curve(method: str) -> Roc | None:
            tests = self.truths(method), self.decisions(method)
            return macro(*tests) if len(self.classes) > 2 else roc_curves(*tests)[0]

        return {method: curve(method) for method in self.of}

    def singular_values(self, split: int, k: int) -> dict[str, Array | None]:
        """Return those of each method's W in a split; None where it has not been through it."""
        sigma: dict[str, Array | None] = dict.fromkeys(NAMES_BY_COLOUR.values())
        for one in self.tested:
            if one.split == split:
                sigma[NAMES[one.spec.method]] = np.linalg.svd(one.W[k], compute_uv=False)
        return sigma

    def cautions(self, rate: Spread) -> list[str]:
        """Say what the tests do not show; `rate` is that of always naming the largest class.

        The sentences hold labels as they are: escape before showing.
        """
        certified = {
            NAMES[method]: np.concatenate([one.certified for one in found])
            for method, found in self.of.items()
        }
        scores = {NAMES[method]: summary.scores for method, summary in self.summaries.items()}
        splits = self.splits(next(iter(self.of)))
        sentences = [*cautions.of_test(scores, splits, rate, certified), *self.unequal_tests()]
        if zero := self._where_zero():
            sentences.append(
                f"SMM: W = 0 is optimal{zero}, whatever C and τ: the mean of the smaller class "
                "lies among the samples of the larger one, and the hinge loss then asks for no "
                "more than to name the larger class always. Take classes of nearer sizes."
            )
        return sentences

    def unequal_tests(self) -> list[str]:
        """Say where a stop, or the budget of a search, has ended one method before another."""
        counts = {NAMES[method]: len(found) for method, found in self.of.items()}
        sentences = []
        if len(set(counts.values())) > 1:
            each = ", ".join(f"{name} {count:,}" for name, count in counts.items())
            sentences.append(
                f"The stop came when methods had been through unequal numbers of splits ({each}): "
                "their means are of different tests."
            )
        if not self.experiment.trial.search:
            return sentences
        side = self.experiment.data.shape[1:]
        cells = {NAMES[method]: sum(map(len, grid_paths(method, *side))) for method in self.of}
        tried = {NAMES[m]: [len(one.tried) for one in found] for m, found in self.of.items()}
        return sentences + cautions.of_search(tried, cells)

    def _where_zero(self) -> str:
        """Name the classes whose tau_max is 0, as W is 0 below it; empty if there is none."""
        found = [one for one in self.of.get("smm", ()) if one.spec.share and one.spec.share < 1]
        zero = np.any([(one.rank == 0) & one.certified for one in found], axis=0)
        if not np.any(zero):
            return ""
        if len(zero) == 1:
            return " for these two classes"
        names = [name for name, is_zero in zip(self.names, zero, strict=True) if is_zero]
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        return f" for {', '.join(names[:5])}{more} against the rest"
