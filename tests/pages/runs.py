"""Small data for the runs of lessons, and each run once for all tests of a process."""

from functools import cache

from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine.worker import advance

SPLIT = Split(BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2))


@cache
def run_to_the_end(run):
    """Return the whole run."""
    return advance(run, None, 600.0)
