"""AppTest runs no lifespan: the workers start with the first run and end with the last test."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import runs

CONTENTS = Path(__file__).parents[2] / "pages" / "contents.py"


@pytest.fixture(scope="session", autouse=True)
def workers():
    """The processes behind the pages of this session."""
    yield
    runs.close()


@pytest.fixture
def contents():
    """The app, opened at its first page."""
    return AppTest.from_file(str(CONTENTS), default_timeout=60)


@pytest.fixture
def other():
    """The app, opened by somebody else."""
    return AppTest.from_file(str(CONTENTS), default_timeout=60)
