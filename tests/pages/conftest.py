"""The app for a test, and one worker process for all tests of this process.

AppTest runs no lifespan, so the worker starts with the first run of a page.
"""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages.shared.engine import processes, scheduler, session
from pages.shared.engine.processes import Processes
from pages.shared.engine.scheduler import Scheduler
from pages.shared.engine.subscription import JobStore
from pages.shared.parts import charts
from pages.your_data.files import sandbox
from tests.pages import worker

CONTENTS = Path(__file__).parents[2] / "pages" / "contents.py"
# Fixtures of a module, to be started once
SLOW_TO_START = "processes", "machines", "unmanned", "small_cells"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the tests that share such a fixture in one process."""
    for item in items:
        for name in set(SLOW_TO_START).intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session", autouse=True)
def patience():
    """Let no test depend on how busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "_work", worker.work)
        patch.setattr(sandbox, "PATIENCE", 60)
        patch.setattr(scheduler, "POLL_TIMEOUT", 3600.0)
        patch.setattr(charts, "_must_wait", lambda: False)  # no browser tells of a first picture
        yield


@pytest.fixture(scope="session", autouse=True)
def scan_once():
    """Look once for components among the installed packages; each AppTest would do so anew."""
    with pytest.MonkeyPatch.context() as patch:
        scan = manifest_scanner.scan_component_manifests
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(scan))
        yield


@pytest.fixture(scope="session")
def workers():
    """The process behind the pages of this session, which takes long jobs as well."""
    pool = Processes(1)
    slices, long_jobs = Scheduler(pool), Scheduler(pool)
    yield slices, long_jobs, JobStore(slices)
    slices.close()


@pytest.fixture
def new_app(workers, monkeypatch):
    """Make apps on the worker of the session; the runs that they leave end with the test."""
    slices, long_jobs, job_store = workers
    begun = []

    def run(experiment):
        begun.append(JobStore.subscribe(job_store, experiment))
        return begun[-1]

    monkeypatch.setattr(job_store, "subscribe", run)
    monkeypatch.setattr(session, "_slice_scheduler", lambda: slices)
    monkeypatch.setattr(session, "_task_scheduler", lambda: long_jobs)
    monkeypatch.setattr(session, "_job_store", lambda: job_store)
    # No test is about the time that a page takes.
    yield lambda: AppTest.from_file(str(CONTENTS), default_timeout=240)
    for each in begun:
        each.stop()


@pytest.fixture
def contents(new_app):
    """The app, not opened yet."""
    return new_app()


@pytest.fixture
def other(new_app):
    """The app, for another visitor."""
    return new_app()
