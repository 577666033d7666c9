"""Variables whose names differ in slots: `S01_rest`, `S01_task`, `S02_rest`, ... are `S*_*`.

A family is also a cell array, with one cell for each of its variables. Each slot is a vector of
what the names hold there, `first * of the names S*_*`: a word may be the class, a number the
subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..formats.errors import too_large_error
from ..formats.variables import (
    EACH,
    LARGEST_ARRAY,
    NUMERIC,
    READABLE,
    RECORDING,
    SLOT,
    are_parts,
    size_of,
)
from ..layout import Variable, long_axes

PERSON_NAMES = {
    *("subject", "subjects", "subj", "subjs", "sub", "subs", "sid", "person", "persons", "people"),
    *("participant", "participants", "patient", "patients", "user", "users", "speaker"),
    *("speakers", "writer", "writers"),
    *("animal", "animals", "rat", "rats", "mouse", "mice", "monkey"),
}
SESSION_NAMES = {
    *("session", "sessions", "sess", "group", "groups", "block", "blocks", "run", "runs"),
    *("recording", "recordings", "rec", "chunk", "chunks", "video", "videos", "clip", "clips"),
}
WORDS = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)  # and what stands between them
ORDINALS = "first ", "second ", "third "
MOST_FAMILIES = 20
FLOATS = ("double", "single", "int16")  # of recordings
GROUP_WORDS = PERSON_NAMES | SESSION_NAMES | {"s", "p", "vp", "id"}  # before a number
Words = tuple[str, ...]


class Family(NamedTuple):
    """Variables that belong together, in the order of the words in their slots."""

    pattern: str
    members: list[Variable]
    words: list[Words]  # in the slots, of each member

    @property
    def slots(self) -> dict[str, Any]:
        """The vector of each slot, by its name."""
        vectors = zip(*self.words, strict=True)
        return dict(zip(slots_of(self.pattern), map(np.array, vectors), strict=True))

    @property
    def are_vectors(self) -> bool:
        return any(len(long_axes(each.shape)) < 2 for each in self.members)

    @property
    def are_matrices(self) -> bool:
        """Whether all are matrices, or recordings of one channel."""
        return all(_is_matrix(each) for each in self.members)

    def find_groups(self, label: str) -> str:
        """Find the slot of subjects or sessions, by the word before it: S01, sub-1."""
        pieces = self.pattern.lower().split(EACH)
        for (slot, words), piece in zip(self.slots.items(), pieces, strict=False):
            before = re.findall(r"[^\W\d_]+", piece)[-1:]
            repeats = len(np.unique(words)) < len(words) and not are_parts(words)
            if slot != label and repeats and GROUP_WORDS.intersection(before):
                return slot
        return ""

    def read(self, read_alike: Callable[[list[str]], list[Any]]) -> Any:
        """Return a cell array of these variables."""
        if sum(size_of(each.matlab_class, each.shape) for each in self.members) > LARGEST_ARRAY:
            raise too_large_error(self.pattern, self.members[0].shape)
        cells = np.empty((len(self.members), 1), object)
        for i, values in enumerate(read_alike([each.name for each in self.members])):
            cells[i, 0] = values
        return cells


def slots_of(pattern: str) -> list[str]:
    """Return the names of the slots of a family."""
    count = pattern.count(EACH)
    places = [*ORDINALS, *(f"{at}th " for at in range(len(ORDINALS) + 1, count + 1))]
    return [place * (count > 1) + SLOT + pattern for place in places[:count]]


def find_families(own: Mapping[str, Variable]) -> list[Family]:
    """Find the families: those of matrices, and others with the same words in their slots."""
    found: dict[tuple[Any, ...], dict[Words, Variable]] = {}
    for name, variable in own.items():
        if variable.matlab_class in READABLE and 0 not in variable.shape and EACH not in name:
            for template, words in _list_templates(name, variable):
                found.setdefault(template, {}).setdefault(words, variable)
    families: dict[frozenset[str], Family] = {}
    for (frame, kind, *_), members in sorted(found.items(), key=lambda each: _rank(*each)):
        if len(members) > 1 and (family := _make_family(frame, members)):
            same = frozenset(each.name for each in family.members)
            before = families.setdefault(same, family)
            if kind == 0 and len(family.words[0]) > len(before.words[0]):  # S01_rest in two slots
                families[same] = family
    by_pattern = {each.pattern: each for each in reversed(families.values())}  # the first of each
    of_matrices = {frozenset(each.words) for each in by_pattern.values() if each.are_matrices}
    kept = [each for each in by_pattern.values() if frozenset(each.words) in of_matrices]
    return kept[: -MOST_FAMILIES - 1 : -1]


def _list_templates(name: str, variable: Variable) -> Iterator[tuple[tuple[Any, ...], Words]]:
    """Yield the frames of a name, None for each slot, with the words in the slots.

    Slots are its numbers, and the words of one of the structs or files that hold it, or the whole
    of that; or in matrices that agree except along one axis, which belongs to the template, all its
    words, or the whole of it.
    """
    path = name.split(".")
    parts = [WORDS.findall(part) for part in path]
    outer = [*product(range(len(path) - 1), (False, True))]
    for whole, in_words in [(-1, True), *outer]:
        frame: list[str | None] = []
        words: list[str] = []
        for at, (part, pieces) in enumerate(zip(path, parts, strict=True)):
            frame += ["."] * (at > 0)
            for word in pieces if in_words or at != whole else [part]:
                is_slot = (at == whole and (word.isalnum() or not in_words)) or word.isdecimal()
                frame.append(None if is_slot else word)
                words += [word] * is_slot
        if words:
            yield (tuple(frame), 0), tuple(words)
    if _is_matrix(variable):
        pieces = [piece for each in parts for piece in (".", *each)][1:]
        every = tuple(None if piece.isalnum() else piece for piece in pieces)
        holder = name.rpartition(".")[0]
        for axis in long_axes(variable.shape):
            rest = tuple(n for at, n in enumerate(variable.shape) if at != axis)
            shape = axis, len(variable.shape), rest
            yield (every, 1, *shape), tuple(piece for piece in pieces if piece.isalnum())
            yield ((*([holder, "."] if holder else []), None), 2, *shape), (path[-1],)
            yield ((None,), 3, *shape), (name,)


def _rank(template: tuple[Any, ...], members: dict[Words, Variable]) -> tuple[int, int, int]:
    """Put the families of numbers first, then the largest, then those by words."""
    size = sum(size_of(each.matlab_class, each.shape) for each in members.values())
    return template[1] > 0, -size * (template[1] > 0), template[1]


def _make_family(frame: tuple[str | None, ...], members: dict[Words, Variable]) -> Family | None:
    """Make a family of the words that differ; None if they tell only the training and test part."""
    columns = [*zip(*members, strict=True)]
    differ = [len({*column}) > 1 for column in columns]
    if all(are_parts(column) for column, is_slot in zip(columns, differ, strict=True) if is_slot):
        return None
    places = iter(zip(columns, differ, strict=True))
    pattern = ""
    for piece in frame:
        column, is_slot = next(places) if piece is None else ((), False)
        pattern += piece or (EACH if is_slot else column[0])
    words = {
        tuple(word for word, is_slot in zip(each, differ, strict=True) if is_slot): variable
        for each, variable in members.items()
    }
    ordered = sorted(words, key=lambda each: [_sort_key(word) for word in each])
    return Family(pattern, [words[each] for each in ordered], ordered)


def _sort_key(word: str) -> tuple[list[tuple[int, str]], str]:
    """Return a key that sorts S2 before S10, however long the numbers are."""
    numbers = [number.lstrip("0") for number in re.findall(r"\d+", word)]
    return [(len(number), number) for number in numbers], word


def _is_matrix(variable: Variable) -> bool:
    is_long = variable.matlab_class in FLOATS and max(variable.shape, default=0) >= RECORDING
    return variable.matlab_class in NUMERIC and (len(long_axes(variable.shape)) > 1 or is_long)
