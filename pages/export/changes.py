"""What the settings of a page change: lists of places in its parts, each with its new value."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import Any
from urllib.parse import parse_qsl

from pages.export.record import Recording, record, walk
from pages.shared.engine.stream import GRIDS
from pages.shared.packed import read_header

MOST_PLACES = 11  # of a setting whose changes are long, or ask for a run each
LONG = 3_000  # letters of a change
FIRST_BYTES, OTHER_BYTES = 300_000, 60_000  # of the frames of the first runs, and of each other
ALL_BYTES = 600_000  # of the runs of all combinations, up to which these are kept
GRID_RUN = "/runs/grid/frames"  # one that was computed in advance, see `assets/player/grid.js`
Patch = list[list[Any]]


class Saved:
    """A page at the settings of a link, and all that can change within its file.

    Each setting is visited at its first and its last place. If nothing changes, the browser does
    all by itself, and nothing is kept. Otherwise the changes are kept for each place, or for some,
    and the controls in the file offer these only.
    """

    def __init__(self, address: str, query: str = "") -> None:
        self.address, self.query = address, dict(parse_qsl(query))
        self.page = record(address, self.query)
        self.runs: dict[str, bytes] = {}
        self.patches: dict[str, dict[str, Patch]] = {}  # by the key of a setting, and its text
        self.together: dict[str, Patch] = {}  # by several settings, see `canonical`
        told = (each for each in walk(self.page.parts) if isinstance(each, str))
        files = {text for text in told if text.startswith("/grids/")}
        self.grids = {path: GRIDS / f"{path.rpartition('/')[2]}.bin" for path in sorted(files)}
        self._keep(self.page, FIRST_BYTES)
        settings = self.page.settings().items()
        # Where it opens
        self.texts = {key: self.query.get(key, texts[at]) for key, (texts, at) in settings}
        self._visit_settings()
        self._visit_together()
        for key, patches in self.patches.items():
            self.page.offer_only(key, {self.texts[key], *patches})

    def _keep(self, page: Recording, most: int) -> None:
        """Keep all frames of each run as one answer; a long one keeps the pictures of some only."""
        for path, run in page.runs.items():
            if path not in self.runs:
                frames = run.frames.within_bytes(most)
                self.runs[path] = frames.to_bytes(
                    0, run.status, run.message, current=True, most=run.frames.nbytes
                )

    def _patch(self, texts: Mapping[str, str]) -> Patch:
        """Return what differs at other settings."""
        page = record(self.address, {**self.query, **texts})
        before, after = self.page.parts, page.parts
        patch = [
            [[name, *path], value]
            for name in sorted(before.keys() & after.keys())
            for path, value in _differ(before[name], after[name])
        ]
        if self.page.grid:
            return [[path, GRID_RUN if _is_run(value) else value] for path, value in patch]
        self._keep(page, OTHER_BYTES)
        return patch

    def _visit_settings(self) -> None:
        on_grid = self._texts_of_grid()
        for key, (texts, _) in self.page.settings().items():
            others = [text for text in on_grid.get(key, texts) if text != self.texts[key]]
            if not others:
                continue
            found = {text: self._patch({key: text}) for text in (others[0], others[-1])}
            if not any(found.values()):
                continue
            if any(map(_is_long, found.values())) and key not in on_grid:
                # So many at most, evenly, and those to which a state or an answer leads
                step = -(-len(others) // MOST_PLACES)
                aims = [state.get(key) for state in self.page.states()]
                others = [text for i, text in enumerate(others) if i % step == 0 or text in aims]
            self.patches[key] = {
                text: found[text] if text in found else self._patch({key: text}) for text in others
            }

    def _texts_of_grid(self) -> dict[str, list[str]]:
        """Return the texts of settings for which runs were computed in advance."""
        if not self.page.grid:
            return {}
        found = {}
        for name, values in read_header(self.grids[self.page.grid])["knobs"].items():
            move = self.page.moves[name]
            texts = self.page.settings()[move["key"]][0]
            found[move["key"]] = [texts[move["values"].index(value)] for value in values]
        return found

    def _visit_together(self) -> None:
        """Keep the states, and all combinations of the settings that ask for runs if these fit."""
        states = [each for each in self.page.states() if each.keys() - self.patches.keys()]
        heavy = [
            key
            for key, patches in self.patches.items()
            if any(_is_run(value) for patch in patches.values() for _, value in patch)
        ]
        count = prod(1 + len(self.patches[key]) for key in heavy)
        each = min(OTHER_BYTES, max(map(len, self.runs.values()), default=0))
        if len(heavy) > 1 and count * each <= ALL_BYTES and not self.page.grid:
            options = [[self.texts[key], *self.patches[key]] for key in heavy]
            combined = itertools.product(*options)
            states += [dict(zip(heavy, texts, strict=True)) for texts in combined]
        for state in states:
            moved = {
                key: text
                for key, text in state.items()  # that the page draws, and where it does not open
                if text != self.texts.get(key) and (key in self.patches or key not in self.texts)
            }
            if len(moved) > 1 or moved.keys() - self.patches.keys():
                self.together[canonical(moved)] = self._patch(moved)


def canonical(texts: Mapping[str, str]) -> str:
    """Return settings in the order of their keys, as `assets/export/host.js` names them."""
    return json.dumps(sorted(texts.items()), ensure_ascii=False, separators=(",", ":"))


def _is_run(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("/runs/")


def _is_long(patch: Patch) -> bool:
    return len(json.dumps(patch)) > LONG or any(_is_run(value) for _, value in patch)


def _differ(before: Any, after: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[list[Any], Any]]:
    """Yield the leaves that differ, each with its path and its new value."""
    keys: Iterable[Any] = ()
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        keys = before
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        keys = range(len(before))
    elif before != after:
        yield [*path], after
    for key in keys:
        yield from _differ(before[key], after[key], (*path, key))
