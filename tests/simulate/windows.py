"""What only Windows does, as far as `sitecustomize.py` can simulate it."""

import ctypes
import os
import sys
import time

import pytest

from pages.shared import system
from pages.shared.files import Contents, MatFileError, sandbox

pytestmark = pytest.mark.systems
TABLE = b"1,2\n3,4\n"


@pytest.fixture(autouse=True)
def local(monkeypatch):
    """A server that only this computer can reach."""
    monkeypatch.setattr(sandbox, "_can_be_reached", False)
    sandbox.missing_layers.cache_clear()


def test_the_simulation_is_on():
    assert sys.platform == "win32"
    assert os.name == "nt"
    with pytest.raises(ImportError):
        import fcntl  # noqa: F401


def test_workers_have_a_lower_priority():
    system.lower_priority(3)
    assert ctypes.windll.kernel32.priorities == [0x4000]


def test_a_reader_is_not_confined_and_the_page_says_so(monkeypatch):
    assert sandbox.missing_layers() == ("Landlock", "a limit of memory", "seccomp")
    assert sandbox.describe_protection().startswith("This computer does not confine the process")
    assert Contents(TABLE).variables


@pytest.mark.parametrize("address", [None, "0.0.0.0", "192.168.1.7"])
def test_a_server_in_a_network_reads_no_file_unless_its_owner_says_so(monkeypatch, address):
    monkeypatch.setattr(sandbox, "_can_be_reached", not sandbox.is_loopback(address))
    assert sandbox.describe_protection().startswith("This server reads no uploaded files")
    with pytest.raises(MatFileError, match=r"its system lacks a limit of memory\.$"):
        sandbox.ask(TABLE)
    monkeypatch.setenv(sandbox.SETTING, "off")
    assert sandbox.ask(TABLE)[0]["format"] == "text"
    assert sandbox.describe_protection().startswith("This computer does not confine the process")


def test_the_start_of_a_process_is_no_time_of_the_file(monkeypatch):
    start = sandbox.SpareProcess._start
    slow = sandbox.SpareProcess()
    monkeypatch.setattr(slow, "_start", lambda: (time.sleep(0.3), start(slow))[1])
    monkeypatch.setattr(sandbox, "run_reader", slow)
    spent = []
    for _ in range(2):
        sandbox.ask(TABLE, spent=spent)
    slow.close()
    assert len(spent) == 2


def test_a_process_that_cannot_start_is_not_blamed_on_the_file(monkeypatch):
    monkeypatch.setattr(sandbox, "COMMAND", [sys.executable, "-c", "raise SystemExit(3)"])
    monkeypatch.setattr(sandbox, "run_reader", reader := sandbox.SpareProcess())
    with pytest.raises(ChildProcessError, match="The server cannot read files now"):
        sandbox.ask(TABLE)
    reader.close()
