"""Names of variables in several files: each file is a struct with the name of the file."""

from __future__ import annotations

from collections import Counter

from .variables import ONE, TABLE


def list_stems(paths: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the folders and the name of each file, without its ending where that is unique."""
    stems = [(*path[:-1], path[-1].rpartition(".")[0] or path[-1]) for path in paths]
    counts = Counter(stems)
    return [stem if counts[stem] == 1 else path for stem, path in zip(stems, paths, strict=True)]


def qualify(stem: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of a variable in a file; an array without a name is called as its file.

    >>> qualify(("train",), ("X",)), qualify(("X_train",), ("array",))
    (('train', 'X'), ('X_train',))
    """
    return stem if path in ((ONE,), (TABLE,), stem[-1:]) else (*stem, *path)
