"""What a trained machine says about samples that it has not seen, and the files to take home."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.jobs import Answers
from pages.shared.recipes import RobustnessRun, SMMRun
from smmcore.problems import SMMCertificate
from smmcore.robustness import METHODS, Machine

# What the model file says about itself, in MATLAB's words.
USE = (
    "label of a sample X, a {p} x {q} matrix in the units of the data file: "
    "classes(1 + (sum(sum(W .* X)) + b > 0)). A sample x that the file has as a vector is "
    "X = reshape(x, {p}, {q}) if it runs down the columns, X = reshape(x, {q}, {p})' if along rows"
)


class Score(NamedTuple):
    """A number of right answers among some."""

    right: int
    of: int

    @property
    def share(self) -> float:
        """The accuracy."""
        return self.right / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy on new samples of the same kind."""
        z2 = 1.959963984540054**2
        middle = (self.right + z2 / 2) / (self.of + z2)
        half = sqrt(z2 * (self.right * (1 - self.share) + z2 / 4)) / (self.of + z2)
        return middle - half, middle + half


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A certified machine's answers about every sample of both parts of a split."""

    run: SMMRun
    certificate: SMMCertificate
    classes: NDArray  # (2,), the labels that -1 and +1 stand for
    answers: Answers

    @property
    def truth(self) -> NDArray[np.intp]:
        """The place of each sample's label in `classes`, (n,)."""
        return np.where(self.answers.y > 0, 1, 0)

    @property
    def predicted(self) -> NDArray[np.intp]:
        """The place of the predicted label in `classes`, (n,)."""
        return np.where(self.answers.decision > 0, 1, 0)

    @property
    def confusion(self) -> NDArray[np.intp]:
        """Test samples by true (row) and predicted class, (2, 2)."""
        counts = np.zeros((2, 2), np.intp)
        test = self.answers.test
        np.add.at(counts, (self.truth[test], self.predicted[test]), 1)
        return counts

    @property
    def test(self) -> Score:
        """How many of the samples that it has not seen it gets right."""
        return self._score(self.answers.test)

    @property
    def train(self) -> Score:
        """How many of the samples that trained it it gets right."""
        return self._score(self.answers.train)

    def _score(self, rows: NDArray[np.intp]) -> Score:
        right = np.count_nonzero(self.predicted[rows] == self.truth[rows])
        return Score(int(right), len(rows))

    @property
    def majority(self) -> float:
        """The accuracy on the test part of always naming the larger class of the training part."""
        larger = np.bincount(self.truth[self.answers.train], minlength=2).argmax()
        return float(np.mean(self.truth[self.answers.test] == larger))

    def predictions(self, rows: NDArray[np.intp]) -> bytes:
        """The table of predictions (.csv), samples named by their number in the data, from 1.

        Parameters
        ----------
        rows : ndarray of shape (n,)
            Where each sample of the data stands in its source.
        """
        part = np.full(len(rows), "train")
        part[self.answers.test] = "test"
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["sample", "split", "label", "prediction", "decision_value"])
        table.writerows(
            zip(
                (rows + 1).tolist(),
                part.tolist(),
                self.classes[self.truth].tolist(),
                self.classes[self.predicted].tolist(),
                self.answers.decision.tolist(),
                strict=True,
            )
        )
        return text.getvalue().encode()

    def about(self, spread: float) -> dict[str, object]:
        """What the model file says beside W and b, which apply to samples as the data have them.

        Parameters
        ----------
        spread : float
            The unit in which C was chosen, see `jobs.units`.
        """
        p, q = self.certificate.W.shape
        return {
            "classes": self.classes,
            "C": self.run.C,
            "tau": self.run.tau,
            "spread": spread,
            "rank": self.certificate.rank,
            "gap": self.certificate.gap,
            "seed": self.run.data.seed,
            "use": USE.format(p=p, q=q),
        }


def learned(recipe: RobustnessRun, machines: Sequence[Machine]) -> dict[str, object]:
    """What four methods have learned: by name W of each data set, (draws, p, q), b and weights.

    Parameters
    ----------
    recipe : RobustnessRun
    machines : sequence of Machine
        One for each of the methods, for each data set.
    """
    validation = recipe.validation
    first = validation.data.data.seed
    arrays: dict[str, object] = {
        "seeds": np.arange(first, first + validation.draws),
        "unit": validation.unit,
        "recipe": repr(recipe),
    }
    for number, method in enumerate(METHODS):
        of_method = machines[number :: len(METHODS)]
        weights = validation.weights[recipe.chosen[number]]
        arrays |= {
            f"W_{method}": np.stack([machine.W for machine in of_method]),
            f"b_{method}": np.array([machine.b for machine in of_method]),
            f"C_spread2_{method}": weights.c,
            f"share_{method}": weights.share,
        }
    return arrays
