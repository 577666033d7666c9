"""Runs on a cluster: Dask's own programs, started on this machine as docs/class.md writes them."""

import os
import pickle
import re
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from distributed import Client
from threadpoolctl import threadpool_limits

from pages.shared.algorithm1 import Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import cluster, session
from pages.shared.engine import scheduler as work_module
from pages.shared.engine import worker as worker_module
from pages.shared.engine.scheduler import Scheduler, Task
from pages.shared.engine.subscription import JobStore
from pages.shared.engine.worker import advance
from pages.smm.meet.runs import train
from pages.smm.meet.second_opinion import solve_with_cvxpy
from tests.pages.runs import wait_for
from tests.pages.visit import visit

ROOT = Path(__file__).parents[3]
RECIPE = Algorithm1(BlockCorrelated(n=60, p=8, q=10, rank=2), C=0.1, tau=0.5, tol=1e-10)
AWAY = "tcp://127.0.0.1:9"  # where nothing answers


# ---- the programs ------------------------------------------------------------------------------


@contextmanager
def program(name, folder, log, options, host="", **environment):
    """Run one of Dask's programs by its line in docs/class.md; yield its process group."""
    line = re.search(
        rf"[^&\n]*/dask {name} ?.*", (ROOT / "docs/class.md").read_text(encoding="utf-8")
    )[0].strip()
    line = line.replace(".venv/bin/", f"{Path(sys.executable).parent}/").replace("host:8786", host)
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            f"{line} {options}",
            shell=True,
            cwd=folder,
            env=inherited | environment,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        kill(process.pid)
        process.wait()


@contextmanager
def scheduler(folder, port=0, **environment):
    """Start a scheduler in a folder that has nothing of the app; yield its address and process."""
    log = folder / "scheduler.log"
    options = f"--host 127.0.0.1 --port {port}"
    with program("scheduler", folder, log, options, **environment) as pid:
        yield (
            wait_for(lambda: re.search(r"at: +(tcp://\S+)\n", log.read_text(encoding="utf-8")))[1],
            pid,
        )


@contextmanager
def worker(address, log, folder=ROOT):
    """Start a worker, and wait until the scheduler knows it; the same when it is stopped."""
    host = address.removeprefix("tcp://")
    with Client(address, set_as_default=False) as client:
        before = len(client.nthreads())
        with program("worker", folder, log, "--host 127.0.0.1", host):
            wait_for(lambda: len(client.nthreads()) > before)
            yield
        wait_for(lambda: len(client.nthreads()) <= before)


def kill(group):
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """The address of a scheduler with two workers."""
    folder = tmp_path_factory.mktemp("machines")
    with (
        scheduler(folder) as (address, _),
        worker(address, folder / "worker 1.log"),
        worker(address, folder / "worker 2.log"),
    ):
        yield address


@pytest.fixture(scope="module")
def unmanned(tmp_path_factory):
    """The address of a scheduler without workers, which gives up a task with its first worker."""
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with scheduler(tmp_path_factory.mktemp("unmanned"), **once) as (address, _):
        yield address


@contextmanager
def turns(address):
    """Turns on a cluster."""
    scheduler = Scheduler(cluster.Cluster(address))
    try:
        yield scheduler
    finally:
        scheduler.close()


def refusal(scheduler):
    """Return the sentence that a reader gets in place of an answer."""
    question = Task(train, RECIPE)
    scheduler.add(question)
    assert question.wait(120)
    return question.error


# ---- where all is well -------------------------------------------------------------------------


@pytest.mark.sweep
def test_run_survives_the_loss_of_a_machine_with_the_same_numbers(machines, tmp_path, monkeypatch):
    gate = tmp_path / "seconds"
    os.mkfifo(gate)
    # A slice gets its budget from this pipe, on the worker, and so waits until the test gives one.
    budget = worker_module.Call(float, worker_module.Call(Path.read_text, gate))
    monkeypatch.setattr(work_module, "budget_after", lambda _seconds: budget)
    monkeypatch.setattr(work_module, "POLL_TIMEOUT", float("inf"))  # nobody polls
    with turns(machines) as elsewhere, Client(machines, set_as_default=False) as client:
        run = JobStore(Scheduler(1), elsewhere).subscribe(RECIPE)
        run.poll()
        for count in (1, 2, 3):
            with os.fdopen(wait_for(lambda: open_pipe(gate)), "w") as pipe:
                pipe.write("0")  # one iteration
            wait_for(lambda count=count: len(run.frames.metrics) == count)
        pipe = wait_for(lambda: open_pipe(gate))
        [busy] = [address for address, keys in client.processing().items() if keys]
        pid = client.run(os.getpid, workers=[busy])[busy]
        (tmp_path / "rest").write_text("60", encoding="utf-8")
        (tmp_path / "rest").rename(gate)
        kill(os.getpgid(pid))
        wait_for(lambda: run.ended)
        os.close(pipe)
        assert list(client.nthreads()) != [busy]
    with threadpool_limits(1):
        here = advance(RECIPE, None, 60.0)
    assert (run.status, run.message) == ("finished", here.summary)
    assert np.array_equal(run.frames.metrics, here.metrics)
    assert np.array_equal(run.frames.images, here.images)
    assert np.array_equal(run.frames.certificate.W, here.certificate.W)


def open_pipe(gate):
    """Open a pipe if somebody waits at its other end."""
    with suppress(OSError):
        return os.open(gate, os.O_WRONLY | os.O_NONBLOCK)


@pytest.mark.sweep
def test_sentence_of_a_job_reaches_the_reader(machines):
    with turns(machines) as elsewhere:
        question = Task(solve_with_cvxpy, replace(RECIPE, data=BlockCorrelated(n=501)))
        elsewhere.add(question)
        assert question.wait(120)
    assert question.error.startswith("CVXPY is asked up to")


# ---- where it is not ---------------------------------------------------------------------------


def test_page_names_a_cluster_that_does_not_answer(contents, workers, monkeypatch):
    monkeypatch.setenv(cluster.SETTING, AWAY)
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.1)
    with turns(cluster.address()) as elsewhere:
        job_store = JobStore(workers[0], elsewhere)
        monkeypatch.setattr(session, "_job_store", lambda: job_store)
        visit(contents, "live", "live", n="20", p="4", q="5", r="1")
        assert contents.error[0].value.startswith(f"The cluster at {AWAY} does not answer: start")


def test_after_a_failed_connection_others_do_not_wait_for_the_next(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.1)
    monkeypatch.setattr(cluster, "RETRY_SECONDS", 1e9)
    with turns(AWAY) as elsewhere:
        sentence = refusal(elsewhere)
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1e9)
        assert refusal(elsewhere) == sentence


def test_cluster_without_workers_is_named(unmanned, monkeypatch):
    monkeypatch.setattr(cluster, "WORKER_SECONDS", 0.0)
    with turns(unmanned) as elsewhere:
        assert refusal(elsewhere).startswith(f"The cluster at {unmanned} has no workers: start")


def test_end_of_the_server_does_not_wait_for_a_cluster(unmanned):
    question = Task(train, RECIPE)
    with turns(unmanned) as elsewhere, Client(unmanned, set_as_default=False) as client:
        elsewhere.add(question)
        wait_for(lambda: submitted(client))
    assert not question.wait(0)


def submitted(client):
    """Return how many calls the scheduler knows."""
    return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


def test_workers_that_cannot_run_the_app_are_named(unmanned, tmp_path, monkeypatch):
    with turns(unmanned) as elsewhere, worker(unmanned, tmp_path / "log", folder=tmp_path):
        sentence = refusal(elsewhere)
        assert sentence.startswith(f"The cluster at {unmanned} cannot run this app (No module")
        assert "start its workers as docs/class.md says" in sentence
        deadly = pickle.dumps(worker_module.Call(signal.raise_signal, signal.SIGKILL))
        monkeypatch.setattr(worker_module, "pickle_call", lambda *_: deadly)
        assert refusal(elsewhere).startswith(
            f"This computation ended 1 workers of the cluster at {unmanned}"
        )


@pytest.mark.sweep
def test_workers_with_another_version_of_the_app_are_named(machines, monkeypatch):
    monkeypatch.setattr(worker_module, "version", lambda: "that of yesterday")
    with turns(machines) as elsewhere:
        sentence = refusal(elsewhere)
    assert sentence.startswith(f"The cluster at {machines} cannot run this app (")
    assert "another version" in sentence


def test_scheduler_that_ends_is_named_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "RETRY_SECONDS", 0.0)
    with scheduler(tmp_path) as (address, pid), turns(address) as elsewhere:
        question = Task(train, RECIPE)
        elsewhere.add(question)
        with Client(address, set_as_default=False) as client:
            wait_for(lambda: submitted(client))
        kill(pid)
        assert question.wait(120)
        assert question.error.startswith(f"The connection to the cluster at {address} was lost")
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.1)
        assert "does not answer" in refusal(elsewhere)
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", 60.0)
        monkeypatch.setattr(cluster, "WORKER_SECONDS", 0.0)
        with scheduler(tmp_path, port=address.rpartition(":")[2]):
            assert "has no workers" in refusal(elsewhere)
