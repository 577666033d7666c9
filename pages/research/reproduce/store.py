"""Finished cells on disk, one file each."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from platform import python_version

import numpy as np
import scipy
import sklearn

import smmcore
from pages.shared.engine import worker
from pages.shared.engine.experiment import constructor
from pages.shared.reproduction.reproduction import Cell, Row


def versions() -> str:
    """Return the versions of everything that computes cells."""
    return (
        f"smmcore {smmcore.__version__} (source {worker.version()[:16]}), Python "
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
            row: Row = record["row"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return row if record["key"] == _key(cell, samples) else None

    def save(self, cell: Cell, samples: str, row: Row) -> None:
        """Write the row of a cell; an interruption leaves the old file or the new one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        key, path = _key(cell, samples), self._path(cell, samples)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps({"key": key, "row": row}, indent=1), encoding="utf-8")
        os.replace(part, path)

    def _path(self, cell: Cell, samples: str) -> Path:
        name = sha256(json.dumps(_key(cell, samples)).encode()).hexdigest()[:24]
        return self.folder / f"{name}.json"


def _key(cell: Cell, samples: str) -> dict[str, str]:
    return {"cell": constructor(cell), "samples": samples, "versions": versions()}
