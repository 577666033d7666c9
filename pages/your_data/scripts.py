"""Programs that the page offers for download: they repeat a trial without the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pages.shared.data.synthetic import LabelledDataset

SCRIPT_HEAD = '''\
"""A program of the support matrix machine lab. It needs the lab's package smmcore:

    pip install ".[files]"

in the folder of the app, the one that holds README.md and pyproject.toml. Then run this file.
"""

import sklearn.utils  # with it the libraries whose threads are limited below
from threadpoolctl import threadpool_limits

threadpool_limits(1)  # as in the app: for matrices of this size more threads take longer
'''


def trial_program(
    data: LabelledDataset,
    trial: Any,
    names: str,
    statements: Sequence[str],
    max_tests: int | None = None,
) -> str:
    """Return a program that runs a trial and executes statements on each of its results."""
    settings = "".join(
        f"    {field.name}={_break_lines(getattr(trial, field.name))},\n" for field in fields(trial)
    )
    further = "".join(f", {name}={name}" for name in data.known)
    each, tests = "result", f"trial.run(X, y{further})"
    if max_tests is not None:
        # zip asks the range first, so it does not run a further test.
        each, tests = "_, result", f"zip(range({max_tests}), {tests})"
    body = "".join(f"    {statement}\n" for statement in statements)
    return f"""\
{SCRIPT_HEAD}
{data.script()}
from pages.your_data.trial import {names}

trial = {type(trial).__name__}(
{settings})
for {each} in {tests}:
{body}"""


def _break_lines(value: object) -> str:
    """Return the text of a setting; a tuple of records has a line for each of them."""
    if not (isinstance(value, tuple) and value and hasattr(value[0], "_fields")):
        return repr(value)
    lines = "".join(f"        {each!r},\n" for each in value)
    return f"(\n{lines}    )"
