"""Experiments and tasks of one browser session, for pages.

A page subscribes to an experiment: a job computes it on the workers, and the player shows its
frames. A page runs a task to get a single result.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import streamlit as st

from pages.shared.engine import cluster, precomputed
from pages.shared.engine.experiment import Experiment
from pages.shared.engine.moves import Moves, Seat
from pages.shared.engine.scheduler import E, Scheduler, Task
from pages.shared.engine.stream import publish
from pages.shared.engine.subscription import JobStore, Subscription
from pages.shared.engine.worker import Slice, complete

S = TypeVar("S")
R = TypeVar("R")


WORKERS = "SMM_LAB_WORKERS"  # environment variable: the number of worker processes
MOST_WORKERS = 4  # without it: each takes 90 MB at start and up to 600 MB for data


def subscribe(slot: str, experiment: E, *, moves: Moves | None = None) -> Subscription[E]:
    """Return this session's subscription to an experiment.

    A session has one subscription in each slot; one to another experiment ends the one before. A
    slot is called after the folder of its lesson: "live", and "live: race" for another one. If the
    page lets settings follow the hand (`moves`), those that are newer than the script's are
    laid over them, and `experiment` of the result has both.
    """
    seat = st.session_state.get(f"seat of {slot}")
    if seat is None:
        seat = st.session_state[f"seat of {slot}"] = Seat(_job_store())
    run: Subscription[E] = seat.subscribe(experiment, moves)
    if run is not st.session_state.get(slot):
        st.session_state[slot] = run
        publish(run, seat)
        run.poll()
    return run


def moving_settings(slot: str) -> dict[str, dict[str, Any]] | None:
    """Return what the player needs to send a move of a slot's settings; None if none moves."""
    moves = st.session_state[f"seat of {slot}"].moves
    return moves.to_json() if moves else None


def restart(slot: str) -> None:
    """End the run of a slot, so that the next rerun starts a new one with its own settings."""
    if f"seat of {slot}" in st.session_state:
        st.session_state[f"seat of {slot}"].restart()


def run_task(
    slot: str,
    note: str,
    function: Callable[[S], R],
    subject: S,
    *,
    long: bool = False,
) -> R:
    """Return the result of a function that a worker calls, and show the time while it runs.

    The session keeps one result in each slot, and shares it with all that ask for the same. If
    there is none, the page ends with an error message. Tasks that take seconds (`long`) have a
    process of their own, so that they do not delay other people's runs.
    """
    task = st.session_state.get(slot)
    if task is None or task.call != (function, subject):
        task = st.session_state[slot] = _change_task(task, function, subject)
    scheduler = _task_scheduler() if long else _slice_scheduler()
    scheduler.add(task)
    begin, caption = monotonic(), st.empty()
    while not task.wait(0.25):
        scheduler.add(task)  # it was dropped if the reader was away when its turn came
        caption.caption(f"{note} ({monotonic() - begin:.0f} s)")  # lets a click interrupt the wait
    caption.empty()
    if task.error:
        del st.session_state[slot]  # the next rerun tries again
        st.error(task.error)
        st.stop()
    result: R = task.result
    return result


def run_whole(slot: str, note: str, experiment: Experiment) -> Slice:
    """Return the whole run of an experiment: from a file, or as the result of a task."""
    return precomputed.load(experiment) or run_task(slot, note, complete, experiment)


# Weak references: a task lives as long as a session holds it.
_tasks: WeakValueDictionary[tuple[Any, Any], Task] = WeakValueDictionary()
_tasks_lock = threading.Lock()


def _change_task(before: Task | None, function: Callable[[S], R], subject: S) -> Task:
    """Leave a task, and return that of all sessions that ask for the same."""
    with _tasks_lock:
        if before is not None:
            before.leave()
        task = _tasks.get((function, subject))
        if task is None or task.error or not task.join():
            task = _tasks[function, subject] = Task(function, subject)
        return task


def start_workers(*modules: str) -> None:
    """Start the workers, which import these modules, before the first visitor comes."""
    _slice_scheduler().preload(*modules)
    _task_scheduler()
    if cluster.address():
        _cluster_scheduler().preload(*modules)  # a failure is written to the server's log


def worker_count() -> int:
    """Return the number of workers: as set, or one for each core up to four."""
    text = os.environ.get(WORKERS, "")
    if not text:
        return min(os.cpu_count() or 1, MOST_WORKERS)
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{WORKERS} must be a whole number of at least 1, got {text!r}")
    return int(text)


def stop_workers() -> None:
    """End the worker processes at once; the server is shutting down."""
    _job_store.cache_clear()
    makers = [_slice_scheduler, _task_scheduler, _cluster_scheduler]
    makers = [maker for maker in makers if maker.cache_info().currsize]
    for maker in makers:
        maker().refuse()
    workers = multiprocessing.active_children()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()
    for maker in makers:
        maker().close()
        maker.cache_clear()


@cache
def _slice_scheduler() -> Scheduler:
    return Scheduler(worker_count())  # at a low priority: the server's own work comes first


@cache
def _task_scheduler() -> Scheduler:
    return Scheduler(1)


@cache
def _cluster_scheduler() -> Scheduler:
    return Scheduler(cluster.Cluster(cluster.address()))


@cache
def _job_store() -> JobStore:
    return JobStore(_slice_scheduler(), _cluster_scheduler() if cluster.address() else None)
