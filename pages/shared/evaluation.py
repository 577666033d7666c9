"""What a trained machine says about samples that it has not seen, and the files to take home."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.io import savemat

from pages.shared.recipes import SMMRun, Split
from smmcore.problems import SMMCertificate

# What the model file says about itself, in MATLAB's words.
USE = (
    "label of a sample X, a {p} x {q} matrix in the units of the data file: "
    "classes(1 + (sum(sum(W .* X)) + b >= 0)). A sample x that the file has as a vector is "
    "X = reshape(x, {p}, {q}) if it runs down the columns, X = reshape(x, {q}, {p})' if along rows"
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A certified machine, asked about every sample of both parts of a split."""

    run: SMMRun
    certificate: SMMCertificate
    classes: NDArray  # (2,), the labels that -1 and +1 stand for
    truth: NDArray[np.intp]  # (n,), 0 or 1, the place of the label in `classes`
    decision: NDArray[np.float64]  # (n,), <W, X_i> + b
    train: NDArray[np.intp]  # rows of the data that were trained on
    test: NDArray[np.intp]  # and those that were kept

    @classmethod
    def of(cls, run: SMMRun, certificate: SMMCertificate, classes: NDArray) -> Evaluation:
        """Ask the machine that a run on a `Split` has found."""
        split = run.data
        assert isinstance(split, Split)
        X, y, _ = split.data.load()
        decision = X.reshape(len(X), -1) @ certificate.W.ravel() + certificate.b
        return cls(run, certificate, classes, np.where(y > 0, 1, 0), decision, *split.rows(y))

    @property
    def predicted(self) -> NDArray[np.intp]:
        """The place of the predicted label in `classes`, (n,)."""
        return np.where(self.decision >= 0, 1, 0)

    @property
    def confusion(self) -> NDArray[np.intp]:
        """Test samples by true (row) and predicted class, (2, 2)."""
        counts = np.zeros((2, 2), np.intp)
        np.add.at(counts, (self.truth[self.test], self.predicted[self.test]), 1)
        return counts

    def accuracy(self, rows: NDArray[np.intp]) -> float:
        """The share of these rows that is predicted right."""
        return float(np.mean(self.predicted[rows] == self.truth[rows]))

    @property
    def majority(self) -> float:
        """The accuracy on the test part of always naming the larger class of the training part."""
        larger = np.bincount(self.truth[self.train], minlength=2).argmax()
        return float(np.mean(self.truth[self.test] == larger))

    @property
    def distance(self) -> float:
        """sqrt(2 gap) / ||W||_F: how far the exact W can be, in units of this one."""
        norm = float(np.linalg.norm(self.certificate.W))
        return self.certificate.radius / norm if norm else np.inf

    def predictions(self, rows: NDArray[np.intp]) -> bytes:
        """The table of predictions (.csv), samples named by their number in the file, from 1.

        Parameters
        ----------
        rows : ndarray of shape (n,)
            Where each sample of the data stands in its source.
        """
        part = np.full(len(rows), "train")
        part[self.test] = "test"
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["sample", "split", "label", "prediction", "decision_value"])
        table.writerows(
            zip(
                (rows + 1).tolist(),
                part.tolist(),
                self.classes[self.truth].tolist(),
                self.classes[self.predicted].tolist(),
                self.decision.tolist(),
                strict=True,
            )
        )
        return text.getvalue().encode()

    def model(self, spread: float) -> bytes:
        """The machine as a MATLAB file (v7): W and b apply to samples as the data file has them.

        Parameters
        ----------
        spread : float
            The unit in which C was chosen, see `jobs.units`.
        """
        text = self.classes.dtype.kind == "U"
        file = io.BytesIO()
        savemat(
            file,
            {
                "W": self.certificate.W,
                "b": self.certificate.b,
                "classes": self.classes.astype(object) if text else self.classes,
                "C": self.run.C,
                "tau": self.run.tau,
                "spread": spread,
                "rank": self.certificate.rank,
                "gap": self.certificate.gap,
                "seed": self.run.data.seed,
                "use": USE.format(p=self.certificate.W.shape[0], q=self.certificate.W.shape[1]),
            },
            do_compression=True,
        )
        return file.getvalue()
