"""Convert arrays of any layout to samples (n, p, q) and labels (n,)."""

from collections import Counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .folding import Order
from .formats.errors import MatFileError, format_shape, quote

Missing = Literal["refuse", "drop", "impute", "keep"]


class MissingError(MatFileError):
    """An error about NaN or infinity; `ways` are the values of `Layout.missing` that avoid it."""

    ways: tuple[Missing, ...] = ("drop", "impute")


class MissingLabelError(MissingError):
    """An error about labels that are NaN or infinity; these cannot be imputed."""

    ways = ("drop",)


def stack_matrices(
    values: NDArray[Any],
    sample_axis: int,
    *,
    shape: tuple[int, int] | None = None,
    order: Order = "F",
    name: str = "samples",
) -> NDArray[Any]:
    """Return samples of shape (n, p, q) in the type of `values`, as a view if possible."""
    quoted, stored = quote(name), format_shape(values.shape)
    if values.dtype.kind not in "biuf":
        what = {"c": "complex numbers", "U": "text"}.get(values.dtype.kind, str(values.dtype))
        raise MatFileError(f"{quoted} holds {what}; samples must be real numbers.")
    if not values.size:
        raise MatFileError(f"{quoted} is empty: it is {stored}.")
    if values.ndim < 2:
        raise MatFileError(f"{quoted} is a vector of {values.size:,} numbers, not matrices.")
    along = f"axis {sample_axis % values.ndim + 1} (sample_axis={sample_axis})"
    while values.ndim > 3 and 1 in values.shape:
        last = values.ndim - 1 - values.shape[::-1].index(1)
        sample_axis -= sample_axis > last
        values = np.squeeze(values, last)
    if not -values.ndim <= sample_axis < values.ndim:
        raise MatFileError(
            f"sample_axis, which counts from 0, must be one of 0 to {values.ndim - 1}, or -1, for "
            f"{quoted} of {stored}, got {sample_axis}."
        )
    rows = np.moveaxis(values, sample_axis, 0)
    if shape is not None:
        p, q = shape
        length = rows[0].size
        if max(rows.shape[1:]) != length:
            raise MatFileError(
                f"shape folds flattened samples, but along {along} those of {quoted} "
                f"are {format_shape(rows.shape[1:])} already."
            )
        if min(p, q) < 1 or p * q != length:
            raise MatFileError(
                f"shape must be two whole numbers with the product {length:,}, which is the length "
                f"of a sample of {quoted} along {along}, got {p} × {q}."
            )
        rows = rows.reshape(-1, p, q) if order == "C" else rows.reshape(-1, q, p).swapaxes(1, 2)
    if rows.ndim != 3:
        raise MatFileError(
            f"{quoted} is {stored}: with samples along {along} each is "
            + (
                f"a vector of {rows[0].size:,} numbers; shape=(p, q) folds it to a matrix."
                if rows.ndim == 2
                else f"{format_shape(rows.shape[1:])}, which is not a matrix."
            )
        )
    return rows


def refuse_missing(X: NDArray[Any], name: str) -> None:
    """Raise an error if samples along the first axis hold NaN or infinity."""
    if X.dtype.kind != "f":
        return
    known = np.isfinite(X)
    if not known.all():
        bad = X.size - np.count_nonzero(known)
        first = np.flatnonzero(~known.reshape(len(X), -1).all(axis=1))[0]
        text = (
            f"{quote(name)} holds NaN or infinity, {bad:,} of its {X.size:,} numbers, first in "
            f"sample {first + 1} of {len(X):,}; samples must be finite."
        )
        if lost := int(np.count_nonzero(~known.any(axis=0))):
            text += f" {lost:,} entries have no value in any sample: filled in, they are 0."
        error = MissingError(text)
        if not known.reshape(len(X), -1).all(axis=1).any():
            error.ways = ("impute",)
        raise error


def to_labels(
    values: NDArray[Any],
    n: int,
    *,
    name: str = "labels",
    missing: bool = False,
    one_class: bool = False,
) -> NDArray[Any]:
    """Convert an array to one label for each of n samples; numbers and text keep their type.

    Unless `one_class`, there must be two different labels.
    """
    quoted = quote(name)
    if values.dtype.kind == "U" and values.size == 1 and len(values.item()) == n:
        values = np.array(list(values.item()))
    for hot in (values, values.T):
        if is_one_hot(hot, n):
            values = hot.argmax(axis=1) + 1
            break
    if max(values.shape, default=1) != values.size != n:
        raise MatFileError(
            f"{quoted} is {format_shape(values.shape)}; labels must be one vector, one label per "
            f"sample, or one-hot: {n:,} rows or columns, each a single 1 and zeros."
        )
    y = values.ravel("F")
    if len(y) != n:
        raise MatFileError(f"{quoted} has {len(y):,} labels for {n:,} samples.")
    if y.dtype.kind == "c":
        raise MatFileError(f"{quoted} holds complex numbers; labels must be real or text.")
    known = y[np.isfinite(y)] if y.dtype.kind == "f" else y
    if len(known) < n and not missing:
        bad = n - len(known)
        raise MissingLabelError(f"{quoted} holds NaN or infinity, {bad:,} of its {n:,} labels.")
    if not len(known):
        raise MatFileError(f"Every label in {quoted} is NaN or infinity.")
    if (known == known[0]).all() and not one_class:
        only = quote(y[0]) if y.dtype.kind == "U" else format_label(known[0])
        raise MatFileError(f"Every label in {quoted} is {only}; there must be two classes or more.")
    return y


def is_one_hot(values: NDArray[Any], n: int) -> bool:
    """Return whether each of n rows has a single 1, in the column of its class, and 0 or -1."""
    if values.ndim != 2 or not len(values) == n > 1 < values.shape[1]:
        return False
    if values.dtype.kind not in "biuf" or not any(
        np.isin(values, (cold, 1)).all() for cold in (0, -1)
    ):
        return False
    return bool(((values == 1).sum(axis=1) == 1).all())


def format_label(label: np.generic) -> str:
    """Format a label as MATLAB prints it: 3, not 3.0; long text is shortened in the middle."""
    value = label.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, str) and len(value) > 24:
        value = f"{value[:12]}…{value[-11:]}"
    return quote(value, 24)[1:-1]


def label_names(labels: NDArray[Any]) -> list[str]:
    """Format each label, with its number before it if two labels would look the same."""
    names = [format_label(label) for label in labels]
    counts = Counter(names)
    return [
        f"{number}: {name}" if counts[name] > 1 else name
        for number, name in enumerate(names, start=1)
    ]
