"""Programs to take along: a lesson's `program.py` with the settings of the page, and notebooks."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pages.shared.engine.experiment import constructor


def fill(page: str, samples: str = "", **settings: object) -> str:
    """Return the program beside a page, with settings as its constants and its cell of samples.

    It runs wherever `smmcore` is installed. `samples` are the statements that make X and y.
    """
    text = Path(page).with_name("program.py").read_text(encoding="utf-8")
    if samples:
        text = _replace(r"(# %% Samples\n).*?(?=\n# %%)", samples, text)
    for name, value in settings.items():
        text = _replace(rf"^({name}(?:: [\w |]+)? = )[^#\n]*?(?=  #|$)", constructor(value), text)
    return text


def _replace(pattern: str, new: str, text: str) -> str:
    flags = re.MULTILINE | re.DOTALL
    text, count = re.subn(pattern, lambda match: match[1] + new, text, flags=flags)
    if count != 1:
        raise LookupError(f"the program has {count} places for {new!r}, not one")
    return text


def to_notebook(program: str) -> str:
    """Return a program as a Jupyter notebook, with a cell for each `# %%`."""
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell-{k}",
            "metadata": {},
            "outputs": [],
            "source": cell.strip("\n"),
        }
        for k, cell in enumerate(re.split(r"^(?=# %%)", program, flags=re.MULTILINE))
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}}
    return json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5}, indent=1)
