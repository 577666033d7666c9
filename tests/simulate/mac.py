"""What only macOS does, as far as `sitecustomize.py` can simulate it."""

import os
import sys

import pytest

from pages.shared import system
from pages.shared.engine import connections, processes
from pages.your_data.files import FileError, sandbox

TABLE = b"1,2\n3,4\n"


pytestmark = pytest.mark.systems


def test_the_simulation_is_on():
    assert sys.platform == "darwin"


def test_a_class_finds_room_though_the_hard_limit_cannot_be_had():
    """192 connections were let in, of some 35 students."""
    assert connections.ROOM * system.raise_descriptor_limit() == 7_680


def test_a_file_is_read_here_and_refused_in_a_network(monkeypatch):
    for name in ("_can_be_reached", "_missing"):
        monkeypatch.setattr(sandbox, name, getattr(sandbox, name))  # to be undone
    sandbox.start_reader("127.0.0.1")
    assert sandbox.ask(TABLE)[0]["format"] == "text"
    sandbox.start_reader("0.0.0.0")
    with pytest.raises(FileError, match=r"its system lacks a limit of memory\.$"):
        sandbox.ask(TABLE)


def test_a_worker_finds_one_thread_of_accelerate_before_it_loads_numpy(monkeypatch):
    monkeypatch.delenv("VECLIB_MAXIMUM_THREADS", raising=False)
    processes.Processes(1).shutdown()
    assert os.environ["VECLIB_MAXIMUM_THREADS"] == "1"
