"""Parse files in limited child processes; `child.py` is the code of the child."""

from __future__ import annotations

import atexit
import io
import json
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import child
from .formats import LARGEST_ARRAY, MatFileError

MEMORY = 1 << 30  # bytes of address space; NumPy, SciPy and h5py take a third of it
SECONDS = 10.0  # of processor time; a 50 MB file takes one or two
PATIENCE = 3  # times as long by the clock: the machine may be busy
LARGEST_LISTING = 16 << 20  # bytes of names and shapes
LONGEST_HEADER = 4096  # bytes before the numbers of an array

# When a class uploads at once, requests wait here, as each takes up to 1 GB.
_turns = threading.BoundedSemaphore(2)

# By path: `-m` and multiprocessing would run smmcore/__init__.py and, under Streamlit, the page.
# Isolated (`-I`): neither the current folder nor the user's settings are read.
COMMAND = [sys.executable, "-I", "-W", "ignore", child.__file__]
# What the interpreter may need to start. Further BLAS threads would reserve address space.
NEEDED = ("LD_LIBRARY_PATH", "SYSTEMROOT")
ENVIRONMENT = {name: os.environ[name] for name in NEEDED if name in os.environ}
ENVIRONMENT["OPENBLAS_NUM_THREADS"] = "1"


def ask(
    data: bytes, names: list[str] | None = None, spent: list[float] | None = None
) -> tuple[dict[str, Any], list[NDArray[Any] | MatFileError]]:
    """Return the contents of a file (`names=None`) or arrays by name, each an array or its error.

    The seconds of the answer, without the wait for a turn, are appended to `spent`. A TimeoutError
    means that no turn came: this is not the file's fault, and another try may succeed.
    """
    question = {"names": names, "memory": MEMORY, "seconds": SECONDS, "patience": PATIENCE}
    longest = LARGEST_LISTING + LARGEST_ARRAY * min(2, len(names or ()))
    if not _turns.acquire(timeout=PATIENCE * SECONDS):
        raise TimeoutError("The server is reading other files: try again in a moment.")
    begun = time.perf_counter()
    try:
        answer, code = answered(json.dumps(question).encode() + b"\n", data, longest)
    finally:
        _turns.release()
        if spent is not None:
            spent.append(time.perf_counter() - begun)
    if len(answer) > longest:
        raise MatFileError(
            f"What was asked of the file is more than the {longest >> 20:,} MB that can be read."
        )
    if code:
        raise _death(code)
    at = answer.index(b"\n") + 1
    head = json.loads(answer[:at])
    if "error" in head:
        raise MatFileError(head["error"])
    found: list[NDArray[Any] | MatFileError] = []
    for error in head.get("arrays", ()):
        if error is None:
            array, at = _array(answer, at)
        found.append(array if error is None else MatFileError(error))
    return head, found


def _array(answer: bytearray, at: int) -> tuple[NDArray[Any], int]:
    """Return a view of the array that begins at a place, and the place where it ends."""
    start = io.BytesIO(memoryview(answer)[at : at + LONGEST_HEADER])
    np.lib.format.read_magic(start)
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(start)
    at += start.tell()
    array = np.frombuffer(answer, dtype, math.prod(shape), at)
    return array.reshape(shape, order="F" if fortran else "C"), at + array.nbytes


def _command() -> list[str]:
    # The parent's `sys.path` says where NumPy and SciPy are.
    return [*COMMAND, json.dumps(sys.path)]


def by_process(question: bytes, data: bytes, longest: int) -> tuple[bytearray, int]:
    """Return the answer of a new process, and its exit code."""
    try:
        done = subprocess.run(
            _command(),
            input=question + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            timeout=PATIENCE * SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_long() from None
    return bytearray(done.stdout), done.returncode


class ForkServer:
    """A process with the parsers preloaded, which forks a reader for each request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start the process unless it runs."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self._close()
            self._line, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [*_command(), str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=ENVIRONMENT,
                    pass_fds=[theirs.fileno()],
                )

    def close(self) -> None:
        """End the process; readers that have started end by themselves."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._line is not None and self._process is not None:
            self._line.close()
            self._process.kill()
            self._process.wait()
        self._line = self._process = None

    def __call__(self, question: bytes, data: bytes, longest: int) -> tuple[bytearray, int]:
        """Return the answer of a forked reader, and its exit code."""
        self.open()
        ours, theirs = socket.socketpair()
        with ours, _in_time():
            with theirs, self._lock, suppress(ConnectionError):  # the process may just have died
                assert self._line is not None
                socket.send_fds(self._line, [b"?"], [theirs.fileno()])
            ours.settimeout(PATIENCE * SECONDS + 5)  # the reader has its own clock
            with suppress(ConnectionError):  # the exit code says how a reader died
                ours.sendall(question)
                ours.sendall(data)
                ours.shutdown(socket.SHUT_WR)
            answer = bytearray()
            with suppress(ConnectionError):
                while len(answer) <= longest + 4 and (piece := ours.recv(1 << 20)):
                    answer += piece
        if len(answer) < 4:  # the process is gone; the next request starts another
            return bytearray(), -signal.SIGKILL
        (code,) = struct.unpack("<i", answer[-4:])
        del answer[-4:]  # arrays will be views of the answer
        return answer, code


answered: Callable[[bytes, bytes, int], tuple[bytearray, int]] = by_process
if hasattr(os, "fork"):
    answered = ForkServer()
    atexit.register(answered.close)


def preload() -> None:
    """Start the fork server, which takes half a second, without waiting for it."""
    if isinstance(answered, ForkServer):
        answered.open()


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise the error for a file that took too long if a request or an answer timed out."""
    try:
        yield
    except TimeoutError:
        raise _too_long() from None


def _too_long() -> MatFileError:
    return MatFileError(
        f"The file took longer than {SECONDS:g} seconds to read: it is damaged or too large."
    )


def _death(code: int) -> MatFileError:
    """Return the error for a reader that died before it answered."""
    with suppress(ValueError):
        name = signal.Signals(-code).name
        if name in ("SIGXCPU", "SIGPROF", "SIGALRM"):
            return _too_long()
        return MatFileError(f"The file is damaged: reading it ended in a crash ({name}).")
    return MatFileError(f"The file is damaged: reading it ended in a crash (exit code {code}).")
