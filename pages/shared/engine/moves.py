"""Settings that follow the hand, by a route of their own instead of a run of the script."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np

from pages.shared.engine.frames import Frames
from pages.shared.engine.subscription import JobStore, Subscription

PERIOD = 0.05  # seconds between two moves that are made, at least


def _never(_last: np.void) -> bool:
    return False


@dataclass(frozen=True)
class Moves:
    """The settings of a lesson's experiment that follow the hand."""

    options: Mapping[str, Sequence[Any]]  # the values that each setting may have
    make: Callable[..., Any] = replace  # returns the experiment with these settings changed
    # Whether the picture shows the result, given the last record of metrics; at the end it does
    is_result: Callable[[np.void], bool] = _never

    def parse(self, body: bytes) -> dict[str, Any]:
        """Return the settings in a JSON object; a `ValueError` says what is wrong."""
        try:
            values = json.loads(body)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict) or not values:
            raise ValueError("a move must be a JSON object with settings")
        return {name: self._option(name, value) for name, value in values.items()}

    def _option(self, name: str, value: object) -> object:
        for option in self.options.get(name, ()):
            # The option itself, since 1 and 1.0 are written differently; true is not 1.
            if option == value and isinstance(option, bool) == isinstance(value, bool):
                return option
        raise ValueError(f"a move must set {', '.join(self.options)} to one of their values")

    def shows_result(self, frames: Frames) -> bool:
        """Return whether these frames show the result."""
        return len(frames.metrics) > 0 and bool(self.is_result(frames.metrics[-1]))


class Seat:
    """The runs of one slot of a session: what the script asked for, and where the hand has moved.

    Scripts call `subscribe` in their threads, the route calls `move` in the server's event loop.
    The lock is not held while a run is looked up, as that may read a file.
    """

    def __init__(self, store: JobStore) -> None:
        self.moves: Moves | None = None  # of the last script
        self._store = store
        self._lock = threading.Lock()
        self._run: Subscription[Any] | None = None  # on the screen
        self._of_script: Subscription[Any] | None = None  # the one that the last script got
        # The player asks for the run before until it hears of the new one.
        self._former: Subscription[Any] | None = None
        self._must_restart = False
        self._number = 0  # of the newest move, or of the newest settings of a script
        self._settings: dict[str, Any] = {}  # that have moved since those of the last script
        self._due = 0.0  # time of the next move at the earliest

    def subscribe(self, experiment: Any, moves: Moves | None, number: int) -> Subscription[Any]:
        """Return the run for a script whose settings contain the moves up to a number."""
        while True:
            with self._lock:
                self.moves, before = moves, self._run
                wanted = self._with_moves(experiment, self._settings)
                if number >= self._number or wanted == experiment:  # the script has caught up
                    self._number, self._settings = max(self._number, number), {}
                    wanted = experiment
                if before is not None and before.experiment == wanted and not self._must_restart:
                    return self._give_to_script(before)
            run = self._store.subscribe(wanted)
            with self._lock:
                if self._run is before:
                    self._must_restart = False
                    return self._give_to_script(self._show(run))
            run.stop()  # the hand has moved meanwhile

    async def move(self, settings: Mapping[str, Any], number: int) -> Subscription[Any]:
        """Return the run on the screen after a move.

        Nothing changes if there is a newer move, or if a script has newer settings.
        """
        with self._lock:
            is_newest = number > self._number
            self._number = max(self._number, number)
            pause = self._due - monotonic() if is_newest else 0.0
        await asyncio.sleep(pause)
        with self._lock:
            before = self._run
            assert before is not None, "a move needs the token of a run"
            if not is_newest or number < self._number:
                return before
            self._due = monotonic() + PERIOD
            self._settings |= settings
            wanted = self._with_moves(before.experiment, self._settings)
            for known in (before, self._of_script):
                if known and known.experiment == wanted and not known.is_stopped:
                    return self._show(known)
        run = await self._store.subscribe_in_loop(wanted)
        with self._lock:
            if self._run is before and number == self._number:
                return self._show(run)
            run.stop()  # a newer move has come, or a script, which knew of this one
            assert self._run is not None
            return self._run

    def restart(self) -> None:
        """End the run on the screen; the next script gets a new one with its own settings."""
        with self._lock:
            for run in filter(None, (self._run, self._of_script)):
                run.stop()
            self._must_restart, self._settings = True, {}

    def _with_moves(self, experiment: Any, settings: Mapping[str, Any]) -> Any:
        if self.moves is None:
            return experiment
        settings = {name: settings[name] for name in settings if name in self.moves.options}
        return self.moves.make(experiment, **settings)

    def _show(self, run: Subscription[Any]) -> Subscription[Any]:
        """Put a run on the screen; end the one before unless it is the script's."""
        if run is not self._run:
            if self._run not in (None, self._of_script):
                self._run.stop()
            self._former, self._run = self._run, run
        run.number = self._number
        return run

    def _give_to_script(self, run: Subscription[Any]) -> Subscription[Any]:
        """Make the run on the screen the script's; end the one that the last script got."""
        if self._of_script not in (None, run):
            self._of_script.stop()
        self._of_script = run
        run.number = self._number
        return run
