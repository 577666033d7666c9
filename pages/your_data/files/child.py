"""The child process that parses hostile bytes; `sandbox.py` is the parent that asks it.

Where processes can fork, the child loads NumPy, SciPy and h5py once and never touches a file
itself: for each question it forks a reader, which gets its limits from the kernel and exits after
this one answer. Elsewhere (Windows) a child is started for each question and answers it itself. On
macOS a forked process that multiplies matrices crashes, so `formats` uses neither `@` nor `linalg`.

The child is run by its path, because importing `smmcore` would load what it does not need, and
`formats` is a top-level package in it.
"""

import codecs
import io
import json
import os
import signal
import socket
import struct
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

READY = b"!"  # what the child sends before it takes a question


def confine(memory: int, seconds: float) -> list[str]:
    """Limit the resources and the rights of this process; return what the system cannot do.

    The order matters: Landlock opens a file, and after seccomp no limit can be set.
    """
    from kernel import forbid_calls, forbid_files

    from pages.shared.system import limit_resources

    missing = [] if forbid_files() else ["Landlock"]
    missing += limit_resources(memory, seconds)
    return missing if forbid_calls() else [*missing, "seccomp"]


def answer(question: IO[bytes], reply: IO[bytes]) -> None:
    """Answer one question: a line of JSON and the file in, a line of JSON and the arrays out."""
    from formats.errors import CUT_OFF, FileError, quote
    from formats.reader import (
        list_headers,
        list_remarks,
        name_format,
        try_read_arrays,
    )

    request = json.loads(question.readline())
    arrays: list[Any] = []
    try:
        data = question.read()
        missing = confine(request["memory"], request["seconds"])
        if lacking := [layer for layer in missing if layer in request["require"]]:
            raise FileError(
                "This server cannot confine the process that reads files: its system lacks "
                f"{' and '.join(lacking)}."
            )
        if request["names"] is None:
            head: dict[str, Any] = {
                "format": name_format(data),
                "variables": [
                    (name, header.kind, header.shape) for name, header in list_headers(data).items()
                ],
                "remarks": list_remarks(data),
                "missing": missing,
            }
        else:
            found = try_read_arrays(data, request["names"])
            arrays = [each for each in found if not isinstance(each, FileError)]
            # In the order of the names; None where an array follows.
            errors = [str(each) if isinstance(each, FileError) else None for each in found]
            head = {"arrays": errors}
    except FileError as error:
        head = {"error": str(error)}
    except MemoryError:
        head = {"error": f"Reading the file takes more than {request['memory'] >> 20:,} MB."}
    except Exception as error:  # scipy.io raises some eleven kinds on damaged files
        # A module that was not loaded before the limits would be named with its path.
        about = type(error).__name__ if {"/", "\\"} & {*str(error)} else error
        damaged = f"The file is damaged: reading it gave {quote(about, 80)}."
        cut_off = str(error).startswith("Not enough bytes")  # of version 4
        head = {"error": CUT_OFF if cut_off else damaged}
    reply.write(json.dumps(head).encode() + b"\n")
    if arrays:
        import numpy as np

        # Not `reply` itself: NumPy writes to a file with `tofile`, which fails on a pipe.
        pipe = SimpleNamespace(write=reply.write)
        for array in arrays:
            np.lib.format.write_array(pipe, array, allow_pickle=False)
    reply.flush()


def handle(connection: socket.socket) -> None:
    """Fork a reader for this question and, when it has ended, send its exit code in four bytes."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if (reader := os.fork()) == 0:
        code = 1
        try:
            with connection.makefile("rwb") as stream:
                answer(stream, stream)  # type: ignore[arg-type]
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(reader, 0)
    with suppress(BrokenPipeError):
        connection.sendall(struct.pack("<i", os.waitstatus_to_exitcode(status)))


def serve(line: socket.socket) -> None:
    """Fork a process for each question, which comes as a socket, until the parent is gone."""
    from kernel import hide_memory

    hide_memory()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the forked processes
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    while True:
        note, (*sockets,), *_ = socket.recv_fds(line, 1, 1)
        if not note:
            return
        os.write(sockets[0], READY)
        if os.fork() == 0:
            line.close()
            with suppress(BaseException), socket.socket(fileno=sockets[0]) as connection:
                handle(connection)
            os._exit(0)
        os.close(sockets[0])


def preload() -> None:
    """Load every module that reading needs: under its limits a reader cannot open any more."""
    from formats.reader import list_headers, try_read_arrays

    for width in (16, 32):  # the encodings of MATLAB's text, a module each
        for order in ("le", "be"):
            codecs.lookup(f"utf-{width}-{order}")
    for name in ("gb18030", "shift_jis", "cp1252"):
        codecs.lookup(name)
    for content in (*make_matlab_files(), make_hdf5_file(), make_archive()):
        try_read_arrays(content, list(list_headers(content)))
    try_read_arrays("á,2\nthree,4".encode("utf-16"), ["numbers"])
    try_read_arrays(b'\xe1;2\n"three";4', ["numbers"])


def make_matlab_files() -> list[bytes]:
    import numpy as np
    from scipy.io import savemat
    from scipy.sparse import eye

    files = [io.BytesIO(), io.BytesIO()]
    for version, file in zip("45", files, strict=True):
        savemat(file, {"a": np.eye(2), "b": eye(3, format="csc"), "c": "text"}, format=version)
    return [file.getvalue() for file in files]


def make_hdf5_file() -> bytes:
    import h5py
    import numpy as np

    file = io.BytesIO()
    with h5py.File(file, "w") as content:
        content["a"], content["b"] = np.eye(2), ["one", "two"]
        cells = content.create_dataset("c", (1, 1), h5py.ref_dtype)
        cells[0, 0] = content["a"].ref
        content["d"] = np.array([[233]], "u2")  # text in UTF-16, whose codec is a module
        content["d"].attrs["MATLAB_class"] = np.bytes_("char")
        content["e"], content["f"] = np.array([b"one"]), np.array([1j])
    return file.getvalue()


def make_archive() -> bytes:
    import numpy as np
    from PIL import Image, MpoImagePlugin, TiffImagePlugin  # noqa: F401

    file, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # its orientation: a photograph that has to be turned
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a/1.png", "b/2.jpeg", "a/3.bmp", "a/4.gif", "b/5.ppm", "b/6.tiff"):
            Image.new("RGB", (8, 8)).save(picture := io.BytesIO(), name[4:], exif=exif)
            archive.writestr(name, picture.getvalue())
        archive.writestr("y.csv", "1\n2\n")
        with archive.open("z.npy", "w") as member:
            np.save(member, ["one", "two"])
    return file.getvalue()


def main(folders: str, line: str = "") -> None:
    """Find packages where the parent finds them, then serve a socket, or answer standard input."""
    # At the end, so that they hide nothing of the standard library.
    here = Path(__file__)
    sys.path += [str(here.parent), str(here.parents[3]), *json.loads(folders)]
    from formats import reader  # noqa: F401

    from pages.shared.system import can_fork

    if can_fork:  # elsewhere nothing forbids to load a module later
        preload()
    if line:
        serve(socket.socket(fileno=int(line)))
    else:
        sys.stdout.buffer.write(READY)
        sys.stdout.buffer.flush()
        answer(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
