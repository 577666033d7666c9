"""BLAS has one thread in the loop of a solver, and afterwards what it had before."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
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
    problem, both = random_problem(0), Barrier(2, timeout=60)
    waited = set()

    def fit(number):
        def wait(state):
            if number not in waited:  # both runs are inside
                waited.add(number)
                both.wait()
                if fails and number:
                    raise KeyError

        machine = (SupportMatrixMachine(), LinearSVM())[number]
        return machine.fit(problem.X, problem.y, callback=wait)

    with threadpool_limits(3, "blas"), ThreadPoolExecutor(2) as pool:
        before, warnings = threads(), list(filters)
        fits = [pool.submit(fit, number) for number in range(2)]
        assert [bool(each.exception()) for each in fits] == [False, fails]
        assert threads() == before
        assert filters == warnings


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
