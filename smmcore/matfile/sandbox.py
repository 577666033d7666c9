"""The parent's side of `smmcore.matfile`: one child process a question, limited and expendable."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import reader
from .reader import MatFileError

MEMORY = 1 << 30  # bytes of address space; NumPy and SciPy take 130 MB of it
SECONDS = 10.0  # of processor time; a 50 MB file takes one or two
PATIENCE = 3  # times as long by the clock: others may be busy

# A class that uploads at once waits in line, rather than taking 1 GB each.
_turns = threading.BoundedSemaphore(2)


def ask(data: bytes, names: list[str] | None = None) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """What the file holds (`names=None`) or the arrays of these names."""
    question = {"names": names, "memory": MEMORY, "seconds": SECONDS}
    # By path, not `-m` or multiprocessing: those would run smmcore/__init__.py, and under Streamlit
    # the page itself, again. `-P` keeps this folder from shadowing the standard library.
    command = [sys.executable, "-P", "-W", "ignore", reader.__file__]
    with _turns:
        try:
            child = subprocess.run(
                command,
                input=json.dumps(question).encode() + b"\n" + data,
                capture_output=True,
                timeout=PATIENCE * SECONDS,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # threads reserve address space
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _too_long() from None
    if child.returncode:
        raise _death(child.returncode, child.stderr)
    reply = io.BytesIO(child.stdout)
    head = json.loads(reply.readline())
    if "error" in head:
        raise MatFileError(head["error"])
    found = [
        np.lib.format.read_array(reply, allow_pickle=False) for _ in range(head.get("arrays", 0))
    ]
    return head, found


def _too_long() -> MatFileError:
    return MatFileError(
        f"The file took longer than {SECONDS:g} seconds to read: it is damaged or too large."
    )


def _death(code: int, stderr: bytes) -> MatFileError:
    """The sentence for a child that did not live to answer."""
    if code == -getattr(signal, "SIGXCPU", 0):
        return _too_long()
    try:
        how = signal.Signals(-code).name
    except ValueError:  # not killed by a signal, or Windows
        how = f"exit code {code}"
    error = MatFileError(f"The file is damaged: reading it ended in a crash ({how}).")
    error.add_note(stderr[-2000:].decode(errors="replace"))  # for the server's log
    return error
