"""The worker process of the tests."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

from pages.shared.engine import processes


def work(pipe: Connection) -> None:
    """Be a worker at normal priority: a busy machine would starve one at a lower priority."""
    os.nice = lambda _: 0
    processes._work(pipe)
