"""Worker processes, each at the end of a pipe of its own."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any

from pages.shared import system
from pages.shared.engine import worker

log = logging.getLogger(__name__)

IDLE = 60.0  # seconds without a call, after which a worker gives its memory back


class WorkerLost(Exception):
    """The process of a call has died."""


class Processes(Executor):
    """A pool of processes. One that dies is replaced, and only its own call is lost.

    The standard library's pool has one pipe for all results. A worker that dies while it writes a
    large result leaves half a message and a lock behind, and the whole pool waits for ever.
    """

    def __init__(self, count: int) -> None:
        os.environ.update(system.ONE_BLAS_THREAD)  # before a process loads a BLAS
        self.threads = count
        self._calls: SimpleQueue[Any] = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a process; the future fails with `WorkerLost` if the process dies."""
        future: Future[Any] = Future()
        self._calls.put((future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their current calls."""
        while cancel_futures:
            try:
                task = self._calls.get_nowait()
            except Empty:
                break
            if task is not None:  # put there by an earlier call, to end a thread
                task[0].cancel()
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _serve(self) -> None:
        """Send calls to a process, and start another one if it dies."""
        process: BaseProcess | None = None
        pipe: Connection | None = None
        while (task := self._calls.get()) is not None:
            future, *call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                message = pickle.dumps(call)
                if process is None or pipe is None or not _begin(pipe, message):
                    process, pipe = _start()
                    pipe.send_bytes(message)
                    pipe.recv_bytes()
                result, error = pickle.loads(pipe.recv_bytes())
            except (EOFError, OSError):
                process = None  # it may take a moment to die
                result, error = None, WorkerLost()
            except Exception as failure:  # in pickling: nothing was sent
                result, error = None, failure
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        if process is not None and pipe is not None:
            pipe.close()
            process.join()


def _begin(pipe: Connection, message: bytes) -> bool:
    """Send a call; return False if the process had died."""
    try:
        pipe.send_bytes(message)
        pipe.recv_bytes()
    except (EOFError, OSError):
        return False
    return True


def _start() -> tuple[BaseProcess, Connection]:
    spawn = multiprocessing.get_context("spawn")
    try:
        pipe, other = spawn.Pipe()
        with other:  # closed at once, so that the pipe ends with the process
            process = spawn.Process(target=_work, args=(other,), daemon=True)
            process.start()
    except OSError as error:
        log.warning("no worker process can be started: %s", error)
        sentence = "the server can start no worker process now: please try again in a moment"
        raise ValueError(sentence) from None
    return process, pipe


def _work(pipe: Connection) -> None:
    worker.configure_worker()
    answer(pipe)


def answer(pipe: Connection) -> None:
    """Run one call after the other, until the pipe ends."""
    while True:
        try:
            if not pipe.poll(IDLE):
                worker.forget()
            call = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        pipe.send_bytes(b"")  # it has begun: if this process dies now, the call was lost with it
        pipe.send_bytes(worker.run_pickled(call))
