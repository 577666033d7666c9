"""Text: .csv of any dialect, and MATLAB's `save -ascii`.

A table becomes the matrix `numbers`, with one row per line, and one variable for each column of
text. If the first line names the columns, columns with names of labels or groups become variables
of their own; so do the few columns without a number in their names, if most names are numbered
(`p0`, `p1`, ...). One or two columns alone may be labels: words that are repeated, or
numbers next to the numbers of the samples. A cell that holds many numbers, such as pixels, becomes
as many columns. If the columns have no names, the last ones may be one-hot labels. Columns whose
names give rows and columns (r1c1, r1c10, r1c2) come row after row or column after column. A table
with a row for each sample and sensor, and perhaps each moment, becomes a stack (`long_form`).

Rows are parsed here and not by pandas, which fills lines with too few cells with NaN, turns numbers
beyond the largest float to infinity, and checks no limit before it has read everything.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from math import isfinite, isinf, isnan
from typing import Any, NamedTuple

import numpy as np

from .clocks import find_clocks
from .errors import SAVE, FileError, quote
from .headings import find_grid
from .long_form import find_long_form
from .variables import (
    AXIS,
    CLOCK,
    COLUMNS,
    HEADER,
    LARGEST_ARRAY,
    TABLE,
    Header,
    header_of,
    split_words,
)

HOT = "labels"  # the name of the matrix of one-hot columns
MOST_COLUMNS = 100_000
MOST_NAMED = 20  # columns that become variables because their names are not numbered
MAX_CLASSES = 200  # one-hot
MANY = 9  # numbers in a cell, or columns that are counted
LONGEST_TEXT = 200  # characters of a cell of text
CONTROLS = bytes({*range(1, 32)} - {*b"\t\n\f\r"})
PRINTABLE = bytes(range(32, 127)) + b"\t\n\r"
MISSING = {"", "na", "n/a", "null", "none", "?", "-", "."}
COMMENTS = ("#", "%")
NUMBERED = re.compile(r".*\d\W*")  # p12, 28x28, feature_3, V1
PANDAS_INDEX = re.compile(r"^Unnamed: \d+$")  # a heading that was empty before pandas read it
DECIMAL_COMMA = re.compile(r"[-+]?[\d.]*,\d+([eE][-+]?\d+)?( ?%)?")
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}([.,]\d{3})+")
CONTINENTAL = re.compile(r"[-+]?\d*(,\d+)?([eE][-+]?\d+)?")  # 3,14 or 3
LABELS = {
    *("y", "gnd", "label", "labels", "class", "classes", "target", "targets", "category"),
    *("dx", "diagnosis", "outcome", "species", "subject", "subjects", "session", "patient"),
    *("person", "group", "groups", "trial", "epoch", "fold", "id", "index"),
    *("klasse", "kategorie", "diagnose", "gruppe"),
}
KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")
PAIRS = re.compile(rb"([\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])*+")
WINDOWS = re.compile(rb"[\x80-\x9f]")


class Table(NamedTuple):
    """The variables in a text."""

    # The matrix first, numbers (n, columns) with NaN in cells that are empty; then what its names
    # tell, and the columns that are variables of their own, (n, 1) of numbers or (n,) of text
    variables: dict[str, Any]
    notes: list[str]  # sentences about what is left out, or put in order


def is_text(data: bytes) -> bool:
    """Return whether bytes are text: they begin with a byte order mark, or most are printable."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    head = data[:4096]
    odd = len(head.translate(None, PRINTABLE))
    begins_as_text = head[:8].translate(None, CONTROLS) == head[:8] and b"\0" not in head[:4]
    return begins_as_text and odd < 0.3 * len(head)


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of the matrix, then those of the columns in their order."""
    for name, values in parse_table(data).variables.items():
        yield header_of((name,), values)


def remarks(data: bytes) -> tuple[list[str], list[str]]:
    """Return sentences about lines and columns; no image is left out."""
    return parse_table(data).notes, []


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers as arrays of numbers or of text."""
    variables = parse_table(data).variables
    return [variables[path[0]] for path, _, _ in found]


@lru_cache(maxsize=1)  # `headers` and `load` share it, in a process that then ends
def parse_table(data: bytes) -> Table:
    """Parse the table in a text."""
    content = decode_text(data)
    if (at := content.find("\0")) >= 0:
        line = content.count("\n", 0, at) + 1
        raise FileError(f"Line {line:,} of the text holds a NUL, which no text may.")
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    del content
    first = first_rows(lines)
    if not first:
        raise FileError("The text holds no lines of numbers.")
    delimiter = find_delimiter(first)
    notes = []
    if above := count_lines_above(lines, first, delimiter):
        notes.append(f"What stands above the table is left out: {quote(first[0], 60)}.")
        lines[:above] = [""] * above  # so that the others keep their numbers
        first = first_rows(lines)
    if units := find_units(first, delimiter):
        some = quote(units[0].strip(), 20)
        notes.append(f"The line below the names is left out: units or other words, such as {some}.")
        lines[lines.index(first[1])] = ""
        first = first_rows(lines)
    if wide := find_wide_cells(first, delimiter):
        lines = split_wide_cells(lines, delimiter, wide)
        first = first_rows(lines)
    columns = first[0].count(delimiter) + 1 if delimiter else len(first[0].split())
    if columns > MOST_COLUMNS:
        raise FileError(f"The text has {columns:,} columns; there may be {MOST_COLUMNS:,}.")
    beginning = [cells for _, cells in iterate_rows(first, delimiter)]
    with_comma = [
        cell.strip() for cells in beginning[1:] or beginning for cell in cells if "," in cell
    ]
    comma = any(map(DECIMAL_COMMA.fullmatch, with_comma))
    if delimiter == ",":  # in quotes, or between thousands
        comma = comma and not all(map(THOUSANDS.fullmatch, with_comma))
    names = find_header(beginning, comma)
    names = names and [PANDAS_INDEX.sub("", name) for name in names]
    table, texts = read_numbers(lines, delimiter, comma, names is not None)
    if len(texts) == table.shape[1]:
        words = read_texts(lines, delimiter, False, sorted(texts), len(table) + 1)
        has_key = delimiter and any(len({*each}) == len(each) for each in words.values())
        has_classes = any(2 * len({*each}) <= len(each) for each in words.values())
        if not has_classes or (len(texts) > 2 and not has_key):
            raise FileError(
                f"This is a text without a column of numbers; it begins with {quote(first[0], 30)}."
                f" In MATLAB, save numbers with {SAVE}"
            )
        if any(each[0] in each[1:] for each in words.values()):  # the first line is no name
            names = None
            table, texts = read_numbers(lines, delimiter, comma, False)
    of_texts = read_texts(lines, delimiter, names is not None, sorted(texts), len(table))
    columns_of = {at: of_texts.get(at, table[:, at]) for at in range(table.shape[1])}
    if names and (long := find_long_form(columns_of, names)):
        found = {title_of(names, at): columns_of[at][long.rows] for at in long.single}
        keys = ", ".join(quote(title_of(names, at)) for at in long.keys)
        notes.append(f"Samples are put together from their rows, by {keys}.")
        return Table({TABLE: long.X} | found, notes)
    named = find_named_columns(names or [], texts)
    matrix = [column for column in range(table.shape[1]) if column not in texts | named]
    clocks, are_moments = find_clocks(table, names, matrix)
    if not texts and table.shape[1] == 2 and not are_moments:  # numbers of samples and their labels
        named, matrix, clocks = {0, 1}, [], []
    if names and texts and len(matrix) == 1:
        named, matrix = named | {*matrix}, []
    matrix = [column for column in matrix if column not in clocks]
    notes += [
        f"Column {quote(title_of(names, column))} is not used: it counts the moments, or the rows."
        for column in clocks
    ]
    hot = [] if names or texts or named else find_one_hot_columns(table)
    notes += put_in_order(matrix, names or [])
    single = {column: table[:, [column]] for column in named} | of_texts
    matrix = [column for column in matrix if column not in hot]
    variables = list_variables(table, names, matrix, hot, single)
    return Table(variables | ({CLOCK: table[:, clocks]} if are_moments else {}), notes)


def list_variables(
    table: Any, names: list[str] | None, matrix: list[int], hot: list[int], single: dict[int, Any]
) -> dict[str, Any]:
    """Return the matrix, what the names of its columns tell, one-hot labels and single columns."""
    titles = [title_of(names, column) for column in range(table.shape[1])]
    found: dict[str, Any] = {}
    if matrix:
        found[TABLE] = table if matrix == [*range(table.shape[1])] else table[:, matrix]
    if matrix and names:
        found[HEADER] = np.array([titles[column] for column in matrix])
        found[COLUMNS], axis = read_words(single, names, matrix)
        found[AXIS] = axis if len(axis) else read_axis([names[column] for column in matrix])
    if hot:
        found[HOT] = table[:, hot]
    found = {name: values for name, values in found.items() if len(values)}
    for column in sorted(single):
        found.setdefault(titles[column], single[column])
    return found


def title_of(names: list[str] | None, column: int) -> str:
    """Return the name of a column, or its number if it has none."""
    return quote(names[column].strip() if names else "", 60)[1:-1] or f"column {column + 1}"


def read_words(single: dict[int, Any], names: list[str], matrix: list[int]) -> tuple[Any, Any]:
    """Return the words in the names of columns that are samples: control_1, treated_1.

    A column beside them runs evenly, such as wavelengths: return its numbers as well.
    """
    words = [re.split(r"[\W\d_]*\d", names[column])[0] for column in matrix]
    even = [
        values
        for column, values in sorted(single.items())
        if values.dtype.kind == "f" and not is_called_label(names[column])
        if are_axis([None, *values[: MANY + 9, 0].tolist()], [])
    ]
    repeated = 2 <= len({*words}) <= len(words) / 2 and all(words)
    return (np.array(words), even[0]) if even and repeated else (np.zeros(0, "U1"), np.zeros(0))


def read_axis(names: list[str]) -> Any:
    """Return the names of columns as numbers, if they run in one direction."""
    numbers = np.array([parse_number(name, False) or np.nan for name in names])
    steps = np.diff(numbers)
    is_axis = len(steps) >= MANY and ((steps > 0).all() or (steps < 0).all())
    return numbers[:, None] if is_axis and not are_counted(names) else np.zeros(0)


def put_in_order(matrix: list[int], names: list[str]) -> list[str]:
    """Sort columns row after row, if their names give rows and columns in another order; say so."""
    p, q, places = find_grid([names[column] for column in matrix] if names else []) or (1, 1, [])
    if not places or places in (sorted(places), [r * q + c for c in range(q) for r in range(p)]):
        return []
    place_of = dict(zip(matrix, places, strict=True))
    matrix.sort(key=place_of.__getitem__)
    return ["The columns are put in the order of the numbers in their names."]


def decode_text(data: bytes) -> str:
    """Decode a text: UTF-16 if it is marked so, UTF-8 if it is valid, or what its bytes look like.

    Chinese is in pairs of bytes (GB 18030), Japanese has kana (Shift-JIS); the rest is Latin-1,
    with the quotes and dashes of Windows.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if KANA.search(data):
        return data.decode("shift_jis", "replace")
    if PAIRS.fullmatch(data):
        return data.decode("gb18030", "replace")
    if WINDOWS.search(data):
        return data.decode("cp1252", "replace")
    return data.decode("latin-1")


def is_row(line: str) -> bool:
    """Return whether a line is neither blank nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith(COMMENTS)


def first_rows(lines: list[str]) -> list[str]:
    """Return the first rows, which show the dialect of a text."""
    return [line for line in lines[:1000] if is_row(line)][:20]


def count_lines_above(lines: list[str], first: list[str], delimiter: str) -> int:
    """Count the lines above a table: words in another number of cells, such as a title or sep=;."""
    rows = [cells for _, cells in iterate_rows(first, delimiter)]
    above = list(takewhile(lambda cells: len(cells) != len(rows[-1]), rows))
    in_words = all(
        not any(cells) or any(parse_number(cell, True) is None for cell in cells) for cells in above
    )
    is_table = len(rows) == len(first) > len(above) + 1
    return lines.index(first[len(above)]) if above and in_words and is_table else 0


def find_units(first: list[str], delimiter: str) -> list[str]:
    """Return the words of the second line if they stand above columns of numbers, with names."""
    rows = [cells for _, cells in iterate_rows(first, delimiter)]
    if len(rows) < 4 or len(rows) < len(first) or len({*map(len, rows)}) > 1:
        return []
    numbers = [[parse_number(cell, True) for cell in cells] for cells in rows]
    columns = [each for each in zip(*numbers, strict=True) if None not in each[2:]]
    has_names = all(name is None and (unit is None or isnan(unit)) for name, unit, *_ in columns)
    words = [cell for cell in rows[1] if parse_number(cell, True) is None]
    return words if has_names and any(unit is None for _, unit, *_ in columns) else []


def find_delimiter(lines: list[str]) -> str:
    """Find the character between cells; empty for white space."""
    words = lines[-1].split()
    if len(words) > 1 and all(CONTINENTAL.fullmatch(word) for word in words):
        return "\t" if "\t" in lines[-1] else ""
    for each in "\t;,":
        if all(each in line for line in lines[:1] + lines[-1:]):
            return each
    return ""


def iterate_rows(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that has cells."""
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
        raise FileError(
            f"Line {number + 1:,} of the text opens a quote that does not end, or has a cell too "
            "long to be one."
        ) from None


def find_wide_cells(beginning: list[str], delimiter: str) -> dict[int, int]:
    """Find columns whose cells hold many numbers, `70 80 82 ...`; return how many they hold."""
    if not delimiter.strip() or len(beginning) < 2:
        return {}
    (_, cells), *_ = list(iterate_rows(beginning, delimiter))[1:] or [(0, [])]
    counts = {column: len(cell.split()) for column, cell in enumerate(cells)}
    return {
        column: count
        for column, count in counts.items()
        if count >= MANY
        and all(parse_number(word, False) is not None for word in cells[column].split())
    }


def split_wide_cells(lines: list[str], delimiter: str, wide: dict[int, int]) -> list[str]:
    """Split the cells of such columns into one cell per number, and number their names."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    for i, (_, cells) in enumerate(iterate_rows(lines, delimiter)):
        each: list[str] = []
        for column, cell in enumerate(cells):
            header = i == 0 and column in wide and parse_number(cell.split(" ")[0], False) is None
            if header:
                each += [f"{cell}{k}" for k in range(1, wide[column] + 1)]
            else:
                each += cell.split() if column in wide else [cell]
        writer.writerow(each)
    return file.getvalue().split("\n")


def find_one_hot_columns(table: Any) -> list[int]:
    """Find the last columns in which each line has a single 1, and otherwise zeros."""
    n, width = table.shape
    some = table[:, : -MAX_CLASSES - 1 : -1]  # from the last
    sums = np.where((some == 0) | (some == 1), some, np.nan).cumsum(axis=1)
    ends = np.flatnonzero((sums == 1).all(axis=0))
    k = int(ends[0]) + 1 if len(ends) else 0
    if not 2 <= k <= min(n // 2, width - 2) or some[:, :k].sum(axis=0).min() < 2:
        return []
    return list(range(width - k, width))


def parse_number(cell: str, comma: bool) -> float | None:
    """Parse the number in a cell: NaN if the cell is empty, None if it is text."""
    cell = cell.strip().removesuffix("%")
    if comma and ("," in cell or THOUSANDS.fullmatch(cell)):
        cell = cell.replace(".", "").replace(",", ".")
    if cell.lower() in MISSING:
        return float("nan")
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def find_header(beginning: list[list[str]], comma: bool) -> list[str] | None:
    """Return the first line if it holds the names, or the numbers, of the columns."""
    found = [parse_number(cell, comma) for cell in beginning[0]]
    if all(number is None or isnan(number) for number in found) or are_counted(beginning[0]):
        return beginning[0]
    below = [[parse_number(cell, comma) for cell in cells] for cells in beginning[1:2]]
    text_over_number = any(
        here is None and under is not None
        for cells in below
        for here, under in zip(found, cells, strict=False)
    )
    return beginning[0] if text_over_number or are_axis(found, below) else None


def are_axis(first: list[float | None], below: list[list[float | None]]) -> bool:
    """Return whether the numbers of a line, behind a name, run evenly, and those below do not."""

    def run(line: list[float | None]) -> bool:
        numbers = np.array([number for number in line if number is not None])
        steps = np.diff(numbers)
        even = len(steps) >= MANY and bool(np.ptp(steps) <= 0.01 * abs(steps.mean()))
        return even and steps.mean() != 0

    return None in first and run(first) and not any(map(run, below))


def are_counted(cells: list[str]) -> bool:
    """Return whether cells are 0, 1, 2, ..., the names that pandas gives to unnamed columns.

    The cell above the index is empty, and the last of many may be the name of an added column.
    """
    index = not cells[0].strip()
    names = [cell.strip() for cell in cells[index:]]
    if len(names) > MANY:
        names.pop()
    elif not index:
        return False
    return any(names == [str(start + k) for k in range(len(names))] for start in (0, 1))


def read_numbers(
    lines: list[str], delimiter: str, comma: bool, header: bool
) -> tuple[Any, set[int]]:
    """Read all cells as numbers, NaN for text; return also the columns that hold text."""
    values, texts, width = array("d"), set[int](), 0
    for number, cells in iterate_rows(lines, delimiter):
        if not width:
            width = len(cells)
            if header:
                continue
        if len(cells) != width:
            raise FileError(
                "This is a text, and as a table it does not work: its first line has "
                f"{width:,} cells, line {number:,} has {len(cells):,}."
            )
        for column in texts:
            cells[column] = "nan"
        try:
            if comma or any("_" in cell for cell in cells):
                raise ValueError
            row = list(map(float, cells))
        except ValueError:
            found = [parse_number(cell, comma) for cell in cells]
            texts.update(column for column, value in enumerate(found) if value is None)
            row = [float("nan") if value is None else value for value in found]
        if not isfinite(sum(map(abs, row))):
            for cell, value in zip(cells, row, strict=True):
                if isinf(value) and "n" not in cell.lower():
                    raise FileError(
                        f"Line {number:,} of the text holds {quote(cell.strip(), 20)}, which is "
                        "beyond the largest number, 1.8e308."
                    )
        values.extend(row)
        if 8 * len(values) > LARGEST_ARRAY:
            raise FileError(
                f"The text holds more than the {LARGEST_ARRAY // 8:,} numbers that can be read."
            )
    if not values:
        raise FileError(
            "This is a text without lines of numbers: neither a table nor a file of MATLAB."
        )
    return np.frombuffer(values).reshape(-1, width), texts


def read_texts(
    lines: list[str], delimiter: str, header: bool, columns: list[int], n: int
) -> dict[int, Any]:
    """Read the columns of text."""
    if not columns:
        return {}
    found: dict[int, list[str]] = {column: [] for column in columns}
    for i, (_, cells) in enumerate(iterate_rows(lines, delimiter)):
        if i or not header:
            for column, words in found.items():
                words.append(cells[column].strip()[:LONGEST_TEXT])
    widest = sum(max(map(len, words)) for words in found.values())
    if 4 * n * widest > LARGEST_ARRAY:
        raise FileError(
            f"The columns of text hold more than the {LARGEST_ARRAY // 4:,} characters that can be "
            "read."
        )
    return {column: np.array(words, "U") for column, words in found.items()}


def is_called_label(name: str) -> bool:
    """Return whether a column is called labels, groups or ids: y, SUB_ID."""
    is_id = not NUMBERED.fullmatch(name) and "id" in split_words(name)
    return is_id or name.strip().lower() in LABELS


def find_named_columns(names: list[str], texts: set[int]) -> set[int]:
    """Find columns of numbers whose names say that they do not belong to the matrix."""
    numeric = [column for column in range(len(names)) if column not in texts]
    called = {column for column in numeric if is_called_label(names[column])}
    titles = [name.strip().lower() for name in names]
    if {"x", "y", "z"} <= {*titles}:  # of a place, or of a force
        called.discard(titles.index("y"))
    odd = {column for column in numeric if not NUMBERED.fullmatch(names[column])} | called
    if 2 * len(odd) < len(numeric) and len(odd) <= MOST_NAMED:
        return odd
    return called
