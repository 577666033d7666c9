"""Settings that follow the hand, by a route of their own instead of a run of the script."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np

from pages.shared.engine.frames import Frames
from pages.shared.engine.subscription import JobStore, Subscription
from pages.shared.settings import Setting

PERIOD = 0.05  # seconds between two moves that are made, at least


def _never(_last: np.void) -> bool:
    return False


@dataclass(frozen=True)
class Moves:
    """The settings of a lesson's experiment that follow the hand.

    Each has a knob and a name. `make` is called with the experiment on the screen and, by their
    names, one or more of the settings, each with a value of its knob; it returns the experiment
    with these settings changed.
    """

    knobs: Mapping[str, Setting]  # by the names of the settings in `make`
    make: Callable[..., Any] = replace
    # Whether the picture shows the result, given the last record of metrics; at the end it does
    is_result: Callable[[np.void], bool] = _never

    def __post_init__(self) -> None:
        for name, knob in self.knobs.items():
            try:
                inspect.signature(self.make).bind(None, **{name: knob.values[0]})
            except TypeError as error:
                raise TypeError(f"make cannot be called with {name} alone: {error}") from None

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return what the player needs to send a move: the knob and the values of each setting."""
        return {
            name: {"key": knob.key, "values": [*knob.values]} for name, knob in self.knobs.items()
        }

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
        for option in self.knobs[name].values if name in self.knobs else ():
            # The option itself, since 1 and 1.0 are written differently; true is not 1.
            if option == value and isinstance(option, bool) == isinstance(value, bool):
                return option
        raise ValueError(f"a move must set {', '.join(self.knobs)} to one of their values")

    def shows_result(self, frames: Frames) -> bool:
        """Return whether these frames show the result."""
        return len(frames.metrics) > 0 and bool(self.is_result(frames.metrics[-1]))


class Seat:
    """The runs of one slot of a session: what the script asked for, and where the hand has moved.

    Scripts call `subscribe` in their threads, the route calls `move` in the server's event loop.
    The lock is not held while a run is looked up, as that may read a file.

    A script that asks for something new has the last word, unless the hand has been there and has
    moved on. One that asks for the same as the last script has nothing to say while the hand moves.
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
        self._asked: Any = None  # by the last script
        self._trail: list[Any] = []  # where the hand has moved since then, until it rests
        self._due = 0.0  # time of the next move at the earliest

    def subscribe(self, experiment: Any, moves: Moves | None) -> Subscription[Any]:
        """Return the run for a script that asks for an experiment."""
        while True:
            with self._lock:
                self.moves, before = moves, self._run
                wanted = self._now(experiment)
                if before is not None and before.experiment == wanted and not self._must_restart:
                    return self._give_to_script(before, experiment)
            run = self._store.subscribe(wanted)
            with self._lock:
                if self._run is before:
                    self._must_restart = False
                    return self._give_to_script(self._show(run), experiment)
            run.stop()  # the hand has moved meanwhile

    def _now(self, asked: Any) -> Any:
        """Return what the screen shows once a script has asked for an experiment."""
        is_behind = asked == self._asked or asked in self._trail
        return self._trail[-1] if self._trail and is_behind else asked

    async def move(self, settings: Mapping[str, Any], rests: bool = False) -> Subscription[Any]:
        """Return the run on the screen after a move; that of the newest move if there are several.

        When the hand rests, the script is on its way, and has the last word.
        """
        with self._lock:
            assert self._run is not None, "a move needs the token of a run"
            assert self.moves is not None, "a move needs settings that move"
            wanted = self.moves.make(self._run.experiment, **settings)
            self._trail.append(wanted)
            pause = self._due - monotonic()
        await asyncio.sleep(pause)
        run = await self._turn_to(wanted)
        if rests:
            with self._lock:
                self._trail.clear()
        return run

    async def _turn_to(self, wanted: Any) -> Subscription[Any]:
        with self._lock:
            before = self._run
            assert before is not None
            if not self._is_newest(wanted):
                return before
            self._due = monotonic() + PERIOD
            for known in (before, self._of_script):
                if known and known.experiment == wanted and not known.is_stopped:
                    return self._show(known)
        run = await self._store.subscribe_in_loop(wanted)
        with self._lock:
            if self._run is before and self._is_newest(wanted):
                return self._show(run)
            run.stop()  # a newer move has come, or a script, which knew of this one
            return self._run or before

    def _is_newest(self, wanted: Any) -> bool:
        return bool(self._trail) and self._trail[-1] is wanted

    def restart(self) -> None:
        """End the run on the screen; the next script gets a new one with its own settings."""
        with self._lock:
            for run in filter(None, (self._run, self._of_script)):
                run.stop()
            self._must_restart = True
            self._trail.clear()

    def _show(self, run: Subscription[Any]) -> Subscription[Any]:
        """Put a run on the screen; end the one before unless it is the script's."""
        if run is not self._run:
            if self._run not in (None, self._of_script):
                self._run.stop()
            self._former, self._run = self._run, run
        return run

    def _give_to_script(self, run: Subscription[Any], asked: Any) -> Subscription[Any]:
        """Make the run on the screen the script's; end the one that the last script got."""
        if self._of_script not in (None, run):
            self._of_script.stop()
        self._of_script = run
        if asked in self._trail:  # up to there the script has caught up
            del self._trail[: self._trail.index(asked) + 1]
        elif asked != self._asked:
            self._trail.clear()
        self._asked = asked
        return run
