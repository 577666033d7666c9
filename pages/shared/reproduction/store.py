"""Finished cells on disk, one file each, verified when they are read."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import scipy
import sklearn

import smmcore
from pages.shared.engine.experiment import constructor
from pages.shared.reproduction.reproduction import PAGES, Cell, Row

ROOTS = {"pages": PAGES.parent, "smmcore": Path(smmcore.__file__).parents[1]}


@cache
def source_digest(module: str) -> str:
    """Return a digest of the source of a module and of all of ours that it imports.

    Results are functions of it. An edit elsewhere in the app makes none stale.
    """
    found: dict[str, bytes] = {}
    ahead = [module]
    while ahead:
        name = ahead.pop()
        file = _source_file(name)
        if name not in found and file is not None:
            found[name] = file.read_bytes().replace(b"\r\n", b"\n")
            ahead += [*_imports(found[name], name), name.rpartition(".")[0]]
    digest = sha256()
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + found[name])
    return digest.hexdigest()[:16]


def _source_file(module: str) -> Path | None:
    """Return the file of a module of ours, or None for others and for names in a module."""
    root = ROOTS.get(module.partition(".")[0])
    if root is None:
        return None
    path = root.joinpath(*module.split("."))
    files = path.with_suffix(".py"), path / "__init__.py"
    return next((file for file in files if file.exists()), None)


def _imports(source: bytes, module: str) -> Iterator[str]:
    """Yield what a module imports, also inside functions, and what may be modules in it."""
    tree = ast.parse(source)
    ours = _source_file(module)
    package = module if ours and ours.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            node.body = []  # imported by type checkers only
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(filter(None, [*(parent if node.level else ()), node.module]))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def versions(module: str) -> str:
    """Return the versions of everything that computes the cells of a module."""
    return (
        f"smmcore {smmcore.__version__} (source {source_digest(module)}), Python "
        f"{python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}"
    )


class Store:
    """A folder of finished cells; a file is named by the settings, the samples and the versions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # made when the first cell is saved

    def load(self, cell: Cell, samples: str) -> Row | None:
        """Return the row of a cell, or None if there is no file or it is damaged."""
        try:
            record = json.loads(self._path(cell, samples).read_text(encoding="utf-8"))
            whole = record["checksum"] == _checksum(record["key"], record["row"])
            row: Row = record["row"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return row if whole and record["key"] == _key(cell, samples) else None

    def save(self, cell: Cell, samples: str, row: Row) -> None:
        """Write the row of a cell; an interruption leaves the old file or the new one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        key, path = _key(cell, samples), self._path(cell, samples)
        record = {"key": key, "row": row, "checksum": _checksum(key, row)}
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(record, indent=1), encoding="utf-8")
        os.replace(part, path)

    def _path(self, cell: Cell, samples: str) -> Path:
        name = sha256(json.dumps(_key(cell, samples)).encode()).hexdigest()[:24]
        return self.folder / f"{name}.json"


def _key(cell: Cell, samples: str) -> dict[str, str]:
    module = type(cell).__module__
    return {"cell": constructor(cell), "samples": samples, "versions": versions(module)}


def _checksum(key: Any, row: Any) -> str:
    return sha256(json.dumps([key, row]).encode()).hexdigest()
