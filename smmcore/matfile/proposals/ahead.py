"""What a proposal will ask for, to be read at once."""

from __future__ import annotations

from math import prod
from typing import Any

from numpy.typing import NDArray

from ..formats import EACH, READABLE, MatFileError, shown, size_of
from ..layout import Variable
from .known import Known, likely_samples
from .sizes import may_tell_size

SMALL = 1 << 20, 2000  # bytes and cells of a variable that is read ahead
MOST_AHEAD = 40  # variables


def first_read(variables: dict[str, Variable]) -> list[str]:
    """The variables that a proposal will ask for: small ones, and the most likely samples."""
    small = [
        each
        for each in variables.values()
        if EACH not in each.name
        if each.matlab_class in READABLE and (prod(each.shape) > 1 or may_tell_size(each))
        if prod(each.shape) <= SMALL[1] or each.matlab_class not in ("cell", "char")
        if 0 < size_of(each.matlab_class, each.shape) <= SMALL[0]
    ]
    small.sort(key=lambda each: size_of(each.matlab_class, each.shape))
    names = [each.name for each in small[:MOST_AHEAD]]
    known = Known(variables, variables, frozenset(), _nothing, _nothing, False, False)
    names += [name for name in [*likely_samples(known)][:1] if name not in names]
    cells = [name for name in names if variables[name].matlab_class == "cell"]
    return [*names, *(f"size({name}{{:}})" for name in cells)]


def _nothing(name: str) -> NDArray[Any]:
    raise MatFileError(f"{shown(name)} is not read yet.")
