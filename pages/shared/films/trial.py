"""A trial, machine by machine: its searches, what it trains, what the tests say so far."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from pages.shared.films.frame import Film, Frame, in_steps, matrices
from pages.shared.recipes import Labelled, TrialRun
from smmcore.model_selection import Material, State, states, strands

KEPT = 2  # trials whose problems a worker holds


class Trials(Film):
    """The machines that a `TrialRun` trains: a frame for each, and for each strand of a search."""

    recipe: TrialRun

    def __init__(self, recipe: TrialRun) -> None:
        super().__init__(recipe)
        methods = [machine.method for machine in recipe.trial.machines]
        self.curves = np.dtype(
            [
                ("step", "<u4"),
                ("split", "<u4"),  # under way, from 1
                *((f"held_{method}", "<f8") for method in methods),  # mean over the splits so far
                *((f"cv_{method}", "<f8") for method in methods),  # the best cell so far
                ("cells", "<u4"),  # tried by the search under way
                ("of", "<u4"),  # of so many
                ("best", "<f8"),  # accuracy of the best of them
                ("searched", "<f8"),  # seconds of all searches
                (
                    "doing",
                    "<u4",
                ),  # method * (K + 1), plus its classes that are trained: 0 in a search
                ("rank", "<u4"),  # of the W that is shown
            ]
        )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the last W that was trained."""
        return matrices(["W"], p, q)

    def frames(self, data: Labelled, state: State | None) -> Iterator[Frame]:
        """Yield what is trained, and a state without a frame in the midst of it."""
        material = _material(self.recipe, data)
        total, before = len(material.order), _shown(state or State())
        for at in states(material, state):
            finished, now = len(at.tested) == total, _shown(at)
            # The last class shows with the test that follows at once.
            last = len(at.fits) == len(data.classes) - 1 or len(data.classes) == 2
            if now == before or (last and now[2]):
                yield Frame(None, None, at, at.tested, False)
            else:
                yield Frame(self._curve(at, material), self._picture(at), at, at.tested, finished)
            before = now

    def _curve(self, at: State, material: Material) -> tuple:
        machines = self.recipe.trial.machines
        just = at.tested and not (at.search or at.way)  # a test, and nothing since
        split, under_way = material.order[len(at.tested) - bool(just)]
        held, best = [], []
        for machine in machines:
            of = [one for one in at.tested if one.machine.method == machine.method]
            held.append(np.mean([one.accuracy for one in of]) if of else np.nan)
            best.append(of[-1].validated if of else np.nan)
        search = at.search
        if search and search.best:
            best[machines.index(under_way)] = search.best.right / search.best.of
        cells = len(search.tried) if search else 0
        grid = strands(under_way.method, *material.X.shape[1:])
        rank = at.way.fit.rank if _trained(at) else at.tested[-1].rank[-1] if at.tested else 0
        number = machines.index(under_way)
        fits = len(at.tested[-1].W) if just else len(at.fits) + _trained(at)
        doing = number * (int(material.y.max()) + 2) + fits
        most = sum(map(len, grid))
        now = (cells, most, best[number], at.searched, doing, rank)
        return at.steps, split + 1, *held, *best, *now

    def _picture(self, at: State) -> tuple:
        if _trained(at):
            return in_steps(at.way.fit.W)
        if at.tested:
            return in_steps(at.tested[-1].W[-1])
        return in_steps(np.zeros(self.recipe.data.shape[1:]))

    def verdict(self, end: Frame) -> str:
        """Return how much was trained."""
        machines = sum(len(one.W) for one in end.state.tested)
        cells = sum(len(one.tried) for one in end.state.tested)
        searched = f", after {cells:,} cells of their grids were tried" if cells else ""
        return f"{machines:,} machine{'s' * (machines > 1)} trained and tested{searched}."


def _trained(at: State) -> bool:
    return at.way is not None and at.way.fit is not None


def _shown(at: State) -> tuple[int, int, int]:
    """What of a state is worth a frame: tests, strands of a search, classes that are trained."""
    return len(at.tested), at.search.strands if at.search else 0, len(at.fits) + _trained(at)


_materials: OrderedDict[TrialRun, Material] = OrderedDict()


def _material(recipe: TrialRun, data: Labelled) -> Material:
    """Return the material of a trial, with the problems that its last slice has left."""
    if recipe not in _materials:
        X, y, _, groups, test = data
        _materials[recipe] = Material(recipe.trial, X, y, groups, test)
        while len(_materials) > KEPT:
            _materials.popitem(last=False)
    _materials.move_to_end(recipe)
    return _materials[recipe]
