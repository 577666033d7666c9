"""The jobs of all sessions: equal experiments share one job."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any
from weakref import WeakValueDictionary

from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment
from pages.shared.engine.jobs import E, Job
from pages.shared.engine.scheduler import Scheduler
from pages.shared.engine.subscription import Subscription

MAX_IDLE_JOBS, MAX_IDLE_BYTES = 50, 150_000_000  # of jobs that are kept without a subscriber


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
            while len(self._recent) > MAX_IDLE_JOBS or self._nbytes() > MAX_IDLE_BYTES:
                self._recent.popitem(last=False)
            return job

    def _nbytes(self) -> int:
        return sum(job.frames.nbytes for job in self._recent.values())
