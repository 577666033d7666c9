"""Parse hostile bytes in a process of its own; `sandbox.py` is the parent.

Where processes can fork, this process loads NumPy, SciPy and h5py once and never sees a file: for
each request it forks a reader, which the kernel limits and which ends with its answer. Elsewhere
(Windows) a new process answers each request.

The file is run by its path, because `smmcore/__init__.py` would cost seconds, so `formats` is a
top-level package here.
"""

import codecs
import gzip
import io
import json
import os
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol


def confine(memory: int, seconds: float, patience: float) -> None:
    """Limit the memory, time and files of this process, as far as the platform can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    cpu = int(seconds) + 1
    for what, limit in (
        (resource.RLIMIT_AS, (memory, memory)),
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),  # first SIGXCPU, then SIGKILL
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (0, 0)),  # no file can be written
        (resource.RLIMIT_NOFILE, (0, 0)),  # nor opened, even if HDF5 is told to fetch one
    ):
        with suppress(OSError, ValueError):  # macOS has no RLIMIT_AS
            resource.setrlimit(what, limit)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # finer than RLIMIT_CPU
    signal.setitimer(signal.ITIMER_REAL, patience * seconds)
    os.nice(5)  # lower priority than the server, higher than the workers


class Stream(Protocol):
    """A stream of requests and answers: a socket's file, or the standard streams."""

    def readline(self) -> bytes: ...
    def read(self) -> bytes: ...
    def write(self, data: bytes, /) -> int: ...
    def flush(self) -> None: ...


def answer(question: Stream, reply: Stream) -> None:
    """Answer one request: a line of JSON, then the file or the arrays."""
    from formats import CUT_OFF, MatFileError, answers, format_of, shown, table_of_contents

    asked = json.loads(question.readline())
    found: list[Any] = []
    try:
        data = question.read()
        confine(asked["memory"], asked["seconds"], asked["patience"])
        if asked["names"] is None:
            head: dict[str, Any] = {
                "format": format_of(data).__name__.rpartition(".")[2],
                "variables": [
                    (name, header.kind, header.shape)
                    for name, header in table_of_contents(data).items()
                ],
            }
        else:
            found = answers(data, asked["names"])
            errors = [str(each) if isinstance(each, MatFileError) else None for each in found]
            found = [each for each in found if not isinstance(each, MatFileError)]
            head = {"arrays": errors}  # None if an array follows
    except MatFileError as error:
        head = {"error": str(error)}
    except MemoryError:
        head = {"error": f"Reading the file takes more than {asked['memory'] >> 20:,} MB."}
    except Exception as error:  # scipy.io raises some eleven kinds of error on damaged files
        # The error of a module that was not preloaded would show its path.
        about = type(error).__name__ if {"/", "\\"} & {*str(error)} else error
        damaged = f"The file is damaged: reading it gave {shown(about, 80)}."
        cut_off = str(error).startswith("Not enough bytes")  # of version 4
        head = {"error": CUT_OFF if cut_off else damaged}
    reply.write(json.dumps(head).encode() + b"\n")
    if found:
        import numpy as np

        # Not `reply` itself: NumPy writes files with `tofile`, which fails on a pipe.
        pipe = SimpleNamespace(write=reply.write)
        for array in found:
            np.lib.format.write_array(pipe, array, allow_pickle=False)
    reply.flush()


def handle(connection: socket.socket) -> None:
    """Fork a reader for one request, and append its exit code as four bytes."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if (reader := os.fork()) == 0:
        code = 1
        try:
            with connection.makefile("rwb") as stream:
                answer(stream, stream)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(reader, 0)
    with suppress(BrokenPipeError):
        connection.sendall(struct.pack("<i", os.waitstatus_to_exitcode(status)))


def serve(line: socket.socket) -> None:
    """Fork a handler for each request, which comes as a socket, until the parent is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # handlers are not waited for
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    while True:
        note, (*sockets,), *_ = socket.recv_fds(line, 1, 1)
        if not note:
            return
        if os.fork() == 0:
            line.close()
            with suppress(BaseException), socket.socket(fileno=sockets[0]) as connection:
                handle(connection)
            os._exit(0)
        os.close(sockets[0])


def preload() -> None:
    """Load all modules that reading needs: under its limits a reader can open no file."""
    import numpy as np
    from formats import arrays
    from scipy.io import savemat
    from scipy.sparse import eye

    for width in (16, 32):  # codecs of MATLAB's text, a module each
        for order in ("le", "be"):
            codecs.lookup(f"utf-{width}-{order}")
    some = {"a": np.eye(2), "b": eye(3, format="csc"), "c": "text"}
    for version in ("4", "5"):
        file = io.BytesIO()
        savemat(file, some, format=version)
        arrays(file.getvalue(), list(some))
    preload_hdf5()
    file = io.BytesIO()
    np.savez_compressed(file, a=np.eye(2), b=["one", "two"])
    arrays(file.getvalue(), ["a", "b"])
    arrays("á,2\nthree,4".encode("utf-16"), ["numbers"])
    arrays(b'\xe1;2\n"three";4', ["numbers"])
    arrays(gzip.compress(b"# Created by Octave\n# name: a\n# type: scalar\n1\n"), ["a"])


def preload_hdf5() -> None:
    """Load what HDF5 files need, unless h5py is not installed."""
    import numpy as np
    from formats import arrays

    try:
        import h5py
    except ModuleNotFoundError:
        # A later import fails at once, and not because no file can be opened then.
        sys.modules["formats.hdf5"] = None  # type: ignore[assignment]
        return
    file = io.BytesIO()
    with h5py.File(file, "w") as content:
        content["a"], content["b"] = np.eye(2), ["one", "two"]
        cells = content.create_dataset("c", (1, 1), h5py.ref_dtype)
        cells[0, 0] = content["a"].ref
        content["d"] = np.array([[233]], "u2")  # its text is UTF-16, whose codec is a module
        content["d"].attrs["MATLAB_class"] = np.bytes_("char")
        content["e"], content["f"] = np.array([b"one"]), np.array([1j])
    arrays(file.getvalue(), list("abcdef"))


def main(folders: str, line: str = "") -> None:
    """Use the parent's packages, then serve requests, or answer one on standard input."""
    # At the end, so that they hide nothing of the standard library.
    sys.path += [str(Path(__file__).parent), *json.loads(folders)]
    preload()
    if line:
        serve(socket.socket(fileno=int(line)))
    else:
        answer(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
