"""What all trained machines share: the way from a raw sample to a scaled one, and the file."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from pages.shared.files import list_variables, read_variables
from pages.shared.parts.array_files import to_mat, to_npz
from smmcore.estimators.scaling import Scaling, check_scaling

Array = NDArray[np.float64]
File = str | os.PathLike[str] | bytes | BinaryIO

MAX_RANK = 10_000
MAX_NUMBERS = 20_000_000  # in a file: small integers become eight bytes each
WRITERS = {".npz": to_npz, ".mat": to_mat}


class SavedMachine(ABC):
    """A trained machine that needs no training data, and the file that holds it."""

    W: Array  # (..., p', q'), weights for scaled samples
    scaling: Scaling  # from raw samples (p, q) to scaled ones (p', q')
    rank: Any  # of each W

    METHOD_NAMES: tuple[str, ...] = ()
    MAY_BE_NAN: tuple[str, ...] = ()  # arrays of its file that a method may lack
    REQUIRED: tuple[str, ...] = ("method", "W", "b", "scaling")  # arrays of its file
    OPTIONAL: tuple[str, ...] = ("fill", "left", "right", "each", "z_mean", "z_deviation")

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

    @abstractmethod
    def to_arrays(self) -> dict[str, object]:
        """Return everything as arrays and texts, with instructions for MATLAB and NumPy."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: Mapping[str, object]) -> Self:
        """Return the machine of `to_arrays`."""

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
    def load(cls, file: File) -> Self:
        """Read a machine from a file that `save` has written, .npz or .mat.

        `SavedMachine.load` reads a machine of any kind, `Machine.load` only a classifier.

        The file may come from anybody: it is parsed in a process with limits (see
        `pages.shared.files`), nothing is unpickled, and each array is checked.
        """
        kinds = cls.__subclasses__() or [cls]
        arrays = _read_arrays(
            file, {name for kind in kinds for name in (*kind.REQUIRED, *kind.OPTIONAL)}
        )
        check_present(SavedMachine.REQUIRED, arrays)
        method = to_text("method", arrays)
        for kind in kinds:
            if method in kind.METHOD_NAMES:
                return kind.from_arrays(arrays)
        known = ", ".join(name for kind in kinds for name in kind.METHOD_NAMES)
        raise ValueError(f"{cls.__name__} loads the methods {known}, got {method[:20]!r}")

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
                fits = " x ".join(map(str, shape)) or "a single number"
                raise ValueError(f"{name} must be {fits} to fit W, got {describe_size(array)}")
        for name, (array, _) in ({"W": (self.W, self.W.shape)} | arrays).items():
            if array is None or name in self.MAY_BE_NAN:
                continue
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite, got NaN or infinity")
        if not np.all(scaling.deviation > 0):
            low = np.min(scaling.deviation)
            raise ValueError(f"z_deviation must be positive, got {low:g}")
        if not np.all((np.array(self.rank) >= 0) & (np.array(self.rank) <= min(p, q))):
            raise ValueError(f"rank must be 0 to {min(p, q)} for W of {p} x {q}, got {self.rank}")
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
            raise ValueError(f"samples must be m x {p} x {q} for this machine, got {got}")
        if self.scaling.fill is None and not np.isfinite(X).all():
            raise ValueError(
                "samples must be finite: this machine was trained on complete samples and has no "
                "values to fill in"
            )
        return self.scaling(X)


def _read_arrays(file: File, wanted: Collection[str]) -> dict[str, Any]:
    """Read the variables of a file that are wanted and present; see `SavedMachine.load`."""
    found = {each.name: each for each in list_variables(file) if each.name in wanted}
    size = sum(prod(each.shape) for each in found.values())
    if size > MAX_NUMBERS:
        raise ValueError(f"a machine may have {MAX_NUMBERS:,} numbers at most, got {size:,}")
    return dict(zip(found, read_variables(file, list(found)) if found else [], strict=True))


def check_present(required: Collection[str], arrays: Mapping[str, object]) -> None:
    """Refuse arrays that lack one that is required."""
    if missing := [name for name in required if name not in arrays]:
        raise ValueError(
            f"this is not a machine that was saved here: it has no {', '.join(missing)}"
        )


def read_scaling(arrays: Mapping[str, object]) -> Scaling:
    """Return the scaling of a file's arrays; see `Scaling.to_arrays`."""
    kind = to_text("scaling", arrays)
    check_scaling(kind[:20])
    present = {name: to_numbers(name, arrays) for name in SavedMachine.OPTIONAL if name in arrays}
    if not np.isin(present.get("each", 0.0), (0, 1)).all():
        raise ValueError("each must be 0 or 1")
    names = ("z_mean", "z_deviation") if kind == "z-score" else ()
    if missing := [name for name in names if name not in present]:
        raise ValueError(f"the scaling is z-score, but there is no {', '.join(missing)}")
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
    return scaling


def describe_size(array: Any) -> str:
    """Return the shape of an array, such as "2 x 3"."""
    return " x ".join(map(str, np.shape(array))) or "a single number"


def to_text(name: str, arrays: Mapping[str, object]) -> str:
    """Return an array of a single text as this text."""
    value = np.asarray(arrays[name])
    if value.dtype.kind != "U" or value.size != 1:
        raise ValueError(f"{name} must be a text, got {_describe(value)}")
    return str(value.item())


def to_numbers(name: str, arrays: Mapping[str, object]) -> Array:
    """Return an array of real numbers as doubles."""
    value = np.asarray(arrays[name])
    if value.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {_describe(value)}")
    return value.astype(float)


def to_ranks(name: str, arrays: Mapping[str, object]) -> NDArray[np.intp]:
    """Return an array of ranks, flat."""
    values = to_numbers(name, arrays).ravel("F")
    if not np.isin(values, np.arange(MAX_RANK + 1)).all():
        raise ValueError(f"{name} must be whole numbers from 0 to {MAX_RANK:,}")
    return values.astype(np.intp)


def _describe(value: NDArray[Any]) -> str:
    kinds = {"U": "text", "c": "complex numbers", "O": "objects"}
    return kinds.get(value.dtype.kind, f"an array of {describe_size(value)}")
