"""Variables: their names, headers and MATLAB classes, and the limits of what is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from math import prod
from typing import Any, NamedTuple

LARGEST_ARRAY = 160_000_000  # bytes, in the class that the file declares
MOST_CELLS = 100_000  # each takes about 30 microseconds, however small it is
MOST_VARIABLES = 10_000  # struct fields included
EACH = "*"  # in a name: the cell array of variables whose names differ there
SLOT = "* of the names "  # before such a name: what the names hold at one of its stars, a vector
COLUMN = "(:,"  # in a name: a column of a matrix, as in MATLAB
ONE = "array"  # the only array of a .npy file, which has no name
AXIS = "header"  # the numbers over the columns of a table, such as wavelengths
HEADER = "names of columns"  # of the matrix of a text: no variable, but it can be read
CLOCK = "time of the rows"  # of the matrix of a text, if its rows are moments: no variable, either
COLUMNS = "words in the columns"  # the classes of a table whose columns are samples
TABLE = "numbers"  # the matrix of a text
TRAIN_WORDS = {"train", "training", "trn", "tr"}
TEST_WORDS = {"test", "testing", "tst", "te"}
VALIDATION_WORDS = {"val", "valid", "validation", "dev"}
MASKS = {"mask", "masks", "gt", "truth", "annotation", "annotations", "segmentation", "seg"}
IMAGE_ENDINGS = (
    *(".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm", ".bmp", ".gif", ".tif", ".tiff"),
)
NAMES = "name"  # the variable of the names of the images
IN_NAMES = "in the names"  # ends the name of a word that all names of images have: their class
IMAGES = "images"  # the variable that all images become, and an archive that is made of them
RECORDING = 300  # moments, at least
CAPITAL, SMALL = "[A-ZÀ-ÖØ-Þ]", "[a-zß-öø-ÿĀ-ſ]"  # letters, as most languages of Europe have
WORD = re.compile(f"{CAPITAL}?{SMALL}+|{CAPITAL}+(?!{SMALL})")
DEEPEST = 8  # levels of structs in structs
NUMERIC = {
    *("sparse", "double", "single", "logical"),
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
}
READABLE = NUMERIC | {"cell", "char", "string", "categorical"}
BYTES = {"sparse": 8, "double": 8, "single": 4, "char": 4}  # of one number or letter, once read
BYTES |= {f"{u}int{bits}": bits // 8 for u in ("", "u") for bits in (8, 16, 32, 64)}
# Names of our own for variables that must not, or cannot, be read.
REFUSED = {
    "external link": "is a link to another file, which is not followed.",
    "soft link": "is a soft link, which is not followed.",
    "circular link": "is a link to a group that holds it, which is not followed.",
    "virtual dataset": "is a virtual dataset, which takes its numbers from other files.",
    "dataset with external storage": "keeps its numbers in another file, which is not opened.",
    "dataset with an unknown filter": "is compressed by a filter that is not part of HDF5.",
    "pickled objects": "holds Python objects, which only pickle could read, and that could run any "
    "program: save arrays of numbers.",
    "structured array": "is a structured array: save each of its fields as an array.",
    "array that was cut off": "was cut off at the end of the file: please download it again.",
    "damaged object": "is damaged and cannot be read.",
}


class Header(NamedTuple):
    """The name, class and shape of a variable, known before its numbers are read."""

    path: tuple[str, ...]  # its name, after those of the structs that hold it
    kind: str  # MATLAB's name of the class
    shape: tuple[int, ...]  # as MATLAB shows it; empty for a class that does not store it


def header_of(path: tuple[str, ...], values: Any) -> Header:
    """Return the header of an array of numbers, or of a vector of texts."""
    width = values.dtype.itemsize // 4
    shape = (len(values), width) if values.dtype.kind == "U" else values.shape
    return Header(path, class_of(values.dtype), shape)


class Value(NamedTuple):
    """A value in a file, whose numbers are not read yet."""

    kind: str  # MATLAB's class
    shape: tuple[int, ...]
    read: Callable[[], Any] = lambda: None
    fields: dict[str, Value] = {}  # noqa: RUF012


def walk_value(path: tuple[str, ...], value: Value) -> Iterator[tuple[Header, Value]]:
    """Yield the header of a value and, if it is a struct or a table, the headers of its fields."""
    yield Header(path, value.kind, value.shape), value
    if len(path) <= DEEPEST:
        for name, field in value.fields.items():
            yield from walk_value((*path, name), field)


def size_of(kind: str, shape: tuple[int, ...]) -> int:
    """Return the bytes of an array of a MATLAB class; of a cell array the number of cells."""
    return BYTES.get(kind, 1) * prod(shape)


def class_of(dtype: Any) -> str:
    """Return the MATLAB class of numbers or texts of a NumPy type; empty if there is none."""
    kind, size = dtype.kind, dtype.itemsize
    if kind in "fc":
        return "single" if size <= (4 if kind == "f" else 8) else "double"
    if kind in "iu":
        return f"{'u' * (kind == 'u')}int{8 * size}"
    return {"b": "logical", "U": "char", "S": "char"}.get(kind, "")


def split_words(text: str) -> set[str]:
    """Return the words of a name in lower case: xTrain_2 gives x, train."""
    return {word.lower() for word in WORD.findall(text)}


def are_parts(names: Iterable[str]) -> bool:
    """Return whether each name has a word for the training, test or validation part."""
    parts = TRAIN_WORDS | TEST_WORDS | VALIDATION_WORDS
    return all(not parts.isdisjoint(split_words(name)) for name in names)


def count_common(lists: Sequence[Sequence[str]]) -> int:
    """Count the first entries that all lists share."""
    return sum(1 for _ in takewhile(lambda some: len({*some}) == 1, zip(*lists, strict=False)))


def list_stems(paths: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the folders and the name of each file, without its ending where that is unique."""
    stems = [(*path[:-1], path[-1].rpartition(".")[0] or path[-1]) for path in paths]
    counts = Counter(stems)
    return [stem if counts[stem] == 1 else path for stem, path in zip(stems, paths, strict=True)]


def qualify(stem: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of a variable in one of several files, each a struct of the file's name.

    An array without a name is called as its file: `array` of X_train.npy is `X_train`.
    """
    return stem if path in ((ONE,), (TABLE,), stem[-1:]) else (*stem, *path)
