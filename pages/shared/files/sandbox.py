"""Ask questions about a file: each is answered by a process that has limits and may crash."""

from __future__ import annotations

import atexit
import io
import json
import logging
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.turns import step_aside

from . import child
from .formats.errors import MatFileError
from .formats.variables import LARGEST_ARRAY

MEMORY = 1 << 30  # bytes of address space; NumPy, SciPy and h5py take a third
SECONDS = 10.0  # of processor time; a 50 MB file takes one or two
PATIENCE = 3  # times as long by the clock, as the processor may be busy
ACCEPT_SECONDS = 5.0  # after which a fork server that takes no question is replaced
LARGEST_LISTING = 16 << 20  # bytes of names and shapes
LONGEST_HEADER = 4096  # bytes before the numbers of an array
SETTING = "SMM_LAB_SANDBOX"  # environment variable: "require" what the kernel may lack

log = logging.getLogger(__name__)

# At most two questions at a time: a whole class may upload at once, and each takes up to 1 GB.
_turns = threading.BoundedSemaphore(2)

# By path, not with `-m` or multiprocessing: these would run smmcore/__init__.py and, under
# Streamlit, the page itself again. Isolated (`-I`) from this folder and the user's settings.
COMMAND = [sys.executable, "-I", "-W", "ignore", child.__file__]
# What the interpreter itself may need to start; BLAS threads would reserve address space.
NEEDED = ("LD_LIBRARY_PATH", "SYSTEMROOT")
ENVIRONMENT = {name: os.environ[name] for name in NEEDED if name in os.environ}
ENVIRONMENT["OPENBLAS_NUM_THREADS"] = "1"


def ask(
    data: bytes,
    names: list[str] | None = None,
    spent: list[float] | None = None,
    require: bool = False,
) -> tuple[dict[str, Any], list[NDArray[Any] | MatFileError]]:
    """List the variables of a file (`names=None`), or read those of these names.

    A reader that the kernel cannot fully confine refuses if the server, or `require`, asks for it.
    """
    question = {"names": names, "memory": MEMORY, "seconds": SECONDS, "patience": PATIENCE}
    question["require"] = require or os.environ.get(SETTING) == "require"
    longest = LARGEST_LISTING + LARGEST_ARRAY * min(2, len(names or ()))
    if not _turns.acquire(timeout=PATIENCE * SECONDS):
        raise TimeoutError("The server is reading other files: try again in a moment.")
    begun = time.perf_counter()
    try:
        answer, code = run_reader(json.dumps(question).encode() + b"\n", data, longest)
    finally:
        _turns.release()
        if spent is not None:
            spent.append(time.perf_counter() - begun)
    if len(answer) > longest:
        raise MatFileError(
            f"The variables together are more than the {longest >> 20:,} MB that can be read."
        )
    if code:
        raise _explain_exit(code)
    at = answer.index(b"\n") + 1
    head = json.loads(answer[:at])
    if "error" in head:
        raise MatFileError(head["error"])
    arrays: list[NDArray[Any] | MatFileError] = []
    for error in head.get("arrays", ()):
        if error is None:
            array, at = _parse_array(answer, at)
        arrays.append(array if error is None else MatFileError(error))
    return head, arrays


def _parse_array(answer: bytearray, at: int) -> tuple[NDArray[Any], int]:
    """Return the array that begins at this byte, not copied, and the byte at which it ends."""
    start = io.BytesIO(memoryview(answer)[at : at + LONGEST_HEADER])
    np.lib.format.read_magic(start)
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(start)
    at += start.tell()
    array = np.frombuffer(answer, dtype, math.prod(shape), at)
    return array.reshape(shape, order="F" if fortran else "C"), at + array.nbytes


def _command() -> list[str]:
    # In the parent's folders the child finds NumPy and SciPy, however they were installed.
    return [*COMMAND, json.dumps(sys.path)]


def run_process(question: bytes, data: bytes, longest: int) -> tuple[bytearray, int]:
    """Start a process for this question; return its answer and its exit code."""
    try:
        process = subprocess.run(
            _command(),
            input=question + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            timeout=PATIENCE * SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_long_error() from None
    return bytearray(process.stdout), process.returncode


class ForkServer:
    """A process that has loaded every module for reading, and forks a reader for each question."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._has_accepted = False  # before, it loads modules, which takes longer on a busy machine
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start the process if it does not run."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self._close()
            self._has_accepted = False
            self._line, child_end = socket.socketpair()
            with child_end:
                self._process = subprocess.Popen(
                    [*_command(), str(child_end.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=ENVIRONMENT,
                    pass_fds=[child_end.fileno()],
                )

    def close(self) -> None:
        """End the process; readers that are still at work end by themselves."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._line is not None and self._process is not None:
            self._line.close()
            self._process.kill()
            self._process.wait()
        self._line = self._process = None

    def __call__(self, question: bytes, data: bytes, longest: int) -> tuple[bytearray, int]:
        """Let a forked reader answer; return its answer and its exit code.

        If the process dies meanwhile or does not react, another one is asked, once.
        """
        for _ in range(2):
            try:
                with step_aside(), self._connect() as connection:
                    answer = _converse(connection, question, data, longest)
                (code,) = struct.unpack("<i", answer[-4:])
                del answer[-4:]  # in place, as arrays will be views of it
                return answer, code
            except TimeoutError:
                raise _too_long_error() from None
            except (OSError, struct.error) as error:  # the second: it ended without an exit code
                log.warning("the process that reads files failed: %s", error)
        raise ChildProcessError("The server cannot read files now: please try again in a moment.")

    def _connect(self) -> socket.socket:
        """Connect to a new reader; end a process that does not accept, and raise an error."""
        with self._lock:
            self.open()
            process, line = self._process, self._line
            assert line is not None
            own_end, child_end = socket.socketpair()
            with child_end, suppress(ConnectionError):  # it may just have died
                socket.send_fds(line, [b"?"], [child_end.fileno()])
            own_end.settimeout(ACCEPT_SECONDS if self._has_accepted else PATIENCE * SECONDS)
        with suppress(OSError):
            if own_end.recv(1):
                self._has_accepted = True
                return own_end
        own_end.close()
        with self._lock:
            if self._process is process:
                self._close()
        raise ConnectionError("it did not accept a question")


def _converse(connection: socket.socket, question: bytes, data: bytes, longest: int) -> bytearray:
    """Send a question and a file; return the answer and, in four bytes, the reader's exit code."""
    answer = bytearray()
    connection.settimeout(PATIENCE * SECONDS + 5)  # the reader has its own clock
    with suppress(ConnectionError):  # the exit code of a reader that has died follows
        connection.sendall(question)
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    with suppress(ConnectionError):
        while len(answer) <= longest + 4 and (piece := connection.recv(1 << 20)):
            answer += piece
    return answer


run_reader: Callable[[bytes, bytes, int], tuple[bytearray, int]] = run_process
if hasattr(os, "fork"):
    run_reader = ForkServer()
    atexit.register(run_reader.close)


def start_fork_server() -> None:
    """Start the fork server, which takes half a second, and do not wait for it."""
    if (setting := os.environ.get(SETTING, "")) not in ("", "require"):
        raise ValueError(f"{SETTING} must be 'require' or not be set, got {setting!r}")
    if isinstance(run_reader, ForkServer):
        run_reader.open()
    threading.Thread(target=log_missing_layers, daemon=True).start()


def log_missing_layers() -> None:
    """Write to the server's log if the kernel cannot fully confine the process that reads files."""
    try:
        ask(b"1,2\n", [], require=True)
    except (MatFileError, TimeoutError) as error:
        log.warning("%s", error)


def _too_long_error() -> MatFileError:
    return MatFileError(
        f"The file took longer than {SECONDS:g} seconds to read: it is damaged or too large."
    )


def _explain_exit(code: int) -> MatFileError:
    """Return the error for a reader that ended without an answer."""
    with suppress(ValueError):
        name = signal.Signals(-code).name
        if name in ("SIGXCPU", "SIGPROF", "SIGALRM"):
            return _too_long_error()
        return MatFileError(f"The file is damaged: reading it ended in a crash ({name}).")
    return MatFileError(f"The file is damaged: reading it ended in a crash (exit code {code}).")
