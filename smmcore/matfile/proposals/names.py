"""The words by which variables are called, and what they say."""

from __future__ import annotations

import re

from ..layout import Variable, words_in

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
BESIDE_NAMES = {  # what else is known of a person or a picture
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
