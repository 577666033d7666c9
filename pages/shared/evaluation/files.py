"""What a reader takes home of a test: the predictions as a table, a machine as arrays."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.evaluation.scores import Array, Rows, predicted

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


class Part(NamedTuple):
    """What a machine says about a part of the samples."""

    split: int  # from 0
    name: str  # "train" or "test"
    rows: Rows  # (m,), places of the samples in the file, from 0
    truth: Rows  # (m,), codes
    decision: Array  # (m, 1) or (m, K)


def predictions(classes: NDArray, parts: Iterable[Part]) -> bytes:
    """The table of predictions (.csv); samples and splits are counted from 1.

    Parameters
    ----------
    classes : ndarray of shape (K,)
        The labels as they came.
    parts : iterable of Part
    """
    names = [_whole(label) for label in classes.tolist()]
    labels = [_harmless(name) for name in names]
    values = ["decision_value"]
    if len(names) > 2:
        values = [f"decision_value {name}" for name in names]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["sample", "split", "part", "label", "prediction", *values])
    for part in parts:
        columns = part.rows + 1, part.truth, predicted(part.decision), part.decision
        for row, true, named, decision in zip(*(c.tolist() for c in columns), strict=True):
            table.writerow([row, part.split + 1, part.name, labels[true], labels[named], *decision])
    return text.getvalue().encode()


def _whole(label: object) -> object:
    """3 instead of 3.0: MATLAB's numbers are doubles."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def _harmless(label: object) -> object:
    """A text that would run as a formula in a spreadsheet gets an apostrophe before it."""
    text = str(label)
    formula = text.lstrip()[:1] in tuple("=+-@＝＋－＠") or text[:1] in ("\t", "\r", "\n")
    return f"'{text}" if formula and not NUMBER.fullmatch(text) else label


def model(
    W: Array,
    b: Array,
    classes: NDArray,
    *,
    mean: Array | float = 0.0,
    scale: Array | float = 1.0,
    unit_length: bool = False,
    fill: Array | None = None,
) -> dict[str, object]:
    """A machine as arrays for MATLAB and NumPy, and how to use it, in the units of the file.

    Parameters
    ----------
    W : ndarray of shape (1, p, q) or (K, p, q)
        Of scaled samples.
    b : ndarray of shape (1,) or (K,)
    classes : ndarray of shape (K,)
    mean, scale : ndarray of shape (p, q) or float
        The machine was trained on (X - mean) / scale; this is folded into W and b.
    unit_length : bool
        It was trained on samples divided by their Euclidean norm. That cannot be folded.
    fill : ndarray of shape (p, q), optional
        What missing numbers became before, where there were any.
    """
    W = W / scale
    b = b - (W * mean).sum(axis=(1, 2))
    _, p, q = W.shape
    before = ["x = x / max(norm(x), realmin)"] if unit_length else []
    before_numpy = ["x = x / max(np.linalg.norm(x), np.finfo(float).tiny)"] if unit_length else []
    if fill is not None:
        before.insert(0, "x(~isfinite(x)) = fill(~isfinite(x))")
        before_numpy.insert(0, "x = np.where(np.isfinite(x), x, fill)")
    text = np.asarray(classes).dtype.kind in "UO"
    label = "label = classes{%s}" if text else "label = classes(%s)"
    two = len(W) == 1
    matlab = [
        "x = double(X(:))",
        *before,
        f"f = reshape(W, {p * q}, [])' * x + b",
        label % "1 + (f > 0)" if two else "[~, k] = max(f)",
        *([] if two else [label % "k"]),
    ]
    python = [
        "x = np.asarray(X, float)",
        *before_numpy,
        "f = np.tensordot(x, W, 2) + b.ravel()",
        "label = classes.ravel()[" + ("int(f[0] > 0)]" if two else "f.argmax()]"),
    ]
    return {
        "W": np.moveaxis(W, 0, -1),
        "b": b,
        "classes": classes,
        **({} if fill is None else {"fill": fill}),
        "use": (
            f"MATLAB, for a sample X, a {p} x {q} matrix in the units of the data file: "
            f"{'; '.join(matlab)}. A sample v that the file has as a vector is X = reshape(v, {p}, "
            f"{q}) if it runs down the columns, X = reshape(v, {q}, {p})' if along the rows. "
            "Several samples: one after the other"
        ),
        "use_numpy": "; ".join(python),
    }
