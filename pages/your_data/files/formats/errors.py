"""The error for a file that cannot be used, its sentences, and the format of names and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .variables import LARGEST_ARRAY

SAVE = "save('file.mat', 'X', 'y', '-v7')."
OCTAVE = "This is Octave's own format. Save the variables for MATLAB (save -v7 file.mat X y)."
STRUCTS = "holds structs in some of its cells: save what they hold as arrays."
AGAIN = "please download it again."
CUT_OFF = f"The file is incomplete, it ends in the middle of a variable: {AGAIN}"


class FileError(ValueError):
    """An error about a file or a variable that cannot be used; its message is one sentence."""


def quote(name: object, longest: int = 40) -> str:
    """Quote a name for a message: control characters are escaped, and long names are shortened."""
    text = str(name)
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def format_shape(shape: tuple[int, ...]) -> str:
    """Format a shape: 20 × 16 × 78."""
    return " × ".join(f"{length:,}" for length in shape)


def too_large_error(name: str, shape: tuple[int, ...], kind: str = "") -> FileError:
    """Return the error for a variable that is larger than what can be read."""
    return FileError(
        f"{quote(name)} is {format_shape(shape)}, which is more than the {LARGEST_ARRAY // 10**6} "
        f"MB that can be read{kind and f', of class {quote(kind)}'}."
    )


def missing_variable_error(name: str, names: list[str]) -> FileError:
    """Return the error for a name that is not among those of the variables."""
    some = ", ".join(quote(each, 20) for each in names[:5])
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return FileError(f"{quote(name)} is not in this file, which has {some}{more}.")


def unequal_cells_error(name: str, shapes: set[tuple[int, ...]]) -> FileError:
    """Return the error for cells that differ in shape."""
    one, *_, other = sorted(shapes)
    return FileError(
        f"The cells of {quote(name)} differ in shape: {format_shape(one)} and "
        f"{format_shape(other)}."
    )


@contextmanager
def replace_errors(sentence: str) -> Iterator[None]:
    """Replace every error of a library, of which each raises many kinds, by this sentence."""
    try:
        yield
    except (FileError, MemoryError):
        raise
    except Exception:
        raise FileError(sentence) from None
