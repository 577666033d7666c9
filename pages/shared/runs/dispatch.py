"""Who gets the next turn on a worker. Knows neither Streamlit nor mathematics."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from functools import partial
from typing import Protocol

from pages.shared import jobs
from pages.shared.recipes import footprint
from pages.shared.runs.cluster import Cluster
from pages.shared.runs.processes import Processes, WorkerLost
from smmcore.experiments.experiment import Dataset

log = logging.getLogger(__name__)


class Work(Protocol):
    """Something that wants one turn, or turn after turn."""

    data: Dataset
    fresh: bool  # has not had a turn yet

    def wanted(self) -> bool:
        """Whether anybody still waits for it."""

    def order(self) -> tuple:
        """Return the function of `jobs` for the next turn and its arguments."""

    def receive(self, result: object) -> bool:
        """Take the result of a turn; return whether another one is needed."""

    def fail(self, sentence: str) -> None:
        """Learn that there will be no further turn, and why."""


class Dispatch:
    """Turns on a pool of worker processes, handed out one at a time.

    The executor's own queue is first come, first served, which under load serves those who are
    about to leave. So it never holds more than one task beyond its workers; everybody else waits in
    a list of ours, and turns go alternately to the newest work without one and to the work that has
    waited longest.

    Parameters
    ----------
    workers : int, Processes or Cluster
        Number of processes to start on this machine, those that there are, or those of others.
    """

    def __init__(self, workers: int | Processes | Cluster) -> None:
        self._pool = Processes(workers) if isinstance(workers, int) else workers
        self._waiting: list[Work] = []  # in the order in which they began to wait
        self._underway: set[Work] = set()
        self._open: set[Work] = set()  # those whose data the workers are to keep
        self._losses: dict[Work, int] = {}  # in a row; of work that is waiting or under way
        self._newest_next = True
        self._closed = False
        # Reentrant: a task that is over when its callback is added calls it in the same thread.
        self._lock = threading.RLock()

    @property
    def _workers(self) -> int:
        return self._pool.threads

    @property
    def load(self) -> str:
        """A sentence about how many share how many workers; nothing where each has its own."""
        with self._lock:
            there = len(self._underway) + sum(work.wanted() for work in self._waiting)
        if there <= self._workers:
            return ""
        return f"{there} runs share {self._workers} worker{'s' * (self._workers > 1)}."

    def warm(self) -> None:
        """Start the processes before anybody needs them."""
        for _ in range(self._workers):
            self._pool.submit(jobs.idle)

    def add(self, work: Work) -> None:
        """Give `work` turns until it is done or no longer wanted; adding it again is harmless."""
        with self._lock:
            if work not in self._underway and work not in self._waiting:
                self._waiting.append(work)
                self._fill()

    def refuse(self) -> None:
        """Take no further work, and begin none that waits."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the workers as soon as they have done what they are at."""
        self.refuse()
        self._pool.shutdown()  # waits for callbacks, which want the lock

    def _fill(self) -> None:
        self._waiting = [work for work in self._waiting if work.wanted()]
        present = self._underway.union(self._waiting)
        self._open &= present
        self._losses = {work: losses for work, losses in self._losses.items() if work in present}
        while (work := self._next()) is not None:
            self._waiting.remove(work)
            self._underway.add(work)
            self._open.add(work)
            future = self._pool.submit(jobs.do, *work.order())
            future.add_done_callback(partial(self._settle, work))

    def _next(self) -> Work | None:
        if self._closed:
            return None
        if len(self._underway) > self._workers:
            return None
        admitted = [work for work in self._waiting if self._fits(work)]
        if not admitted:
            return None
        self._newest_next = not self._newest_next
        newest = next((work for work in reversed(admitted) if work.fresh), admitted[0])
        return admitted[0] if self._newest_next else newest

    def _fits(self, work: Work) -> bool:
        # More data sets in turn than a worker keeps, and it does little but rebuild them.
        kept = {other.data for other in self._open}
        return (
            not kept
            or work.data in kept
            or sum(map(footprint, kept)) + footprint(work.data) <= jobs.CACHE_BYTES
        )

    def _settle(self, work: Work, future: Future) -> None:
        # In a thread of the executor's: an exception would be logged there, and the turn be lost.
        with self._lock:
            self._underway.discard(work)
            try:
                again = self._outcome(work, future)
            except Exception:
                log.exception("a turn could not be settled")
                work.fail("Something went wrong on the server. It has been written to its log.")
                again = False
            if again:
                self._waiting.append(work)
            self._fill()

    def _outcome(self, work: Work, future: Future) -> bool:
        if future.cancelled():
            return False
        error = future.exception()
        if isinstance(error, WorkerLost):
            return self._lost(work)
        self._losses.pop(work, None)
        if isinstance(error, ValueError):  # sentences for the reader
            work.fail(f"{error}.")
            return False
        if error is not None:
            raise error
        return work.receive(future.result())

    def _lost(self, work: Work) -> bool:
        if self._closed:
            return False
        log.warning("a worker process died; another one takes over")
        self._losses[work] = self._losses.get(work, 0) + 1
        if self._losses[work] < 2:
            return True
        work.fail(
            "This computation ended its worker process twice in a row: the server's memory is full "
            f"or one step took more than {jobs.LONGEST:.0f} seconds. Try a smaller n, p or q."
        )
        return False
