"""Jobs and tasks, and the scheduler that gives them turns on the workers.

A job runs an experiment in slices, a task is a single function call.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from pages.shared.engine import worker
from pages.shared.engine.cluster import Cluster
from pages.shared.engine.experiment import Dataset, Experiment
from pages.shared.engine.frames import Frames
from pages.shared.engine.processes import Processes, WorkerLost
from pages.shared.engine.worker import Slice, advance
from pages.shared.system import clock_name
from pages.shared.turns import step_aside
from pages.shared.words import count_noun

log = logging.getLogger(__name__)

# Of processor time: the first slice of a run, so that many new runs show something soon, and the
# longest; in between, a slice is as long as all before it together.
FIRST_SLICE_SECONDS, SLICE_SECONDS = 0.01, 1 / 3
MAX_JOB_SECONDS = 1_200.0  # of processor time, for all slices of a job
POLL_TIMEOUT = 5.0  # seconds without a poll, after which work waits for the next one
SILENCE = 10.0  # seconds without a slice, after which the player says so
TURNS = 4  # of which work that has shown nothing gets all but one


def budget_after(seconds: float) -> float:
    """Return how long the next slice of a run may work, after all before it."""
    return min(SLICE_SECONDS, max(FIRST_SLICE_SECONDS, seconds))


E = TypeVar("E", bound=Experiment)


class Job(Generic[E]):
    """An experiment that is computed slice by slice, shared by all its subscribers."""

    def __init__(self, experiment: E, scheduler: Scheduler) -> None:
        self.experiment = experiment
        self.data: Dataset = experiment.data
        self.frames = Frames()
        self.status = "waiting"
        self.message = ""
        self._scheduler = scheduler
        self._state: object = None
        self._seconds = 0.0
        self._polled = self._heard = time.monotonic()
        self._subscribers: WeakSet[object] = WeakSet()
        self._listeners: set[Callable[[], object]] = set()
        self._lock = threading.Lock()

    @property
    def is_new(self) -> bool:
        """Whether the job has no frame yet."""
        return not len(self.frames.metrics) and not self.ended

    @property
    def ended(self) -> bool:
        """Whether no frame will be added."""
        return self.status in ("finished", "stopped", "failed")

    @property
    def load(self) -> str:
        """A sentence about why the run takes long, or an empty string."""
        if self.ended:
            return ""
        if time.monotonic() - self._heard < SILENCE:
            return self._scheduler.load
        wait = f"Nothing new for {SILENCE:.0f} seconds: one step takes long, or the server is busy."
        return f"{wait} {self._scheduler.load}".rstrip()

    def join(self, subscriber: object) -> None:
        """Add a subscriber, by a weak reference."""
        with self._lock:
            self._subscribers.add(subscriber)

    def leave(self, subscriber: object) -> None:
        """Remove a subscriber; the job stops with the last one."""
        with self._lock:
            self._subscribers.discard(subscriber)
            if not self._subscribers and not self.ended:
                self._end("stopped", "Stopped.")
        self._notify()

    def poll(self) -> None:
        """Record that a subscriber is watching, and resume the job if it was paused."""
        if not self.is_wanted():  # nobody has waited for the last slices
            self._heard = time.monotonic()
        self._polled = time.monotonic()
        if not self.ended:
            self._scheduler.add(self)

    def is_wanted(self) -> bool:
        """Return whether the job needs a turn: a closed page stops polling, and its job pauses."""
        return not self.ended and time.monotonic() - self._polled < POLL_TIMEOUT

    def next_call(self, hurried: bool) -> tuple[Any, ...]:
        """Return the function and the arguments of the next slice, a short one if hurried."""
        with self._lock:
            if not self.ended:
                self.status = "running"
        budget = budget_after(0.0 if hurried else self._seconds)
        return advance, self.experiment, self._state, budget, len(self.frames.metrics)

    def receive(self, piece: Slice) -> bool:
        """Add a slice; return whether the job needs another one."""
        with self._lock:
            if self.ended:  # stopped while the slice was computed
                return False
            self.frames = self.frames.with_slice(piece)
            self._state = piece.state
            self._seconds += piece.seconds
            self._heard = time.monotonic()
            if piece.summary:
                self._end("finished", piece.summary)
            elif self._seconds >= MAX_JOB_SECONDS:
                self._end(
                    "stopped",
                    f"Ended after {MAX_JOB_SECONDS:.0f} seconds of {clock_name}, all that a run "
                    "gets here. What it has found stays.",
                )
        self._notify()
        return not self.ended

    def fail(self, sentence: str) -> None:
        """End the job with an error message."""
        with self._lock:
            if not self.ended:
                self._end("failed", sentence[:1].upper() + sentence[1:])
        self._notify()

    def add_listener(self, listener: Callable[[], object]) -> None:
        """Call a function after each change, from any thread."""
        self._listeners.add(listener)

    def remove_listener(self, listener: Callable[[], object]) -> None:
        """Stop calling a function."""
        self._listeners.discard(listener)

    def _end(self, status: str, message: str) -> None:
        self.status, self.message, self._state = status, message, None

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


class Task:
    """A single function call on a worker, for one session or several."""

    is_new = True  # a task has one turn

    def __init__(self, function: Callable[[Any], Any], subject: Any) -> None:
        self.call = function, subject
        # The subject is a data set, or an experiment on one.
        self.data: Dataset = subject if isinstance(subject, Dataset) else subject.data
        self.result: Any = None
        self.error = ""
        self._finished = threading.Event()
        self._polled = time.monotonic()
        self._sessions = 1  # that wait for the result; none will ever again if it is 0

    def is_wanted(self) -> bool:
        """Return whether somebody still waits for the result."""
        waiting = time.monotonic() - self._polled < POLL_TIMEOUT
        return waiting and self._sessions > 0 and not self._finished.is_set()

    def next_call(self, _hurried: bool) -> tuple[Any, ...]:
        """Return the function and its argument."""
        return self.call

    def receive(self, result: object) -> bool:
        """Store the result; a task needs no further turn."""
        self.result = result
        self._finished.set()
        return False

    def fail(self, sentence: str) -> None:
        """Store the reason why there is no result."""
        self.error = sentence[:1].upper() + sentence[1:]
        self._finished.set()

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; return whether the task has finished."""
        self._polled = time.monotonic()
        with step_aside():
            return self._finished.wait(seconds)

    def join(self) -> bool:
        """Let one more session wait; return whether the task has not been given up."""
        if self._sessions > 0:
            self._sessions += 1
        return self._sessions > 0

    def leave(self) -> None:
        """Let one session less wait; without any, a task that has not begun is given up."""
        self._sessions -= 1


Work = Job[Any] | Task  # what needs one turn or several


class Scheduler:
    """Turns on a pool of workers.

    First come, first served would, under load, serve users who are about to leave. So the pool
    holds at most one call more than it has workers, and all other work waits in a list here. Work
    that has shown nothing yet gets three turns of four, the oldest first; the rest goes round.
    """

    def __init__(self, workers: int | Processes | Cluster) -> None:
        self._pool = Processes(workers) if isinstance(workers, int) else workers
        self._waiting: list[Work] = []  # longest wait first
        self._underway: set[Work] = set()
        self._open: set[Work] = set()  # its data stay in the workers' caches
        self._losses: dict[Work, int] = {}  # lost workers in a row
        self._turn = 0  # of those for which new work and other work wait
        self._closed = False
        # Reentrant: a call that has ended when its callback is added runs it in the same thread.
        self._lock = threading.RLock()

    @property
    def _workers(self) -> int:
        return self._pool.threads

    @property
    def load(self) -> str:
        """A sentence about how many runs share the workers, or an empty string if none waits."""
        with self._lock:
            runs = len(self._underway) + sum(work.is_wanted() for work in self._waiting)
        if runs <= self._workers:
            return ""
        return f"{runs} runs share {count_noun(self._workers, 'worker')}."

    def preload(self, *modules: str) -> None:
        """Start the processes before the first call, and import these modules in them."""
        for _ in range(self._workers):
            self._pool.submit(worker.preload, modules)

    def add(self, work: Work) -> None:
        """Give `work` turns until it has ended or is not wanted; adding it twice is harmless."""
        with self._lock:
            if work not in self._underway and work not in self._waiting:
                self._waiting.append(work)
                self._fill()

    def refuse(self) -> None:
        """Accept no further work, and start none that waits."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the workers after their current calls."""
        self.refuse()
        self._pool.shutdown()  # waits for callbacks, which want the lock

    def _fill(self) -> None:
        self._waiting = [work for work in self._waiting if work.is_wanted()]
        present = self._underway.union(self._waiting)
        self._open &= present
        self._losses = {work: losses for work, losses in self._losses.items() if work in present}
        while (work := self._next()) is not None:
            self._waiting.remove(work)
            self._underway.add(work)
            self._open.add(work)
            hurried = any(each.is_new for each in self._waiting)
            future = self._pool.submit(worker.run_limited, *work.next_call(hurried))
            future.add_done_callback(partial(self._settle, work))

    def _next(self) -> Work | None:
        if self._closed:
            return None
        if len(self._underway) > self._workers:
            return None
        cached = {work.data for work in self._open}
        room = worker.CACHE_BYTES - sum(each.memory_bytes for each in cached)

        def fits(work: Work) -> bool:
            # If the data sets in use exceed a worker's cache, it spends its time rebuilding them.
            return not cached or work.data in cached or work.data.memory_bytes <= room

        new = next((work for work in self._waiting if work.is_new and fits(work)), None)
        other = next((work for work in self._waiting if not work.is_new and fits(work)), None)
        if new is None or other is None:
            return new or other
        self._turn = (self._turn + 1) % TURNS
        return new if self._turn else other

    def _settle(self, work: Work, future: Future[Any]) -> None:
        # Runs in a thread of the pool, where an exception would be logged and the turn lost.
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

    def _outcome(self, work: Work, future: Future[Any]) -> bool:
        if future.cancelled() or self._closed:
            return False
        error = future.exception()
        if isinstance(error, WorkerLost):
            return self._lost(work)
        self._losses.pop(work, None)
        if isinstance(error, ValueError):  # a message for the reader
            work.fail(f"{error}.")
            return False
        if error is not None:
            raise error
        return work.receive(future.result())

    def _lost(self, work: Work) -> bool:
        log.warning("a worker process died; another one takes over")
        self._losses[work] = self._losses.get(work, 0) + 1
        if self._losses[work] < 2:
            return True
        work.fail(
            "This computation ended its worker process twice in a row: the server's memory is full "
            f"or one step took more than {worker.MAX_SECONDS:.0f} seconds. Try a smaller n, p or q."
        )
        return False
