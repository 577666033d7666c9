"""Worker processes, each at the end of a pipe of its own."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue

from pages.shared import jobs


class WorkerLost(Exception):
    """The process that was at a task has died."""


class Processes(Executor):
    """So many processes; one that dies is replaced, and costs its own task only.

    The standard library's pool has one pipe for all results: a worker that dies while it writes a
    large one leaves half a message and a lock behind, for whose rest the whole pool waits for ever.
    """

    def __init__(self, count: int) -> None:
        self.threads = count
        self._tasks: SimpleQueue = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        """Have a process call a function; it fails with `WorkerLost` where that is its end."""
        future: Future = Future()
        self._tasks.put((future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes as soon as they have done what they are at."""
        while cancel_futures:
            try:
                task = self._tasks.get_nowait()
            except Empty:
                break
            if task is not None:  # the end of a thread, put there by an earlier call
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _serve(self) -> None:
        """Hand tasks to one process, and to the next one where it dies."""
        process = pipe = None
        while (task := self._tasks.get()) is not None:
            future, *call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None or not process.is_alive():
                    process, pipe = _start()
                pipe.send_bytes(pickle.dumps(call))
                result, error = pickle.loads(pipe.recv_bytes())
            except (EOFError, OSError):
                process = None  # it may take a moment to die: it is not asked again
                result, error = None, WorkerLost()
            except Exception as failure:  # of the pickling: nothing was sent
                result, error = None, failure
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        if process is not None:
            pipe.close()
            process.join()


def _start() -> tuple[BaseProcess, Connection]:
    spawn = multiprocessing.get_context("spawn")
    pipe, other = spawn.Pipe()
    process = spawn.Process(target=_work, args=(other,), daemon=True)
    process.start()
    other.close()  # from now on the end of the process is the end of the pipe
    return process, pipe


def _work(pipe: Connection) -> None:
    jobs.begin_worker()
    while True:
        try:
            call = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(jobs.answer(call))
