"""Viewers' handles on jobs: equal experiments share one job."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic
from weakref import WeakValueDictionary

from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment
from pages.shared.engine.frames import Frames
from pages.shared.engine.scheduler import E, Job, Scheduler
from pages.shared.turns import step_aside

WATCH = 1.0  # seconds between two polls of a script that waits
MAX_IDLE_JOBS, MAX_IDLE_BYTES = 50, 150_000_000  # of jobs that are kept without a subscriber


class Subscription(Generic[E]):
    """A viewer's handle on a job, which the viewer can stop without stopping it for others."""

    def __init__(self, job: Job[E]) -> None:
        self.experiment = job.experiment
        self.token = secrets.token_urlsafe()
        self._job = job
        self._stopped_at: Frames | None = None
        self._read_early = False
        job.join(self)

    @property
    def frames(self) -> Frames:
        """The frames so far, or up to the moment when the viewer stopped the run."""
        self._note_reading()
        return self._frames

    @property
    def status(self) -> str:
        """ "waiting", "running", "finished", "stopped" or "failed"."""
        self._note_reading()
        return self._status

    @property
    def message(self) -> str:
        """A sentence for the reader, or an empty string."""
        self._note_reading()
        return self._message

    @property
    def ended(self) -> bool:
        """Whether no frame will be added; ask before reading `frames`, as the run may end then."""
        self._note_reading()
        return self._ended

    @property
    def is_stopped(self) -> bool:
        """Whether the viewer has stopped the run, without reading what it holds."""
        return self._stopped_at is not None

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the metrics and images, empty before the first frame."""
        frames = self._frames
        return frames.metrics.dtype.names or (), frames.images.dtype.names or ()

    def to_bytes(self, first: int, after: int | None = None) -> bytes:
        """Return frames for the player, see `Frames.to_bytes`."""
        # The status first: Job.receive adds the last frames before it ends the job.
        status, message, current = self._status, self._message, not self._read_early
        return self._frames.to_bytes(first, status, message, current, after)

    @property
    def _frames(self) -> Frames:
        return self._job.frames if self._stopped_at is None else self._stopped_at

    @property
    def _status(self) -> str:
        return self._job.status if self._stopped_at is None else "stopped"

    @property
    def _message(self) -> str:
        if self._stopped_at is not None:
            return "Stopped."
        return self._job.message or self._job.load

    @property
    def _ended(self) -> bool:
        return self._stopped_at is not None or self._job.ended

    def _note_reading(self) -> None:
        """Remember whether the page has read anything before the end, which it must then hear of.

        The note is made before the job is asked: it might end between the two.
        """
        before, self._read_early = self._read_early, True
        if self._ended:
            self._read_early = before

    def poll(self) -> None:
        """Record that the viewer is watching, and resume the job if it was paused."""
        if self._stopped_at is None:
            self._job.poll()

    def stop(self) -> None:
        """Stop here; other subscribers of the job go on."""
        if not self._ended:
            self._stopped_at = self._job.frames
        self._job.leave(self)

    def wait(self, seconds: float) -> None:
        """Wait up to `seconds` for the end, in a script, which watches the run meanwhile."""
        over, deadline = threading.Event(), time.monotonic() + seconds

        def look() -> None:
            if self._ended:
                over.set()

        self._job.add_listener(look)
        try:
            look()
            with step_aside():
                while not over.is_set() and (left := deadline - time.monotonic()) > 0:
                    self.poll()
                    over.wait(min(left, WATCH))
        finally:
            self._job.remove_listener(look)

    async def wait_for(self, condition: Callable[[Frames], bool], seconds: float) -> None:
        """Wait up to `seconds` for frames that meet a condition, or the end, in the event loop."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(changed.set)

        self._job.add_listener(wake)
        try:
            async with asyncio.timeout(seconds):
                while not (self._ended or condition(self._frames)):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            pass
        finally:
            self._job.remove_listener(wake)


class JobStore:
    """Jobs by experiment: all that have subscribers, and the most recent others.

    A cluster's scheduler (`remote`) gets all experiments whose data are not private to this
    machine.
    """

    def __init__(self, local: Scheduler, remote: Scheduler | None = None) -> None:
        self._local, self._remote = local, remote or local
        self._subscribed: WeakValueDictionary[Experiment, Job[Any]] = WeakValueDictionary()
        self._recent: OrderedDict[Experiment, Job[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def subscribe(self, experiment: E) -> Subscription[E]:
        """Return a new subscription to an experiment."""
        while True:
            job = self._job(experiment)
            subscription = Subscription(job)
            if job.status != "stopped":  # as its last subscriber may leave before this one joins
                return subscription

    async def subscribe_in_loop(self, experiment: E) -> Subscription[E]:
        """Do the same in the server's event loop, which must not wait for a file."""
        if precomputed.is_stored(experiment):
            return await asyncio.to_thread(self.subscribe, experiment)
        return self.subscribe(experiment)

    def _job(self, experiment: E) -> Job[E]:
        """Return the job of an experiment; start a new one if it was stopped or failed."""
        whole = None if experiment in self._subscribed else precomputed.load(experiment)
        private = experiment.data.private
        with self._lock:
            job = self._subscribed.get(experiment)
            if job is None or job.status in ("stopped", "failed"):
                job = Job(experiment, self._local if private else self._remote)
                self._subscribed[experiment] = job
                if whole is not None:
                    job.receive(whole)
            if not private:  # an upload is deleted with the last session that holds it
                self._recent[experiment] = job
                self._recent.move_to_end(experiment)
            for each in [e for e, j in self._recent.items() if j.status in ("stopped", "failed")]:
                del self._recent[each]  # a hand that drags leaves many
            while len(self._recent) > MAX_IDLE_JOBS or self._nbytes() > MAX_IDLE_BYTES:
                self._recent.popitem(last=False)
            return job

    def _nbytes(self) -> int:
        return sum(job.frames.nbytes for job in self._recent.values())
