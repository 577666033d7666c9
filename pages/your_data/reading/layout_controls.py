"""Choose a layout: which variables hold samples and labels, and the order of their numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from math import isqrt, prod
from typing import Any, TypeVar, get_args

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import MAX_LENGTH, MAX_SIDE
from pages.your_data.files import FileError, Layout, Variable
from pages.your_data.files.formats.errors import format_shape
from pages.your_data.files.formats.variables import NUMERIC
from pages.your_data.files.infer.recordings import Way, find_way, with_window
from pages.your_data.files.infer.vectors import count_values
from pages.your_data.files.layout import Implied, Order, Sense, agree_except_along, long_axes
from pages.your_data.reading.pictures import (
    IMPLIED,
    ORDERS,
    Inspection,
    TestPart,
    describe_groups,
    describe_test_part,
    describe_variable,
    describe_way,
    display_name,
)

T = TypeVar("T")

WAYS: tuple[Way, ...] = get_args(Way)


def guess_layout(inspection: Inspection) -> Layout:
    """Return the initial layout of the controls for a file without any proposed layout."""
    matrices = inspection.matrices
    if not matrices:
        raise FileError(inspection.reason)
    samples = max(matrices, key=lambda name: prod(matrices[name].shape))
    is_cell = matrices[samples].matlab_class == "cell"
    axis = 0 if is_cell else long_axes(matrices[samples].shape)[-1]
    lengths = [n for at, n in enumerate(matrices[samples].shape) if at != axis and n > 1]
    shape = _factor_pairs(lengths[0])[0] if len(lengths) == 1 and not is_cell else None
    return Layout(samples, axis, shape, labels=next(iter(inspection.vectors(samples)), ""))


@dataclass(frozen=True)
class LayoutControls:
    """The controls of a layout."""

    inspection: Inspection
    start: Layout  # the initial values of the controls
    key: str  # a new key resets the controls

    def draw(self) -> Layout:
        """Draw all controls, and return the chosen layout."""
        start = self.start
        top = st.container()  # for the samples, whose control depends on the labels
        implied, labels = self._choose_labels()
        with top:
            samples = self._choose_samples()
        first = self.inspection.variables[samples]
        is_cell, same = first.matlab_class == "cell", samples == start.samples
        axis = self._choose_axis(first, same)
        shape, order = self._choose_shape(first, axis, implied)
        unchanged = same and axis == start.axis
        base = (
            start
            if unchanged
            else Layout(
                samples,
                axis,
                magnitude=same and start.magnitude,
                missing=start.missing,
                sentinel=start.sentinel,
                are_alike=start.are_alike,
            )
        )
        joined, place = self._choose_join(first, (axis, base.mean_over))
        threshold = start.threshold if labels == start.labels else None
        if threshold is not None:
            threshold = st.number_input(
                "Two classes: labels up to",
                value=threshold,
                format="%.6g",
                key=f"threshold {labels} {self.key}",
            )
        layout = replace(
            base,
            shape=shape,
            order=order,
            labels=labels,
            implied=implied,
            threshold=threshold,
            triangle=start.triangle if same and shape == start.shape else None,
            cells=first.shape if is_cell and (implied in ("row", "column") or axis) else None,
            joined=joined,
            place=place,
        )
        if layout.window:
            is_single = not self._lengths(first, axis)
            return self._choose_window(layout, [*WAYS][not is_single :])
        n = self._count(first, axis)
        counts = {n, prod(first.shape)} if is_cell and axis else {n}  # also one for each cell
        vectors = [
            name
            for name, each in self.inspection.variables.items()
            if count_values(each) in counts and name not in (samples, labels)
        ]
        test, parts, sense = self._choose_test(layout, vectors)
        groups = self._widget(
            st.selectbox,
            "Groups: subject, session",
            ["", *vectors],
            start.groups,
            lambda name: describe_groups(replace(layout, groups=name)),
            describe_groups(layout),  # Streamlit knows an option by its label
        )
        if test and groups == start.groups:  # the groups of the test set belong to these
            test = (*test[:2], *(start.test or ())[2:])
        return replace(layout, test=test, parts=parts, sense=sense, groups=groups)

    def _choose_window(self, layout: Layout, ways: list[Way]) -> Layout:
        """Choose the length of windows, their step, and how each becomes a matrix."""
        length, step = self.start.window or (1, 1)
        left, right = st.columns(2)
        length = left.number_input(
            "Moments of a window", 4, MAX_LENGTH, length, key=f"window {self.key}"
        )
        if not layout.onsets:
            step = right.number_input("Step", 1, MAX_LENGTH, step, key=f"step {self.key}")
        name = "A window becomes"
        way = self._widget(st.radio, name, ways, find_way(self.start), str, horizontal=True)
        return with_window(layout, length, step, way)

    def _lengths(self, variable: Variable, *taken: int | None) -> dict[int, int]:
        """Return the lengths, more than 1, of all axes but those taken.

        The axes of a cell are counted from 1, and each is as long as in the longest cell.
        """
        is_cell = variable.matlab_class == "cell"
        shape = self._cell_sizes(variable).max(0) if is_cell else variable.shape
        return {at: int(n) for at, n in enumerate(shape, is_cell) if n > 1 and at not in taken}

    def _count(self, variable: Variable, axis: int) -> int:
        """Return the number of samples along an axis; 0 runs over the cells of a cell array."""
        if variable.matlab_class != "cell":
            return variable.shape[axis]
        sizes = self._cell_sizes(variable)
        return int(sizes[:, axis - 1].sum()) if axis else len(sizes)

    def _cell_sizes(self, cells: Variable) -> NDArray[np.intp]:
        """Return the shape of each cell; of cells that cannot be read, those of single numbers."""
        single = np.ones((prod(cells.shape), 2), np.intp)
        return self.inspection.cell_sizes.get(cells.name, single)

    def _choose_labels(self) -> tuple[Implied, str]:
        """Choose the kind of implied labels, or a variable with labels; the other is empty."""
        inspection, start = self.inspection, self.start
        matrices = inspection.matrices.values()
        options: list[tuple[Implied, str]] = []
        if not start.labels and not start.implied:
            options.append(("", ""))
        options += [("", name) for name in inspection.vectors(start.samples)]
        if any(each.matlab_class == "cell" for each in matrices):
            options += [("row", ""), ("column", "")]
        if any(len(each.shape) == 2 for each in matrices):
            options += [("last column", ""), ("first column", "")]
        if not options:
            options.append(("", ""))

        def label(option: tuple[Implied, str]) -> str:
            implied, name = option
            if implied:
                return IMPLIED[implied]
            return describe_variable(inspection.variables[name]) if name else "none in this file"

        default = start.implied, start.labels
        return self._widget(st.selectbox, "Labels", options, default, label)

    def _choose_samples(self) -> str:
        """Choose the variable of the samples."""
        return self._widget(
            st.selectbox,
            "Samples",
            list(self.inspection.matrices),
            self.start.samples,
            lambda name: describe_variable(self.inspection.variables[name]),
        )

    def _choose_axis(self, first: Variable, same: bool) -> int:
        """Choose the axis along which samples run."""
        axes, is_cell = [*self._lengths(first)], first.matlab_class == "cell"
        default = axes[-1] if axes else 0
        if is_cell:
            default = default if len(axes) > 2 else 0
            axes = [0, *axes]
        if same and self.start.axis in axes:
            default = self.start.axis

        def label(axis: int) -> str:
            count = f"{self._count(first, axis):,} samples"
            if is_cell and axis == 0:
                return f"the cells: {count}"
            rest = format_shape(tuple(self._lengths(first, axis).values()))
            place = f"axis {axis} of each cell" if is_cell else f"axis {axis + 1}"
            return f"{place}: {count} of {rest}" if rest else f"{place}: its moments"

        return self._widget(st.radio, "Samples run along", axes, default, label, first.name)

    def _choose_join(
        self, first: Variable, taken: tuple[int | None, ...]
    ) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Choose how three axes become two: two that are joined, or a place on one of them."""
        axes = [at for at in long_axes(first.shape) if at not in taken]
        if first.matlab_class == "cell" or len(axes) != 3:
            return None, None
        start = self.start
        chosen = self._widget(
            st.selectbox,
            "From three axes to two",
            [*combinations(axes, 2), *((at,) for at in axes)],
            start.place[:1] if start.place else start.joined,
            lambda each: describe_way(each, first.shape),
            first.name,
        )
        if len(chosen) == 2:
            return chosen, None
        (axis,) = chosen
        length = first.shape[axis]
        initial = 1 + length // 2
        if start.place and (first.name, axis) == (start.samples, start.place[0]):
            initial = 1 + start.place[1]
        key = f"place {first.name} {axis} {self.key}"
        place = st.number_input("Slice", 1, length, initial, key=key)
        return None, (axis, place - 1)

    def _choose_shape(
        self, first: Variable, axis: int, implied: Implied
    ) -> tuple[tuple[int, int] | None, Order]:
        """Choose rows and columns of flattened samples, and their order."""
        start, lengths = self.start, [*self._lengths(first, axis).values()]
        if len(lengths) != 1:
            return None, "F"
        m = lengths[0] - implied.endswith(" column")
        triangle = start.triangle is not None
        left, right = st.columns(2)
        with left:
            shape = self._widget(
                st.selectbox,
                "Rows × columns",
                [*([start.shape] if start.shape and triangle else []), *_factor_pairs(m)],
                start.shape,
                lambda shape: f"{shape[0]} × {shape[1]}",
                m,
            )
        with right:
            order = self._widget(
                st.radio,
                "Its numbers run",
                list(ORDERS),
                start.order,
                ORDERS.__getitem__,
                m,
                help="MATLAB's X(:) runs down the columns. The pictures tell: in the wrong order "
                "they look torn, or lie on their side.",
            )
        return shape, order

    def _choose_test(
        self, base: Layout, vectors: list[str]
    ) -> tuple[tuple[str, ...] | None, str, Sense]:
        """Choose the file's own test set: its samples and labels, or a vector that marks it."""
        inspection, start, samples = self.inspection, self.start, base.samples
        shape = inspection.variables[samples].shape
        options: list[tuple[TestPart, str]] = [("", "")]
        if base.labels:
            options += [
                ("samples", name)
                for name, each in inspection.matrices.items()
                if name != samples and agree_except_along(each.shape, shape, base.axis)
            ]
        for name in vectors:
            is_text = inspection.variables[name].matlab_class not in NUMERIC
            senses: tuple[Sense, ...] = ("largest",) if is_text else ("largest", "smallest")
            options += [(sense, name) for sense in senses]
        default: tuple[TestPart, str] = (start.sense if start.parts else ""), start.parts
        if start.test:
            default = "samples", start.test[0]
        if default[0] and default not in options:
            options.append(default)
        sense, name = self._widget(
            st.selectbox,
            "The file's own test set",
            options,
            default,
            lambda option: describe_test_part(inspection.variables, *option),
        )
        if sense != "samples":
            return None, name, sense or "largest"
        if not base.labels:
            return (name,), "", "largest"
        labels = self._widget(
            st.selectbox,
            "Labels of the test set",
            list(inspection.vectors(name)),
            start.test[1] if start.test else None,
            lambda vector: display_name(vector, 80),
        )
        return (name, labels), "", "largest"

    def _widget(
        self,
        widget: Callable[..., T],
        label: str,
        options: list[T],
        default: object,
        option_label: Callable[[T], str | None],
        context: object = "",  # a new context resets the widget
        **rest: Any,
    ) -> T:
        """Draw a choice that is more than one, and return what is chosen."""
        if len(options) == 1:
            return options[0]
        return widget(
            label,
            options,
            index=options.index(default) if default in options else 0,
            format_func=option_label,
            key=f"{label} {context} {self.key}",
            persist_state="session",
            **rest,
        )


def _factor_pairs(m: int) -> list[tuple[int, int]]:
    """Return all pairs of rows and columns with this product, the squarest first.

    The smaller one is at most `MAX_SIDE`: a file may declare too many numbers to try them all.
    """
    small = [p for p in range(min(isqrt(m), MAX_SIDE), 0, -1) if m % p == 0]
    return [shape for p in small for shape in dict.fromkeys([(m // p, p), (p, m // p)])]
