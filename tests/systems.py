"""Run what must hold on every system as if this one were Windows, and macOS.

    python -m tests.systems

pytest collects all tests on both, and runs those with the mark `systems`, among them those of one
system in `tests/simulate`. The top of `tests/simulate/sitecustomize.py` says what is simulated, and
what cannot be. Further arguments go to pytest.
"""

import os
import subprocess
import sys
from contextlib import ExitStack
from tempfile import TemporaryDirectory

# macOS lacks little that Windows does not lack as well: pages are opened as on Windows only.
KINDS = {"windows": [], "mac": ["-k", "not test_page_opens"]}


def start(kind: str, temporary: str) -> subprocess.Popen[str]:
    """Start pytest with its tests deceived, and a folder for its temporary files alone."""
    environment = {
        "TMPDIR": temporary,
        "SIMULATE": kind,
        "PYTHONPATH": os.pathsep.join(["tests/simulate", "."]),
    }
    environment["PYTHONIOENCODING"] = "cp1252" if kind == "windows" else "utf-8"
    tests = ["-m", "systems", "-o", f"python_files=test_*.py {kind}.py"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *tests, *KINDS[kind], *sys.argv[1:]],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def main() -> None:
    failed = 0
    with ExitStack() as stack:
        folders = [stack.enter_context(TemporaryDirectory()) for _ in KINDS]
        running = list(map(start, KINDS, folders))  # side by side
        for kind, process in zip(KINDS, running, strict=True):
            output, _ = process.communicate()
            print(f"As on {kind}:\n{output}", flush=True)
            failed |= process.returncode
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
