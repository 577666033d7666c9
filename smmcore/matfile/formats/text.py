"""Text: .csv of any dialect, and MATLAB's `save -ascii`.

A table becomes the matrix `numbers` (one row a line), and a variable for each column of text. Where
the first line names the columns, those that are called like labels or groups are variables of their
own instead of columns of the matrix; so are, where most names are numbered (`p0`, `p1`, ...), the
few that are not. Names of two parts, of which one runs faster (`C3_1`, `C3_2`, ..., `C4_1`, ...),
tell rows and columns. One or two columns alone may be labels: of words that come again and again,
or beside the numbers of the samples. Cells of many numbers, say pixels, are so many columns. Where
nothing names the columns, the last ones may be the labels, a one-hot matrix.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from array import array
from collections.abc import Iterator
from functools import lru_cache
from math import isfinite, isinf, isnan
from typing import Any, NamedTuple

import numpy as np

from .variables import LARGEST_ARRAY, SAVE, Header, MatFileError, shown

MATRIX = "numbers"
HOT = "labels"  # the last columns, of which each line has a 1 in one and zeros in the others
GRID = "rows and columns"  # of each line's numbers, as the names of the columns tell
MOST_COLUMNS = 100_000
MOST_NAMED = 20  # columns that are variables of their own for what they are not called
MOST_CLASSES = 200  # one-hot
MANY = 9  # numbers in a cell, or columns that are counted
LONGEST_TEXT = 200  # characters of a cell of text
CONTROLS = bytes({*range(1, 32)} - {*b"\t\n\f\r"})
PRINTABLE = bytes(range(32, 127)) + b"\t\n\r"
MISSING = {"", "na", "n/a", "null", "none", "?", "-", "."}
COMMENTS = ("#", "%")
TWO_PARTS = re.compile(r"(.*[^\W_])[\W_]+([^\W_]+)[\W_]*|(\d+)x(\d+)")  # C3_12, C3(12), 28x28
NUMBERED = re.compile(r".*\d\W*")  # p12, 28x28, feature_3, V1
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?")
CONTINENTAL = re.compile(r"[-+]?\d*(,\d+)?([eE][-+]?\d+)?")  # 3,14 or 3
LABELS = {
    *("y", "gnd", "label", "labels", "class", "classes", "target", "targets", "category"),
    *("diagnosis", "outcome", "species", "subject", "subjects", "session", "patient", "person"),
    *("group", "groups", "trial", "fold", "id", "index"),
}


class Table(NamedTuple):
    """The table in a text, its columns sorted by what they are."""

    numbers: Any  # (n, columns); NaN where a cell is empty, or text
    names: list[str]  # of the columns
    matrix: list[int]  # columns that belong to it
    single: list[int]  # columns that are variables of their own
    texts: dict[int, Any]  # columns of text, (n,) each
    hot: list[int]  # columns that are one-hot labels


def is_text(data: bytes) -> bool:
    """Whether bytes look like written text: marked as such, or most of them printable."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    head = data[:4096]
    odd = len(head.translate(None, PRINTABLE))
    begins_as_text = head[:8].translate(None, CONTROLS) == head[:8] and b"\0" not in head[:4]
    return begins_as_text and odd < 0.3 * len(head)


def headers(data: bytes) -> Iterator[Header]:
    """What the file holds: the matrix first, then columns in their order."""
    table = parsed(data)
    n = len(table.numbers)
    if table.matrix:
        yield Header((MATRIX,), "double", (n, len(table.matrix)))
    if table.hot:
        yield Header((HOT,), "double", (n, len(table.hot)))
    if grid_of(table):
        yield Header((GRID,), "double", (1, 2))
    for column in sorted([*table.single, *table.texts]):
        if column in table.texts:
            width = table.texts[column].dtype.itemsize // 4
            yield Header((table.names[column],), "char", (n, width))
        else:
            yield Header((table.names[column],), "double", (n, 1))


def load(data: bytes, found: list[Header]) -> list[Any]:
    """The variables with these headers as arrays of numbers or of text."""
    table = parsed(data)
    values = {table.names[c]: table.numbers[:, [c]] for c in reversed(table.single)}
    values |= {table.names[column]: table.texts[column] for column in reversed(table.texts)}
    if table.matrix:
        whole = len(table.matrix) == table.numbers.shape[1]
        values[MATRIX] = table.numbers if whole else table.numbers[:, table.matrix]
    values.setdefault(HOT, table.numbers[:, table.hot])
    values.setdefault(GRID, np.array([grid_of(table)], float))
    return [values[path[0]] for path, _, _ in found]


@lru_cache(maxsize=1)  # listed first, then loaded, by a process that then ends
def parsed(data: bytes) -> Table:
    """The table that a text holds."""
    content = decoded(data)
    if (at := content.find("\0")) >= 0:
        line = content.count("\n", 0, at) + 1
        raise MatFileError(f"Line {line:,} of the text holds a NUL, which no text may.")
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    del content
    first = first_rows(lines)
    if not first:
        raise MatFileError("The text holds no lines of numbers.")
    delimiter = delimiter_of(first)
    if wide := wide_cells(first, delimiter):
        lines = spread(lines, delimiter, wide)
        first = first_rows(lines)
    columns = first[0].count(delimiter) + 1 if delimiter else len(first[0].split())
    if columns > MOST_COLUMNS:
        raise MatFileError(f"The text has {columns:,} columns; there may be {MOST_COLUMNS:,}.")
    beginning = [cells for _, cells in rows(first, delimiter)]
    comma = delimiter != "," and any(
        DECIMAL_COMMA.fullmatch(cell.strip()) for cells in beginning for cell in cells
    )
    names = header_of(beginning, comma)
    table, texts = numbers_of(lines, delimiter, comma, names is not None)
    if len(texts) == table.shape[1]:
        words = words_of(lines, delimiter, False, sorted(texts), len(table) + 1)
        if len(texts) > 2 or not any(2 * len({*each}) <= len(each) for each in words.values()):
            raise MatFileError(
                f"This is a text without a column of numbers; it begins with {shown(first[0], 30)}."
                f" In MATLAB, save numbers with {SAVE}"
            )
        if any(each[0] in each[1:] for each in words.values()):  # a class, not a name
            names = None
            table, texts = numbers_of(lines, delimiter, comma, False)
    named = named_columns(names or [], texts)
    if not texts and table.shape[1] == 2:  # numbers of samples and labels: no matrix
        named = {0, 1}
    matrix = [column for column in range(table.shape[1]) if column not in texts | named]
    hot = [] if names or texts or named else hot_columns(table)
    return Table(
        table,
        [
            shown(name.strip(), 60)[1:-1] or f"column {column + 1}"
            for column, name in enumerate(names or [""] * table.shape[1])
        ],
        [column for column in matrix if column not in hot],
        sorted(named),
        words_of(lines, delimiter, names is not None, sorted(texts), len(table)),
        hot,
    )


def decoded(data: bytes) -> str:
    """The text: UTF-16 where marked, UTF-8 where it is valid, else Latin-1."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def is_row(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(COMMENTS)


def first_rows(lines: list[str]) -> list[str]:
    """What tells how a text is written."""
    return [line for line in lines[:1000] if is_row(line)][:20]


def delimiter_of(lines: list[str]) -> str:
    """What stands between cells; empty for white space."""
    words = lines[-1].split()
    if len(words) > 1 and all(CONTINENTAL.fullmatch(word) for word in words):
        return "\t" if "\t" in lines[-1] else ""
    for each in "\t;,":
        if all(each in line for line in lines[:1] + lines[-1:]):
            return each
    return ""


def rows(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that has any, with its number."""
    if not delimiter:
        yield from ((i, line.split()) for i, line in enumerate(lines, start=1) if is_row(line))
        return
    number = 0

    def counted() -> Iterator[str]:
        for line in lines:
            yield line + "\n" if is_row(line) or quoted else "\n"

    quoted = any('"' in line for line in lines)  # a quoted cell may go over lines
    reader = csv.reader(counted(), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            if cells and not cells[0].lstrip().startswith(COMMENTS):
                yield number + 1, cells
            number = reader.line_num
    except csv.Error:
        raise MatFileError(
            f"Line {number + 1:,} of the text opens a quote that does not end, or has a cell too "
            "long to be one."
        ) from None


def wide_cells(beginning: list[str], delimiter: str) -> dict[int, int]:
    """How many numbers the cells of a column hold, where these are many: `70 80 82 ...`."""
    if not delimiter.strip() or len(beginning) < 2:
        return {}
    (_, cells), *_ = list(rows(beginning, delimiter))[1:] or [(0, [])]
    counts = {column: len(cell.split()) for column, cell in enumerate(cells)}
    return {
        column: count
        for column, count in counts.items()
        if count >= MANY
        and all(number_in(word, False) is not None for word in cells[column].split())
    }


def spread(lines: list[str], delimiter: str, wide: dict[int, int]) -> list[str]:
    """The lines with a cell for each number of such columns, whose names are numbered."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    for i, (_, cells) in enumerate(rows(lines, delimiter)):
        each: list[str] = []
        for column, cell in enumerate(cells):
            header = i == 0 and column in wide and number_in(cell.split(" ")[0], False) is None
            if header:
                each += [f"{cell}{k}" for k in range(1, wide[column] + 1)]
            else:
                each += cell.split() if column in wide else [cell]
        writer.writerow(each)
    return file.getvalue().split("\n")


def hot_columns(table: Any) -> list[int]:
    """The last columns, if each line has a 1 in one of them and zeros in the others."""
    n, width = table.shape
    some = table[:, : -MOST_CLASSES - 1 : -1]  # from the last
    sums = np.where((some == 0) | (some == 1), some, np.nan).cumsum(axis=1)
    ends = np.flatnonzero((sums == 1).all(axis=0))
    k = int(ends[0]) + 1 if len(ends) else 0
    if not 2 <= k <= min(n // 2, width - 2) or some[:, :k].sum(axis=0).min() < 2:
        return []
    return list(range(width - k, width))


def number_in(cell: str, comma: bool) -> float | None:
    """The number that a cell holds, NaN where it is empty; None where it is text."""
    cell = cell.strip()
    if comma:
        cell = cell.replace(",", ".")
    if cell.lower() in MISSING:
        return float("nan")
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def header_of(beginning: list[list[str]], comma: bool) -> list[str] | None:
    """The names of the columns, if the first line holds names, or counts the columns."""
    found = [number_in(cell, comma) for cell in beginning[0]]
    if all(number is None or isnan(number) for number in found) or counts(beginning[0]):
        return beginning[0]
    below = [[number_in(cell, comma) for cell in cells] for cells in beginning[1:2]]
    text_over_number = any(
        here is None and under is not None
        for cells in below
        for here, under in zip(found, cells, strict=False)
    )
    return beginning[0] if text_over_number else None


def counts(cells: list[str]) -> bool:
    """Whether cells are 0, 1, 2, ..., what pandas calls columns that have no names.

    The one above its index is empty; the last of many may be what was added is called.
    """
    index = not cells[0].strip()
    names = [cell.strip() for cell in cells[index:]]
    if len(names) > MANY:
        names.pop()
    elif not index:
        return False
    return any(names == [str(start + k) for k in range(len(names))] for start in (0, 1))


def numbers_of(lines: list[str], delimiter: str, comma: bool, header: bool) -> tuple[Any, set[int]]:
    """All cells as numbers, NaN where one is text, and which columns hold text."""
    values, texts, width = array("d"), set[int](), 0
    for number, cells in rows(lines, delimiter):
        if not width:
            width = len(cells)
            if header:
                continue
        if len(cells) != width:
            raise MatFileError(
                f"Line {number:,} of the text has {len(cells):,} cells, the first has {width:,}."
            )
        for column in texts:
            cells[column] = "nan"
        try:
            if comma or any("_" in cell for cell in cells):
                raise ValueError
            row = list(map(float, cells))
        except ValueError:
            found = [number_in(cell, comma) for cell in cells]
            texts.update(column for column, value in enumerate(found) if value is None)
            row = [float("nan") if value is None else value for value in found]
        if not isfinite(sum(map(abs, row))):
            for cell, value in zip(cells, row, strict=True):
                if isinf(value) and "n" not in cell.lower():
                    raise MatFileError(
                        f"Line {number:,} of the text holds {shown(cell.strip(), 20)}, which is "
                        "beyond the largest number, 1.8e308."
                    )
        values.extend(row)
        if 8 * len(values) > LARGEST_ARRAY:
            raise MatFileError(
                f"The text holds more than the {LARGEST_ARRAY // 8:,} numbers that can be read."
            )
    if not values:
        raise MatFileError("The text names columns, but holds no lines of numbers.")
    return np.frombuffer(values).reshape(-1, width), texts


def words_of(
    lines: list[str], delimiter: str, header: bool, columns: list[int], n: int
) -> dict[int, Any]:
    """The columns of text."""
    if not columns:
        return {}
    found: dict[int, list[str]] = {column: [] for column in columns}
    for i, (_, cells) in enumerate(rows(lines, delimiter)):
        if i or not header:
            for column, words in found.items():
                words.append(cells[column].strip()[:LONGEST_TEXT])
    widest = sum(max(map(len, words)) for words in found.values())
    if 4 * n * widest > LARGEST_ARRAY:
        raise MatFileError(
            f"The columns of text hold more than the {LARGEST_ARRAY // 4:,} characters that can be "
            "read."
        )
    return {column: np.array(words, "U") for column, words in found.items()}


def named_columns(names: list[str], texts: set[int]) -> set[int]:
    """Columns of numbers that their name sets apart from the matrix."""
    numeric = [column for column in range(len(names)) if column not in texts]
    called = {column for column in numeric if names[column].strip().lower() in LABELS}
    odd = {column for column in numeric if not NUMBERED.fullmatch(names[column])} | called
    if 2 * len(odd) < len(numeric) and len(odd) <= MOST_NAMED:
        return odd
    return called


def grid_of(table: Table) -> tuple[int, int] | tuple[()]:
    """Rows and columns of each line's numbers, where the names of the columns tell them."""
    found = [TWO_PARTS.fullmatch(table.names[column]) for column in table.matrix]
    parts = [tuple(filter(None, each.groups())) for each in found if each]
    if len(parts) < max(len(found), 4):
        return ()
    slow, fast = ([each[k] for each in parts] for k in (0, 1))
    if fast[0] == fast[1]:  # t1_C3, t1_C4, ...: or the other way round
        slow, fast = fast, slow
    q = slow.count(slow[0])
    lines = [fast[at : at + q] for at in range(0, len(fast), q)]
    steady = all(len({*slow[at : at + q]}) == 1 for at in range(0, len(slow), q))
    p = len(lines)
    if min(p, q) < 2 or not steady or len({*slow}) != p or any(line != lines[0] for line in lines):
        return ()
    return (p, q) if len({*lines[0]}) == q else ()
