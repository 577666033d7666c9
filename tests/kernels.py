"""Run smmcore's tests under the other kernels of OpenBLAS that this processor supports.

    python -m tests.kernels                           # as .ci/run does
    HYPOTHESIS_PROFILE=long python -m tests.kernels   # 500 examples for each property

OpenBLAS chooses its kernels by the processor, and they round differently: a test that passes on one
machine may fail on another. `OPENBLAS_CORETYPE` overrides the choice. The kernel that OpenBLAS
itself chooses is left out, because `python -m pytest` runs it, unless there is no other. Threads
change the rounding too: `python -m pytest` has one, the first kernel here has two. What hardly
depends on rounding is left to `python -m pytest`. Further arguments go to pytest.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

# A kernel, and the flags in /proc/cpuinfo of a processor that can run it.
KERNELS = {
    "Nehalem": {"sse4_2"},
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"},
}
TESTS = Path("tests/smmcore")
# These are about arguments, shapes, files and memory, or their tolerances are far above rounding.
STEADY = (
    *("test_contract.py", "test_flat_samples.py", "test_examples.py", "test_docstrings.py"),
    *("test_all_estimators.py", "test_callback.py", "test_datasets.py", "test_iterate.py"),
    *("test_memory.py", "test_regression.py", "test_scaler.py", "test_smm_cv.py"),
    "test_starts.py",
)
PYTEST = ["pytest", "-q", "-n", "2"]
# Threads without work sleep soon: otherwise those of two processes wait at each other's expense.
SLEEP_SOON = {"OPENBLAS_THREAD_TIMEOUT": "4"}
TIME_LIMIT = "--timeout=3600"  # of a test: the long profile takes 25 times as long as usual
LIBRARIES = (
    "import json, numpy, scipy.linalg, threadpoolctl as t; print(json.dumps(t.threadpool_info()))"
)


def supported(cpuinfo: str) -> list[str]:
    """Name the kernels that a processor can run, given the text of its /proc/cpuinfo."""
    lines = (line.partition(":") for line in cpuinfo.splitlines())
    flags = next((set(value.split()) for name, _, value in lines if name.strip() == "flags"), set())
    return [kernel for kernel, needed in KERNELS.items() if needed <= flags]


def choose_cases(kernels: list[str], own: str) -> list[dict[str, str]]:
    """Return the settings of each run: the kernels but `own`, the first one with two threads.

    Not the last one: with the Haswell kernel and two threads, the OpenBLAS 0.3.34 of NumPy 2.5.5
    crashes in a product Z Z' (dsyrk) of tests/smmcore/test_path.py. With one thread it crashes in
    one of tests/smmcore/test_memory.py, which is left out.
    """
    first, *others = [name for name in kernels if name != own] or [own]
    return [
        {"OPENBLAS_CORETYPE": first, "OPENBLAS_NUM_THREADS": "2"},
        *({"OPENBLAS_CORETYPE": name, "OPENBLAS_NUM_THREADS": "1"} for name in others),
    ]


def check(settings: dict[str, str]) -> str:
    """Name the kernel that the OpenBLAS of NumPy and that of SciPy use with these settings.

    Raises
    ------
    RuntimeError
        If one of them uses another kernel or another number of threads.
    """
    command = [sys.executable, "-c", LIBRARIES]
    found = subprocess.run(command, env=os.environ | settings, capture_output=True, check=True)
    blas = [library for library in json.loads(found.stdout) if library["user_api"] == "blas"]
    used = {(library["architecture"], library["num_threads"]) for library in blas}
    kernel: str = settings.get("OPENBLAS_CORETYPE", blas[0]["architecture"])
    if used != {(kernel, int(settings["OPENBLAS_NUM_THREADS"]))}:
        raise RuntimeError(f"{settings} has no effect: the libraries use {used}")
    return kernel


def run(settings: dict[str, str]) -> bool:
    """Run the tests with these settings; return whether all have passed."""
    files = [str(file) for file in TESTS.glob("test_*.py") if file.name not in STEADY]
    command = [sys.executable, "-m", *PYTEST, TIME_LIMIT, *sorted(files), *sys.argv[1:]]
    ended = subprocess.run(command, env=os.environ | SLEEP_SOON | settings, check=False)
    return ended.returncode == 0


def main() -> None:
    cpuinfo = Path("/proc/cpuinfo")
    kernels = supported(cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else "")
    failures = 0
    for settings in choose_cases(kernels, own=check({"OPENBLAS_NUM_THREADS": "2"})):
        print(f"{check(settings)}, {settings['OPENBLAS_NUM_THREADS']} threads:", flush=True)
        failures += not run(settings)
    for kernel in KERNELS.keys() - {*kernels}:
        print(f"{kernel} is not supported by this processor")
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
