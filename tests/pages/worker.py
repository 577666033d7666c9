"""The worker process of the tests, and calls for it."""

import gc
import os
import signal
from multiprocessing.connection import Connection

from pages.shared.engine import processes


def work(pipe: Connection) -> None:
    """Be a worker at normal priority: a busy machine would starve one at a lower priority."""
    os.nice = lambda _: 0
    processes._work(pipe)


def run_for_ever(_data: object) -> None:
    """Never end."""
    while True:
        pass


def die_while_writing() -> None:
    """End the worker when the beginning of its answer is out."""
    pipe = next(thing for thing in gc.get_objects() if isinstance(thing, Connection))
    os.write(pipe.fileno(), (1_000).to_bytes(4, "big") + b"of which this is a part")
    os.kill(os.getpid(), signal.SIGKILL)
