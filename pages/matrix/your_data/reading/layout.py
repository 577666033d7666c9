"""Pick a layout: which variables hold samples and labels, and in which order their numbers run."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt, prod
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.data.samples import MAX_SIDE
from pages.shared.parts.prose import escape_markdown
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


class Found(NamedTuple):
    """The variables of a file, and the layouts in which it can be read, best first.

    If the labels are missing, `reason` says so, and the layouts are those of samples alone.
    """

    variables: dict[str, Variable]
    labels: dict[str, Variable]
    beside: Set[str]  # which of the labels are in the second file
    layouts: list[Layout]
    strips: list[str | None]  # data URLs of pictures, one for each layout
    reason: str
    damaged: list[str]  # a sentence for each variable that is


def name_of(variable: str, longest: int = 40) -> str:
    """Return the name of a variable as it is displayed: escaped, shortened."""
    return shown(variable, longest)[1:-1]


def labels_name(layout: Layout) -> str:
    """Say where the labels are."""
    if layout.class_axis is not None:
        return f"implied: the place along axis {layout.class_axis + 1}"
    return escape_markdown(name_of(layout.labels)) if layout.labels else IMPLIED[layout.implied]


def groups_name(layout: Layout) -> str:
    """Say where the groups are."""
    name = name_of(layout.samples[0], 80)
    if layout.groups:
        return name_of(layout.groups, 80)
    if layout.group_axis is not None:
        return f"axis {layout.group_axis + 1} of {name}"
    if layout.cells and not layout.implied:
        return f"one for each {name}" if EACH in name else f"the cells of {name}"
    return "none"


def part_name(variables: dict[str, Variable], name: str, sense: str) -> str:
    """Say where the test part is."""
    text = name_of(name, 80)
    if sense in PLACES:
        return PLACES[sense].format(text)
    if sense == "samples":
        return text
    if sense == "variables":
        return f"{text} ..."
    is_text = name in variables and variables[name].matlab_class not in NUMERIC
    return f"where {text} says test" if is_text else f"where {text} is {sense}"


def difference(other: Layout, layout: Layout, labels: dict[str, Variable]) -> str:
    """Say how another layout differs, for a button; `labels` holds what may tell parts."""
    if other.samples != layout.samples:
        return f"from {escape_markdown(name_of(other.samples[0], 20))}"
    if other.axis != layout.axis:
        return f"samples along axis {other.axis + 1}"
    if other.class_axis is not None and other.class_axis != layout.class_axis:
        return f"classes along axis {other.class_axis + 1}"
    if (other.labels, other.implied) != (layout.labels, layout.implied):
        name = (
            escape_markdown(name_of(other.labels, 20)) if other.labels else f"the {other.implied}"
        )
        return f"labels by {name}"
    if other.shape and (other.shape, other.order) != (layout.shape, layout.order):
        return f"{other.shape[0]} x {other.shape[1]}, {ORDERS[other.order]}"
    if other.parts and (other.parts, other.sense) != (layout.parts, layout.sense):
        return f"test part: {escape_markdown(part_name(labels, other.parts, other.sense))}"
    if layout.parts and not other.parts:
        return "no test part"
    return "as proposed"


def guess_layout(found: Found) -> Layout:
    """Return the layout with which the pickers begin if there is no proposal."""
    matrices = _matrices(found)
    if not matrices:
        raise MatFileError(found.reason)
    samples = max(matrices, key=lambda name: prod(matrices[name].shape))
    is_cell = matrices[samples].matlab_class == "cell"
    axis = 0 if is_cell else long_axes(matrices[samples].shape)[-1]
    lengths = [n for at, n in enumerate(matrices[samples].shape) if at != axis and n > 1]
    shape = _factors(lengths[0])[0] if len(lengths) == 1 and not is_cell else None
    return Layout((samples,), axis, shape, labels=next(iter(_vectors(found, samples)), ""))


def pick_layout(found: Found, start: Layout, key: str) -> Layout:
    """Draw the pickers, which begin as in `start`, and return the layout that they say."""
    return _Pickers(found, start, key).pick()


@dataclass(frozen=True)
class _Pickers:
    """The pickers of a layout; a new key makes them begin anew."""

    found: Found
    start: Layout
    key: str

    @cached_property
    def matrices(self) -> dict[str, Variable]:
        """The variables that may hold samples."""
        return _matrices(self.found)

    def pick(self) -> Layout:
        """Draw all pickers, samples above labels, on which they depend."""
        start = self.start
        top = st.container()
        implied, labels = self._pick_labels()
        with top:
            samples = self._pick_samples(implied)
        first = self.matrices[samples[0]]
        is_cell, same = first.matlab_class == "cell", samples == start.samples
        axis = self._pick_axis(samples)
        class_axis = self._pick_class_axis(first, axis) if implied == "axis" else None
        shape, order = self._pick_fold(first, same, (axis, class_axis), implied)
        unchanged = same and axis == start.axis
        base = Layout(
            samples,
            axis,
            shape,
            order,
            labels=labels,
            implied=implied,
            cells=first.shape if is_cell and (implied in ("row", "column") or axis) else None,
            mean_over=start.mean_over if unchanged else None,
            class_axis=class_axis,
            group_axis=start.group_axis if unchanged and labels else None,
        )
        outer = [at for at in (axis, class_axis, base.group_axis) if at is not None]
        n = prod(first.shape if is_cell else (first.shape[at] for at in outer))
        vectors = [
            name
            for name, each in may_tell(samples, self.found.labels, self.found.beside).items()
            if _length(each) == n and name != labels
        ]
        test, parts, sense = self._pick_test(base, vectors)
        groups = self._choose(
            st.selectbox,
            "Groups: subject, session",
            ["", *vectors],
            start.groups,
            lambda name: groups_name(replace(base, groups=name)),
            groups_name(base),  # Streamlit knows an option by its label
        )
        if test and groups == start.groups:  # the groups of the test part belong to these
            test = (*test[:2], *(start.test or ())[2:])
        missing = self._choose(
            st.radio,
            "Samples with NaN or infinity",
            list(MISSING),
            start.missing,
            MISSING.get,
            horizontal=True,
            help="The mean of an entry over the training part of each split, which knows nothing "
            "of the test.",
        )
        return replace(base, test=test, parts=parts, sense=sense, groups=groups, missing=missing)

    def _pick_labels(self) -> tuple[str, str]:
        """Pick the kind of labels, empty unless they are implied, and the name of a variable."""
        found, start, matrices = self.found, self.start, self.matrices.values()
        options = [] if start.labels or start.implied else [("", "")]
        options += [("", name) for name in _vectors(found, start.samples[0])]
        if any(each.matlab_class == "cell" for each in matrices):
            options += [("row", ""), ("column", "")]
        if any(len(each.shape) == 2 for each in matrices):
            options += [("last column", ""), ("first column", "")]
        if len(matrices) > 1:
            options.append(("variable", ""))
        if any(len(long_axes(each.shape)) > 2 for each in matrices):
            options.append(("axis", ""))

        def label(option: tuple[str, str]) -> str:
            implied, name = option
            if implied:
                return IMPLIED[implied]
            return describe(found.labels[name]) if name else "none in this file"

        default = start.implied, start.labels
        return self._choose(st.selectbox, "Labels", options or [("", "")], default, label)

    def _pick_samples(self, implied: str) -> tuple[str, ...]:
        start, options = self.start, list(self.matrices)
        several = len(start.samples) > 1

        def label(name: str) -> str:
            return describe(self.matrices[name])

        if implied != "variable" and not (several and implied == start.implied):
            return (self._choose(st.selectbox, "Samples", options, start.samples[0], label),)
        picked = st.multiselect(
            "Samples, a variable for each class",
            options,
            default=list(start.samples) if several else options,
            format_func=label,
            key=f"stacks {self.key}",
            persist_state="session",
        )
        if len(picked) < 2:
            raise MatFileError(f"It takes two classes or more, got {len(picked)} variables.")
        return tuple(picked)

    def _pick_axis(self, samples: tuple[str, ...]) -> int:
        """Pick the axis along which samples run."""
        first = self.matrices[samples[0]]
        is_cell = first.matlab_class == "cell"
        axes = long_axes(first.shape)
        if is_cell:
            axes = sorted({0, self.start.axis}) if samples == self.start.samples else [0]

        def label(axis: int) -> str:
            if is_cell:
                return "the cells" if axis == 0 else f"axis {axis} of each cell"
            rest = [n for at, n in enumerate(first.shape) if at != axis and n > 1]
            return f"axis {axis + 1}: {first.shape[axis]:,} samples of {' x '.join(map(str, rest))}"

        return self._choose(
            st.radio,
            "Samples run along",
            axes,
            self.start.axis if self.start.axis in axes else axes[-1],
            label,
            samples[0],
        )

    def _pick_class_axis(self, first: Variable, axis: int) -> int:
        """Pick the axis along which classes run."""
        axes = [at for at in long_axes(first.shape) if at != axis]
        if len(axes) < 2:
            raise MatFileError(f"{shown(first.name)} has no axis left that could run over classes.")
        return self._choose(
            st.radio,
            "Classes run along",
            axes,
            self.start.class_axis if self.start.class_axis in axes else axes[-1],
            lambda at: f"axis {at + 1}: {first.shape[at]:,} classes",
            axis,
        )

    def _pick_fold(
        self, first: Variable, same: bool, taken: tuple[int | None, ...], implied: str
    ) -> tuple[tuple[int, int] | None, str]:
        """Pick rows and columns of flattened samples, and their order."""
        start = self.start
        if first.matlab_class == "cell":
            if not same or start.shape is None:
                return None, "F"
            m = prod(start.shape)
        else:
            lengths = [n for at, n in enumerate(first.shape) if at not in taken and n > 1]
            if len(lengths) != 1:
                return None, "F"
            m = lengths[0] - implied.endswith(" column")
        left, right = st.columns(2)
        with left:
            shape = self._choose(
                st.selectbox,
                "Rows x columns",
                _factors(m),
                start.shape,
                lambda shape: f"{shape[0]} x {shape[1]}",
                m,
            )
        with right:
            order = self._choose(
                st.radio,
                "Its numbers run",
                list(ORDERS),
                start.order,
                ORDERS.get,
                m,
                help="MATLAB's X(:) runs down the columns. The pictures tell: in the wrong order "
                "they look torn, or lie on their side.",
            )
        return shape, order

    def _pick_test(
        self, base: Layout, vectors: list[str]
    ) -> tuple[tuple[str, ...] | None, str, str]:
        """Pick samples and labels of the file's own test part, or the vector that tells it."""
        found, start, samples = self.found, self.start, base.samples
        shape = self.matrices[samples[0]].shape
        options = [("", "")]
        if base.labels:
            options += [
                ("samples", name)
                for name, each in self.matrices.items()
                if name not in samples and agree(each.shape, shape, base.axis)
            ]
        for name in vectors:
            is_text = found.labels[name].matlab_class not in NUMERIC
            senses = ("largest",) if is_text else ("largest", "smallest")
            options += [(sense, name) for sense in senses]
        default = start.parts and start.sense, start.parts
        if start.test:
            default = "variables" if start.implied == "variable" else "samples", start.test[0]
        if default[0] in PLACES or (default[0] == "variables" and samples == start.samples):
            options.append(default)
        sense, name = self._choose(
            st.selectbox,
            "The file's own test part",
            options,
            default,
            lambda option: part_name(found.labels, option[1], option[0]) if option[1] else "none",
        )
        if sense == "variables":
            return start.test, "", "largest"
        if sense != "samples":
            return None, name, sense or "largest"
        labels = self._choose(
            st.selectbox,
            "Labels of the test part",
            list(_vectors(found, name)),
            start.test[1] if start.test else None,
            lambda vector: name_of(vector, 80),
        )
        return (name, labels), "", "largest"

    def _choose(
        self,
        widget: Callable,
        label: str,
        options: list,
        default: object,
        option_label: Callable[[Any], str | None],
        context: object = "",  # the widget begins anew where it changes
        **rest: Any,
    ) -> Any:
        return widget(
            label,
            options,
            index=options.index(default) if default in options else 0,
            format_func=option_label,
            key=f"{label} {context} {self.key}",
            persist_state="session",
            **rest,
        )


def _matrices(found: Found) -> dict[str, Variable]:
    """Return the variables that may hold samples."""
    return {name: each for name, each in found.variables.items() if each.may_be_samples}


def _vectors(found: Found, samples: str) -> dict[str, Variable]:
    """Return the variables that may hold labels: vectors, text, and one-hot matrices."""
    return {
        name: each
        for name, each in may_tell((samples,), found.labels, found.beside).items()
        if each.matlab_class in READABLE and 1 <= len(long_axes(each.shape)) <= 2
    }


def _factors(m: int) -> list[tuple[int, int]]:
    """Return all rows and columns with this product, the squarest first.

    One of them is at most `MAX_SIDE`: a file may declare more numbers than can be tried.
    """
    small = [p for p in range(min(isqrt(m), MAX_SIDE), 0, -1) if m % p == 0]
    return [shape for p in small for shape in dict.fromkeys([(m // p, p), (p, m // p)])]


def _length(variable: Variable) -> int:
    """Return the number of values of a vector; each row of characters is a text."""
    of_rows = variable.matlab_class == "char" and variable.shape[0] > 1
    return variable.shape[0] if of_rows else prod(variable.shape)


def describe(variable: Variable) -> str:
    """Return name, shape and class of a variable."""
    shape = " x ".join(map(str, variable.shape))
    return f"{name_of(variable.name, 80)}: {shape} {variable.matlab_class}"
