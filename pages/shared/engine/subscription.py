"""One viewer's handle on a job that several viewers may share."""

from __future__ import annotations

import asyncio
import secrets
import threading
from typing import Generic, TypeVar

from pages.shared.engine.frames import Frames
from pages.shared.engine.jobs import Job
from smmcore.experiments.experiment import Experiment

E = TypeVar("E", bound=Experiment)


class Subscription(Generic[E]):
    """A viewer's handle on a job, which the viewer can stop without stopping it for others.

    Attributes
    ----------
    experiment : Experiment
    token : str
        Identifies the subscription in the address of its frames.
    """

    def __init__(self, job: Job[E]) -> None:
        self.experiment = job.experiment
        self.token = secrets.token_urlsafe()
        self._job = job
        self._stopped_at: Frames | None = None
        job.join(self)

    @property
    def frames(self) -> Frames:
        """The frames so far, or up to the moment when the viewer stopped the run."""
        return self._job.frames if self._stopped_at is None else self._stopped_at

    @property
    def status(self) -> str:
        """ "waiting", "running", "finished", "stopped" or "failed"."""
        return self._job.status if self._stopped_at is None else "stopped"

    @property
    def message(self) -> str:
        """A sentence for the reader, or an empty string."""
        if self._stopped_at is not None:
            return "Stopped."
        return self._job.message or self._job.load

    @property
    def ended(self) -> bool:
        """Whether no frame will be added."""
        return self._stopped_at is not None or self._job.ended

    def poll(self) -> None:
        """Record that the viewer is watching, and resume the job if it was paused."""
        if self._stopped_at is None:
            self._job.poll()

    def stop(self) -> None:
        """Stop here; other subscribers of the job go on."""
        if not self.ended:
            self._stopped_at = self._job.frames
        self._job.leave(self)

    def wait(self, seconds: float) -> None:
        """Wait up to `seconds` for the first slice or the end, in a script."""
        changed = threading.Event()
        self._job.add_listener(changed.set)
        try:
            if self._job.is_new:
                changed.wait(seconds)
        finally:
            self._job.remove_listener(changed.set)

    async def wait_for_frame(self, number: int, seconds: float) -> None:
        """Wait up to `seconds` for a frame or the end, in the server's event loop."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(changed.set)

        self._job.add_listener(wake)
        try:
            if len(self.frames.metrics) <= number and not self.ended:
                await asyncio.wait_for(changed.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self._job.remove_listener(wake)
