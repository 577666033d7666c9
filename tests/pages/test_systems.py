"""What a laptop does with any operating system: serve, read files, print, clean up.

`python -m tests.systems` runs these tests as on Windows and macOS.
"""

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pytest

from pages.shared.data import spool_folder
from pages.shared.parts import downloads
from tests.files.make import image, mat, zipped
from tests.pages.your_data.lesson import button, finish_runs, open_file, samples
from tests.server import serve
from tests.student import Student

ROOT = Path(__file__).parents[2]
X, Y = samples(n=24)
PIXELS = np.clip(40 * X + 128, 0, 255).astype(np.uint8)
FILES = {
    "mine.mat": mat(X=X, y=Y),
    "mine.csv": "".join(
        ",".join([*(f"{entry:.3f}" for entry in x.ravel()), f"class {y}"]) + "\n"
        for x, y in zip(X, Y, strict=True)
    ).encode(),
    "mine.zip": zipped({f"{Y[i]}/{i}.png": image(PIXELS[i]) for i in range(len(Y))}),
}


@pytest.mark.systems
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_trained_on_and_its_results_are_downloaded(contents, monkeypatch, name):
    made = {}
    monkeypatch.setattr(
        downloads, "_button", lambda label, file, mime, make: made.setdefault(file, make())
    )
    page = open_file(contents, FILES[name], name)
    assert not page.error
    assert any("24 samples" in text.value.replace("*", "") for text in page.markdown)
    button(page, "Train").click().run()
    finish_runs(page)
    assert not page.error
    assert {file.rpartition(".")[2] for file in made} == {"py", "ipynb", "npz", "mat", "csv"}
    assert all(made.values())


@pytest.mark.systems
def test_a_server_shows_a_run_and_the_next_one_deletes_what_it_leaves(tmp_path):
    """Also if the window of a console is closed, which kills the server."""
    temporary = {name: str(tmp_path) for name in ("TMPDIR", "TEMP", "TMP")}
    program = (
        "import numpy as np; from pages.shared.data.samples import spool;"
        "kept = spool(np.ones((2, 2, 2)), np.arange(2)); print(kept.path, flush=True); input()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | temporary,
        encoding="utf-8",
        **pipes,
    ) as other:
        left = Path(other.stdout.readline().strip())
        assert left.exists()
        other.kill()
    with serve(tmp_path / "log", **temporary) as server:
        assert not left.exists()
        with Student(server.address, seed="9") as student:
            assert student.watch(float("inf"))
        with urlopen(server.address) as answer:
            assert answer.status == 200
    assert "Traceback" not in (tmp_path / "log").read_text(encoding="utf-8")
    assert not [*tmp_path.glob(f"{spool_folder.PREFIX}*")]


@pytest.mark.systems
def test_the_command_of_reproductions_prints_where_letters_are_missing(tmp_path):
    """Its output goes into a file of 256 letters; τ is none of them, on Windows."""
    reproduce = "-m", "pages.research.reproduce", "sugiyama-selection"
    ran = subprocess.run(
        [sys.executable, *reproduce, "--out", tmp_path / "table.csv"],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode(errors="replace")
    assert b"\\u" in ran.stdout  # in place of such a letter
