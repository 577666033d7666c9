"""A browser's runs: begun by a page, advanced by workers, watched by the player.

This face is for pages. A `run` is one browser's sight of a chain of slices; `chains` holds those of
all browsers, by recipe. `dispatch` hands out turns on the workers, `work` is what gets them,
`frames` what has come of it, and `stream` sends that to the player.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Any

import streamlit as st

from pages.shared.runs import cluster
from pages.shared.runs.chains import Chains
from pages.shared.runs.dispatch import Dispatch
from pages.shared.runs.run import Run
from pages.shared.runs.stream import publish, route, url
from pages.shared.runs.work import Question
from smmcore.experiments.experiment import Dataset, Experiment

__all__ = ["Run", "ask", "close", "current", "forget", "open", "route", "url"]


def current(slot: str, recipe: Experiment) -> Run:
    """Return this browser's run of a recipe; another one that was in the slot ends at once.

    Parameters
    ----------
    slot : str
        What the run is to the page; a session holds one run in each slot.
    recipe : recipe of a run
    """
    held = st.session_state.get(slot)
    if held is None or held.recipe != recipe:
        forget(slot)
        held = st.session_state[slot] = _chains().run(recipe)
        publish(held)
        held.poll()
    return held


def forget(slot: str) -> None:
    """End the run in the slot, so that the page begins anew."""
    if slot in st.session_state:
        former = st.session_state.pop(slot)
        former.stop()
        # Its player asks for it until it hears of the next.
        st.session_state[f"former {slot}"] = former


def ask(
    slot: str, note: str, job: Callable, recipe: Dataset | Experiment, *, long: bool = False
) -> Any:
    """Have a worker answer a question about a recipe, and wait for it in sight of the reader.

    The answer stays in the session. Where there is none, the page ends with a sentence.

    Parameters
    ----------
    slot : str
        What the question is to the page; a session holds one in each slot.
    note : str
        What to say while the reader waits.
    job : function of `jobs`
        Called with the recipe.
    recipe : recipe of data or of a run
    long : bool
        Whether the job takes seconds: such jobs queue for a process of their own, where they do not
        keep the runs of others waiting.
    """
    held = st.session_state.get(slot)
    if held is None or held.subject != (job, recipe):
        if held is not None:
            held.drop()
        held = st.session_state[slot] = Question(job, recipe)
    dispatch = _for_long_jobs() if long else _for_slices()
    dispatch.add(held)
    begin, slate = monotonic(), st.empty()
    while not held.wait(0.25):
        dispatch.add(held)  # passed over if the reader was away before its turn came
        slate.caption(f"{note} ({monotonic() - begin:.0f} s)")  # and a click gets through here
    slate.empty()
    if held.sorry:
        del st.session_state[slot]  # the next rerun asks again
        st.error(held.sorry)
        st.stop()
    return held.answer


def open() -> None:
    """Start the workers; the server does so before its first visitor comes."""
    _for_slices().warm()
    _for_long_jobs()
    if cluster.address():
        _on_cluster().warm()  # where that fails, the server's log says why


def close() -> None:
    """End the workers, in the middle of a job too: nobody is left to see its result."""
    _chains.cache_clear()
    makers = [_for_slices, _for_long_jobs, _on_cluster]
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
def _for_slices() -> Dispatch:
    return Dispatch(max(1, (os.cpu_count() or 1) - 1))


@cache
def _chains() -> Chains:
    return Chains(_for_slices(), _on_cluster() if cluster.address() else None)


@cache
def _on_cluster() -> Dispatch:
    return Dispatch(cluster.Cluster(cluster.address()))


@cache
def _for_long_jobs() -> Dispatch:
    return Dispatch(1)
