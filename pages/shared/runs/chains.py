"""The chains of all sessions: what is asked for twice is solved once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from weakref import WeakValueDictionary

from pages.shared.runs import precomputed
from pages.shared.runs.dispatch import Dispatch
from pages.shared.runs.run import Run
from pages.shared.runs.work import Chain
from smmcore.experiments.experiment import Experiment

KEPT, KEPT_BYTES = 50, 150_000_000  # chains that stay although nobody watches them


class Chains:
    """Chains by recipe: all that somebody watches, and the last of the others.

    Parameters
    ----------
    here : Dispatch
        Turns on this machine.
    elsewhere : Dispatch, optional
        Turns on others, for all but uploads, whose files are here.
    """

    def __init__(self, here: Dispatch, elsewhere: Dispatch | None = None) -> None:
        self._here, self._elsewhere = here, elsewhere or here
        self._watched: WeakValueDictionary[Experiment, Chain] = WeakValueDictionary()
        self._last: OrderedDict[Experiment, Chain] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, recipe: Experiment) -> Run:
        """Return a new viewer's run of a recipe."""
        run = Run(self._chain(recipe))
        while run.status == "stopped":  # by its last viewer, before this one had joined
            run = Run(self._chain(recipe))
        return run

    def _chain(self, recipe: Experiment) -> Chain:
        """Return the chain of a recipe, a new one where there is none that can go on."""
        whole = None if recipe in self._watched else precomputed.load(recipe)
        with self._lock:
            chain = self._watched.get(recipe)
            if chain is None or chain.status in ("stopped", "failed"):
                dispatch = self._here if recipe.data.private else self._elsewhere
                chain = self._watched[recipe] = Chain(recipe, dispatch)
                if whole is not None:
                    chain.receive(whole)
            if not recipe.data.private:  # an upload goes with the last session that holds it
                self._last[recipe] = chain
                self._last.move_to_end(recipe)
            while len(self._last) > KEPT or self._bytes() > KEPT_BYTES:
                self._last.popitem(last=False)
            return chain

    def _bytes(self) -> int:
        return sum(chain.frames.nbytes for chain in self._last.values())
