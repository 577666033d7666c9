"""Functions that read files in one call; `Contents` answers several questions about them."""

import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .contents import Contents
from .inputs import Files
from .layout import FileSamples, Layout, Variable, add_advice, draw
from .samples import MissingError


def list_variables(files: Files) -> list[Variable]:
    """List the variables of a file from its headers alone; text has none and is read."""
    return list(Contents(files).variables.values())


def read_variables(files: Files, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Errors are those of `read_samples`.
    """
    return Contents(files).read_all(names)


def infer_layouts(files: Files) -> list[Layout]:
    """Infer how files hold samples and their labels."""
    return Contents(files).infer_layouts()


def read_samples(
    files: Files,
    layout: Layout,
    *,
    classes: Sequence[Any] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> FileSamples:
    """Read matrices and their labels in a given layout."""
    contents = Contents(files)
    for each in contents.listings.values():
        if each.left_out:
            warnings.warn(each.left_out_note, stacklevel=2)
    try:
        samples = contents.raw_samples(layout)
    except MissingError as error:
        raise add_advice(error) from None
    return samples.take(draw(samples.y, classes, most, seed))
