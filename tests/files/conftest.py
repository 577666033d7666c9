"""Fixtures for tests of files."""

import pytest

from tests.files.reader import no_sandbox


@pytest.fixture
def in_process():
    """Read files in this process, as inference does not depend on who reads them."""
    with no_sandbox():
        yield
