"""Who reads the files of a test: this process, unless the sandbox belongs to the claim."""

from contextlib import nullcontext

import pytest

from tests.files.reader import no_sandbox


@pytest.fixture
def sandboxed():
    """Read files as a server does: by processes that have limits and may crash.

    They can load no module, so this is also for whatever a format needs, such as codecs.
    """


@pytest.fixture(autouse=True)
def in_process(request):
    """Read files in this process, which takes a hundredth of the time."""
    if "sandboxed" in request.fixturenames:
        yield
    else:
        with no_sandbox():
            yield


@pytest.fixture(params=["limits", "no limits"])
def anywhere(request, sandboxed):
    """Read files in a sandbox, and without the limits that it sets."""
    with no_sandbox() if request.param == "no limits" else nullcontext():
        yield
