"""Functions that read files in one call; `Contents` answers several questions about them."""

import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .contents import Contents
from .files import Files
from .layout import Dataset, Layout, Variable, add_advice, draw
from .samples import MissingError


def list_variables(files: Files) -> list[Variable]:
    """List the variables of a file from its headers alone; text has none and is read.

    Parameters
    ----------
    files : path, bytes or binary file object; or a list of paths; or a dict of files by name
        The whole file; a file object is read from its start. Several files are read as one: see
        `Contents`.

    Returns
    -------
    list of Variable
        In the order of the file, each struct before its fields. A cell array of structs is listed
        as a struct array, each field as a cell array. Variables that come once for each subject,
        `S1.X`, `S2.X`, ..., are listed again at the end as one cell array, `S*.X`.

    Raises
    ------
    MatFileError
        If the bytes are not a file that can be read, or are damaged.
    """
    return list(Contents(files).variables.values())


def read_variables(files: Files, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Errors are those of `read_samples`.
    """
    return Contents(files).read_all(names)


def infer_layouts(files: Files) -> list[Layout]:
    """Infer how files hold samples and their labels.

    Parameters
    ----------
    files : path, bytes or binary file object; or a list of paths; or a dict of files by name
        The whole file; a file object is read from its start. Several files are read as one: see
        `Contents`.

    Returns
    -------
    list of Layout
        At least one, the likeliest first. The others are alternatives that a reader may have to
        choose: the transpose, other rows and columns, another axis, other labels.

    Raises
    ------
    MatFileError
        If they hold no samples of two classes; the message says why.
    """
    return Contents(files).infer_layouts()


def read_samples(
    files: Files,
    layout: Layout,
    *,
    classes: Sequence[Any] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> Dataset:
    """Read matrices and their labels in a given layout.

    Parameters
    ----------
    files : path, bytes or binary file object; or a list of paths; or a dict of files by name
        The whole file; a file object is read from its start. Several files are read as one: see
        `Contents`.
    layout : Layout
        One of the inferred layouts, or your own.
    classes : sequence, optional
        The labels of the samples to read; all by default.
    most : int, optional
        The largest number of samples. Of more samples a random part is drawn, with the same share
        of each class, and at least two samples of each.
    seed : int
        The seed of this draw.

    Returns
    -------
    Dataset
        X of shape (n, p, q), float64; y, the labels as given; groups and the file's own test part
        if it has them; rows, the position of each sample in the file.

    Warns
    -----
    UserWarning
        If images are left out, because they are damaged or differ in size from most others.

    Raises
    ------
    MissingError
        If samples or labels hold NaN or infinity, and `layout.missing` is "refuse".
    MatFileError
        If the file or a variable in it cannot be used; the message says which and why.
    """
    contents = Contents(files)
    for each in contents.listings.values():
        if each.left_out:
            warnings.warn(each.left_out_note, stacklevel=2)
    try:
        samples = contents.raw_samples(layout)
    except MissingError as error:
        raise add_advice(error) from None
    return samples.take(draw(samples.y, classes, most, seed))
