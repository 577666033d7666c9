"""A trained classifier that needs no training data, and the file that holds it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pages.shared.methods import METHODS
from pages.your_data.trial.calibration import Calibration
from pages.your_data.trial.form import FORM_ARRAYS, SampleForm
from pages.your_data.trial.instructions import write_instructions
from pages.your_data.trial.saved_machine import (
    SCALING,
    WRITERS,
    Array,
    File,
    check_present,
    describe_size,
    read_arrays,
    read_scaling,
    to_numbers,
    to_ranks,
    to_text,
)
from pages.your_data.trial.trial import SplitResult
from smmcore.decision import decision_values, predicted_class
from smmcore.estimators.scaling import Scaling

MAY_BE_NAN = ("C", "tau_or_lambda", "relative_gap")  # arrays of its file that a method may lack
REQUIRED = ("method", "W", "b", "scaling", "classes", *MAY_BE_NAN, "rank")  # arrays of its file
OPTIONAL = (*SCALING, "slope", "offset", *FORM_ARRAYS)


@dataclass(frozen=True, eq=False)
class Machine:
    """A trained classifier with everything that it does to a sample.

    With K = 2 classes there is one W (K' = 1), positive for the second class; with more there is
    one for each class against the rest (K' = K), and the largest decision value wins.

    Examples
    --------
    >>> import numpy as np
    >>> from pages.your_data.trial.machine import Machine
    >>> from smmcore.estimators.scaling import Scaling
    >>> one, nan = np.ones(1), np.full(1, np.nan)
    >>> machine = Machine(
    ...     "lsvm", np.ones((1, 2, 2)), -one, Scaling(), np.array(["no", "yes"]), one, nan, one, nan
    ... )
    >>> machine.predict(np.array([[[0, 0], [0, 0]], [[1, 1], [1, 1]]])).tolist()
    ['no', 'yes']
    """

    method: str
    W: Array  # (K', p', q'), weights for scaled samples
    b: Array  # (K',)
    scaling: Scaling  # from raw samples (p, q) to scaled ones (p', q')
    classes: NDArray[Any]  # (K,), the labels, numbers or text
    # (K',), the weights of the training; NaN where the method has none
    C: Array = field(repr=False)
    # (K',), the weights of the training; NaN where the method has none
    tau_or_lambda: Array = field(repr=False)
    rank: NDArray[np.intp] = field(repr=False)  # (K',), the rank of each W
    gap: Array = field(repr=False)  # (K',), the relative duality gap of each solution
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
        each: dict[str, Any] = {"b": self.b, "rank": self.rank}
        each |= zip(MAY_BE_NAN, (self.C, self.tau_or_lambda, self.gap), strict=True)
        each |= self.calibration._asdict() if self.calibration else {}
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
        C, weight = (np.full(len(result.W), each) for each in (result.C, result.weight))
        numbers = C, weight, result.rank, result.gap
        return cls(result.spec.method, result.W, result.b, result.scaling, classes, *numbers)

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
            "C": self.C,
            "tau_or_lambda": self.tau_or_lambda,
            "rank": self.rank,
            "relative_gap": self.gap,
            **self.form.to_arrays(),
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
        b, C, weight, gap = (to_numbers(name, arrays).ravel("F") for name in ("b", *MAY_BE_NAN))
        return cls(
            to_text("method", arrays),
            np.ascontiguousarray(np.moveaxis(W, -1, 0)),
            b,
            scaling,
            np.asarray(arrays["classes"]).ravel("F"),
            C,
            weight,
            to_ranks("rank", arrays),
            gap,
            calibration,
            SampleForm.from_arrays(arrays),
        )

    def save(self, file: str | os.PathLike[str] | BinaryIO, suffix: str = "") -> None:
        """Write the machine to a file for NumPy (.npz) or MATLAB (.mat), with instructions."""
        path = Path(file) if isinstance(file, (str, os.PathLike)) else None
        suffix = suffix or (path.suffix if path else "")
        if suffix not in WRITERS:
            raise ValueError(f"a machine's file must end in .npz or .mat, got {suffix!r}")
        content = WRITERS[suffix](self.to_arrays())
        if isinstance(file, (str, os.PathLike)):
            Path(file).write_bytes(content)
        else:
            file.write(content)

    @classmethod
    def load(cls, file: File) -> Machine:
        """Read a machine from a file that `save` has written, .npz or .mat.

        The file may come from anybody: it is parsed in a process with limits (see
        `pages.shared.files`), nothing is unpickled, and each array is checked.
        """
        return cls.from_arrays(read_arrays(file, {*REQUIRED, *OPTIONAL}))

    def _check(self, own: Mapping[str, tuple[Any, tuple[int, ...]]]) -> None:
        """Check the scaling against W, and that arrays have their shapes and are finite."""
        if not self.W.size:
            raise ValueError(f"W must not be empty, got {describe_size(self.W)}")
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
            if array is None or name in MAY_BE_NAN:
                continue
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite, got NaN or infinity")
        if not np.all(scaling.deviation > 0):
            low = np.min(scaling.deviation)
            raise ValueError(f"z_deviation must be positive, got {low:g}")
        if not np.all((np.array(self.rank) >= 0) & (np.array(self.rank) <= min(p, q))):
            raise ValueError(f"rank must be 0 to {min(p, q)} for W of {p} × {q}, got {self.rank}")
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
