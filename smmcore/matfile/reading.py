"""Functions that read a file in one call; `Contents` answers several questions about one file."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .contents import Contents, File, read_bytes
from .formats.errors import MatFileError
from .layout import Dataset, Layout, Variable, add_advice, draw
from .samples import MissingError
from .sandbox import ask


def list_variables(file: File) -> list[Variable]:
    """List the variables of a file from its headers alone; text has none and is read.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.

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
    return list(Contents(file).variables.values())


def read_variables(file: File, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Errors are those of `read_samples`.
    """
    arrays: list[NDArray[Any]] = []
    for array in ask(read_bytes(file), names)[1]:
        if isinstance(array, MatFileError):
            raise array
        arrays.append(array)
    return arrays


def infer_layouts(file: File, labels_file: File | None = None) -> list[Layout]:
    """Infer how a file holds samples and their labels.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    labels_file : path, bytes or binary file object, optional
        The file with the labels, if they are not in the same file.

    Returns
    -------
    list of Layout
        At least one, the likeliest first. The others are alternatives that a reader may have to
        choose: the transpose, other rows and columns, another axis, other labels.

    Raises
    ------
    MatFileError
        If the file holds no samples of two classes; the message says why.
    """
    return Contents(file, labels_file).infer_layouts()


def read_samples(
    file: File,
    layout: Layout,
    labels_file: File | None = None,
    *,
    classes: Sequence[Any] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> Dataset:
    """Read matrices and their labels in a given layout.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    layout : Layout
        One of the inferred layouts, or your own.
    labels_file : path, bytes or binary file object, optional
        The file with the labels and groups, if they are not in the same file.
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

    Raises
    ------
    MissingError
        If samples or labels hold NaN or infinity, and `layout.missing` is "refuse".
    MatFileError
        If the file or a variable in it cannot be used; the message says which and why.
    """
    contents = Contents(file, labels_file)
    try:
        samples = contents.raw_samples(layout)
    except MissingError as error:
        raise add_advice(error) from None
    return samples.take(draw(samples.y, classes, most, seed))
