"""A trained classifier that needs no training data, and the file that holds it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from smmcore.decision import decision_values, predicted_class
from smmcore.matfile import list_variables, read_variables
from smmcore.matfile.writing import to_mat, to_npz
from smmcore.methods import METHODS
from smmcore.model_selection.calibration import Calibration
from smmcore.model_selection.instructions import write_instructions
from smmcore.model_selection.scaling import Scaling, check_scaling
from smmcore.model_selection.trial import SplitResult

Array = NDArray[np.float64]
File = str | os.PathLike[str] | bytes | BinaryIO

REQUIRED = ("method", "W", "b", "classes", "scaling")
NUMBERS = ("C", "tau_or_lambda", "relative_gap", "rank")  # one for each W
OPTIONAL = ("fill", "left", "right", "each", "z_mean", "z_deviation", "slope", "offset")
MAX_RANK = 10_000
MAX_NUMBERS = 20_000_000  # in a file: small integers become eight bytes each
WRITERS = {".npz": to_npz, ".mat": to_mat}


@dataclass(frozen=True, eq=False)
class Machine:
    """A trained classifier with everything that it does to a sample.

    With K = 2 classes there is one W (K' = 1), positive for the second class; with more there is
    one for each class against the rest (K' = K), and the largest decision value wins.

    Parameters
    ----------
    method : {"lsvm", "bsvm", "rglm", "smm"}
    W : ndarray of shape (K', p', q')
        Weights for scaled samples.
    b : ndarray of shape (K',)
    scaling : Scaling
        From raw samples (p, q) to scaled ones (p', q').
    classes : ndarray of shape (K,)
        The labels, numbers or text.
    C, tau_or_lambda : ndarray of shape (K',)
        The weights of the training; NaN where the method has none.
    rank : ndarray of shape (K',)
        The rank of each W.
    gap : ndarray of shape (K',)
        The relative duality gap of each solution.
    calibration : Calibration, optional
        For probabilities.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.model_selection import Machine, Scaling
    >>> one, nan = np.ones(1), np.full(1, np.nan)
    >>> machine = Machine(
    ...     "lsvm", np.ones((1, 2, 2)), -one, Scaling(), np.array(["no", "yes"]), one, nan, one, nan
    ... )
    >>> machine.predict(np.array([[[0, 0], [0, 0]], [[1, 1], [1, 1]]])).tolist()
    ['no', 'yes']
    """

    method: str
    W: Array
    b: Array
    scaling: Scaling
    classes: NDArray[Any]
    C: Array = field(repr=False)
    tau_or_lambda: Array = field(repr=False)
    rank: NDArray[np.intp] = field(repr=False)
    gap: Array = field(repr=False)
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"the method must be one of {tuple(METHODS)}, got {self.method!r}")
        if self.W.ndim != 3 or not self.W.size:
            raise ValueError(f"W must be one matrix for each classifier, got {_size(self.W)}")
        count, p, q = self.W.shape
        _check_classes(self.classes, 2 if count == 1 else count)
        if count == 2:
            raise ValueError("W must be a single matrix for two classes, got 2")
        scaling = self.scaling
        for name, matrix in (("left", scaling.left), ("right", scaling.right)):
            if matrix is not None and matrix.ndim != 2:
                raise ValueError(f"{name} must be a matrix, got {_size(matrix)}")
        each: dict[str, Any] = {
            "b": self.b,
            "C": self.C,
            "tau_or_lambda": self.tau_or_lambda,
            "rank": self.rank,
            "relative_gap": self.gap,
            **(self.calibration._asdict() if self.calibration else {}),
        }
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(each, (count,))
        each |= {"left": scaling.left, "right": scaling.right, "fill": scaling.fill}
        shapes |= {"left": (p, self.shape[0]), "right": (self.shape[1], q), "fill": self.shape}
        if scaling.kind == "z-score":
            each |= {"z_mean": scaling.mean, "z_deviation": scaling.deviation}
            shapes |= dict.fromkeys(("z_mean", "z_deviation"), (p, q))
        for name, array in each.items():
            if array is not None and np.shape(array) != shapes[name]:
                fits = " x ".join(map(str, shapes[name]))
                raise ValueError(f"{name} must be {fits} to fit W, got {_size(array)}")
        for name, array in ({"W": self.W} | each).items():
            unknown = name in ("C", "tau_or_lambda", "relative_gap")
            if array is not None and not (unknown or np.isfinite(array).all()):
                raise ValueError(f"{name} must be finite, got NaN or infinity")
        if not np.all(scaling.deviation > 0):
            low = np.min(scaling.deviation)
            raise ValueError(f"z_deviation must be positive, got {low:g}")
        if p > self.shape[0] or q > self.shape[1]:
            raise ValueError(
                f"left and right must not enlarge a sample, got {_size(scaling.left)} and "
                f"{_size(scaling.right)}"
            )

    @classmethod
    def from_result(cls, result: SplitResult, classes: NDArray[Any]) -> Machine:
        """Return the machine that a trial has trained on the training part of a split."""
        numbers = result.C, result.weight, result.rank, result.gap
        return cls(result.spec.method, result.W, result.b, result.scaling, classes, *numbers)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows p and columns q of a raw sample."""
        _, p, q = self.W.shape
        left, right = self.scaling.left, self.scaling.right
        if left is not None:
            p = left.shape[-1]
        if right is not None:
            q = len(right)
        return p, q

    def decision(self, X: NDArray[Any]) -> Array:
        """Return the decision values f(X) of raw samples.

        Parameters
        ----------
        X : ndarray of shape (m, p, q)
            Samples in the units of the training data. Only if `scaling.fill` is known may they
            have NaN or infinity.

        Returns
        -------
        ndarray of shape (m, K')

        Raises
        ------
        ValueError
            If the samples have another shape or missing numbers.
        """
        X = np.asarray(X, dtype=float)
        if X.shape[1:] != self.shape or X.ndim != 3:
            p, q = self.shape
            raise ValueError(f"samples must be m x {p} x {q} for this machine, got {_size(X)}")
        if self.scaling.fill is None and not np.isfinite(X).all():
            raise ValueError(
                "samples must be finite: this machine was trained on complete samples and has no "
                "values to fill in"
            )
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            decision = decision_values(self.scaling(X), self.W, self.b)
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

        Raises
        ------
        ValueError
            If the machine is not calibrated.
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
            **write_instructions(self),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, object]) -> Machine:
        """Return the machine of `to_arrays`; other arrays are ignored.

        The arrays may have the shapes that MATLAB gives them: vectors as columns, and a single W
        without its last axis.

        Raises
        ------
        ValueError
            If an array is missing, or cannot belong to a machine.
        """
        if missing := [name for name in (*REQUIRED, *NUMBERS) if name not in arrays]:
            raise ValueError(
                f"this is not a machine that was saved here: it has no {', '.join(missing)}"
            )
        kind = _text("scaling", arrays)
        check_scaling(kind[:20])
        names = ("z_mean", "z_deviation") if kind == "z-score" else ()
        if missing := [name for name in names if name not in arrays]:
            raise ValueError(f"the scaling is z-score, but there is no {', '.join(missing)}")
        W = _numbers("W", arrays)
        W = W[..., None] if W.ndim == 2 else W
        present = {name: _numbers(name, arrays) for name in OPTIONAL if name in arrays}
        scaling = Scaling(
            unit_length=kind == "unit length",
            fill=present.get("fill"),
            left=present.get("left"),
            right=present.get("right"),
            each=bool(np.any(present.get("each", False))),
        )
        if names:
            mean, deviation = (present[name] for name in names)
            scaling = scaling._replace(mean=mean, deviation=deviation)
        calibration = None
        if "slope" in present and "offset" in present:
            calibration = Calibration(present["slope"].ravel("F"), present["offset"].ravel("F"))
        C, weight, gap, rank = (_numbers(name, arrays).ravel("F") for name in NUMBERS)
        return cls(
            _text("method", arrays),
            np.ascontiguousarray(np.moveaxis(W, -1, 0)),
            _numbers("b", arrays).ravel("F"),
            scaling,
            np.asarray(arrays["classes"]).ravel("F"),
            C,
            weight,
            _whole("rank", rank),
            gap,
            calibration,
        )

    def save(self, file: str | os.PathLike[str] | BinaryIO, suffix: str = "") -> None:
        """Write the machine to a file for NumPy (.npz) or MATLAB (.mat), with instructions.

        Parameters
        ----------
        file : path or binary file object
        suffix : {".npz", ".mat"}
            By default the ending of the path; a file object needs it.
        """
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
        `smmcore.matfile`), nothing is unpickled, and each array is checked.

        Parameters
        ----------
        file : path, bytes or binary file object
            A file object is read from its start.

        Raises
        ------
        ValueError
            If the file cannot be read or holds no machine; the message says why.
        """
        wanted = {*REQUIRED, *NUMBERS, *OPTIONAL}
        found = {each.name: each for each in list_variables(file) if each.name in wanted}
        size = sum(prod(each.shape) for each in found.values())
        if size > MAX_NUMBERS:
            raise ValueError(f"a machine may have {MAX_NUMBERS:,} numbers at most, got {size:,}")
        arrays = read_variables(file, list(found)) if found else []
        return cls.from_arrays(dict(zip(found, arrays, strict=True)))


def _check_classes(classes: NDArray[Any], K: int) -> None:
    if classes.dtype.kind not in "biufU":
        raise ValueError(f"classes must be numbers or text, got {classes.dtype}")
    if classes.dtype.kind == "f" and not np.isfinite(classes).all():
        raise ValueError("classes must be finite, got NaN or infinity")
    if classes.shape != (K,) or len(np.unique(classes)) < K:
        raise ValueError(f"classes must be {K} different labels to fit W, got {_size(classes)}")


def _size(array: Any) -> str:
    return " x ".join(map(str, np.shape(array))) or "a single number"


def _text(name: str, arrays: Mapping[str, object]) -> str:
    value = np.asarray(arrays[name])
    if value.dtype.kind != "U" or value.size != 1:
        raise ValueError(f"{name} must be a text, got {_describe(value)}")
    return str(value.item())


def _numbers(name: str, arrays: Mapping[str, object]) -> Array:
    value = np.asarray(arrays[name])
    if value.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {_describe(value)}")
    return value.astype(float)


def _whole(name: str, values: Array) -> NDArray[np.intp]:
    if not np.isin(values, np.arange(MAX_RANK + 1)).all():
        raise ValueError(f"{name} must be whole numbers from 0 to {MAX_RANK:,}")
    return values.astype(np.intp)


def _describe(value: NDArray[Any]) -> str:
    kinds = {"U": "text", "c": "complex numbers", "O": "objects"}
    return kinds.get(value.dtype.kind, f"numbers, {_size(value)}")
