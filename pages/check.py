"""Try the app on this machine, and print a block of text for an issue: python -m pages.check."""

import io
import platform
import socket
import subprocess
import sys
import time
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
    begun, quiet = time.monotonic(), subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-m", *options], cwd=ROOT, stdout=quiet) as server:
        try:
            while not _is_open(port):
                if server.poll() is not None or time.monotonic() > begun + LONGEST:
                    raise TimeoutError(f"it did not answer; exit code {server.returncode}")
                time.sleep(0.2)
            seconds = time.monotonic() - begun
            links = (f"http://127.0.0.1:{port}/{page}" for page in PAGES)
            sizes = [len(urlopen(link, timeout=LONGEST).read()) for link in links]
        finally:
            server.terminate()
    return f"answers after {seconds:.1f} s; {', '.join(PAGES)} have {sizes} bytes"


def _is_open(port: int) -> bool:
    with socket.socket() as visitor:
        return visitor.connect_ex(("127.0.0.1", port)) == 0


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
