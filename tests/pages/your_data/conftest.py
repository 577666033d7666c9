"""Fixtures for tests of the lesson "Your data"."""

import pytest

from tests.files.reader import no_sandbox


@pytest.fixture(autouse=True)
def in_process():
    """Read the small files of these tests in this process."""
    with no_sandbox():
        yield
