"""The measurements outlive a change of the code that they measure."""

import signal
import subprocess
import sys
from pathlib import Path


def test_ctrl_c_ends_a_measurement_without_a_traceback():
    command = [sys.executable, "-u", "-m", "tests.benchmarks.hard_data"]
    with subprocess.Popen(
        command,
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's job ignores it
    ) as run:
        run.stdout.readline()  # the head of the table
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate()
    assert errors == "\nStopped.\n"
    assert run.returncode == -signal.SIGINT
