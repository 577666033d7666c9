"""The variables of the uploaded files: their names, which may hold samples, and parts of them.

Parts are variables that are made of others: columns, cells, events, and what comes once a subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..arrange import read_cell_sizes
from ..formats.errors import FileError
from ..formats.variables import (
    COLUMN,
    EACH,
    IMAGES,
    IN_NAMES,
    NAMES,
    NUMERIC,
    READABLE,
    size_of,
    split_words,
)
from ..labels import is_one_hot
from ..layout import Read, Variable, long_axes
from .families import PERSON_NAMES, SESSION_NAMES, Family, find_families
from .keys import BY

SAMPLE_NAMES = {"x", "fea", "feat", "features", "data", "images", "samples", "trials", "digits"}
LABEL_NAMES = {
    "folder",  # of an image
    *("y", "t", "gnd", "gt", "lab", "label", "labels", "class", "classes", "target", "dx"),
    *("trls", "ttls"),  # labels of tr_dat and tt_dat
}
TARGET_NAMES = {"y", "t", "target", "targets"}  # of numbers rather than of a numbering
LABEL_WORDS = (
    *("label", "class", "target", "gnd", "truth", "categor", "diagnos", "trialinfo", "rating"),
    *("cond", "stim", "emotion", "klass", "kategor", "clase"),
)
GROUP_NAMES = PERSON_NAMES | SESSION_NAMES
COVARIATE_NAMES = {  # other facts about a person or a picture
    *("age", "ages", "sex", "gender", "handedness", "site", "sites", "scanner", "iq"),
    *("education", "weight", "height", "angle", "angles"),
    *("geschlecht", "alter", "größe", "gewicht", "sexe", "sexo", "edad"),
}
PART_NAMES = {"set", "split", "part", "partition"}
COUNT_NAMES = {"trial", "instance", "index", "idx", "id", "fold", "time", "times", "run"}
NO_LABELS = GROUP_NAMES | PART_NAMES | COUNT_NAMES
TEST_NAMES = (  # training and test part, or validation part if there is no test part
    *(("train", "test"), ("training", "testing"), ("trn", "tst"), ("tr", "te"), ("tr", "ts")),
    ("tr", "tt"),
    ("training", "test"),
    *(("train", "val"), ("training", "validation"), ("train", "valid"), ("train", "dev")),
    *(("trn", "val"), ("tr", "va")),
)
PART_NAME = re.compile(  # isTrain, test_idx
    r"((is|in|idx|ind|index|indices|mask)_?)?"
    r"(?P<part>training|train|trn|tr|testing|test|tst|te)"
    r"_?(idx|inds?|index|indices|ids?|mask|flag|rows|samples|set)?"
)
ROW_NAMES = r"height|row|^h|^p\d*$|^m$|^ny$"
COLUMN_NAMES = r"width|col|^w|^q\d*$|^n$|^nx$"
MOST_TRIED = 20  # variables tried as anything but samples: a file may hold thousands
MOST_CELLS = 2000  # of a variable that is prefetched
MOST_PREFETCHED = 200  # variables
LARGEST_PREFETCHED = 1 << 25  # bytes of all of them
AT_ZERO = " at time 0"  # in a name: of the events of EEGLAB, one for each epoch
MOST_COLUMNS = 10  # of a matrix of labels
MOST_VIEWS = 10  # cells of a cell array

Own = Mapping[str, Variable]  # the variables in the files, by name


def field_name(name: str) -> str:
    """Return the name of a variable without the structs that hold it, in lower case."""
    return name.rsplit(".", 1)[-1].partition(BY)[0].lower()


def field_words(name: str) -> set[str]:
    """Return the words in the name of a variable without its structs, in lower case."""
    return split_words(name.rsplit(".", 1)[-1].partition(BY)[0])


def label_likelihood(name: str) -> int:
    """Rate how likely a variable of this name holds labels."""
    words = field_words(name)
    outer = name.rpartition(".")[0]
    if outer and PART_NAME.fullmatch(field_name(name)) and label_likelihood(outer) > 0:
        return label_likelihood(outer)  # labels.train and labels.test
    if words & LABEL_NAMES:
        return 2 if words & NO_LABELS else 3  # subject_labels next to action_labels
    if any(word in field_name(name) for word in LABEL_WORDS):
        return 2
    if words & NO_LABELS or PART_NAME.fullmatch(field_name(name)):
        return -1
    return int(any(word.startswith(("y", "lab")) for word in words))


def test_counterparts(name: str, among: dict[str, Variable]) -> dict[str, str]:
    """Find the test counterparts of a training variable by their names, the usual one first."""
    found = {
        test: other
        for train, test in TEST_NAMES
        for other in _replace_word(name, train, test)
        if other in among
    }
    outer, _, own = name.rpartition(".")
    for train, test in TEST_NAMES if outer else ():  # A1T.x_train and A1E.x_test
        called = set(_replace_word(own, train, test))
        others = [each for each in among if each.rpartition(".")[2] in called]
        if len(others) == 1:
            found.setdefault(test, others[0])
    return found


def _replace_word(name: str, word: str, other: str) -> Iterator[str]:
    """Yield the name with another word in one place, then in all places: train.X_train."""
    for case in (str.lower, str.title, str.upper):
        for match in re.finditer(case(word), name):
            yield name[: match.start()] + case(other) + name[match.end() :]

    def replace(match: re.Match[str]) -> str:
        case = next(c for c in (str.lower, str.upper, str.title) if c(match[0]) == match[0])
        return case(other)

    everywhere = re.sub("|".join((word, word.title(), word.upper())), replace, name)
    if everywhere != name:
        yield everywhere


def is_covariate(name: str) -> bool:
    """Return whether a variable is called like another fact about a person or a picture."""
    return not COVARIATE_NAMES.isdisjoint(field_words(name))


def is_for_test(name: str) -> bool:
    """Return whether the name of a variable says that it is for testing."""
    return not {test for _, test in TEST_NAMES}.isdisjoint(field_words(name))


def may_be_image_size(variable: Variable) -> bool:
    """Return whether a variable is a pair of numbers, or one number called rows or columns."""
    size = prod(variable.shape) if variable.matlab_class in NUMERIC else 0
    match = re.search(f"{ROW_NAMES}|{COLUMN_NAMES}", field_name(variable.name))
    return size == 2 or (size == 1 and match is not None)


class Context(NamedTuple):
    """The variables of all files, and the function that reads them."""

    variables: dict[str, Variable]  # by name
    beside: Set[str]  # the names of those in files without samples, beside others
    read: Read
    by_rows: bool  # whether arrays are usually stored by rows: NumPy, tables of text
    table: bool  # whether the file is a table of text, in which MATLAB, too, stores by rows
    families: Mapping[str, Family] = {}  # of matrices, by their patterns
    of_members: Set[str] = frozenset()  # labels with one value for each variable of a family
    doubts: Mapping[str, str] = {}  # about variables, which stop the training where they are used
    archive: bool = False  # whether the file is an archive, whose images may lie in folders
    # From the name of a table of text to those of its columns; nothing if it has none
    column_names: Callable[[str], tuple[str, ...]] = lambda _: ()
    has_clock: Callable[[str], bool] = lambda _: False  # whether the rows of a table are moments
    measured: bool = False  # whether a vector of measurements is wanted in place of classes

    def label_candidates(self, samples: str) -> dict[str, Variable]:
        """Select the variables that may hold labels, groups or parts of these samples."""
        return {
            name: each
            for name, each in self.variables.items()
            if name.partition(COLUMN)[0] != samples
        }


def sample_axes(shape: tuple[int, ...], by_rows: bool) -> list[int]:
    """Return the axes that may run over samples, the usual one first: in MATLAB, the last."""
    axes = long_axes(shape)
    return axes if by_rows or len(axes) <= 2 else [axes[-1], *axes[:-1]]


def likely_samples(context: Context) -> Iterator[str]:
    """Yield the variables that may hold samples: those with such names first, then the largest."""
    tests = test_variables(context)
    names = [
        name
        for name, each in context.variables.items()
        if each.may_be_samples and name not in tests
    ]

    # Numbers come first: the cells of a cell array may be texts, which are labels.
    size = {
        name: (context.variables[name].matlab_class in NUMERIC, prod(context.variables[name].shape))
        for name in names
    }
    cells = [name for name in names if context.variables[name].matlab_class == "cell"]
    for name in cells[:MOST_TRIED]:
        with suppress(FileError):  # cells of text, or damaged
            size[name] = True, _count_in_cells(context, name)
    largest = max(size.values(), default=(False, 0))
    yield from sorted(
        names,
        key=lambda name: (
            bool(SAMPLE_NAMES & field_words(name)) and 4 * size[name][1] >= largest[1],
            size[name],
        ),
        reverse=True,
    )


def count_numbers(context: Context, name: str) -> int:
    """Return the numbers in a variable, those in all cells of a cell array."""
    variable = context.variables[name]
    if variable.matlab_class == "cell":
        with suppress(FileError):  # cells of text, or damaged
            return _count_in_cells(context, name)
    return prod(variable.shape)


def _count_in_cells(context: Context, name: str) -> int:
    return int(read_cell_sizes(name, context.read).prod(axis=1).sum())


def test_variables(context: Context) -> set[str]:
    """Return the variables that hold a test part, by their names."""
    return {
        test
        for name in context.variables
        for test in test_counterparts(name, context.variables).values()
    }


def list_names_to_prefetch(variables: dict[str, Variable]) -> list[str]:
    """List the variables that inference may read, the smallest first, up to a size."""
    wanted = [
        each
        for each in variables.values()
        if each.matlab_class in READABLE and (prod(each.shape) > 1 or may_be_image_size(each))
        if prod(each.shape) <= MOST_CELLS or each.matlab_class != "cell"
    ]
    wanted.sort(key=lambda each: size_of(each.matlab_class, each.shape))
    sizes = accumulate(size_of(each.matlab_class, each.shape) for each in wanted)
    some = [each for each, size in zip(wanted, sizes, strict=True) if size <= LARGEST_PREFETCHED]
    cells = [f"size({each.name}{{:}})" for each in some if each.matlab_class == "cell"]
    return [*(each.name for each in some[:MOST_PREFETCHED]), *cells[:MOST_PREFETCHED]]


class Part(NamedTuple):
    """A variable that is made of others."""

    variable: Variable
    sources: list[str]  # the variables of the files
    read: Callable[[], Any]  # returns an array, or cells in an array of objects


def find_parts(
    own: Own, families: list[Family], read: Read, read_alike: Callable[[list[str]], list[Any]]
) -> dict[str, Part]:
    """Find the variables that are made of those in the files, by name."""
    finders = _find_members(families, read_alike), _find_columns(own, read)
    found = [part for parts in finders for part in parts]
    found += [*_find_views(own, read), *_find_events(own, read), *_find_words_of_images(own, read)]
    return {each.variable.name: each for each in found if each.variable.name not in own}


def _find_members(
    families: list[Family], read_alike: Callable[[list[str]], list[Any]]
) -> Iterator[Part]:
    """Find the families of variables as cell arrays, and their slots as vectors."""
    for family in families:
        names, k = [each.name for each in family.members], len(family.members)
        cells = Variable(family.pattern, "cell", (k, 1))
        yield Part(cells, names, partial(family.read, read_alike))
        for slot, words in family.slots.items() if family.are_matrices else ():
            width = words.dtype.itemsize // 4
            yield Part(Variable(slot, "char", (k, width)), names, words.copy)


def _find_words_of_images(own: Own, read: Read) -> Iterator[Part]:
    """Find words and subjects in names of images of one pattern, in no folder: S1_cat.12.png."""
    for name in own:
        outer = name.removesuffix(NAMES)
        if outer == name or f"{outer}{IMAGES}" not in own or f"{outer}folder" in own:
            continue
        stems = [word.rpartition(".")[0] for word in read(name).tolist()]
        images = {stem: Variable(stem, "uint8", (2, 2)) for stem in stems}
        families = [each for each in find_families(images) if len(each.members) == len(stems)]
        for family in families[:1]:
            place_of = {each.name: place for place, each in enumerate(family.members)}
            places = [place_of[stem] for stem in stems]
            slots = {slot: words[places] for slot, words in family.slots.items()}
            classes = [
                slot
                for slot, words in slots.items()
                if 2 * len(np.unique(words)) <= len(words) and not all(map(str.isdecimal, words))
            ]
            found = {f"class {IN_NAMES}" + f", {i + 1}" * (i > 0): s for i, s in enumerate(classes)}
            if classes and (group := family.find_groups(classes[0])):
                found[f"subject {IN_NAMES}"] = group
            for title, slot in found.items():
                words = slots[slot]
                shape = len(words), words.dtype.itemsize // 4
                yield Part(Variable(outer + title, "char", shape), [name], words.copy)


def _find_columns(own: Own, read: Read) -> Iterator[Part]:
    """Find the columns of matrices that are called like labels."""
    for name, each in own.items():
        if EACH in name or each.matlab_class not in NUMERIC or len(each.shape) != 2:
            continue
        n, count = each.shape
        may_hold = label_likelihood(name) > 0 or "events" in field_words(name)
        if may_hold and 2 <= count <= MOST_COLUMNS < n and not _is_one_hot(name, n, read):
            for column in range(count):
                part = Variable(f"{name}{COLUMN}{column + 1})", each.matlab_class, (n, 1))
                read_column = partial(lambda name, at: read(name)[:, [at]], name, column)
                yield Part(part, [name], read_column)


def _is_one_hot(name: str, n: int, read: Read) -> bool:
    with suppress(FileError):  # raised again where the variable is needed
        return is_one_hot(read(name), n)
    return False


def _find_views(own: Own, read: Read) -> Iterator[Part]:
    """Find cells that hold other entries of the same samples, as many as labels of the file."""
    labels = {prod(each.shape) for name, each in own.items() if label_likelihood(name) > 0}
    for name, each in own.items():
        count = prod(each.shape)
        is_cell = each.matlab_class == "cell" and EACH not in name
        if is_cell and 2 <= count <= MOST_VIEWS and label_likelihood(name) > 0:
            yield from _find_label_cells(name, count, read)
        if not is_cell or not 2 <= count <= MOST_VIEWS or count in labels:
            continue
        with suppress(FileError):
            sizes = read(f"size({name}{{:}})")
            along = [n for n in sizes[0] if (sizes == n).any(axis=1).all() and n in labels]
            if along and sizes.shape[1] == 2:
                for number, shape in enumerate(sizes.tolist(), start=1):
                    cell = f"{name}{{{number}}}"
                    yield Part(Variable(cell, "double", tuple(shape)), [name], partial(read, cell))


def _find_label_cells(name: str, count: int, read: Read) -> Iterator[Part]:
    """Find the vectors in a cell array of labels in which some cells are empty: class{1}."""
    with suppress(FileError):
        lengths = read(f"size({name}{{:}})").prod(axis=1)
        for number, length in enumerate(lengths.tolist() if not lengths.all() else [], start=1):
            if length > count:
                cell = f"{name}{{{number}}}"
                yield Part(Variable(cell, "double", read(cell).shape), [name], partial(read, cell))


def _find_events(own: Own, read: Read) -> Iterator[Part]:
    """Find the events of EEGLAB, of which an epoch may have several: those at time 0."""
    for name, each in own.items():
        epochs = own.get(f"{name.removesuffix('type')}epoch")
        if name.endswith("event.type") and epochs and epochs.shape == each.shape:
            with suppress(FileError):
                n = len(np.unique(read(epochs.name)))
                if n < prod(each.shape):
                    events = Variable(name + AT_ZERO, "string", (n, 1))
                    yield Part(events, [name], partial(_read_events, own, name, read))


def _read_events(own: Own, name: str, read: Read) -> Any:
    """Read the type of the event of each epoch that is nearest to time 0."""
    struct = name.removesuffix("type")
    outer = struct.removesuffix("event.")
    kinds, epochs = read(name).ravel("F"), read(f"{struct}epoch").ravel("F").astype(int)
    distance = np.zeros(len(kinds))
    needed = (f"{struct}latency", f"{outer}times", f"{outer}pnts")
    if all(each in own for each in needed):
        latency, times, points = (read(each).ravel("F") for each in needed)
        zero = 1 + np.abs(times).argmin()
        distance = np.abs(latency - (epochs - 1) * points.item() - zero)
    nearest = np.lexsort((distance, epochs))
    _, first = np.unique(epochs[nearest], return_index=True)
    return kinds[nearest[first]]
