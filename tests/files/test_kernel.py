"""What the kernel refuses to the process that reads files, and what is done where it cannot."""

import json
import os
import platform
import subprocess
import sys
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

from pages.shared import system
from pages.your_data.files import FileError, child, sandbox

if system.libc is None or platform.machine() != "x86_64":
    pytest.skip("the attempts are made for Linux on x86_64", allow_module_level=True)

from tests.files.attempts import attempts

pytestmark = pytest.mark.usefixtures("sandboxed")
USERS = ["root", "ordinary"] if os.getuid() == 0 else ["ordinary"]
TABLE = b"1,2\n3,4\n"


@cache
def try_all(*words):
    command = [sys.executable, "-m", "tests.files.attempts", *words]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("attempt", attempts(Path("file"), 0))
def test_an_exploit_of_a_reader_gains_nothing(attempt, user):
    assert not try_all("confined", user)[attempt]


@pytest.mark.parametrize("user", USERS)
def test_the_attempts_work_where_nothing_refuses_them(user):
    worked = {name for name, works in try_all(user).items() if works}
    # A container may refuse others.
    assert worked >= {"delete", "chmod", "stat", "fork", "exec", "stop", "set limits", "no clock"}


@pytest.mark.parametrize(
    ("emulate", "missing"),
    [
        ("kernel.libc.syscall = lambda *_: -1", ["Landlock"]),
        ("kernel.libc.prctl = lambda option, *_: -(option == 22)", ["seccomp"]),
        ("kernel.FILTER = kernel.pack_filter('riscv64')", ["seccomp"]),
        ("kernel.libc.prctl = lambda *_: -1", ["Landlock", "seccomp"]),
        ("kernel.libc, kernel.FILTER = None, b''", ["Landlock", "seccomp"]),
        ("", []),
    ],
    ids=["before 5.13", "no filters", "machine", "forbidden", "not Linux", "this"],
)
def test_a_kernel_without_a_layer_reads_on_unless_all_are_required(
    emulate, missing, monkeypatch, caplog
):
    server = sandbox.ForkServer()
    program = (
        f"import sys; sys.path += {[str(Path(child.__file__).parents[i]) for i in (0, 3)]};"
        f"import kernel, child;"
        f"{emulate}\nchild.main(*sys.argv[1:])"
    )
    monkeypatch.setattr(sandbox, "run_reader", server)
    monkeypatch.setattr(sandbox, "COMMAND", [sys.executable, "-I", "-c", program])
    assert sandbox.ask(TABLE)[0]["format"] == "text"
    monkeypatch.setattr(sandbox, "_missing", ())
    sandbox.find_missing_layers()
    monkeypatch.setenv(sandbox.SETTING, "require")
    sentences = [f"its system lacks {' and '.join(missing)}."] if missing else []
    assert [text.partition(": ")[2] for text in caplog.messages] == sentences
    with pytest.raises(FileError, match=sentences[0]) if missing else nullcontext():
        sandbox.ask(TABLE)
    server.close()


def test_a_setting_that_is_misspelt_is_refused(monkeypatch):
    monkeypatch.setenv(sandbox.SETTING, "required")
    with pytest.raises(ValueError, match="must be 'require', 'off' or not be set, got 'required'"):
        sandbox.start_reader(None)
