"""From arrays as MATLAB users lay them out to samples (n, p, q) and labels (n,)."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .formats import MatFileError, shown, times


class MissingError(MatFileError):
    """NaN or infinity: `ways` are the values of `Layout.missing` that would do."""

    ways: tuple[str, ...] = ("drop", "impute")


class MissingLabelError(MissingError):
    """Labels that are NaN or infinity: nothing could be put there."""

    ways = ("drop",)


def to_samples(
    values: NDArray[Any],
    sample_axis: int,
    *,
    shape: tuple[int, int] | None = None,
    order: Literal["F", "C"] = "F",
    name: str = "samples",
    missing: bool = False,
) -> NDArray[np.float64]:
    """Lay samples out as one (n, p, q) array.

    Parameters
    ----------
    values : ndarray
        Matrices stacked along any axis, or, with `shape`, flattened ones in the rows or columns of
        a 2-D array. Where there are more than three axes, those of length 1 are dropped.
    sample_axis : int
        The axis of `values` that runs over samples, from 0; -1 is the last. Messages count as
        MATLAB does, from 1.
    shape : (int, int), optional
        Rows p and columns q of a flattened sample.
    order : {"F", "C"}
        Whether a flattened sample runs down its columns (MATLAB's `X(:)`) or along its rows.
    name : str
        What error messages call `values`.
    missing : bool
        Whether NaN and infinity may be among the numbers.

    Returns
    -------
    ndarray of shape (n, p, q), float64

    Raises
    ------
    MatFileError
        Where the array has no such layout, or holds what is not a finite real number.
    """
    X = laid(values, sample_axis, shape=shape, order=order, name=name)
    if not missing:
        refuse_missing(X, name)
    return np.array(X, dtype=np.float64, order="C")


def laid(
    values: NDArray[Any],
    sample_axis: int,
    *,
    shape: tuple[int, int] | None = None,
    order: Literal["F", "C"] = "F",
    name: str = "samples",
) -> NDArray[Any]:
    """The samples of `to_samples` in the type they came in, as a view where one will do."""
    called, stored = shown(name), times(values.shape)
    if values.dtype.kind not in "biuf":
        what = {"c": "complex numbers", "U": "text"}.get(values.dtype.kind, str(values.dtype))
        raise MatFileError(f"{called} holds {what}; samples must be real numbers.")
    if not values.size:
        raise MatFileError(f"{called} is empty: it is {stored}.")
    if values.ndim < 2:
        raise MatFileError(f"{called} is a vector of {values.size:,} numbers, not matrices.")
    along = f"axis {sample_axis % values.ndim + 1} (sample_axis={sample_axis})"
    while values.ndim > 3 and 1 in values.shape:
        last = values.ndim - 1 - values.shape[::-1].index(1)
        sample_axis -= sample_axis > last
        values = np.squeeze(values, last)
    if not -values.ndim <= sample_axis < values.ndim:
        raise MatFileError(
            f"sample_axis, which counts from 0, must be one of 0 to {values.ndim - 1}, or -1, for "
            f"{called} of {stored}, got {sample_axis}."
        )
    rows = np.moveaxis(values, sample_axis, 0)
    if shape is not None:
        p, q = shape
        length = rows[0].size
        if max(rows.shape[1:]) != length:
            raise MatFileError(
                f"shape folds flattened samples, but along {along} those of {called} "
                f"are {times(rows.shape[1:])} already."
            )
        if min(p, q) < 1 or p * q != length:
            raise MatFileError(
                f"shape must be two whole numbers with the product {length:,}, which is the length "
                f"of a sample of {called} along {along}, got {p} x {q}."
            )
        rows = rows.reshape(-1, p, q) if order == "C" else rows.reshape(-1, q, p).swapaxes(1, 2)
    if rows.ndim != 3:
        raise MatFileError(
            f"{called} is {stored}: with samples along {along} each is "
            + (
                f"a vector of {rows[0].size:,} numbers; shape=(p, q) folds it to a matrix."
                if rows.ndim == 2
                else f"{times(rows.shape[1:])}, which is not a matrix."
            )
        )
    return rows


def refuse_missing(X: NDArray[Any], name: str) -> None:
    """Raise an error where samples along the first axis hold NaN or infinity."""
    if X.dtype.kind != "f":
        return
    context = np.isfinite(X)
    if not context.all():
        bad = X.size - np.count_nonzero(context)
        first = np.flatnonzero(~context.reshape(len(X), -1).all(axis=1))[0]
        raise MissingError(
            f"{shown(name)} holds NaN or infinity, {bad:,} of its {X.size:,} numbers, first in "
            f"sample {first + 1} of {len(X):,}; samples must be finite."
        )


def to_labels(
    values: NDArray[Any], n: int, *, name: str = "labels", missing: bool = False
) -> NDArray[Any]:
    """One label for each of n samples, as given: numbers stay numbers, text stays text.

    Parameters
    ----------
    values : ndarray
        A vector of n labels of any orientation, an array of n, column by column (one for each cell
        of a cell array), one text of n characters, or a one-hot matrix: n rows (or columns) that
        hold a single 1, in the place of the class, from 1, and zeros or -1.
    n : int
        How many samples there are.
    name : str
        What error messages call `values`.
    missing : bool
        Whether NaN and infinity may be among the labels.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    MatFileError
        Where there are not n labels, fewer than two classes, or a label is NaN or complex.
    """
    called = shown(name)
    if values.dtype.kind == "U" and values.size == 1 and len(values.item()) == n:
        values = np.array(list(values.item()))
    for hot in (values, values.T):
        if is_one_hot(hot, n):
            values = hot.argmax(axis=1) + 1
            break
    if max(values.shape, default=1) != values.size != n:
        raise MatFileError(
            f"{called} is {times(values.shape)}; labels must be one vector, one label a sample, or "
            f"one-hot: {n:,} rows or columns, each a single 1 and zeros."
        )
    y = values.ravel("F")
    if len(y) != n:
        raise MatFileError(f"{called} has {len(y):,} labels for {n:,} samples.")
    if y.dtype.kind == "c":
        raise MatFileError(f"{called} holds complex numbers; labels must be real or text.")
    context = y[np.isfinite(y)] if y.dtype.kind == "f" else y
    if len(context) < n and not missing:
        bad = n - len(context)
        raise MissingLabelError(f"{called} holds NaN or infinity, {bad:,} of its {n:,} labels.")
    if not len(context):
        raise MatFileError(f"Every label in {called} is NaN or infinity.")
    if (context == context[0]).all():
        only = shown(y[0]) if y.dtype.kind == "U" else written(context[0])
        raise MatFileError(f"Every label in {called} is {only}; there must be two classes or more.")
    return y


def is_one_hot(values: NDArray[Any], n: int) -> bool:
    """Whether each of n rows has a single 1, in the column of its class, and zeros, or -1."""
    if values.ndim != 2 or not len(values) == n > 1 < values.shape[1]:
        return False
    if values.dtype.kind not in "biuf" or not any(
        np.isin(values, (cold, 1)).all() for cold in (0, -1)
    ):
        return False
    return bool(((values == 1).sum(axis=1) == 1).all())


def written(label: np.generic) -> str:
    """A label as MATLAB would print it: 3, not 3.0; text as it is, shortened in its middle."""
    value = label.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, str) and len(value) > 24:
        value = f"{value[:12]}…{value[-11:]}"
    return shown(value, 24)[1:-1]


def distinct(labels: NDArray[Any]) -> list[str]:
    """Each label as `written`, with its number before it where two would read the same."""
    names = [written(label) for label in labels]
    return [
        f"{number}: {name}" if names.count(name) > 1 else name
        for number, name in enumerate(names, start=1)
    ]
