"""What only Windows does, as far as `sitecustomize.py` can simulate it."""

import ctypes
import os
import sys
import tempfile

import pytest

from pages.shared import system
from pages.shared.data import spool_folder
from pages.your_data.files import Contents, FileError, sandbox
from tests.pages.runs import wait_for
from tests.server import serve

pytestmark = pytest.mark.systems
TABLE = b"1,2\n3,4\n"


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    """Undo what the start of a server sets."""
    for name in ("_can_be_reached", "_missing"):
        monkeypatch.setattr(sandbox, name, getattr(sandbox, name))


def start(address):
    sandbox.start_reader(address)
    sandbox.find_missing_layers()  # here and now


def test_the_simulation_is_on():
    assert sys.platform == "win32"
    assert os.name == "nt"
    with pytest.raises(ImportError):
        import fcntl  # noqa: F401


def test_workers_have_a_lower_priority():
    system.lower_priority(3)
    assert ctypes.windll.kernel32.priorities == [0x4000]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost"])
def test_a_reader_is_not_confined_and_the_page_says_so(address):
    start(address)
    assert sandbox._missing == ("Landlock", "a limit of memory", "seccomp")
    assert sandbox.describe_protection().startswith("This computer does not fully confine")
    assert Contents(TABLE).variables


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "192.168.1.7", "::"])
def test_a_server_in_a_network_reads_no_file_unless_its_owner_says_so(monkeypatch, address):
    start(address)
    assert sandbox.refuses_files()
    assert sandbox.describe_protection().startswith("This server reads no files")
    with pytest.raises(FileError, match=r"its system lacks a limit of memory\.$"):
        sandbox.ask(TABLE)
    monkeypatch.setenv(sandbox.SETTING, "off")
    assert sandbox.ask(TABLE)[0]["format"] == "text"
    assert sandbox.describe_protection().startswith("This server does not fully confine")


def test_the_server_takes_the_address_at_which_it_listens(tmp_path):
    log = tmp_path / "log"
    with serve(log, STREAMLIT_SERVER_ADDRESS="0.0.0.0"):
        wait_for(lambda: "reads none; SMM_LAB_SANDBOX=off" in log.read_text(encoding="utf-8"))


def test_the_start_of_a_process_does_not_count_as_reading(monkeypatch):
    clock, reader = [0.0], sandbox.SpareProcess()
    started = reader._start

    def start_slowly():
        clock[0] += 8
        return started()

    monkeypatch.setattr(reader, "_start", start_slowly)
    monkeypatch.setattr(sandbox, "run_reader", reader)
    monkeypatch.setattr(sandbox.time, "perf_counter", lambda: clock[0])
    spent = []
    for _ in range(2):
        sandbox.ask(TABLE, spent=spent)
    reader.close()
    assert clock[0] >= 16
    assert spent == [0, 0]


def test_a_process_that_died_while_it_waited_is_not_blamed_on_the_file(monkeypatch):
    monkeypatch.setattr(sandbox, "run_reader", reader := sandbox.SpareProcess())
    reader.open()
    reader._spare.kill()
    reader._spare.wait()
    assert sandbox.ask(TABLE)[0]["format"] == "text"
    reader.close()


def test_samples_that_were_open_at_the_end_are_deleted_by_a_later_server(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / f"{spool_folder.PREFIX}left"
    left.mkdir()
    (left / spool_folder.LOCK).touch()
    (left / "1.npz").touch()
    with (left / "1.npz").open("rb"):  # by a virus scanner, say
        spool_folder.delete_left_folders()
        assert (left / "1.npz").exists()
    spool_folder.delete_left_folders()
    assert not left.exists()


def test_a_process_that_cannot_start_is_not_blamed_on_the_file(monkeypatch):
    monkeypatch.setattr(sandbox, "COMMAND", [sys.executable, "-c", "raise SystemExit(3)"])
    monkeypatch.setattr(sandbox, "run_reader", reader := sandbox.SpareProcess())
    with pytest.raises(ChildProcessError, match="The server cannot read files now"):
        sandbox.ask(TABLE)
    reader.close()
