"""What a reader runs before an issue: `python -m pages.check`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages import check
from pages.your_data.files import sandbox

ROOT = Path(__file__).parents[2]


def test_it_prints_a_block_in_which_nothing_has_failed():
    found = subprocess.run(
        [sys.executable, "-m", "pages.check"], cwd=ROOT, capture_output=True, check=True
    )
    first, *rows, last = found.stdout.decode().splitlines()
    assert (first, last) == ("```text", "```")
    words = dict(row.split(maxsplit=1) for row in rows)
    assert [*words] == ["system", "python", "packages", "reader", "server", "file"]
    assert "FAILED" not in found.stdout.decode()
    sizes = re.findall(r"\d{4,}", words["server"])
    assert len(sizes) == len(check.PAGES)


def test_it_says_what_does_not_confine_the_reader(monkeypatch):
    answer = {"missing": ["Landlock", "seccomp"]}, []
    monkeypatch.setattr(check, "ask", lambda *_, **__: answer)
    assert check.check_reader() == "not confined: no Landlock, no seccomp"


def test_it_fails_where_the_file_is_not_read_as_it_was_written(monkeypatch):
    read = sandbox._parse_array

    def spoil(*place):
        array, at = read(*place)
        return array * 2, at

    monkeypatch.setattr(sandbox, "_parse_array", spoil)
    with pytest.raises(ArithmeticError):
        check.check_file()
