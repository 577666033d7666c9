"""Tests of the lesson "Your data" read their small files in their own process."""

from tests.files.conftest import in_process  # noqa: F401
