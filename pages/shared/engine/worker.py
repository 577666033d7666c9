"""Configure a worker process and run calls in it: above all, slices of an experiment.

A worker on another machine must run the same version of this app. The frames of a slice are packed
into arrays: each becomes one record of metrics and one record of images.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from math import inf
from pathlib import Path
from socket import gethostname
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import smmcore
from pages.shared import system
from pages.shared.engine import memory
from pages.shared.engine.experiment import Dataset, Experiment, Scaled
from smmcore.arrays import Array

PACKAGES = Path(__file__).parents[2], Path(smmcore.__file__).parent
# The server comes first, but not so much that its scripts, which write words, delay the first frame
# of a run: of 100 students who move knobs, 95 % see it after 0.3 s with 3, after 0.5 s with 10.
NICENESS = 3
MAX_SECONDS = 60.0  # of processor time, for one call
EMPTY = -128  # level of an empty cell
NO_METRICS = np.empty(0, np.dtype([]))
NO_IMAGES = np.empty(0, [("frame", "<u4")])
CACHE_BYTES = 600_000_000  # in each worker: four data sets of the paper's size


def preload(modules: tuple[str, ...] = ()) -> None:
    """Import what calls need later, so that the first call is not delayed."""
    for name in modules:
        import_module(name)


def run_limited(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function, and end this process if the call takes more than `MAX_SECONDS`."""
    with system.time_limit(MAX_SECONDS):
        return function(*arguments)


def run_pickled(call: bytes) -> bytes:
    """Run a pickled call; return the pickle of (result, error), one of which is None."""
    try:
        fn, args, kwargs = pickle.loads(call)
        outcome: tuple[Any, Exception | None] = fn(*args, **kwargs), None
    except Exception as error:
        error.add_note(traceback.format_exc())  # for the server's log
        outcome = None, error
    try:
        return pickle.dumps(outcome)
    except Exception as error:
        return pickle.dumps((None, RuntimeError(f"the answer cannot be sent: {error}")))


def configure_worker() -> None:
    """Configure a worker: low priority, one BLAS thread, exits with its parent."""
    system.lower_priority(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    threadpool_limits(1)  # of the libraries loaded so far
    os.environ.update(system.ONE_BLAS_THREAD)  # of those loaded later
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # a killed server sends no signal: its workers would run for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(0)


class Call:
    """A call that `pickle.loads` makes, on the machine that loads the pickle."""

    def __init__(self, function: Callable[..., Any], *arguments: object) -> None:
        self._parts = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self._parts


def pickle_call(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bytes:
    """Return a pickle that, loaded by a worker, runs the call and becomes its pickled outcome."""
    # Pickled twice: a worker compares versions before it loads our classes.
    return pickle.dumps(Call(run_same_version, version(), pickle.dumps((function, args, kwargs))))


def run_same_version(wanted: str, call: bytes) -> bytes:
    """Run a pickled call, provided that the server has the same source code as this process."""
    if version() != wanted:
        raise ImportError(f"{gethostname()} has another version of it")
    return run_pickled(call)


@cache
def version() -> str:
    """Return a digest of the app's source code, as read by the first call."""
    digest = sha256()
    for package in PACKAGES:
        for file in sorted(package.rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


_prepared: OrderedDict[Dataset, Any] = OrderedDict()


class Slice(NamedTuple):
    """The frames of one turn on a worker, and the state from which the next turn resumes."""

    metrics: NDArray[np.void]  # (m,), a record for each frame; m = 0 if a frame takes several turns
    images: NDArray[np.void]  # (m,), of the same frames
    state: object  # of `Experiment.frames`
    certificate: object  # of the last frame
    summary: str  # empty before the last slice
    seconds: float  # of processor time


def advance(experiment: Experiment, state: object, budget: float, first: int = 0) -> Slice:
    """Compute frames for `budget` seconds of processor time, or to the end of the experiment.

    The time to prepare the data does not count, so every slice makes progress. `state` is that of
    the slice before, `first` the number of the first frame.
    """
    prepared = get_prepared(experiment.data)
    drawn = []
    begin = system.clock()
    for frame in experiment.frames(prepared, state):
        if frame.metrics:
            drawn.append(frame)
        if frame.done or system.clock() - begin >= budget:
            break
    return Slice(
        pack_metrics([one.metrics for one in drawn]),
        pack_images([one.images for one in drawn], first),
        frame.state,
        frame.certificate,
        experiment.summary(frame) if frame.done else "",
        system.clock() - begin,
    )


def complete(experiment: Experiment) -> Slice:
    """Compute all frames of an experiment."""
    return advance(experiment, None, inf)


def get_prepared(data: Dataset) -> Any:
    """Return `data.prepare()`, from this process's cache if it is there."""
    if data in _prepared:
        _prepared.move_to_end(data)
    else:
        _prepared[data] = data.prepare()
        while len(_prepared) > 1 and sum(each.memory_bytes for each in _prepared) > CACHE_BYTES:
            _prepared.popitem(last=False)
    return _prepared[data]


def forget() -> None:
    """Empty the cache of prepared data, and give its memory back to the system."""
    _prepared.clear()
    memory.give_back()


def pack_metrics(rows: Sequence[Mapping[str, float]]) -> NDArray[np.void]:
    """Return a record array of metrics, whole numbers as int32 and all others as float64."""
    if not rows:
        return NO_METRICS
    _same_names(rows)
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    whole = {name: column.dtype.kind in "bui" for name, column in columns.items()}
    return _records(columns, [(name, "<i4" if whole[name] else "<f8") for name in columns])


def pack_images(rows: Sequence[Mapping[str, Array | Scaled]], first: int) -> NDArray[np.void]:
    """Return a record array of images: matrices as int8 with their scale, vectors as float32."""
    if not rows:
        return NO_IMAGES
    _same_names(rows)
    columns: dict[str, NDArray[Any]] = {"frame": np.arange(first, first + len(rows))}
    types: list[tuple[Any, ...]] = [("frame", "<u4")]
    for name, image in rows[0].items():
        if np.ndim(image.matrix if isinstance(image, Scaled) else image) == 2:
            scales, levels = zip(*(_levels(row[name]) for row in rows), strict=True)
            columns |= {f"{name}_scale": np.array(scales), name: np.array(levels)}
            types += [(f"{name}_scale", "<f4"), (name, "i1", levels[0].shape)]
        else:
            columns[name] = np.array([row[name] for row in rows])
            types.append((name, "<f4", columns[name].shape[1:]))
    return _records(columns, types)


def _same_names(rows: Sequence[Mapping[str, Any]]) -> None:
    for row in rows:
        if row.keys() != rows[0].keys():
            raise ValueError(f"frames have {sorted(rows[0])} and {sorted(row)}")


def _records(columns: Mapping[str, NDArray[Any]], types: list[tuple[Any, ...]]) -> NDArray[np.void]:
    records = np.empty(len(next(iter(columns.values()))), types)
    for name, column in columns.items():
        records[name] = column
    return records


def _levels(image: Array | Scaled) -> tuple[float, NDArray[np.int8]]:
    """Return (scale, levels): a matrix in 255 steps of scale / 127, empty cells as `EMPTY`."""
    if isinstance(image, Scaled):
        matrix, scale = image
    else:
        matrix, scale = image, float(np.abs(image).max())
    steps = np.rint(matrix * (127 / scale)) if scale else np.zeros_like(matrix)
    levels = np.where(np.isnan(steps), EMPTY, np.clip(steps, -127, 127))
    return scale, levels.astype(np.int8)
