"""Workers on other machines: a Dask cluster, if an environment variable names its scheduler."""

from __future__ import annotations

import logging
import os
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, Any

from pages.shared.engine import worker

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

log = logging.getLogger(__name__)

SETTING = "SMM_LAB_SCHEDULER"  # environment variable: tcp://host:8786
CONNECT_SECONDS = 5.0
PULSE = 1.0  # seconds between two checks of the workers during a call
WORKER_SECONDS = 15.0  # without a worker; Dask replaces one that dies within a few seconds
RETRY_SECONDS = 5.0  # after a failed connection, before the next attempt
MAX_CALLS = 1_000  # that wait for their answers at a time


def address() -> str:
    """Return the address of the scheduler, or an empty string."""
    return os.environ.get(SETTING, "")


class ClusterError(ValueError):
    """A message for the reader: which cluster fails, why, and what to do."""


class Cluster(Executor):
    """The workers of a Dask cluster.

    It connects before the first call, and again after it has lost the scheduler. Each call waits
    for its answer in a thread of its own, so `submit` never waits.

    The scheduler needs none of our code: it passes on bytes and the name of `pickle.loads`, which
    loads them on a worker. So an error that Dask reports is never an error of the called function,
    which is part of the answer.

    Its workers must run the same version of this app, with one thread each: a worker's memory is
    planned for one call at a time.
    """

    def __init__(self, address: str) -> None:
        self.threads = 1  # how many calls run at a time; 1 until the cluster is known
        self._address = address
        self._calls = ThreadPoolExecutor(MAX_CALLS)
        self._client: Client | None = None
        self._refusal = ""  # why the last attempt to connect failed
        self._retry_at = 0.0
        self._worker_seen_at = 0.0  # the time of the connection until then
        self._connecting = threading.Lock()
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function on a worker; the future fails with `ClusterError` if the cluster does."""
        return self._calls.submit(self._call, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Give up all calls, and leave the cluster running."""
        self._closed = True
        self._calls.shutdown(wait, cancel_futures=True)
        if wait:
            self._disconnect()

    def _call(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        try:
            answer = self._answer(self._connected(), worker.pickle_call(function, args, kwargs))
        except ClusterError as error:
            if not self._closed:
                log.warning("%s", error)
            raise
        result, failure = pickle.loads(answer)
        if failure is not None:
            raise failure
        return result

    def _connected(self) -> Client:
        with self._connecting:
            if self._client is None or self._client.status != "running":
                if monotonic() < self._retry_at:
                    raise ClusterError(self._refusal)
                try:
                    from distributed import Client

                    self._disconnect()
                    self._client = Client(
                        self._address, timeout=CONNECT_SECONDS, set_as_default=False
                    )
                except Exception as error:
                    self._refusal = f"the cluster at {self._address} {_refusal(error)}"
                    self._retry_at = monotonic() + RETRY_SECONDS
                    raise ClusterError(self._refusal) from error
                self._worker_seen_at = monotonic()
            return self._client

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()

    def _answer(self, client: Client, call: bytes) -> bytes:
        task = client.submit(pickle.loads, call, pure=False)
        try:
            while not self._closed:
                self._count_threads(client)
                try:
                    answer: bytes = task.result(timeout=PULSE)
                    return answer
                except TimeoutError:
                    continue
            raise ClusterError("the server ends")
        except ClusterError:
            raise
        except Exception as error:
            raise ClusterError(self._explanation(task, error)) from error
        finally:
            task.release()

    def _count_threads(self, client: Client) -> None:
        threads = sum(client.nthreads().values())
        if threads:
            self.threads, self._worker_seen_at = threads, monotonic()
        elif monotonic() - self._worker_seen_at > WORKER_SECONDS:
            raise ClusterError(
                f"the cluster at {self._address} has no workers: start one as docs/class.md says, "
                "then run this again"
            )

    def _explanation(self, task: DaskFuture[Any], error: Exception) -> str:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return (
                f"this computation ended {error.allowed_failures + 1} workers of the cluster at "
                f"{self._address}, one after another: their memory is full or one step took more "
                f"than {worker.MAX_SECONDS:.0f} seconds. Try a smaller n, p or q"
            )
        if task.status == "error":
            return (
                f"the cluster at {self._address} cannot run this app ({_first_line(error)}): start "
                "its workers as docs/class.md says, with the same version of the app, then run "
                "this again"
            )
        return (
            f"the connection to the cluster at {self._address} was lost: check that its scheduler "
            "runs, then run this again"
        )


def _refusal(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return "needs Dask on this machine: run pip install distributed, then start the app again"
    cause = "does not answer" if isinstance(error, OSError) else f"fails ({_first_line(error)})"
    return f"{cause}: start its scheduler or correct the address, then run this again"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
