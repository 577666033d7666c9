"""Runs on other machines: the executor of a Dask cluster, where a setting names one."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future

SETTING = "SMM_LAB_SCHEDULER"  # in the environment: tcp://host:8786


def address() -> str:
    """Return the address of the scheduler, or nothing."""
    return os.environ.get(SETTING, "")


class Cluster(Executor):
    """The workers of a Dask cluster.

    They must be able to import this project, and have one thread each (`dask worker --nthreads 1`):
    a worker keeps the data of its runs, for one job at a time.

    Raises
    ------
    RuntimeError
        If Dask is not installed, no scheduler answers, or it has no workers.
    """

    def __init__(self) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise RuntimeError(f"{SETTING} needs Dask: pip install distributed") from error
        try:
            self._client = Client(address(), timeout=10, set_as_default=False)
            self._client.wait_for_workers(1, timeout=10)
        except (OSError, ValueError) as error:
            raise RuntimeError(f"{SETTING} = {address()!r}: no cluster answers there") from error
        self._executor = self._client.get_executor(pure=False)

    @property
    def threads(self) -> int:
        """How many jobs run at a time."""
        return sum(self._client.nthreads().values())

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        """Have a worker call a function."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster as it is."""
        self._client.close()
