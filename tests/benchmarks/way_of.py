"""The files of ours that a value passes: python -m tests.benchmarks.way_of tau, or file.

`tau`: the slider τ of *Watch the algorithm* is moved. `file`: a .mat file whose samples hold the
value is dropped on *Your data*. The profiler looks at each function of ours, in the server and in
the worker, until the run ends. A file counts if an argument or the result of one of its functions
is the value or holds it: in a field, an entry, or a pickle; of an uploaded file also in an array.
A file of more than 400 lines counts twice. The process that parses uploads is apart.
"""

import os
import struct
import sys
import threading
from dataclasses import is_dataclass
from importlib import import_module
from io import BytesIO
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import CodeType, FrameType
from typing import Any

import numpy as np
from scipy.io import savemat

from pages.shared.engine import processes, scheduler, session
from pages.shared.engine.processes import Processes
from pages.shared.engine.scheduler import Scheduler
from pages.shared.engine.subscription import JobStore
from tests.pages.visit import finish, turn, visit

ROOT = Path(__file__).parents[2]
TAU = 0.7  # nothing else on the page has this value
DEPTH = 5  # levels of fields and entries in which τ is looked for
LONG = 400  # lines
REPORT = "WAY_OF"  # the environment variable that names the worker's file
ARRAYS = "WAY_OF_ARRAYS"  # the one that has arrays looked into

found: dict[CodeType, str] = {}


def holds(value: object, depth: int = DEPTH) -> bool:
    """Return whether a value is τ, or has τ in its fields, entries or bytes."""
    if isinstance(value, float):
        return value == TAU
    if isinstance(value, str):
        return value == str(TAU)
    if isinstance(value, bytes):
        return struct.pack(">d", TAU) in value or struct.pack("<d", TAU) in value
    if isinstance(value, np.ndarray):
        return bool(os.environ.get(ARRAYS)) and value.dtype == float and bool((value == TAU).any())
    if depth == 0 or isinstance(value, int | type) or value is None:
        return False
    if isinstance(value, dict):
        return any(holds(each, depth - 1) for each in list(value.values()))
    if isinstance(value, list | tuple):
        return any(holds(each, depth - 1) for each in value[:50])
    if is_dataclass(type(value)) or type(value).__module__.startswith(("smmcore", "pages")):
        return holds({**getattr(value, "__dict__", {})}, depth)
    return False


def look(frame: FrameType, event: str, result: Any) -> None:
    """Note a function of ours that is given τ, or returns it."""
    code = frame.f_code
    if event not in ("call", "return") or code in found:
        return
    if not code.co_filename.startswith((str(ROOT / "pages"), str(ROOT / "smmcore"))):
        return
    count = code.co_argcount + code.co_kwonlyargcount
    given = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
    if holds([result] if event == "return" else given):
        found[code] = Path(code.co_filename).relative_to(ROOT).as_posix()


def work(pipe: Connection) -> None:
    """Be a worker that writes down, before each answer, which files have had τ."""
    send = pipe.send_bytes

    class Pipe:
        """The pipe of the worker."""

        recv_bytes = pipe.recv_bytes

        def send_bytes(self, message: bytes) -> None:
            """Write the report, then answer."""
            Path(os.environ[REPORT]).write_text("\n".join(found.values()))
            send(message)

    sys.setprofile(look)
    processes._work(Pipe())  # type: ignore[arg-type]


def make_file() -> bytes:
    """Return a .mat file with samples that hold the value."""
    X, file = np.random.default_rng(0).normal(size=(60, 6, 5)), BytesIO()
    X[:, 0, 0], X[30:, 2] = TAU, X[30:, 2] + 1
    savemat(file, {"X": X.transpose(1, 2, 0), "y": np.repeat([1.0, 2.0], 30)})
    return file.getvalue()


def main(what: str) -> None:
    """Move τ, or drop a file, and print the files on its way."""
    from streamlit.testing.v1 import AppTest

    with NamedTemporaryFile() as report:
        os.environ[REPORT] = report.name
        processes._work = work
        scheduler.POLL_TIMEOUT = 3600.0
        pool = Processes(1)
        slices, long_jobs = Scheduler(pool), Scheduler(pool)
        store = JobStore(slices)
        session._slice_scheduler = lambda: slices
        session._task_scheduler = lambda: long_jobs
        session._job_store = lambda: store
        app = AppTest.from_file(str(ROOT / "pages" / "contents.py"), default_timeout=240)
        if what == "file":
            os.environ[ARRAYS] = "yes"
            page = visit(app, "yours", source="My file")
        else:
            visit(app, "live", "smm")
        sys.setprofile(look)
        threading.setprofile_all_threads(look) if sys.version_info >= (3, 12) else None
        threading.setprofile(look)
        if what == "file":
            page.file_uploader(key="upload").set_value([("mine.mat", make_file(), "")]).run()
            finish(page.session_state["your data"])
            page.run()
        else:
            turn(app, "tau", TAU)
            finish(app.session_state["smm"])
        sys.setprofile(None)
        ours = {*found.values()}
        behind = {*Path(report.name).read_text().splitlines()}
        slices.close()
    for path in sorted(ours | behind):
        lines = len((ROOT / path).read_text().splitlines())
        sides = " and ".join(["server"] * (path in ours) + ["worker"] * (path in behind))
        print(f"{path:50} {lines:4} lines, {sides}{', counts twice' if lines > LONG else ''}")
    long = sum(len((ROOT / path).read_text().splitlines()) > LONG for path in ours | behind)
    print(f"{len(ours | behind) + long} files")


if __name__ == "__main__":
    import_module("tests.benchmarks.way_of").main(
        *sys.argv[1:]
    )  # a worker cannot import from __main__
