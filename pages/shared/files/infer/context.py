"""The variables of the uploaded files, what their names suggest, and which may hold samples."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Set
from itertools import accumulate
from math import prod
from typing import NamedTuple

from ..formats.variables import COLUMN, NUMERIC, READABLE, size_of, split_words
from ..layout import Read, Variable, long_axes

SAMPLE_NAMES = {"x", "fea", "feat", "features", "data", "images", "samples", "trials", "digits"}
LABEL_NAMES = {
    "folder",  # of an image
    *("y", "t", "gnd", "gt", "lab", "label", "labels", "class", "classes", "target", "dx"),
    *("trls", "ttls"),  # labels of tr_dat and tt_dat
}
TARGET_NAMES = {"y", "t", "target", "targets"}  # of numbers rather than of a numbering
LABEL_WORDS = (
    *("label", "class", "target", "gnd", "truth", "categor", "diagnos", "trialinfo", "rating"),
    *("cond", "stim", "emotion"),
)
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
GROUP_NAMES = PERSON_NAMES | SESSION_NAMES
COVARIATE_NAMES = {  # other facts about a person or a picture
    *("age", "ages", "sex", "gender", "handedness", "site", "sites", "scanner", "iq"),
    *("education", "weight", "height", "angle", "angles"),
}
PART_NAMES = {"set", "split", "part", "partition"}
NO_LABELS = GROUP_NAMES | PART_NAMES
NO_LABELS |= {"trial", "instance", "index", "idx", "id", "fold", "time", "times", "run"}
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
MOST_PREFETCHED = 40  # variables
LARGEST_PREFETCHED = 1 << 25  # bytes of all of them


def field_name(name: str) -> str:
    """Return the name of a variable without the structs that hold it, in lower case."""
    return name.rsplit(".", 1)[-1].lower()


def field_words(name: str) -> set[str]:
    """Return the words in the name of a variable without its structs, in lower case."""
    return split_words(name.rsplit(".", 1)[-1])


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


def is_coordinate(name: str, among: dict[str, Variable]) -> bool:
    """Return whether a variable called y stands in a struct with an x and a z: a place in space."""
    outer, _, own = name.rpartition(".")
    others = {field_name(other) for other in among if outer and other.rpartition(".")[0] == outer}
    return own.lower() == "y" and {"x", "z"} <= others


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
    archive: bool = False  # whether the file is an archive, whose images may lie in folders
    measured: bool = False  # whether a vector of measurements is wanted in place of classes

    def label_candidates(self, samples: Collection[str]) -> dict[str, Variable]:
        """Select the variables that may hold labels, groups or parts of these samples."""
        return {
            name: each
            for name, each in self.variables.items()
            if name.partition(COLUMN)[0] not in samples
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

    def size(name: str) -> tuple[bool, int]:
        variable = context.variables[name]
        # Numbers come first: the cells of a cell array may be texts, which are labels.
        return variable.matlab_class in NUMERIC, prod(variable.shape)

    largest = max((size(name) for name in names), default=(False, 0))
    yield from sorted(
        names,
        key=lambda name: (
            bool(SAMPLE_NAMES & field_words(name)) and 4 * size(name)[1] >= largest[1],
            size(name),
        ),
        reverse=True,
    )


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
