"""Functions that read files in one call; `Contents` answers several questions about them."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .contents import Contents
from .inputs import Files
from .layout import FileSamples, Layout, Variable


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


def read_samples(files: Files, layout: Layout) -> FileSamples:
    """Read matrices and their labels in a given layout."""
    contents = Contents(files)
    for each in contents.listings.values():
        if each.left_out:
            warnings.warn(each.left_out_note, stacklevel=2)
    samples = contents.raw_samples(layout)
    return samples.take(np.arange(len(samples.y)))
