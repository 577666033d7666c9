"""One browser's run: its own stop, and an address for its player; the chain it may share."""

from __future__ import annotations

import asyncio
import secrets
import threading

from pages.shared.runs.frames import Frames
from pages.shared.runs.work import Chain
from smmcore.experiments.experiment import Experiment


class Run:
    """A viewer's sight of a chain, up to the moment at which the viewer stops it.

    Attributes
    ----------
    recipe : recipe of a run
    token : str
        Under which the player finds the frames.
    """

    def __init__(self, chain: Chain) -> None:
        self.recipe: Experiment = chain.recipe
        self.token = secrets.token_urlsafe()
        self._chain = chain
        self._stopped: Frames | None = None
        chain.join(self)

    @property
    def frames(self) -> Frames:
        """What there is so far, or was when it was stopped."""
        return self._chain.frames if self._stopped is None else self._stopped

    @property
    def status(self) -> str:
        """ "waiting", "running", and in the end one of "finished", "stopped", "failed"."""
        return self._chain.status if self._stopped is None else "stopped"

    @property
    def message(self) -> str:
        """A sentence for the reader, or nothing."""
        return "Stopped." if self._stopped is not None else self._chain.message or self._chain.load

    @property
    def ended(self) -> bool:
        """Whether nothing will be added any more."""
        return self._stopped is not None or self._chain.ended

    def poll(self) -> None:
        """Note that somebody is watching, and go on if nobody was."""
        if self._stopped is None:
            self._chain.poll()

    def stop(self) -> None:
        """End it where it stands; others who watch the same go on."""
        if not self.ended:
            self._stopped = self._chain.frames
        self._chain.leave(self)

    def wait(self, seconds: float) -> None:
        """Wait for the first slice, or the end, at most so long. For scripts."""
        happened = threading.Event()
        self._chain.call(happened.set)
        try:
            if self._chain.fresh:
                happened.wait(seconds)
        finally:
            self._chain.call_no_more(happened.set)

    async def news(self, first: int, seconds: float) -> None:
        """Wait for a frame number `first`, or the end, at most so long. For the server's loop."""
        happened, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(happened.set)

        self._chain.call(wake)
        try:
            if len(self.frames.metrics) <= first and not self.ended:
                await asyncio.wait_for(happened.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self._chain.call_no_more(wake)
