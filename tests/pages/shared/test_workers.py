"""The worker's side: surveys, the cache, the process itself."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from pages.shared.algorithm1 import Algorithm1
from pages.shared.engine import processes, worker
from pages.shared.engine.worker import NICENESS, advance
from tests.pages.runs import SPLIT

SMALL = SPLIT.data


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch):
    """No data from other tests, and none left for them."""
    monkeypatch.setattr(worker, "_prepared", type(worker._prepared)())


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """No script of AppTest as the main module, which a spawned process would run."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


def test_worker_keeps_data_which_runs_share_up_to_its_bound_and_drops_the_oldest(monkeypatch):
    monkeypatch.setattr(worker, "CACHE_BYTES", 2 * SMALL.memory_bytes)
    sets = [replace(SMALL, seed=seed) for seed in range(3)]
    for tau, data in enumerate((sets[0], sets[1], sets[0], sets[2])):
        advance(Algorithm1(data, C=0.1, tau=float(tau)), None, 0.0)
    assert list(worker._prepared) == [sets[0], sets[2]]


def test_idle_worker_forgets_its_data_and_is_there_for_the_next_call(monkeypatch):
    monkeypatch.setattr(processes, "IDLE", 0.0)
    ours, its = multiprocessing.Pipe()
    serving = threading.Thread(target=processes.answer, args=(its,))
    serving.start()
    for _ in range(2):
        ours.send_bytes(pickle.dumps((worker.get_prepared, (SMALL,), {})))
        assert ours.recv_bytes() == b""
        prepared, error = pickle.loads(ours.recv_bytes())
        assert (prepared is None, error) == (False, None)
        while worker._prepared:
            time.sleep(0.01)  # for ever, where it keeps them
    ours.close()
    serving.join()


def test_worker_is_polite_and_leaves_with_its_parent(tmp_path):
    # A parent that is killed hard cannot tell its workers to go.
    (tmp_path / "parent.py").write_text(
        "import multiprocessing, sys, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from pages.shared.engine import worker\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    pool = ProcessPoolExecutor(1, context, worker.configure_worker)\n"
        "    pool.submit(worker.preload).result()\n"
        "    print(*pool._processes, flush=True)\n"
        "    time.sleep(3600)\n",
        encoding="utf-8",
    )
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "parent.py")],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with parent:
        worker = int(parent.stdout.readline())
        own, priority = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, worker))
        parent.send_signal(signal.SIGKILL)
    assert priority == min(own + NICENESS, 19)
    while Path(f"/proc/{worker}").exists() and "Z" not in status(worker):
        time.sleep(0.05)  # for ever, where the worker outlives its parent


@pytest.mark.systems
def test_job_that_does_not_end_ends_its_worker():
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, endless_soon) as pool, pytest.raises(BrokenProcessPool):
        pool.submit(worker.run_limited, endless).result()


def endless_soon():
    worker.MAX_SECONDS = 0.1


def endless():
    while True:
        pass


def status(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")")[-1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"
