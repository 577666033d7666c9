"""Give each test process one BLAS thread: several of them share the processor's cores."""

import os

# Before the first import of NumPy. What the caller has set stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")


def pytest_make_parametrize_id(val, argname):
    """Name no test by its bytes: they may hold the time, and all processes need the same names."""
    return argname if isinstance(val, bytes) else None
