"""Runs on a cluster: a real scheduler and a real worker of Dask, on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pages.shared import jobs
from pages.shared.recipes import BlockCorrelated, SMMRun
from pages.shared.runs import cluster
from pages.shared.runs.chains import Chains
from pages.shared.runs.dispatch import Dispatch
from pages.shared.runs.work import Question

ROOT = Path(__file__).parents[2]
RECIPE = SMMRun(BlockCorrelated(n=60, p=8, q=10, rank=2), C=0.1, tau=0.5)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler with one worker, both processes of their own."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"

    def start(name, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *options]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(file)], cwd=ROOT, stderr=subprocess.DEVNULL
        )

    local = ("--host", "127.0.0.1", "--no-dashboard")
    processes = [
        start("scheduler", "--port", "0", *local),
        start("worker", "--nthreads", "1", "--nworkers", "1", *local),
    ]
    try:
        wait_for(file.exists)
        yield json.loads(file.read_text())["address"]
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(20)


@pytest.fixture
def elsewhere(scheduler, monkeypatch):
    """Turns on the cluster."""
    monkeypatch.setenv(cluster.SETTING, scheduler)
    pool = cluster.Cluster()
    dispatch = Dispatch(pool.threads, pool)
    yield dispatch
    dispatch.close()


def test_run_on_a_cluster_shows_the_frames_of_one_that_is_here(elsewhere):
    run = Chains(Dispatch(1), elsewhere).run(replace(RECIPE, tol=1e-10))
    run.poll()
    wait_for(lambda: run.ended)
    here = jobs.advance(run.recipe, None, 60.0)
    assert run.status == "finished"
    assert run.message == here.verdict
    np.testing.assert_allclose(run.frames.curves["primal"], here.curves["primal"], rtol=1e-9)
    np.testing.assert_allclose(run.frames.certificate.W, here.certificate.W, atol=1e-9)


def test_sentence_of_a_job_on_a_cluster_reaches_the_reader(elsewhere):
    question = Question(jobs.referee, SMMRun(BlockCorrelated(n=501)))
    elsewhere.add(question)
    assert question.wait(60)
    assert question.sorry.startswith("CVXPY is asked up to")


def test_cluster_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setenv(cluster.SETTING, "tcp://127.0.0.1:9")
    with pytest.raises(RuntimeError, match=r"tcp://127.0.0.1:9': no cluster answers"):
        cluster.Cluster()


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
