"""Statements in MATLAB and NumPy that apply a machine to a sample, with the arrays of its file."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pages.your_data.trial.form import SampleForm
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


def write_instructions(
    shape: tuple[int, int],
    scaling: Scaling,
    classes: NDArray[Any],
    calibrated: bool,
    form: SampleForm,
) -> dict[str, str]:
    """Return the texts that a machine's file has for MATLAB and for NumPy.

    They are ASCII, so that Octave can read all of them.
    """
    p, q = shape
    matlab, python = zip(
        *_scaling_statements(scaling),
        *VALUES,
        *_class_statements(classes, calibrated),
        strict=True,
    )
    fold = {
        "": "",
        "columns": f" A sample v that the data file has as a vector is X = reshape(v, {p}, {q}).",
        "rows": f" A sample v that the data file has as a vector is X = reshape(v, {q}, {p})'.",
    }[form.order]
    if form.joined:
        one, two = (at + 1 for at in form.joined)
        fold += f" Axes {one} and {two} of the data file are one axis of X, {one} the slowest."
    if form.place:
        fold += f" X is slice {form.place[1] + 1} along axis {form.place[0] + 1} of the data file."
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
    return steps


def _class_statements(classes: NDArray[Any], calibrated: bool) -> list[tuple[str, str]]:
    """Return the statements from the decision values f to the label and the probabilities."""
    label = "label = classes{%s}" if classes.dtype.kind == "U" else "label = classes(%s)"
    two = len(classes) == 2
    if two:
        steps = [(label % "1 + (f > 0)", "label = classes.ravel()[int(f[0] > 0)]")]
    else:
        steps = [
            ("[~, k] = max(f)", ""),
            (label % "k", "label = classes.ravel()[f.argmax()]"),
        ]
    if calibrated:
        steps += [
            (
                "probability = 1 ./ (1 + exp(slope .* f + offset))",
                "probability = 1 / (1 + np.exp(slope.ravel() * f + offset.ravel()))",
            ),
            (
                "probability = [1 - probability, probability]'",
                "probability = np.append(1 - probability, probability)",
            )
            if two
            else (
                "probability = (probability + realmin) / sum(probability + realmin)",
                "probability = probability + np.finfo(float).tiny; "
                "probability = probability / probability.sum()",
            ),
        ]
    return steps
