"""The pickers of a layout: what holds samples and labels, and how they lie."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt, prod

import streamlit as st

from pages.shared.recipes import MAX_SIDE
from pages.shared.uploads.choice import plain
from smmcore.matfile import (
    EACH,
    NUMERIC,
    READABLE,
    Layout,
    MatFileError,
    Variable,
    agree,
    long_axes,
    may_tell,
    shown,
)

ORDERS = {"F": "down columns", "C": "along rows"}
MISSING = {"refuse": "Say so", "drop": "Leave out", "impute": "Fill in means"}
IMPLIED = {
    "variable": "implied: one variable for each class",
    "row": "implied: the row of the cell array",
    "column": "implied: the column of the cell array",
    "first column": "in the first column of the samples",
    "last column": "in the last column of the samples",
    "axis": "implied: the place along an axis",
}
PLACES = {"places": "the places in {}", "other places": "the places not in {}"}
NONE = ""


def label_said(layout: Layout) -> str:
    """Where the labels are."""
    if layout.class_axis is not None:
        return f"implied: the place along axis {layout.class_axis + 1}"
    return plain(shown(layout.labels)[1:-1]) if layout.labels else IMPLIED[layout.implied]


def groups_said(layout: Layout) -> str:
    """Where the groups are."""
    name = shown(layout.samples[0], 80)[1:-1]
    if layout.groups:
        return shown(layout.groups, 80)[1:-1]
    if layout.group_axis is not None:
        return f"axis {layout.group_axis + 1} of {name}"
    if layout.cells and not layout.implied:
        return f"one for each {name}" if EACH in name else f"the cells of {name}"
    return "none"


def difference(way: Layout, layout: Layout, labels: dict[str, Variable]) -> str:
    """What is different in another reading, for a button; `labels` holds what may tell parts."""
    if way.samples != layout.samples:
        return f"from {plain(shown(way.samples[0], 20)[1:-1])}"
    if way.axis != layout.axis:
        return f"samples along axis {way.axis + 1}"
    if way.class_axis is not None and way.class_axis != layout.class_axis:
        return f"classes along axis {way.class_axis + 1}"
    if (way.labels, way.implied) != (layout.labels, layout.implied):
        told = plain(shown(way.labels, 20)[1:-1]) if way.labels else f"the {way.implied}"
        return f"labels by {told}"
    if way.shape and (way.shape, way.order) != (layout.shape, layout.order):
        return f"{way.shape[0]} x {way.shape[1]}, {ORDERS[way.order]}"
    if way.parts and (way.parts, way.sense) != (layout.parts, layout.sense):
        return f"test part: {plain(part_said(labels, way.parts, way.sense))}"
    if layout.parts and not way.parts:
        return "no test part"
    return "as proposed"


def guess(found) -> Layout:
    """Where the pickers begin when nothing could be proposed."""
    matrices = _matrices(found.variables)
    if not matrices:
        raise MatFileError(found.reason)
    samples = max(matrices, key=lambda name: prod(matrices[name].shape))
    labels = next(iter(_vectors(found, samples)), "")
    axis = 0 if matrices[samples].matlab_class == "cell" else long_axes(matrices[samples].shape)[-1]
    m = [n for at, n in enumerate(matrices[samples].shape) if at != axis and n > 1]
    shape = _folds(m[0])[0] if len(m) == 1 and matrices[samples].matlab_class != "cell" else None
    return Layout((samples,), axis, shape, labels=labels)


def pick(found, start: Layout, key: str) -> Layout:
    """Draw the pickers, which begin as in `start`, and return the layout they say."""
    matrices = _matrices(found.variables)
    top = st.container()
    implied, labels = _pick_labels(found, start, matrices, key)
    with top:
        samples = _pick_samples(matrices, start, implied, key)
    first = matrices[samples[0]]
    same = samples == start.samples
    cell = first.matlab_class == "cell"
    axes = sorted({0, start.axis} if same else {0}) if cell else long_axes(first.shape)
    axis = st.radio(
        "Samples run along",
        axes,
        index=axes.index(start.axis) if start.axis in axes else len(axes) - 1,
        format_func=lambda axis: _axis_said(first, axis),
        key=f"axis {samples[0]} {key}",
        persist_state="session",
    )
    class_axis = _pick_class_axis(first, axis, start, key) if implied == "axis" else None
    shape, order = _pick_fold(first, samples, (axis, class_axis), implied, start, key)
    kept = same and axis == start.axis
    base = Layout(
        samples,
        axis,
        shape,
        order,
        labels=labels,
        implied=implied,
        cells=first.shape if cell and (implied in ("row", "column") or axis) else None,
        mean_over=start.mean_over if kept else None,
        class_axis=class_axis,
        group_axis=start.group_axis if kept and labels else None,
    )
    outer = [at for at in (axis, class_axis, base.group_axis) if at is not None]
    n = prod(first.shape if cell else (first.shape[at] for at in outer))
    beside = [
        name
        for name, each in may_tell(samples, found.labels, found.beside).items()
        if _length(each) == n and name != labels
    ]
    test, parts, sense = _pick_test(found, matrices, samples, labels, axis, beside, start, key)
    groups = _select(
        "Groups: subject, session",
        [NONE, *beside],
        start.groups,
        f"{groups_said(base)} {key}",  # Streamlit knows an option by what it says
        lambda name: groups_said(replace(base, groups=name)),
    )
    if test and groups == start.groups:  # those of the test part go with them
        test = (*test[:2], *(start.test or ())[2:])
    missing = st.radio(
        "Samples with NaN or infinity",
        list(MISSING),
        index=list(MISSING).index(start.missing),
        format_func=MISSING.get,
        horizontal=True,
        key=f"missing {key}",
        persist_state="session",
        help="The mean of an entry over the training part of each split, which knows nothing of "
        "the test.",
    )
    return replace(base, test=test, parts=parts, sense=sense, groups=groups, missing=missing)


def _select(label: str, options: list, default: object, key: str, said=None):
    return st.selectbox(
        label,
        options,
        index=options.index(default) if default in options else 0,
        format_func=said or (lambda name: shown(name, 80)[1:-1] or "none"),
        key=f"{label} {key}",
        persist_state="session",
    )


def _pick_labels(found, start: Layout, matrices: dict[str, Variable], key: str):
    """What kind of labels: implied or not, and the name of their variable."""
    options = [] if start.labels or start.implied else [("", "")]
    options += [("", name) for name in _vectors(found, start.samples[0])]
    if any(each.matlab_class == "cell" for each in matrices.values()):
        options += [("row", ""), ("column", "")]
    if any(len(each.shape) == 2 for each in matrices.values()):
        options += [("last column", ""), ("first column", "")]
    if len(matrices) > 1:
        options.append(("variable", ""))
    if any(len(long_axes(each.shape)) > 2 for each in matrices.values()):
        options.append(("axis", ""))

    def said(option: tuple[str, str]) -> str:
        implied, name = option
        if implied:
            return IMPLIED[implied]
        return described(found.labels[name]) if name else "none in this file"

    return _select("Labels", options or [("", "")], (start.implied, start.labels), key, said)


def _pick_samples(
    matrices: dict[str, Variable], start: Layout, implied: str, key: str
) -> tuple[str, ...]:
    several = len(start.samples) > 1
    if implied != "variable" and not (several and implied == start.implied):
        return (_select("Samples", list(matrices), start.samples[0], key, _said(matrices)),)
    default = list(start.samples) if several else list(matrices)
    picked = st.multiselect(
        "Samples, a variable for each class",
        list(matrices),
        default=default,
        format_func=_said(matrices),
        key=f"stacks {key}",
        persist_state="session",
    )
    if len(picked) < 2:
        raise MatFileError(f"It takes two classes or more, got {len(picked)} variables.")
    return tuple(picked)


def _pick_class_axis(first: Variable, axis: int, start: Layout, key: str) -> int:
    """The axis that runs over the classes."""
    axes = [at for at in long_axes(first.shape) if at != axis]
    if len(axes) < 2:
        raise MatFileError(f"{shown(first.name)} has no axis left that could run over classes.")
    return st.radio(
        "Classes run along",
        axes,
        index=axes.index(start.class_axis) if start.class_axis in axes else len(axes) - 1,
        format_func=lambda at: f"axis {at + 1}: {first.shape[at]:,} classes",
        key=f"class axis {axis} {key}",
        persist_state="session",
    )


def _pick_fold(first: Variable, samples, taken: tuple, implied: str, start: Layout, key: str):
    """Rows and columns of flattened samples, and their order."""
    if first.matlab_class == "cell":
        if samples != start.samples or start.shape is None:
            return None, "F"
        m = prod(start.shape)
    else:
        lengths = [n for at, n in enumerate(first.shape) if at not in taken and n > 1]
        if len(lengths) != 1:
            return None, "F"
        m = lengths[0] - implied.endswith(" column")
    shapes = _folds(m)
    key = f"{m} {key}"
    left, right = st.columns(2)
    with left:
        shape = _select(
            "Rows x columns", shapes, start.shape, key, lambda shape: f"{shape[0]} x {shape[1]}"
        )
    order = right.radio(
        "Its numbers run",
        list(ORDERS),
        index=list(ORDERS).index(start.order),
        format_func=ORDERS.get,
        key=f"order {key}",
        persist_state="session",
        help="MATLAB's X(:) runs down the columns. The pictures tell: in the wrong order they look "
        "torn, or lie on their side.",
    )
    return shape, order


def _pick_test(found, matrices, samples, labels: str, axis: int, beside, start: Layout, key: str):
    """Samples and labels of the file's own test part, or the vector that tells it."""
    first = matrices[samples[0]]

    def fits(name: str) -> bool:
        return name not in samples and agree(matrices[name].shape, first.shape, axis)

    options = [("", "")]
    if labels:
        options += [("samples", name) for name in matrices if fits(name)]
    for name in beside:
        text = found.labels[name].matlab_class not in NUMERIC
        options += [(sense, name) for sense in (("largest",) if text else ("largest", "smallest"))]
    own = (
        ("variables" if start.implied == "variable" else "samples", start.test[0])
        if start.test
        else None
    )
    default = own or (start.parts and start.sense, start.parts)
    options += (
        [default]
        if default[0] in PLACES or (default[0] == "variables" and samples == start.samples)
        else []
    )

    def said(option: tuple[str, str]) -> str:
        sense, name = option
        return "none" if not name else part_said(found.labels, name, sense)

    sense, name = _select("The file's own test part", options, default, key, said)
    if sense == "variables":
        return start.test, "", "largest"
    if sense != "samples":
        return None, name, sense or "largest"
    theirs = _vectors(found, name)
    chosen = start.test[1] if start.test else None
    return (name, _select("Labels of the test part", list(theirs), chosen, key)), "", "largest"


def part_said(variables: dict[str, Variable], name: str, sense: str) -> str:
    """Where the test part is."""
    text = shown(name, 80)[1:-1]
    if sense in PLACES:
        return PLACES[sense].format(text)
    if sense == "samples":
        return text
    if sense == "variables":
        return f"{text} ..."
    words = name in variables and variables[name].matlab_class not in NUMERIC
    return f"where {text} says test" if words else f"where {text} is {sense}"


def _matrices(variables: dict[str, Variable]) -> dict[str, Variable]:
    """The variables that may hold samples."""
    return {name: each for name, each in variables.items() if each.may_be_samples}


def _vectors(found, samples: str) -> dict[str, Variable]:
    """The variables that may hold labels: vectors, text, and one-hot matrices."""
    return {
        name: each
        for name, each in may_tell((samples,), found.labels, found.beside).items()
        if each.matlab_class in READABLE and 1 <= len(long_axes(each.shape)) <= 2
    }


def _folds(m: int) -> list[tuple[int, int]]:
    """All rows and columns with this product, the squarest first.

    None that are too long on both sides: a file may declare more numbers than can be tried.
    """
    small = [p for p in range(min(isqrt(m), MAX_SIDE), 0, -1) if m % p == 0]
    return [shape for p in small for shape in dict.fromkeys([(m // p, p), (p, m // p)])]


def _length(variable: Variable) -> int:
    """How many values a vector has; rows of characters are a text each."""
    of_rows = variable.matlab_class == "char" and variable.shape[0] > 1
    return variable.shape[0] if of_rows else prod(variable.shape)


def described(variable: Variable) -> str:
    """A variable with its shape and class, for a list."""
    shape = " x ".join(map(str, variable.shape))
    return f"{shown(variable.name, 80)[1:-1]}: {shape} {variable.matlab_class}"


def _said(variables: dict[str, Variable]):
    return lambda name: described(variables[name])


def _axis_said(variable: Variable, axis: int) -> str:
    if variable.matlab_class == "cell":
        return "the cells" if axis == 0 else f"axis {axis} of each cell"
    rest = [n for at, n in enumerate(variable.shape) if at != axis and n > 1]
    return f"axis {axis + 1}: {variable.shape[axis]:,} samples of {' x '.join(map(str, rest))}"
