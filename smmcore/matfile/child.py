"""The process that reads hostile bytes; `sandbox.py` is the parent that asks.

Where processes can fork, this one loads NumPy, SciPy and h5py once and is not touched by any file:
for each question it forks a reader, which takes its limits from the kernel and lives for that one
answer. Elsewhere (Windows) it is started for each question and answers it itself.

It is run by its path: `smmcore/__init__.py` would cost seconds. `formats` is a package of its own.
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
    """Limit what this process can take; where the platform cannot, the parent's clock remains."""
    try:
        import resource
    except ImportError:  # Windows
        return
    cpu = int(seconds) + 1
    for what, limit in (
        (resource.RLIMIT_AS, (memory, memory)),
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),  # a signal that has a name, then death
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (0, 0)),  # it writes nothing
        (resource.RLIMIT_NOFILE, (0, 0)),  # and opens nothing: whatever HDF5 is told to fetch
    ):
        with suppress(OSError, ValueError):  # macOS has no RLIMIT_AS
            resource.setrlimit(what, limit)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # finer than RLIMIT_CPU, and as deadly
    signal.setitimer(signal.ITIMER_REAL, patience * seconds)
    os.nice(5)  # behind the server, before the solvers


class Stream(Protocol):
    """What is asked on, and answered on: a socket's file, or the standard streams."""

    def readline(self) -> bytes: ...
    def read(self) -> bytes: ...
    def write(self, data: bytes, /) -> int: ...
    def flush(self) -> None: ...


def answer(question: Stream, reply: Stream) -> None:
    """Answer one question: a line of JSON, after it the file or the arrays."""
    from formats import CUT_OFF, MatFileError, answers, format_of, shown, table_of_contents

    asked = json.loads(question.readline())
    found: list[Any] = []
    try:
        data = question.read()
        confine(asked["memory"], asked["seconds"], asked["patience"])
        if asked["names"] is None:
            said: dict[str, Any] = {
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
            said = {"arrays": errors}  # in the order of the names; None where an array follows
    except MatFileError as error:
        said = {"error": str(error)}
    except MemoryError:
        said = {"error": f"Reading the file takes more than {asked['memory'] >> 20:,} MB."}
    except Exception as error:  # scipy.io raises some eleven kinds on damaged files
        # A module that was not loaded before the limits would be named with its path.
        about = type(error).__name__ if {"/", "\\"} & {*str(error)} else error
        damaged = f"The file is damaged: reading it gave {shown(about, 80)}."
        cut_off = str(error).startswith("Not enough bytes")  # of version 4
        said = {"error": CUT_OFF if cut_off else damaged}
    reply.write(json.dumps(said).encode() + b"\n")
    if found:
        import numpy as np

        # Not `reply` itself: into a file NumPy writes with `tofile`, which fails on a pipe.
        pipe = SimpleNamespace(write=reply.write)
        for array in found:
            np.lib.format.write_array(pipe, array, allow_pickle=False)
    reply.flush()


def tend(connection: socket.socket) -> None:
    """Fork a reader for this question and, when it has ended, say how: four bytes at the end."""
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


def nurse(line: socket.socket) -> None:
    """Fork whoever answers the next question, which comes as a socket, until the parent is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who tend
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to answer
    while True:
        note, (*sockets,), *_ = socket.recv_fds(line, 1, 1)
        if not note:
            return
        if os.fork() == 0:
            line.close()
            with suppress(BaseException), socket.socket(fileno=sockets[0]) as connection:
                tend(connection)
            os._exit(0)
        os.close(sockets[0])


def warm() -> None:
    """Load all that reading needs: under its limits a reader can open no module any more."""
    import numpy as np
    from formats import arrays
    from scipy.io import savemat
    from scipy.sparse import eye

    for width in (16, 32):  # how MATLAB keeps text, a module each
        for order in ("le", "be"):
            codecs.lookup(f"utf-{width}-{order}")
    some = {"a": np.eye(2), "b": eye(3, format="csc"), "c": "text"}
    for version in ("4", "5"):
        file = io.BytesIO()
        savemat(file, some, format=version)
        arrays(file.getvalue(), list(some))
    warm_hdf5()
    file = io.BytesIO()
    np.savez_compressed(file, a=np.eye(2), b=["one", "two"])
    arrays(file.getvalue(), ["a", "b"])
    arrays("á,2\nthree,4".encode("utf-16"), ["numbers"])
    arrays(b'\xe1;2\n"three";4', ["numbers"])
    arrays(gzip.compress(b"# Created by Octave\n# name: a\n# type: scalar\n1\n"), ["a"])


def warm_hdf5() -> None:
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
    """Find the packages where the parent has them, then serve a line, or answer standard input."""
    # At the end: they hide nothing of the standard library.
    sys.path += [str(Path(__file__).parent), *json.loads(folders)]
    warm()
    if line:
        nurse(socket.socket(fileno=int(line)))
    else:
        answer(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
