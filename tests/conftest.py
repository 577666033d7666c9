"""Before any import: one BLAS thread for each process, and compiled modules are kept."""

import os
import sys
from copy import deepcopy

import pytest
from hypothesis import settings

# Before the first import of NumPy. What the caller has set stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
# Even if the caller forbids it: each of a hundred processes would compile all modules.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("ci", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config):
    """Visit no folder twice: pytest 9.1 would lose the fixtures of its conftest.py."""
    config.args.sort()


def pytest_make_parametrize_id(val, argname):
    """Name no test by its bytes: they may hold the time, and all processes need the same names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture
def own_numbers(request, monkeypatch):
    """Let no test depend on which others have drawn from its module's generator before it."""
    monkeypatch.setattr(request.module, "RANDOM", deepcopy(request.module.RANDOM))
