"""Try the layouts that a file may have, the likeliest first."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import filterfalse, islice

from ..formats import EACH, MatFileError
from ..layout import Layout
from .cell_array import by_cells, by_labels_in_cells
from .context import Context, likely_samples
from .extra_axes import by_axes, by_groups
from .label_vector import CERTAIN, labelled
from .per_class import by_variables
from .reasons import damaged, of_largest, reason_for_no_labels, too_large_to_read
from .table_column import by_column

MAX_MATRICES = 5  # variables tried as samples, the largest first
MAX_OF_ALL_SUBJECTS = 3  # readings of all subjects, before those of one
MAX_DAMAGED = 1  # variable named as damaged


def infer_from(context: Context) -> list[Layout]:
    """How a file can be read, best first; of what cannot be used the reason is raised."""
    reasons: list[tuple[int, str]] = []
    found: list[tuple[int, Layout]] = []
    matrices = list(likely_samples(context))
    several = [name for name in matrices if EACH in name]  # cell arrays of what follows
    matrices = [name for name in matrices if EACH not in name]
    likely = filterfalse(partial(_holds_single_values, context), matrices)
    for name in [*islice(likely, MAX_MATRICES), *several[:MAX_MATRICES]]:
        found += [*labelled(context, name, reasons)] or by_groups(context, name)
        if any(likelihood > 0 for likelihood, _ in found):
            break
    layouts = [layout for _, layout in found]
    of_all = (
        [way for way in by_labels_in_cells(context, reasons) if EACH in way.samples[0]]
        if several
        else []
    )
    if of_all:
        layouts = [*of_all[:MAX_OF_ALL_SUBJECTS], *layouts]
    elif not any(likelihood > 0 for likelihood, _ in found):
        if in_cells := by_labels_in_cells(context, reasons):
            layouts = in_cells
        elif not (
            context.beside or CERTAIN in dict(reasons)
        ):  # else labels fit, and their samples are the trouble
            by_class = by_variables(context, reasons)
            layouts = [*by_class, *layouts] or by_cells(context, reasons)
    if context.beside:  # it was given to be used
        layouts = [layout for layout in layouts if not context.beside.isdisjoint(_told_by(layout))]
    elif not layouts and not any(likelihood > 0 for likelihood, _ in reasons):
        layouts = by_column(context, matrices) or by_axes(context, matrices)
    if layouts:
        return layouts
    told = max(reasons, key=lambda reason: reason[0], default=(-1, ""))
    if matrices and (told[0] <= 0 or too_large_to_read(context.variables[matrices[0]])):
        # What is called something else, or would fit samples that cannot be read, is no reason.
        told = 0, of_largest(context, matrices[0]) or told[1]
    reason = told[1] or reason_for_no_labels(context, matrices)
    missed = [each for each in damaged(context.variables) if each not in reason]
    raise MatFileError(" ".join([reason, *missed[:MAX_DAMAGED]]))


def _told_by(layout: Layout) -> set[str]:
    """The variables that tell labels, groups and parts."""
    return {layout.labels, layout.groups, layout.parts, *(layout.test or ())[1:]}


def _holds_single_values(context: Context, name: str) -> bool:
    """Whether each cell of a cell array has a number or a text, which its header does not tell."""
    if context.variables[name].matlab_class == "cell":
        with suppress(MatFileError):  # said where the variable is needed
            values = context.read(name)
            return values.dtype.kind == "U" or values.ndim < 2
    return False
