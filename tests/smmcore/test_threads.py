"""BLAS has one thread in the loop of a solver, and afterwards what it had before."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from warnings import filters

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from smmcore import LinearSVM, SupportMatrixMachine, SupportMatrixMachineCV, smm_path
from smmcore.problems import SMMProblem
from smmcore.problems.samples import CentredSamples
from smmcore.threads import all_blas_threads, one_blas_thread
from tests.smmcore.conftest import random_problem

BLAS = [library for library in threadpool_info() if library["user_api"] == "blas"]
several = pytest.mark.skipif(not BLAS, reason="threadpoolctl does not know this BLAS")


def threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@several
def test_a_fit_has_one_thread_and_restores_what_it_found():
    problem, seen = random_problem(0), []
    with threadpool_limits(3, "blas"):
        before = threads()
        SupportMatrixMachine().fit(problem.X, problem.y, callback=lambda _: seen.append(threads()))
        assert threads() == before
    assert {*map(tuple, seen)} == {(1,)}


@several
@pytest.mark.parametrize("fails", [False, True])
def test_fits_that_overlap_in_threads_restore_what_the_first_has_found(fails):
    """The last one is another than the first, which threadpoolctl 3.8 would not let restore it."""
    first_is_inside, second_is_inside, first_has_ended = Event(), Event(), Event()
    problem, seen = random_problem(0), []

    def fit(machine, is_inside, goes_on):
        def wait(state):
            seen.append(threads())
            is_inside.set()
            assert goes_on.wait(60)
            if fails and is_inside is second_is_inside:
                raise KeyError

        return machine.fit(problem.X, problem.y, callback=wait)

    with threadpool_limits(3, "blas"), ThreadPoolExecutor(2) as pool:
        before, warnings = threads(), list(filters)
        first = pool.submit(fit, SupportMatrixMachine(), first_is_inside, second_is_inside)
        assert first_is_inside.wait(60)
        second = pool.submit(fit, LinearSVM(), second_is_inside, first_has_ended)
        assert first.exception() is None
        first_has_ended.set()
        assert bool(second.exception()) == fails
        assert threads() == before
        assert filters == warnings
    assert {*map(tuple, seen)} == {(1,)}


@several
def test_a_large_gram_matrix_has_all_threads(monkeypatch):
    monkeypatch.setattr("smmcore.problems.samples._LARGE_GRAM", 1.0)
    seen = []

    def watch(matrices, n):
        seen.append(threads())
        return np.eye(n)

    monkeypatch.setattr("smmcore.problems.samples.sum_of_grams", watch)
    with threadpool_limits(3, "blas"):
        before = threads()
        with one_blas_thread():
            CentredSamples(np.ones((4, 3))).gram()
            assert threads() == {1}
        with all_blas_threads():
            assert threads() == before
        assert threads() == before
    assert seen == [before]


@several
def test_paths_and_searches_have_one_thread(monkeypatch):
    problem, seen = random_problem(0), []
    omega = SMMProblem.omega
    monkeypatch.setattr(SMMProblem, "omega", lambda *at: seen.append(threads()) or omega(*at))
    with threadpool_limits(3, "blas"):
        smm_path(problem.X, problem.y, n_taus=2)
        SupportMatrixMachineCV([1.0], [0.1], cv=2).fit(problem.X, problem.y)
        SupportMatrixMachine().tau_max(problem.X, problem.y)
    assert {*map(tuple, seen)} == {(1,)}
