"""A trained classifier that needs no training data, and the file that holds it.

The file says how to use it, in statements for MATLAB and NumPy with the arrays of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.trial import SplitResult
from smmcore.arrays import Array
from smmcore.decision import decision_values
from smmcore.estimators.scaling import CONSTANT, Scaling

# Octave 7 takes as many bytes of UTF-8 as a text has letters, and SciPy writes no UTF-16.
OCTAVE_LABELS = (
    ". Octave cannot read letters beyond ASCII, which some labels have: go by the place of the "
    "label in classes"
)
VALUES = [  # from a scaled sample to its decision values
    ("f = reshape(W, numel(x), [])' * x(:) + b", ""),
    ("", "f = np.tensordot(x, W.reshape(*x.shape, -1), 2) + b.ravel()"),
]


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
    # By which new samples are read
    form: SampleForm = field(default_factory=SampleForm, repr=False)
    # Fingerprints of the training samples, if they are known
    seen: Array = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows p and columns q of a raw sample."""
        p, q = self.W.shape[-2:]
        left, right = self.scaling.left, self.scaling.right
        return p if left is None else left.shape[1], q if right is None else len(right)

    @classmethod
    def from_result(cls, result: SplitResult, classes: NDArray[Any]) -> Machine:
        """Return the classifier that a trial has trained on the training set of a split."""
        return cls(result.spec.method, result.W, result.b, result.scaling, classes)

    def decision(self, X: NDArray[Any]) -> Array:
        """Return the decision values f(X) of raw samples (m, p, q)."""
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            decision = decision_values(self.scaling(X.astype(float)), self.W, self.b)
        if not np.isfinite(decision).all():
            raise ValueError("the decision values are too large: are the samples in other units?")
        return decision

    def to_arrays(self) -> dict[str, object]:
        """Return everything as arrays and texts, with instructions for MATLAB and NumPy.

        W has the shape (p', q', K'). Absent are the steps of the scaling that do nothing.
        """
        return {
            "method": self.method,
            "W": np.moveaxis(self.W, 0, -1),
            "b": self.b,
            "classes": self.classes,
            **self.scaling.to_arrays(),
            **write_instructions(self.shape, self.scaling, self.classes, self.form),
        }


def write_instructions(
    shape: tuple[int, int],
    scaling: Scaling,
    classes: NDArray[Any],
    form: SampleForm,
) -> dict[str, str]:
    """Return the texts that a classifier's file has for MATLAB and for NumPy.

    They are ASCII, so that Octave can read all of them.
    """
    p, q = shape
    matlab, python = zip(
        *_scaling_statements(scaling),
        *VALUES,
        *_class_statements(classes),
        strict=True,
    )
    fold = {
        "": "",
        "columns": f" A sample v that the data file has as a vector is X = reshape(v, {p}, {q}).",
        "rows": f" A sample v that the data file has as a vector is X = reshape(v, {q}, {p})'.",
    }[form.order]
    layout = form.layout
    if layout.triangle is not None:
        triangle = {
            "columns": f"triu(true({p}), {layout.triangle})",
            "rows": f"tril(true({p}), {-layout.triangle})",
        }[form.order]
        fold = (
            f" A sample v that the data file has as a triangle is X = zeros({p}); "
            f"X({triangle}) = v; X = X + X' - diag(diag(X))."
        )
    if layout.segment:
        fold += (
            " X is the spectrogram of a window: that of each channel x below one another, in Python"
            " np.log10(scipy.signal.spectrogram(x, nperseg="
            f"{layout.segment}, detrend=False)[2])."
        )
    if layout.joined:
        one, two = (at + 1 for at in layout.joined)
        fold += f" Axes {one} and {two} of the data file are one axis of X, {one} the slowest."
    if layout.place:
        one, place = (at + 1 for at in layout.place)
        fold += f" X is slice {place} along axis {one} of the data file."
    if form.is_cut:
        fold += f" Of a larger matrix, X = X(1:{p}, 1:{q})."
    octave = "" if "".join(map(str, classes)).isascii() else OCTAVE_LABELS
    return {
        "use": (
            f"MATLAB, for a sample X, a matrix of {p} x {q} in the units of the data file: "
            f"{'; '.join(filter(None, matlab))}.{fold} Several samples: one after the other{octave}"
        ),
        "use_numpy": "; ".join(filter(None, python)),
    }


def _scaling_statements(scaling: Scaling) -> list[tuple[str, str]]:
    """Return pairs of statements in MATLAB and in Python, in the order of `Scaling`."""
    steps = [("x = double(X)", "x = np.asarray(X, float)")]
    if scaling.fill is not None:
        steps.append(
            ("x(~isfinite(x)) = fill(~isfinite(x))", "x = np.where(np.isfinite(x), x, fill)")
        )
    products, matlab, python = [], "abs(x)", "abs(x)"
    if scaling.left is not None:
        products.append(("x = left * x", "x = left @ x"))
        matlab, python = f"abs(left) * {matlab}", f"abs(left) @ {python}"
    if scaling.right is not None:
        products.append(("x = x * right", "x = x @ right"))
        matlab, python = f"{matlab} * abs(right)", f"{python} @ abs(right)"
    if scaling.each:  # a sample counts as constant below the least deviation
        matlab = f"least = {CONSTANT:g} * max(reshape({matlab}, [], 1))"
        steps.append((matlab, f"least = {CONSTANT:g} * ({python}).max()"))
    steps += products
    if scaling.each:
        steps += [
            ("x = x - mean(x(:))", "x = x - x.mean()"),
            ("s = std(x(:), 1)", "s = x.std()"),
            ("x = (s > least) * x / (s + (s == 0))", "x = (s > least) * x / (s or 1)"),
        ]
    if scaling.kind == "unit length":
        steps += [
            ("s = norm(x(:))", "s = np.linalg.norm(x)"),
            ("x = x / (s + (s == 0))", "x = x / (s or 1)"),
        ]
    if scaling.kind == "z-score":
        steps.append(("x = (x - z_mean) ./ z_deviation", "x = (x - z_mean) / z_deviation"))
    if scaling.kind == "whitened":
        steps.append(
            (
                "x = white_left * (x - white_mean) * white_right",
                "x = white_left @ (x - white_mean) @ white_right",
            )
        )
    return steps


def _class_statements(classes: NDArray[Any]) -> list[tuple[str, str]]:
    """Return the statements from the decision values f to the label."""
    label = "label = classes{%s}" if classes.dtype.kind == "U" else "label = classes(%s)"
    two = len(classes) == 2
    if two:
        steps = [(label % "1 + (f > 0)", "label = classes.ravel()[int(f[0] > 0)]")]
    else:
        steps = [
            ("[~, k] = max(f)", ""),
            (label % "k", "label = classes.ravel()[f.argmax()]"),
        ]
    return steps
