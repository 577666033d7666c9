"""A trained classifier that needs no training data, and the file that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.methods import METHODS
from pages.your_data.trial.calibration import Calibration
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.instructions import write_instructions
from pages.your_data.trial.saved_machine import (
    SCALING,
    Array,
    check_present,
    describe_size,
    read_arrays,
    read_scaling,
    to_numbers,
    to_text,
)
from pages.your_data.trial.trial import SplitResult
from smmcore.decision import decision_values, predicted_class
from smmcore.estimators.scaling import Scaling

REQUIRED = ("method", "W", "b", "scaling", "classes")  # arrays of its file
OPTIONAL = (*SCALING, "slope", "offset", "form")


@dataclass(frozen=True, eq=False)
class Machine:
    """A trained classifier with everything that it does to a sample.

    With K = 2 classes there is one W (K' = 1), positive for the second class; with more there is
    one for each class against the rest (K' = K), and the largest decision value wins.
    """

    method: str
    W: Array  # (K', p', q'), weights for scaled samples
    b: Array  # (K',)
    scaling: Scaling  # from raw samples (p, q) to scaled ones (p', q')
    classes: NDArray[Any]  # (K,), the labels, numbers or text
    calibration: Calibration | None = None  # for probabilities
    # By which new samples are read
    form: SampleForm = field(default_factory=SampleForm, repr=False)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"the method must be one of {tuple(METHODS)}, got {self.method!r}")
        if self.W.ndim != 3 or not self.W.size:
            got = describe_size(self.W)
            raise ValueError(f"W must be one matrix for each classifier, got {got}")
        count = len(self.W)
        _check_classes(self.classes, 2 if count == 1 else count)
        if count == 2:
            raise ValueError("W must be a single matrix for two classes, got 2")
        each = {"b": self.b} | (self.calibration._asdict() if self.calibration else {})
        self._check({name: (array, (count,)) for name, array in each.items()})

    @property
    def shape(self) -> tuple[int, int]:
        """Rows p and columns q of a raw sample."""
        p, q = self.W.shape[-2:]
        left, right = self.scaling.left, self.scaling.right
        if left is not None:
            p = left.shape[-1]
        if right is not None:
            q = len(right)
        return p, q

    @classmethod
    def from_result(cls, result: SplitResult, classes: NDArray[Any]) -> Machine:
        """Return the machine that a trial has trained on the training set of a split."""
        return cls(result.spec.method, result.W, result.b, result.scaling, classes)

    @classmethod
    def on_everything(cls, results: Sequence[SplitResult], classes: NDArray[Any]) -> Machine:
        """Return the machine of `trial.on_everything`.

        The first result is that of all samples. The others, if there are any, are without a fold
        each: the sigmoids of the probabilities are fitted to what these say about the samples that
        they hold out.
        """
        first, *folds = results
        machine = cls.from_result(first, classes)
        if not folds:
            return machine
        decision = np.concatenate([one.decision for one in folds])
        truth = np.concatenate([one.truth for one in folds])
        return replace(machine, calibration=Calibration.fit(decision, truth))

    def decision(self, X: NDArray[Any]) -> Array:
        """Return the decision values f(X) of raw samples."""
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            decision = decision_values(self._scale(X), self.W, self.b)
        if not np.isfinite(decision).all():
            raise ValueError("the decision values are too large: are the samples in other units?")
        return decision

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the predicted labels of raw samples, shape (m,); see `decision`."""
        return self.classes[predicted_class(self.decision(X))]

    def probabilities(self, X: NDArray[Any]) -> Array:
        """Return the probability of each class for raw samples, shape (m, K); see `decision`.

        The predicted label follows the decision values; where they are close, another class can
        have the larger probability.
        """
        if self.calibration is None:
            raise ValueError("this machine is not calibrated: it has decision values only")
        return self.calibration(self.decision(X))

    def to_arrays(self) -> dict[str, object]:
        """Return everything as arrays and texts, with instructions for MATLAB and NumPy.

        W has the shape (p', q', K'). Absent are the steps of the scaling that do nothing, and
        `slope` and `offset` without a calibration. `from_arrays` makes the same machine of them.
        """
        return {
            "method": self.method,
            "W": np.moveaxis(self.W, 0, -1),
            "b": self.b,
            "classes": self.classes,
            **self.scaling.to_arrays(),
            **(self.calibration._asdict() if self.calibration else {}),
            "form": self.form.to_text(),
            **write_instructions(
                self.shape,
                self.scaling,
                self.classes,
                self.calibration is not None,
                self.form,
            ),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, object]) -> Machine:
        """Return the machine of `to_arrays`; other arrays are ignored.

        The arrays may have the shapes that MATLAB gives them: vectors as columns, and a single W
        without its last axis.
        """
        check_present(REQUIRED, arrays)
        scaling = read_scaling(arrays)
        W = to_numbers("W", arrays)
        W = W[..., None] if W.ndim == 2 else W
        calibration = None
        if "slope" in arrays or "offset" in arrays:
            check_present(("slope", "offset"), arrays)
            slope, offset = (to_numbers(name, arrays).ravel("F") for name in ("slope", "offset"))
            calibration = Calibration(slope, offset)
        return cls(
            to_text("method", arrays),
            np.ascontiguousarray(np.moveaxis(W, -1, 0)),
            to_numbers("b", arrays).ravel("F"),
            scaling,
            np.asarray(arrays["classes"]).ravel("F"),
            calibration,
            SampleForm.from_text(to_text("form", arrays)) if "form" in arrays else SampleForm(),
        )

    @classmethod
    def load(cls, file: bytes) -> Machine:
        """Read a machine from a file that holds `to_arrays`, .npz or .mat.

        The file may come from anybody: it is parsed in a process with limits (see
        `pages.shared.files`), nothing is unpickled, and each array is checked.
        """
        return cls.from_arrays(read_arrays(file, {*REQUIRED, *OPTIONAL}))

    def _check(self, own: Mapping[str, tuple[Any, tuple[int, ...]]]) -> None:
        """Check the scaling against W, and that arrays have their shapes and are finite."""
        scaling, (p, q) = self.scaling, self.W.shape[-2:]
        for name, matrix in (("left", scaling.left), ("right", scaling.right)):
            if matrix is not None and matrix.ndim != 2:
                raise ValueError(f"{name} must be a matrix, got {describe_size(matrix)}")
        raw_p, raw_q = self.shape
        arrays = dict(own)
        arrays |= {"left": (scaling.left, (p, raw_p)), "right": (scaling.right, (raw_q, q))}
        arrays["fill"] = scaling.fill, self.shape
        if scaling.kind == "z-score":
            arrays["z_mean"] = scaling.mean, (p, q)
            arrays["z_deviation"] = scaling.deviation, (p, q)
        for name, (array, shape) in arrays.items():
            if array is not None and np.shape(array) != shape:
                fits = " × ".join(map(str, shape)) or "a single number"
                raise ValueError(f"{name} must be {fits} to fit W, got {describe_size(array)}")
        for name, (array, _) in ({"W": (self.W, self.W.shape)} | arrays).items():
            if array is not None and not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite, got NaN or infinity")
        if not np.all(scaling.deviation > 0):
            low = np.min(scaling.deviation)
            raise ValueError(f"z_deviation must be positive, got {low:g}")
        if p > raw_p or q > raw_q:
            raise ValueError(
                f"left and right must not enlarge a sample, got {describe_size(scaling.left)} and "
                f"{describe_size(scaling.right)}"
            )

    def _scale(self, X: NDArray[Any]) -> Array:
        """Check raw samples (m, p, q), and scale them; a number that is too large is infinite."""
        X = np.asarray(X, dtype=float)
        if X.shape[1:] != self.shape or X.ndim != 3:
            p, q = self.shape
            got = describe_size(X)
            raise ValueError(f"samples must be m × {p} × {q} for this machine, got {got}")
        if self.scaling.fill is None and not np.isfinite(X).all():
            raise ValueError(
                "samples must be finite: this machine was trained on complete samples and has no "
                "values to fill in"
            )
        return self.scaling(X)


def _check_classes(classes: NDArray[Any], K: int) -> None:
    if classes.dtype.kind not in "biufU":
        raise ValueError(f"classes must be numbers or text, got {classes.dtype}")
    if classes.dtype.kind == "f" and not np.isfinite(classes).all():
        raise ValueError("classes must be finite, got NaN or infinity")
    if classes.shape != (K,) or len(np.unique(classes)) < K:
        raise ValueError(
            f"classes must be {K} different labels to fit W, got {describe_size(classes)}"
        )
