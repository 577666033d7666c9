"""Columns of a table that count its rows, as a clock does: no part of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from .variables import split_words

FEWEST = 10  # rows, from which steps that are alike are no chance
MOST = 20  # columns of a table: more that rise are its samples
TIMES = {  # words in the names of columns that run over moments
    *("time", "times", "timestamp", "timestamps", "t", "ms", "sec", "secs", "second", "seconds"),
    *("elapsed", "tick", "ticks"),
}
COUNTS = {"index", "unnamed", "sample", "samples", "frame", "frames"}  # or over samples
RUNS = 0.9  # of the steps of a clock, which begins anew in each recording
EVEN = 0.1  # of a step, by which another may differ, as clocks are rounded


def find_clocks(table: Any, names: list[str] | None, matrix: list[int]) -> tuple[list[int], bool]:
    """Find the columns of a matrix that count its rows; a classifier would learn the session.

    Return also whether one shows that the rows are moments, as steps of 1 may number samples.
    """
    if len(table) < FEWEST:
        return [], False
    begins = np.diff(table[:30, matrix], axis=0) > 0  # cheap, as there may be many columns
    rising = [matrix[at] for at in np.flatnonzero(begins.mean(axis=0) >= RUNS - 0.1)]
    if len(rising) > MOST:
        return [], False
    words = {column: split_words(names[column]) if names else set() for column in rising}
    steps = {column: np.diff(table[:, column]) for column in rising}
    blank = {column for column in rising if names and not names[column].strip()}
    clocks = [
        column
        for column in rising
        if (steps[column] > 0).mean() >= RUNS
        if column in blank or words[column] & (TIMES | COUNTS) or are_even(steps[column])
    ]
    if clocks == matrix:
        return [], False
    return clocks, any(words[at] & TIMES or np.median(steps[at]) != 1 for at in clocks)


def are_even(steps: Any) -> bool:
    """Return whether nearly all steps are as long as the usual one."""
    usual = np.median(steps)
    return bool((abs(steps - usual) <= EVEN * usual).mean() >= RUNS)
