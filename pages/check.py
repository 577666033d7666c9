"""Try the app on this machine, and print a block of text for an issue: python -m pages.check."""

import io
import platform
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from urllib.request import urlopen

import numpy as np
from scipy.io import savemat

from pages.shared.system import allow_all_letters, processor_name
from pages.your_data.files.contents import Contents
from pages.your_data.files.sandbox import ask
from smmcore import SupportMatrixMachine, __version__
from smmcore.datasets import make_block_correlated

ROOT = Path(__file__).parents[1]
PACKAGES = "numpy", "scipy", "scikit-learn", "streamlit", "h5py"
PAGES = "home", "smm", "yours"
LONGEST = 120  # seconds until the server answers


def check_reader() -> str:
    """Return what confines the process that reads files."""
    missing = ask(b"1,2\n", require=())[0]["missing"]
    return f"not confined: no {', no '.join(missing)}" if missing else "confined"


def check_server() -> str:
    """Start the server, open some pages, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"streamlit run app.py --server.headless=true --server.port={port}".split()
    site = f"http://127.0.0.1:{port}/"
    begun, quiet = time.monotonic(), subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-m", *options], cwd=ROOT, stdout=quiet) as server:
        try:
            while server.poll() is None and time.monotonic() < begun + LONGEST:
                with suppress(OSError):
                    sizes = [len(urlopen(site + page, timeout=LONGEST).read()) for page in PAGES]
                    return f"{PAGES}: {sizes} bytes, after {time.monotonic() - begun:.1f} s"
                time.sleep(0.2)
        finally:
            server.terminate()
    raise TimeoutError(f"no pages; exit code {server.returncode}")


def check_file() -> str:
    """Let the app read a small .mat file, train on what it finds, and look at the proof."""
    (X, y), file = make_block_correlated(120, (8, 10), random_state=0), io.BytesIO()
    savemat(file, {"X": np.moveaxis(X, 0, 2), "y": y})
    contents = Contents({"small.mat": file.getvalue()})
    samples = contents.raw_samples(contents.infer_layouts()[0]).take(np.arange(len(y)))
    begun = time.perf_counter()
    machine = SupportMatrixMachine(C=0.1, tau=0.5).fit(samples.X, samples.y)
    gap = machine.dual_gap_ / machine.objective_
    if not (samples.X == X).all() or gap > 1e-6:
        raise ArithmeticError(f"samples {samples.X.shape}, relative gap {gap:.0e}")
    return f"read; rank {machine.rank_}, proved in {1e3 * (time.perf_counter() - begun):.0f} ms"


if __name__ == "__main__":
    allow_all_letters()
    print(f"```text\nsystem    {platform.platform()}, {processor_name()}")
    print(f"python    {platform.python_version()}, smmcore {__version__}")
    print(f"packages  {', '.join(f'{name} {version(name)}' for name in PACKAGES)}")
    for check in (check_reader, check_server, check_file):
        try:
            said = check()
        except Exception as error:  # a report of what fails is what this is for
            said = f"FAILED: {type(error).__name__}: {error}"
        print(f"{check.__name__.removeprefix('check_'):9} {said}", flush=True)
    print("```")
