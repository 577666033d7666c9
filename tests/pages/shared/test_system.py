"""What the operating systems do differently, on the one that runs these tests.

`python -m tests.systems` adds what Windows and macOS do, from `tests/simulate`.
"""

import os
import re
import subprocess
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from pages.shared import system
from pages.shared.data import samples
from pages.shared.engine import session

ROOT = Path(__file__).parents[3]
ASKED = r"\b(sys\.platform|os\.name|platform\.system)\b|(has|get)attr\((os|signal|socket|ctypes)\b"
IMPORTED = r"(from|import) .*\b(fcntl|resource|process_time)\b|from sys import platform"
FREE = ROOT / "pages/shared/system.py", *(ROOT / "tests/simulate").iterdir()


@pytest.mark.parametrize("pattern", ["*.py", "pages/**/*.py", "smmcore/**/*.py", "tests/**/*.py"])
def test_no_other_module_asks_for_the_system(pattern):
    asked = ASKED if "tests" in pattern else f"{ASKED}|{IMPORTED}"
    for path in {*ROOT.glob(pattern)} - {*FREE}:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not re.search(asked, line), f"{path}:{number}"


def test_file_names_are_allowed_on_every_system():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = listed.stdout.decode().split("\0")[:-1]
    assert len(names) > 500
    device = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
    for name in names:
        assert len(name) <= 100, name
        assert not re.search(r'[<>:"|?*\\\x00-\x1f]|[ .](/|$)', name), name
        assert not any(device.match(part) for part in name.split("/")), name
    assert len({name.lower() for name in names}) == len(names)


def test_the_limit_of_descriptors_is_raised():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        assert 200 < system.raise_descriptor_limit() == before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.systems
def test_the_clock_tells_short_fits_apart():
    begin = system.clock()
    ticks = {system.clock() - begin for _ in range(10_000)}
    assert 0 < min(ticks - {0}) < 0.001


@pytest.mark.systems
def test_a_lock_holds_while_its_file_is_open(tmp_path):
    path = tmp_path / "lock"
    with closing(system.create_lock(path)), pytest.raises(OSError), system.take_lock(path):  # noqa: PT011
        pass
    with system.take_lock(path):
        pass
    with pytest.raises(FileNotFoundError), system.take_lock(tmp_path / "none"):
        pass


@pytest.mark.systems
def test_an_upload_that_is_dropped_while_it_is_read_is_deleted_later(tmp_path):
    first, second = tmp_path / "1.npz", tmp_path / "2.npz"
    for path in (first, second):
        np.savez(path, X=np.eye(2))
    with np.load(first):
        samples._delete(first)
    samples._delete(second)
    assert [*tmp_path.iterdir()] == []


def test_a_laptop_with_many_cores_starts_few_workers(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    monkeypatch.setattr(session, "Scheduler", lambda count: count)
    assert session._slice_scheduler.__wrapped__() == 4
    monkeypatch.setenv(session.WORKERS, "12")
    assert session.worker_count() == 12
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.delenv(session.WORKERS)
    assert session.worker_count() == 2
    for text in ("0", "-1", "many"):
        monkeypatch.setenv(session.WORKERS, text)
        with pytest.raises(ValueError, match=f"must be a whole number of at least 1, got '{text}'"):
            session.worker_count()
