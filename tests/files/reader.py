"""Read files in the process of a test, where the sandbox around the reader is not the claim."""

import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from pages.your_data.files import Contents, child, sandbox
from pages.your_data.files.formats.variables import SLOT


def answer_here(question: bytes, data: bytes, *_: object) -> tuple[bytearray, int]:
    """Answer a question as a forked reader does; a fork costs more than reading a small file."""
    reply = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as the child is started
        child.answer(io.BytesIO(question + data), reply)
    return bytearray(reply.getvalue()), 0


@contextmanager
def no_sandbox() -> Iterator[None]:
    """Let this process answer the questions about files, which must be made by the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(Path(child.__file__).parent)])
        patch.setattr(child, "confine", lambda *limits: [])
        patch.setattr(sandbox, "run_reader", answer_here)
        yield


def list_variables(files):
    """The variables of files, and those that are made of them."""
    return list(Contents(files).variables.values())


def read_variables(files, names):
    """Variables as plain arrays, or the first error."""
    return Contents(files).read_alike(names)


def infer_layouts(files):
    """The layouts in which files can be read, the likeliest first."""
    return Contents(files).infer_layouts()


def read_samples(files, layout):
    """All samples in a layout."""
    stored = Contents(files).raw_samples(layout)
    return stored.take(np.arange(len(stored.y)))


def as_bytes(content):
    return content.encode() if isinstance(content, str) else content


def listed(content):
    """Class and shape of each variable of a file, or of a text, by name, without families."""
    variables = {each.name: each for each in list_variables(as_bytes(content))}
    families = {name.partition(SLOT)[2] for name in variables if SLOT in name}
    return {
        name: each[1:]
        for name, each in variables.items()
        if SLOT not in name and name not in families
    }


def read(content, name):
    """One variable of a file, or of a text."""
    return read_variables(as_bytes(content), [name])[0]


def notes(content):
    """What is said of a file beside its variables."""
    return " ".join(Contents(content).listings[""].notes)


def first(*files):
    """The first reading of a file, of several files by their names, or of two."""
    several = dict(zip(("one.mat", "two.mat"), files, strict=False)) if len(files) > 1 else files[0]
    return read_samples(several, infer_layouts(several)[0])


def assert_read(data, X, y, groups=None, test=None):
    """Check samples, labels, groups and test part; no groups or no test part if None is given."""
    pairs = ((data.X, X), (data.y, y), (data.groups, groups), (data.test, test))
    for found, expected in pairs:
        np.testing.assert_array_equal(found, expected)
