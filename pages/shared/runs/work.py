"""What is put before the dispatch: the chain of slices of a recipe, or a question."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from weakref import WeakSet

from pages.shared import jobs
from pages.shared.runs.dispatch import Dispatch
from pages.shared.runs.frames import Frames
from smmcore.experiments.experiment import Dataset, Experiment

SLICE = 0.33  # seconds of processor time: a small run is over in one
BUDGET = 1_200.0  # seconds of processor time for all slices of a chain
PATIENCE = 15.0  # seconds without a poll, after which work gets no turn until the next one


class Chain:
    """What a recipe has become so far, slice by slice, for all who watch it.

    Attributes
    ----------
    recipe : recipe of a run
    frames : Frames
    status : str
        "waiting", "running", and in the end one of "finished", "stopped", "failed".
    message : str
        A sentence for the reader, or nothing.
    """

    def __init__(self, recipe: Experiment, dispatch: Dispatch) -> None:
        self.recipe = recipe
        self.data = recipe.data
        self.frames = Frames()
        self.status = "waiting"
        self.message = ""
        self._dispatch = dispatch
        self._state: object = None
        self._seconds = 0.0
        self._polled = time.monotonic()
        self._viewers: WeakSet = WeakSet()
        self._watchers: set[Callable[[], object]] = set()
        self._lock = threading.Lock()

    @property
    def fresh(self) -> bool:
        """Whether it has not had a slice yet."""
        return self._state is None and not self.ended

    @property
    def ended(self) -> bool:
        """Whether nothing will be added any more."""
        return self.status in ("finished", "stopped", "failed")

    @property
    def load(self) -> str:
        """A sentence about those who share the workers with it, or nothing."""
        return "" if self.ended else self._dispatch.load

    def join(self, viewer: object) -> None:
        """Note a viewer, without keeping it alive; as long as there is one, none ends the chain."""
        with self._lock:
            self._viewers.add(viewer)

    def leave(self, viewer: object) -> None:
        """Forget a viewer that wants no more; the last one to leave ends the chain."""
        with self._lock:
            self._viewers.discard(viewer)
            if not self._viewers and not self.ended:
                self._end("stopped", "Stopped.")
        self._tell()

    def poll(self) -> None:
        """Note that somebody is watching, and go on if nobody was."""
        self._polled = time.monotonic()
        if not self.ended:
            self._dispatch.add(self)

    def wanted(self) -> bool:
        """Whether it goes on: a page that is closed stops asking, and its chain pauses."""
        return not self.ended and time.monotonic() - self._polled < PATIENCE

    def order(self) -> tuple:
        """Return the next slice as a job for a worker."""
        with self._lock:
            if not self.ended:
                self.status = "running"
        return jobs.advance, self.recipe, self._state, SLICE, len(self.frames.metrics)

    def receive(self, piece: jobs.Slice) -> bool:
        """Take a slice; return whether the chain goes on."""
        with self._lock:
            if self.ended:  # stopped while the slice was under way
                return False
            self.frames = self.frames.extended(piece)
            self._state = piece.state
            self._seconds += piece.seconds
            if piece.summary:
                self._end("finished", piece.summary)
            elif self._seconds >= BUDGET:
                self._end(
                    "stopped",
                    f"Ended after {BUDGET:.0f} seconds of processor time, all that a run gets "
                    "here. What it has found stays.",
                )
        self._tell()
        return not self.ended

    def fail(self, sentence: str) -> None:
        """End the chain with a sentence that says why."""
        with self._lock:
            if not self.ended:
                self._end("failed", sentence[:1].upper() + sentence[1:])
        self._tell()

    def call(self, watcher: Callable[[], object]) -> None:
        """Call a watcher whenever there is news, from any thread."""
        self._watchers.add(watcher)

    def call_no_more(self, watcher: Callable[[], object]) -> None:
        """Forget a watcher."""
        self._watchers.discard(watcher)

    def _end(self, status: str, message: str) -> None:
        self.status, self.message, self._state = status, message, None

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()


class Question:
    """One job with one answer, which takes its turn like a run.

    Parameters
    ----------
    job : function of `jobs`
    recipe : recipe of data or of a run
        What the job is called with.
    """

    fresh = True  # it never gets a second turn

    def __init__(self, job: Callable, recipe: Dataset | Experiment) -> None:
        self.subject = job, recipe
        self.data = recipe if isinstance(recipe, Dataset) else recipe.data
        self.answer: object = None
        self.sorry = ""  # or a sentence why there is no answer
        self._over = threading.Event()
        self._polled = time.monotonic()
        self._dropped = False

    def wanted(self) -> bool:
        """Whether there is no answer yet, and the one who asked is still there."""
        patient = time.monotonic() - self._polled < PATIENCE
        return patient and not self._dropped and not self._over.is_set()

    def order(self) -> tuple:
        """Return the job."""
        return self.subject

    def receive(self, answer: object) -> bool:
        """Take the answer; there is only one."""
        self.answer = answer
        self._over.set()
        return False

    def fail(self, sentence: str) -> None:
        """Learn why there is none."""
        self.sorry = sentence[:1].upper() + sentence[1:]
        self._over.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; return whether the matter is settled."""
        self._polled = time.monotonic()
        return self._over.wait(seconds)

    def drop(self) -> None:
        """Do not begin with it any more."""
        self._dropped = True
