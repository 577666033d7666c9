"""The parent's side of `smmcore.matfile`: one child process a question, limited and expendable."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from . import reader
from .reader import MatFileError

MEMORY = 1 << 30  # bytes of address space; NumPy and SciPy take 130 MB of it
SECONDS = 10.0  # of processor time; a 50 MB file takes one or two
PATIENCE = 3  # times as long by the clock: others may be busy
LARGEST_LISTING = 16 << 20  # bytes of names and shapes

# A class that uploads at once waits in line, rather than taking 1 GB each.
_turns = threading.BoundedSemaphore(2)


# By path, not `-m` or multiprocessing: those would run smmcore/__init__.py, and under Streamlit the
# page itself, again. Isolated (`-I`): neither this folder nor the user's settings come into it.
COMMAND = [sys.executable, "-I", "-W", "ignore", reader.__file__]
# What the interpreter itself may need to start; threads of BLAS would reserve address space.
NEEDED = ("LD_LIBRARY_PATH", "SYSTEMROOT")
ENVIRONMENT = {name: os.environ[name] for name in NEEDED if name in os.environ}
ENVIRONMENT["OPENBLAS_NUM_THREADS"] = "1"


def ask(data: bytes, names: list[str] | None = None) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """What the file holds (`names=None`) or the arrays of these names."""
    # The folders of the parent tell where NumPy and SciPy are, however they were installed.
    question = {"names": names, "memory": MEMORY, "seconds": SECONDS, "folders": sys.path}
    with _turns:
        answer = _answer(
            json.dumps(question).encode() + b"\n" + data,
            LARGEST_LISTING + 16 * reader.LARGEST_ARRAY * len(names or ()),
        )
    reply = io.BytesIO(answer)
    head = json.loads(reply.readline())
    if "error" in head:
        raise MatFileError(head["error"])
    found = [
        np.lib.format.read_array(reply, allow_pickle=False) for _ in range(head.get("arrays", 0))
    ]
    return head, found


def _answer(question: bytes, longest: int) -> bytes:
    """What the child says to this; more than `longest` bytes, or too late, is an error."""
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            child.kill()

        alarm = threading.Timer(PATIENCE * SECONDS, end)
        feeder = threading.Thread(target=_feed, args=(child.stdin, question))
        alarm.start()
        feeder.start()
        answer = child.stdout.read(longest + 1)
        if len(answer) > longest:
            child.kill()
        feeder.join()
        stderr = child.stderr.read()  # no more than the pipe holds: nobody read it until now
        child.wait()
        alarm.cancel()
    if len(answer) > longest:
        raise MatFileError(
            f"What was asked of the file is more than the {longest >> 20:,} MB that can be read."
        )
    if late.is_set():
        raise _too_long()
    if child.returncode:
        raise _death(child.returncode, stderr)
    return answer


def _feed(stdin: IO[bytes], question: bytes) -> None:
    with suppress(BrokenPipeError), stdin:  # a child that has died tells by its exit code
        stdin.write(question)


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
