"""Ask questions about a file: each is answered by a process that has limits and may crash."""

from __future__ import annotations

import atexit
import io
import ipaddress
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pages.shared import system
from pages.shared.turns import step_aside

from . import child
from .formats.errors import FileError
from .formats.variables import LARGEST_ARRAY

MEMORY = 1 << 30  # bytes of address space; NumPy, SciPy and h5py take a third
SECONDS = 10.0  # of processor time; a 50 MB file takes one or two
PATIENCE = system.CLOCK_FACTOR
START_SECONDS = 30.0  # in which a process has loaded what it needs, on a busy machine
ACCEPT_SECONDS = 5.0  # after which a fork server that takes no question is replaced
LARGEST_LISTING = 16 << 20  # bytes of names and shapes
LONGEST_HEADER = 4096  # bytes before the numbers of an array
# Environment variable: "require" reads no file where a layer of protection is missing, "off" reads
# files in any case. Without it, a server that other computers can reach needs a limit of memory.
SETTING = "SMM_LAB_SANDBOX"
LAYERS = (system.MEMORY_LIMIT, "Landlock", "seccomp")  # which a system may lack

log = logging.getLogger(__name__)

# At most two questions at a time: a whole class may upload at once, and each takes up to 1 GB.
_turns = threading.BoundedSemaphore(2)

# By path, not with `-m` or multiprocessing: these would run smmcore/__init__.py and, under
# Streamlit, the page itself again. Isolated (`-I`) from this folder and the user's settings.
COMMAND = [sys.executable, "-I", "-W", "ignore", child.__file__]
# What the interpreter itself may need to start; BLAS threads would reserve address space.
NEEDED = ("LD_LIBRARY_PATH", "SYSTEMROOT", "PATH")
ENVIRONMENT = {name: os.environ[name] for name in NEEDED if name in os.environ}
ENVIRONMENT |= system.ONE_BLAS_THREAD


def ask(
    data: bytes,
    names: list[str] | None = None,
    spent: list[float] | None = None,
    require: tuple[str, ...] | None = None,
) -> tuple[dict[str, Any], list[NDArray[Any] | FileError]]:
    """List the variables of a file (`names=None`), or read those of these names.

    The seconds that a reader takes are added to `spent`. A reader refuses where a layer is missing
    that is required, by default by the server.
    """
    require = required_layers() if require is None else require
    question = {"names": names, "memory": MEMORY, "seconds": SECONDS, "require": require}
    longest = LARGEST_LISTING + LARGEST_ARRAY * min(2, len(names or ()))
    if not _turns.acquire(timeout=PATIENCE * SECONDS):
        raise TimeoutError("The server is reading other files: try again in a moment.")
    try:
        line = json.dumps(question).encode() + b"\n"
        answer, code = run_reader(line, data, longest, [] if spent is None else spent)
    finally:
        _turns.release()
    if len(answer) > longest:
        raise FileError(
            f"The variables together are more than the {longest >> 20:,} MB that can be read."
        )
    if code:
        raise _explain_exit(code)
    at = answer.index(b"\n") + 1
    head = json.loads(answer[:at])
    if "error" in head:
        raise FileError(head["error"])
    arrays: list[NDArray[Any] | FileError] = []
    for error in head.get("arrays", ()):
        if error is None:
            array, at = _parse_array(answer, at)
        arrays.append(array if error is None else FileError(error))
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


@contextmanager
def _measure(spent: list[float]) -> Iterator[None]:
    begun = time.perf_counter()
    try:
        yield
    finally:
        spent.append(time.perf_counter() - begun)


@contextmanager
def _kill_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[None]:
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Reader(Protocol):
    """Reads files in another process."""

    def open(self) -> None:
        """Start a process ahead of the first question."""

    def close(self) -> None:
        """End the process that waits for a question."""

    def __call__(
        self, question: bytes, data: bytes, longest: int, spent: list[float]
    ) -> tuple[bytearray, int]:
        """Return the answer and the exit code of a process, and append the seconds it took."""


class SpareProcess:
    """A process for each question, where none can be forked; the next one is started ahead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spare: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start a process if there is none."""
        with self._lock:
            self._spare = self._spare or self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )

    def close(self) -> None:
        """End the process that waits."""
        with self._lock:
            if self._spare is not None:
                self._spare.kill()
                self._spare.communicate()
            self._spare = None

    def __call__(
        self, question: bytes, data: bytes, longest: int, spent: list[float]
    ) -> tuple[bytearray, int]:
        """Let a process answer that was started before. Its start does not count as reading."""
        with self._lock:
            process, self._spare = self._spare or self._start(), None
            if process.poll() is not None:  # it died while it waited
                process.communicate()
                process = self._start()
        with suppress(OSError):
            self.open()
        assert process.stdout is not None
        with step_aside(), process:
            with _kill_after(START_SECONDS, process):
                # Not by `read`, whose buffer would take more than this byte.
                is_ready = os.read(process.stdout.fileno(), len(child.READY))
            if not is_ready:
                raise _unable_error()
            with _measure(spent), _kill_after(PATIENCE * SECONDS, process):
                answer, _ = process.communicate(question + data)
        if process.returncode and spent[-1] >= PATIENCE * SECONDS:
            raise _too_long_error()
        return bytearray(answer), process.returncode


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

    def __call__(
        self, question: bytes, data: bytes, longest: int, spent: list[float]
    ) -> tuple[bytearray, int]:
        """Let a forked reader answer.

        If the process dies meanwhile or does not react, another one is asked, once.
        """
        for _ in range(2):
            try:
                with step_aside(), _measure(spent), self._connect() as connection:
                    answer = _converse(connection, question, data, longest)
                (code,) = struct.unpack("<i", answer[-4:])
                del answer[-4:]  # in place, as arrays will be views of it
                return answer, code
            except TimeoutError:
                raise _too_long_error() from None
            except (OSError, struct.error) as error:  # the second: it ended without an exit code
                log.warning("the process that reads files failed: %s", error)
        raise _unable_error()

    def _connect(self) -> socket.socket:
        """Connect to a new reader; end a process that does not accept, and raise an error."""
        with self._lock:
            self.open()
            process, line = self._process, self._line
            assert line is not None
            own_end, child_end = socket.socketpair()
            with child_end, suppress(ConnectionError):  # it may just have died
                socket.send_fds(line, [b"?"], [child_end.fileno()])
            own_end.settimeout(ACCEPT_SECONDS if self._has_accepted else START_SECONDS)
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


run_reader: Reader = ForkServer() if system.can_fork else SpareProcess()
atexit.register(run_reader.close)
_can_be_reached = False  # from other computers
_missing: tuple[str, ...] = ()  # layers of protection that the system lacks


def start_reader(address: str | None) -> None:
    """Start the process that reads files, and do not wait for it: it takes half a second.

    `address` is the address at which the server listens; without one, others can reach it.
    """
    global _can_be_reached
    _can_be_reached = not is_loopback(address)
    required_layers()  # an error if the setting is misspelt
    run_reader.open()
    threading.Thread(target=find_missing_layers, daemon=True).start()


def is_loopback(address: str | None) -> bool:
    """Return whether only this computer can reach a server at an address."""
    with suppress(ValueError):
        return ipaddress.ip_address(address or "").is_loopback
    return address == "localhost"


def required_layers() -> tuple[str, ...]:
    """Return the layers of protection without which this server reads no file."""
    setting = os.environ.get(SETTING, "")
    if setting not in ("", "require", "off"):
        raise ValueError(f"{SETTING} must be 'require', 'off' or not be set, got {setting!r}")
    if setting == "require":
        return LAYERS
    return (system.MEMORY_LIMIT,) if _can_be_reached and not setting else ()


def find_missing_layers() -> None:
    """Ask a reader which layers of protection the system lacks, and write them to the log."""
    global _missing
    try:
        head, _ = ask(b"1,2\n", require=())
    except (FileError, OSError) as error:
        log.warning("%s", error)
        return
    _missing = tuple(head["missing"])
    if _missing:
        lacks = f"its system lacks {' and '.join(_missing)}."
        result = f" So it reads none; {SETTING}=off lets it read them." if refuses_files() else ""
        log.warning("This server cannot confine the process that reads files: %s", lacks + result)


def refuses_files() -> bool:
    """Return whether this server reads no file, because a layer is missing that it requires."""
    return not {*_missing}.isdisjoint(required_layers())


def describe_protection() -> str:
    """Return a sentence for visitors whose files are refused, or read without limits; or ""."""
    if refuses_files():
        return (
            "This server reads no files, because its system does not confine the process that "
            "would read them. Start the app on your own computer to use a file."
        )
    if system.MEMORY_LIMIT in _missing:
        here = "server" if _can_be_reached else "computer"
        return (
            f"This {here} does not fully confine the process that reads files: use only files "
            "that you trust."
        )
    return ""


def _unable_error() -> ChildProcessError:
    return ChildProcessError("The server cannot read files now: please try again in a moment.")


def _too_long_error() -> FileError:
    return FileError(
        f"The file took longer than {SECONDS:g} seconds to read: it is damaged or too large."
    )


def _explain_exit(code: int) -> FileError:
    """Return the error for a reader that ended without an answer."""
    with suppress(ValueError):
        name = signal.Signals(-code).name
        if name in ("SIGXCPU", "SIGPROF", "SIGALRM"):
            return _too_long_error()
        return FileError(f"The file is damaged: reading it ended in a crash ({name}).")
    return FileError(f"The file is damaged: reading it ended in a crash (exit code {code}).")
