"""Work for the scheduler: a job runs an experiment in slices, a task is a single function call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from pages.shared.engine.experiment import Dataset, Experiment
from pages.shared.engine.frames import Frames
from pages.shared.engine.scheduler import Scheduler
from pages.shared.engine.slices import Slice, advance
from pages.shared.turns import step_aside

# Of processor time: the first slice of a run, so that many new runs show something soon, and the
# longest; in between, a slice is as long as all before it together.
FIRST_SLICE_SECONDS, SLICE_SECONDS = 0.01, 1 / 3
MAX_JOB_SECONDS = 1_200.0  # of processor time, for all slices of a job
POLL_TIMEOUT = 15.0  # seconds without a poll, after which work waits for the next one


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
        self._polled = time.monotonic()
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
        """A sentence about how many runs share the workers, or an empty string."""
        return "" if self.ended else self._scheduler.load

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
            if piece.summary:
                self._end("finished", piece.summary)
            elif self._seconds >= MAX_JOB_SECONDS:
                self._end(
                    "stopped",
                    f"Ended after {MAX_JOB_SECONDS:.0f} seconds of processor time, all that a run "
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
    """A single function call on a worker."""

    is_new = True  # a task has one turn

    def __init__(self, function: Callable[[Any], Any], subject: Any) -> None:
        self.call = function, subject
        # The subject is a data set, or an experiment on one.
        self.data: Dataset = subject if isinstance(subject, Dataset) else subject.data
        self.result: Any = None
        self.error = ""
        self._finished = threading.Event()
        self._polled = time.monotonic()
        self._cancelled = False

    def is_wanted(self) -> bool:
        """Return whether somebody still waits for the result."""
        waiting = time.monotonic() - self._polled < POLL_TIMEOUT
        return waiting and not self._cancelled and not self._finished.is_set()

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

    def cancel(self) -> None:
        """Give up the task unless a worker has already begun it."""
        self._cancelled = True
