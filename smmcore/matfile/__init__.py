"""Read what people upload, some of it damaged, some hostile: MATLAB files of every version, HDF5,
NumPy (.npz, .npy) and text (.csv and MATLAB's `save -ascii`), told apart by their content.

Every byte is parsed in a child process with a limit of memory and of time (`sandbox.py`,
`child.py`): on bad bytes `scipy.io.loadmat` can die by signal, hang, or turn 2 MB into 2 GB, and
none of that is an exception one could catch. What cannot be used raises `MatFileError`, a
`ValueError` whose message is one sentence.

>>> list_variables("faces.mat")                                             # doctest: +SKIP
[Variable(name='fea', matlab_class='double', shape=(400, 1024)),
 Variable(name='gnd', matlab_class='double', shape=(400, 1))]
>>> layout = Layout(("fea",), axis=0, shape=(32, 32), labels="gnd")          # doctest: +SKIP
>>> X, y, *_ = read_samples("faces.mat", layout)                            # doctest: +SKIP
>>> X.shape, y.shape                                                        # doctest: +SKIP
((400, 32, 32), (400,))
"""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .contents import Contents, File, in_bytes, listed
from .formats import EACH, LARGEST_ARRAY, NUMERIC, READABLE, MatFileError, shown
from .infer.context import may_tell
from .infer.labels import MAX_CLASSES
from .layout import Dataset, Layout, Stored, Variable, advised, agree, draw, long_axes
from .samples import MissingError, distinct, to_labels, to_samples, written
from .sandbox import ask, preload

__all__ = [
    "EACH",
    "LARGEST_ARRAY",
    "MAX_CLASSES",
    "NUMERIC",
    "READABLE",
    "Contents",
    "Dataset",
    "Layout",
    "MatFileError",
    "MissingError",
    "Stored",
    "Variable",
    "agree",
    "distinct",
    "draw",
    "infer_layouts",
    "list_variables",
    "long_axes",
    "may_tell",
    "preload",
    "read_samples",
    "read_variables",
    "shown",
    "to_labels",
    "to_samples",
    "written",
]


def list_variables(file: File) -> list[Variable]:
    """List what a file holds, from its headers alone; text has none and is read.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.

    Returns
    -------
    list of Variable
        In the order of the file, each struct before its fields. A cell array of structs is listed
        as a struct array, each field as a cell array. What comes once for each subject, `S1.X`,
        `S2.X`, ..., is listed again at the end as one cell array, `S*.X`.

    Raises
    ------
    MatFileError
        Where the bytes are no file that can be read, or are damaged.
    """
    return list(listed(in_bytes(file))[1].values())


def read_variables(file: File, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Errors are those of `read_samples`.
    """
    found: list[NDArray[Any]] = []
    for array in ask(in_bytes(file), names)[1]:
        if isinstance(array, MatFileError):
            raise array
        found.append(array)
    return found


def infer_layouts(file: File, labels_file: File | None = None) -> list[Layout]:
    """Find how a file holds samples and their labels.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    labels_file : path, bytes or binary file object, optional
        Where the labels are, if not in the same file.

    Returns
    -------
    list of Layout
        Best first, one at least. The others are what a reader may have to choose instead: a
        transpose, other rows and columns, another axis, other labels.

    Raises
    ------
    MatFileError
        Where the file holds no samples of two classes; the message says why.
    """
    return Contents(file, labels_file).inferred_layouts()


def read_samples(
    file: File,
    layout: Layout,
    labels_file: File | None = None,
    *,
    classes: Sequence[Any] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> Dataset:
    """Read matrices and their labels as a layout says.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    layout : Layout
        A result of `infer_layouts`, or your own.
    labels_file : path, bytes or binary file object, optional
        Where the labels and groups are, if not in the same file.
    classes : sequence, optional
        The labels of the samples to read; all by default.
    most : int, optional
        Of more samples than that a part is drawn, of each class its share (two at least).
    seed : int
        Of that draw.

    Returns
    -------
    Dataset
        X of shape (n, p, q), float64; y, the labels as given; groups and the file's own test part
        where it has them; rows, the place of each sample in the file.

    Raises
    ------
    MissingError
        Where samples or labels hold NaN or infinity, and `layout.missing` is "refuse".
    MatFileError
        Where the file or a variable in it cannot be used; the message says which and why.
    """
    try:
        contents = Contents(file, labels_file)
        return contents.samples(layout, classes=classes, most=most, seed=seed)
    except MissingError as error:
        raise advised(error) from None
