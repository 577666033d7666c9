"""Choose the variables that the inference will need, so that they are read at once."""

from __future__ import annotations

from math import prod
from typing import Any

from numpy.typing import NDArray

from ..formats import EACH, READABLE, MatFileError, shown, size_of
from ..layout import Variable
from .context import Context, likely_samples
from .image_size import may_tell_size

PREFETCH_SIZE = 1 << 20, 2000  # bytes and cells of a variable that is read ahead
MAX_PREFETCHED = 40  # variables


def variables_to_prefetch(variables: dict[str, Variable]) -> list[str]:
    """Return small variables and the most likely samples."""
    small = [
        each
        for each in variables.values()
        if EACH not in each.name
        if each.matlab_class in READABLE and (prod(each.shape) > 1 or may_tell_size(each))
        if prod(each.shape) <= PREFETCH_SIZE[1] or each.matlab_class not in ("cell", "char")
        if 0 < size_of(each.matlab_class, each.shape) <= PREFETCH_SIZE[0]
    ]
    small.sort(key=lambda each: size_of(each.matlab_class, each.shape))
    names = [each.name for each in small[:MAX_PREFETCHED]]
    context = Context(variables, variables, frozenset(), _nothing, _nothing, False, False)
    names += [name for name in [*likely_samples(context)][:1] if name not in names]
    cells = [name for name in names if variables[name].matlab_class == "cell"]
    return [*names, *(f"size({name}{{:}})" for name in cells)]


def _nothing(name: str) -> NDArray[Any]:
    raise MatFileError(f"{shown(name)} is not read yet.")
