"""Find out how a file holds samples and labels: from its names, its shapes and its numbers."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import filterfalse, islice

from ..formats import EACH, MatFileError
from ..layout import Layout
from .ahead import first_read
from .axes import by_axes
from .bare import bare
from .beside import CERTAIN, labelled
from .cells import by_cells, by_labels_in_cells
from .column import by_column
from .known import Known, likely_samples, may_tell
from .labels import MOST_CLASSES
from .parts import unused
from .reasons import lost, of_largest, too_large_to_read, why
from .repeated import by_groups
from .sizes import sizes_told
from .variables import by_variables

__all__ = [
    "MOST_CLASSES",
    "Known",
    "bare",
    "first_read",
    "lost",
    "may_tell",
    "propose",
    "sizes_told",
    "unused",
]

MOST_MATRICES = 5  # variables tried as samples, the largest first
MOST_OF_ALL = 3  # readings of all subjects, before those of one
MOST_LOST = 1  # variable named as lost


def propose(known: Known) -> list[Layout]:
    """How a file can be read, best first; of what cannot be used the reason is raised."""
    reasons: list[tuple[int, str]] = []
    found: list[tuple[int, Layout]] = []
    matrices = list(likely_samples(known))
    several = [name for name in matrices if EACH in name]  # cell arrays of what follows
    matrices = [name for name in matrices if EACH not in name]
    likely = filterfalse(partial(_holds_single_values, known), matrices)
    for name in [*islice(likely, MOST_MATRICES), *several[:MOST_MATRICES]]:
        found += [*labelled(known, name, reasons)] or by_groups(known, name)
        if any(likelihood > 0 for likelihood, _ in found):
            break
    proposals = [layout for _, layout in found]
    of_all = (
        [way for way in by_labels_in_cells(known, reasons) if EACH in way.samples[0]]
        if several
        else []
    )
    if of_all:
        proposals = [*of_all[:MOST_OF_ALL], *proposals]
    elif not any(likelihood > 0 for likelihood, _ in found):
        if in_cells := by_labels_in_cells(known, reasons):
            proposals = in_cells
        elif not (
            known.beside or CERTAIN in dict(reasons)
        ):  # else labels fit, and their samples are the trouble
            by_class = by_variables(known, reasons)
            proposals = [*by_class, *proposals] or by_cells(known, reasons)
    if known.beside:  # it was given to be used
        proposals = [
            layout for layout in proposals if not known.beside.isdisjoint(_told_by(layout))
        ]
    elif not proposals and not any(likelihood > 0 for likelihood, _ in reasons):
        proposals = by_column(known, matrices) or by_axes(known, matrices)
    if proposals:
        return proposals
    told = max(reasons, key=lambda reason: reason[0], default=(-1, ""))
    if matrices and (told[0] <= 0 or too_large_to_read(known.variables[matrices[0]])):
        # What is called something else, or would fit samples that cannot be read, is no reason.
        told = 0, of_largest(known, matrices[0]) or told[1]
    reason = told[1] or why(known, matrices)
    missed = [each for each in lost(known.variables) if each not in reason]
    raise MatFileError(" ".join([reason, *missed[:MOST_LOST]]))


def _told_by(layout: Layout) -> set[str]:
    """The variables that tell labels, groups and parts."""
    return {layout.labels, layout.groups, layout.parts, *(layout.test or ())[1:]}


def _holds_single_values(known: Known, name: str) -> bool:
    """Whether each cell of a cell array has a number or a text, which its header does not tell."""
    if known.variables[name].matlab_class == "cell":
        with suppress(MatFileError):  # said where the variable is needed
            values = known.read(name)
            return values.dtype.kind == "U" or values.ndim < 2
    return False
