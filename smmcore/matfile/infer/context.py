"""The context of an inference: what the files hold, and what names and shapes suggest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Set
from math import prod
from typing import NamedTuple

from ..formats import NUMERIC
from ..layout import Read, Variable, long_axes, words_in

MAX_TRIED = 20  # variables tried as anything else: a file may hold thousands


def may_tell(
    samples: Collection[str], labels: dict[str, Variable], beside: Set[str]
) -> dict[str, Variable]:
    """Select what may tell labels, groups or parts of some samples: all but themselves.

    Parameters
    ----------
    samples : collection of str
        The variables that hold the samples, in the first file.
    labels : dict
        The variables of both files, by name.
    beside : set of str
        Which of these are of the second file. They may be called what the samples are: every .npy
        file calls its only array "array".
    """
    return {name: each for name, each in labels.items() if name in beside or name not in samples}


class Context(NamedTuple):
    """What two files hold, and how to read it."""

    variables: dict[str, Variable]  # by name
    labels: dict[str, Variable]  # where labels are looked for: in a second file before the first
    beside: Set[str]  # which of these are of the second file
    read: Read
    read_labels: Read
    by_rows: bool  # made where arrays run along rows: NumPy, a table
    table: bool  # of text, where also MATLAB's go by rows

    def may_tell(self, samples: Collection[str]) -> dict[str, Variable]:
        """Select what may tell labels, groups or parts of these samples: all but themselves."""
        return may_tell(samples, self.labels, self.beside)


def sample_axes(shape: tuple[int, ...], by_rows: bool) -> list[int]:
    """The axes that may run over samples, as usual first: the last of a stack in MATLAB."""
    axes = long_axes(shape)
    return axes if by_rows or len(axes) == 2 else [axes[-1], *axes[:-1]]


def likely_samples(context: Context) -> Iterator[str]:
    """The variables that may hold samples: those called so first, then the largest."""
    tests = test_variables(context)
    names = [
        name
        for name, each in context.variables.items()
        if each.may_be_samples and name not in tests
    ]

    def size(name: str) -> tuple[bool, int]:
        variable = context.variables[name]
        # What a cell array holds its header does not tell, but those of texts are labels.
        return variable.matlab_class in NUMERIC, prod(variable.shape)

    largest = max((size(name) for name in names), default=(False, 0))
    yield from sorted(
        names,
        key=lambda name: (
            bool(SAMPLE_NAMES & words(name)) and 4 * size(name)[1] >= largest[1],
            size(name),
        ),
        reverse=True,
    )


def test_variables(context: Context) -> set[str]:
    return {
        test for name in context.variables for test in test_names(name, context.variables).values()
    }


SAMPLE_NAMES = {"x", "fea", "feat", "features", "data", "images", "samples", "trials", "digits"}
LABEL_NAMES = {
    *("y", "t", "gnd", "gt", "lab", "label", "labels", "class", "classes", "target", "dx"),
    *("trls", "ttls"),  # beside tr_dat and tt_dat
}
LABEL_WORDS = ("label", "class", "target", "gnd", "truth", "categor", "diagnos")
PERSON_NAMES = {
    *("subject", "subjects", "subj", "subjs", "sub", "subs", "sid", "person", "persons", "people"),
    *("participant", "participants", "patient", "patients", "user", "users", "speaker"),
    *("speakers", "writer", "writers"),
    *("animal", "animals", "rat", "rats", "mouse", "mice", "monkey"),
}
SESSION_NAMES = {"session", "sessions", "sess", "group", "groups", "block", "blocks", "run", "runs"}
GROUP_NAMES = PERSON_NAMES | SESSION_NAMES
BESIDE_NAMES = {  # what else is context of a person or a picture
    *("age", "ages", "sex", "gender", "handedness", "site", "sites", "scanner", "iq"),
    *("education", "weight", "height", "angle", "angles"),
}
PART_NAMES = {"set", "split", "part", "partition"}
NO_LABELS = GROUP_NAMES | PART_NAMES
NO_LABELS |= {"trial", "instance", "index", "idx", "id", "fold", "time", "times", "run"}
TEST_NAMES = (  # of training and test part; of a validation part where there is no test part
    *(("train", "test"), ("training", "testing"), ("trn", "tst"), ("tr", "te"), ("tr", "ts")),
    ("tr", "tt"),
    ("training", "test"),
    *(("train", "val"), ("training", "validation"), ("train", "valid"), ("train", "dev")),
    *(("trn", "val"), ("tr", "va")),
)
TRAIN_WORDS = {"train", "training", "trn", "tr"}
PART_NAME = re.compile(  # isTrain, test_idx
    r"((is|in|idx|ind|index|indices|mask)_?)?"
    r"(?P<part>training|train|trn|tr|testing|test|tst|te)"
    r"_?(idx|inds?|index|indices|ids?|mask|flag|rows|samples|set)?"
)
ROW_NAMES = r"height|row|^h|^p\d*$|^m$|^ny$"
COLUMN_NAMES = r"width|col|^w|^q\d*$|^n$|^nx$"


def own_name(name: str) -> str:
    """A name without those of the structs around it, in lower case."""
    return name.rsplit(".", 1)[-1].lower()


def words(name: str) -> set[str]:
    """The words of a variable's own name, in lower case."""
    return words_in(name.rsplit(".", 1)[-1])


def label_likelihood(name: str) -> int:
    said = words(name)
    if said & LABEL_NAMES:
        return 2 if said & NO_LABELS else 3  # subject_labels beside action_labels
    if any(word in own_name(name) for word in LABEL_WORDS):
        return 2
    if said & NO_LABELS or PART_NAME.fullmatch(own_name(name)):
        return -1
    return int(any(word.startswith(("y", "lab")) for word in said))


def test_names(name: str, among: dict[str, Variable]) -> dict[str, str]:
    """What is for testing what this variable is for training, by its word, the usual one first."""
    return {
        test: other
        for train, test in TEST_NAMES
        for case in (str.lower, str.title, str.upper)
        for match in re.finditer(case(train), name)
        if (other := name[: match.start()] + case(test) + name[match.end() :]) in among
    }


def for_test(name: str) -> bool:
    return not {test for _, test in TEST_NAMES}.isdisjoint(words(name))
