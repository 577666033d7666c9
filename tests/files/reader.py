"""Read files in the process of a test, where the sandbox around the reader is not the claim."""

import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from pages.shared.files import Contents, MatFileError, child, sandbox
from pages.shared.files.formats.reader import try_read_arrays


def answer_here(question: bytes, data: bytes, _longest: int) -> tuple[bytearray, int]:
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
        patch.setattr(child, "confine", lambda *limits: None)
        patch.setattr(sandbox, "run_reader", answer_here)
        yield


def list_variables(files):
    """The variables of files, and those that are made of them."""
    return list(Contents(files).variables.values())


def read_variables(files, names):
    """Variables as plain arrays, or the first error."""
    return Contents(files).read_all(names)


def read_arrays(content, names):
    """Variables as the readers of the formats return them, or the first error."""
    found = try_read_arrays(content, names)
    for error in found:
        if isinstance(error, MatFileError):
            raise error
    return found


def infer_layouts(files):
    """The layouts in which files can be read, the likeliest first."""
    return Contents(files).infer_layouts()


def read_samples(files, layout):
    """All samples in a layout."""
    stored = Contents(files).raw_samples(layout)
    return stored.take(np.arange(len(stored.y)))


def assert_read(data, X, y, groups=None, test=None):
    """Check samples and labels, and those of groups and test part that are given."""
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, y)
    if groups is not None:
        np.testing.assert_array_equal(data.groups, groups)
    if test is not None:
        np.testing.assert_array_equal(data.test, test)
