"""Give each process one BLAS thread and compiled modules: several share the processor's cores."""

import os
import sys

# Before the first import of NumPy. What the caller has set stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
# Else each of a hundred processes would compile all modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_make_parametrize_id(val, argname):
    """Name no test by its bytes: they may hold the time, and all processes need the same names."""
    return argname if isinstance(val, bytes) else None
