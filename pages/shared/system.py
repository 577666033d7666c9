"""What Linux, macOS and Windows do differently, and what takes the place of what one of them lacks.

No other module asks which system it runs on. The child that parses uploaded files imports this
one, so it imports only the standard library.
"""

from __future__ import annotations

import ctypes
import io
import math
import os
import platform
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TextIO

if sys.platform != "win32":
    import fcntl
    import resource

OPEN_MAX = 10_240  # open files that macOS allows a process, even if its hard limit is higher
BELOW_NORMAL = 0x4000  # the priority class of Windows
CLOCK_FACTOR = 3  # seconds by the clock for each second of the processor, which others use as well
MEMORY_LIMIT = "a limit of memory"  # what Windows and macOS lack
# The last one is for Accelerate, the BLAS of macOS, which threadpoolctl does not know.
ONE_BLAS_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)

can_fork = hasattr(os, "fork")
libc: Any = ctypes.CDLL(None) if sys.platform == "linux" else None
# Windows counts processor time in steps of 16 ms, which is longer than many fits.
clock = perf_counter if sys.platform == "win32" else process_time
clock_name = "time by the clock" if sys.platform == "win32" else "processor time"


def raise_descriptor_limit() -> float:
    """Raise this process's limit of open files as far as the system lets, and return it."""
    if sys.platform == "win32":
        return math.inf
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (hard, max(soft, OPEN_MAX)):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            break
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return math.inf if soft == resource.RLIM_INFINITY else soft


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process: on Windows by one class."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), BELOW_NORMAL)
    else:
        os.nice(niceness)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End this process if the block takes more processor time.

    Windows has no such timer: there the clock counts, and allows `CLOCK_FACTOR` times as much.
    """
    if sys.platform == "win32":
        timer = threading.Timer(CLOCK_FACTOR * seconds, os._exit, [1])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
    else:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def limit_resources(memory: int, seconds: float) -> list[str]:
    """Limit memory, time, files and priority of this process for good; return what is missing.

    Where the system cannot limit the time, the parent's clock does.
    """
    lower_priority(5)  # than the server's, higher than that of the solvers
    if sys.platform == "win32":
        return [MEMORY_LIMIT]
    cpu = int(seconds) + 1
    for kind, limit in (
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),  # first a signal that has a name, then SIGKILL
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (0, 0)),  # it writes no file
        (resource.RLIMIT_NOFILE, (0, 0)),  # and opens none, even if a file refers to another
    ):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, limit)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # finer than RLIMIT_CPU, and also kills
    signal.setitimer(signal.ITIMER_REAL, CLOCK_FACTOR * seconds)
    if sys.platform == "darwin":  # which refuses this limit, or does not heed it
        return [MEMORY_LIMIT]
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    least = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (least, least))
    return []


def create_lock(path: Path) -> TextIO:
    """Create a file that is locked until it is closed or this process ends."""
    file = path.open("w", encoding="utf-8")
    if sys.platform != "win32":  # where no open file can be deleted, which is a lock by itself
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


@contextmanager
def take_lock(path: Path) -> Iterator[None]:
    """Take the lock that a dead process of this user has left, or raise an OSError."""
    if sys.platform == "win32":
        path.unlink()
        yield
        return
    if path.parent.lstat().st_uid != os.getuid():
        raise PermissionError(f"{path.parent} belongs to another user")
    with path.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def processor_name() -> str:
    """Return the model of the processor, or its architecture where the system does not tell."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    return platform.processor() or platform.machine()


def allow_all_letters() -> None:
    """Let `print` write \\u03c4 for τ where the output cannot hold it: on Windows, in a file."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # not in a notebook
        sys.stdout.reconfigure(errors="backslashreplace")
