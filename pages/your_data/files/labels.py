"""Labels, groups and marks of the test part, one for each sample, and how labels are written."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .formats.errors import FileError, format_shape, quote
from .formats.variables import TEST_WORDS, VALIDATION_WORDS, split_words
from .layout import Missing, Sense


class MissingError(FileError):
    """An error about NaN or infinity; `ways` are the values of `Layout.missing` that avoid it."""

    def __init__(self, sentence: str, *ways: Missing) -> None:
        super().__init__(sentence)
        self.ways = ways


def to_labels(values: NDArray[Any], n: int, name: str, *, one_class: bool = False) -> NDArray[Any]:
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
        raise FileError(
            f"{quoted} is {format_shape(values.shape)}; labels must be one vector, one label per "
            f"sample, or one-hot: {n:,} rows or columns, each a single 1 and zeros."
        )
    y = values.ravel("F")
    if len(y) != n:
        raise FileError(f"{quoted} has {len(y):,} labels for {n:,} samples.")
    if y.dtype.kind == "c":
        raise FileError(f"{quoted} holds complex numbers; labels must be real or text.")
    known = y[are_known(y)]
    if not len(known):
        raise FileError(f"Every label in {quoted} is NaN or infinity.")
    if (known == known[0]).all() and not one_class:
        only = quote(y[0]) if y.dtype.kind == "U" else format_label(known[0])
        raise FileError(f"Every label in {quoted} is {only}; there must be two classes or more.")
    return y


def refuse_missing_labels(y: NDArray[Any], name: str) -> None:
    """Raise an error if labels are missing; they cannot be imputed."""
    if bad := np.count_nonzero(~are_known(y)):
        nan = "" if y.dtype.kind == "U" else " (NaN or infinity)"
        raise MissingError(
            f"{quote(name)} has no label{nan} for {bad:,} of its {len(y):,} samples.", "drop"
        )


def number_alike(y: NDArray[Any], part: NDArray[Any] | None) -> NDArray[Any]:
    """Return texts in lower case, and numbers as ranks within each part, from 1."""
    if y.dtype.kind == "U":
        return np.strings.lower(y)
    ranks = np.zeros(len(y), int)
    for each in np.unique(part) if part is not None else [None]:
        here = np.ones(len(y), bool) if part is None else part == each
        ranks[here] = 1 + np.unique(y[here], return_inverse=True)[1]
    return ranks


def are_known(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which labels are neither NaN nor infinity, nor an empty text."""
    if y.dtype.kind == "U":
        return np.asarray(y != "")
    return np.isfinite(y) if y.dtype.kind == "f" else np.ones(y.shape, bool)


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


def are_equivalent(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two vectors divide the samples in the same way."""
    if one.shape != other.shape:
        return False
    codes = [np.unique(each, return_inverse=True)[1] for each in (one, other)]
    k = len(np.unique(codes[0]))
    return len(np.unique(codes[1])) == k == len(np.unique(np.stack(codes), axis=1).T)


def require_one_each(values: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    """Return n values as a vector, or raise an error if there are not n."""
    if values.size != n:
        raise FileError(f"{quote(name)} has {values.size:,} values for {n:,} samples.")
    return values.ravel("F")


def make_test_mask(values: NDArray[Any], n: int, sense: Sense, name: str) -> NDArray[np.bool_]:
    """Return which of n samples a vector marks for testing; none or all is an error."""
    if sense in ("places", "other places"):
        first = 0 if values.dtype.kind in "biuf" and (values == 0).any() else 1  # as NumPy counts
        places = np.arange(first, n + first)
        if values.dtype.kind not in "biuf" or not np.isin(values, places).all():
            raise FileError(
                f"{quote(name)} must hold places of samples, {first} to {places[-1]:,}."
            )
        test = np.isin(places, values, invert=sense != "places")
    elif (values := require_one_each(values, n, name)).dtype.kind == "U":
        words = [split_words(str(value)) for value in values]
        test = np.array([not each.isdisjoint(TEST_WORDS) for each in words])
        if not test.any():
            test = np.array([not each.isdisjoint(VALIDATION_WORDS) for each in words])
    else:
        test = values == (values.max() if sense == "largest" else values.min())
    if test.all() or not test.any():
        some = "all" if test.all() else "none"
        raise FileError(
            f"By {quote(name)} {some} of the {n:,} samples are for testing; some must be."
        )
    return test


def split_at(y: NDArray[Any], threshold: float, name: str) -> NDArray[np.str_]:
    """Return two classes of numbers, up to a threshold and above it."""
    if y.dtype.kind not in "biuf":
        raise FileError(f"{quote(name)} holds text, which a threshold cannot divide.")
    above = y > threshold
    if above.all() or not above.any():
        raise FileError(
            f"The threshold must divide {quote(name)}, which runs from {y.min():g} to "
            f"{y.max():g}, got {threshold:g}."
        )
    number = f"{threshold:.6g}".replace("-", "\N{MINUS SIGN}")
    return np.where(above, f"above {number}", f"up to {number}")
