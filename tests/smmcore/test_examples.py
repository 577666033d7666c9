"""The examples in assets/examples run without a warning, and what they claim is true."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.datasets import load_digits

FOLDER = Path(__file__).parents[2] / "assets" / "examples"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run an example in an empty folder; return its variables and what it prints."""

    def run(name, *arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", [name, *arguments])
        variables = runpy.run_path(str(FOLDER / name), run_name="__main__")
        return variables, capsys.readouterr().out

    return run


def test_fit_and_certificate(run):
    found, text = run("fit_and_certificate.py")
    machine = found["machine"]
    assert found["primal"] == pytest.approx(machine.objective_, rel=1e-12)
    assert found["primal"] - found["dual"] == pytest.approx(machine.dual_gap_, abs=1e-12)
    assert machine.dual_gap_ <= 1e-6 * machine.objective_
    assert f"rank {machine.rank_}; " in text


def test_path(run):
    found, text = run("path.py")
    path = found["path"]
    assert path.ranks[0] == 0
    assert path.ranks[-1] >= 4
    assert (np.diff(path.ranks) >= 0).all()
    assert text.count("\n") == 1 + len(path.taus)


def test_cross_validation(run):
    found, _ = run("cross_validation.py")
    machine = found["machine"]
    assert machine.C_ in machine.Cs_
    assert machine.score(found["X_test"], found["y_test"]) > 0.9


def test_weights(run):
    found, text = run("weights.py")
    assert found["apart"] <= found["one"].radius_ + found["two"].radius_
    few = [float(line.split(" of the few")[0].split()[-1]) for line in text.splitlines()[:3]]
    assert few[0] < few[2] < few[1]  # the more, the more the few weigh


def test_pipeline(run):
    _, text = run("pipeline.py")
    matrices, rows, vectors = (float(line.split()[-1]) for line in text.splitlines())
    assert rows == matrices > vectors + 0.1


def test_watching_the_iterations(run):
    found, text = run("watching_the_iterations.py")
    assert found["warm"].k < found["cold"].k
    assert found["seen"] == [*range(1, found["machine"].n_iter_ + 1)]
    assert text.startswith("iteration 1: ")


def test_rivals(run):
    found, text = run("rivals.py")
    assert text.count("\n") == 1 + len(found["machines"])
    accuracies = [float(line.split()[-2]) for line in text.splitlines()[1:]]
    svm, smm, glm, told, mistold = accuracies
    assert min(smm, glm, told) > max(svm, mistold) + 0.1  # low rank pays, whatever the loss
    assert told > max(smm, glm)


def test_your_own_file(run, tmp_path):
    found, text = run("your_own_file.py")
    assert found["accuracy"] > 0.95
    assert "No FILE is given" in text
    assert not [*tmp_path.iterdir()]  # it leaves no file behind


def test_your_own_file_reads_the_file_that_it_is_given(run, tmp_path):
    digits = load_digits(n_class=2)
    images = np.moveaxis(digits.images, 0, 1)
    savemat(tmp_path / "mine.mat", {"images": images, "kinds": digits.target})
    found, text = run("your_own_file.py", "mine.mat", "images", "kinds", "2")
    assert found["accuracy"] > 0.95
    assert "No FILE" not in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mine.mat"], "your_own_file.py FILE SAMPLES LABELS AXIS"),
        (["mine.mat", "images", "kinds", "0"], "your_own_file.py FILE SAMPLES LABELS AXIS"),
        (["mine.mat", "images", "labels", "1"], r"no variable 'labels', but \['images', 'kinds'\]"),
    ],
)
def test_your_own_file_says_what_it_takes(run, tmp_path, arguments, sentence):
    savemat(tmp_path / "mine.mat", {"images": np.ones((4, 3, 2)), "kinds": [1, 2, 1, 2]})
    with pytest.raises(SystemExit, match=sentence):
        run("your_own_file.py", *arguments)


def test_each_example_has_a_test():
    tested = {name.removeprefix("test_") + ".py" for name in globals() if name.startswith("test_")}
    assert {path.name for path in FOLDER.glob("*.py")} <= tested
    assert not any(
        "pages" in path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")
    )  # the package alone


def test_the_recipes_run(monkeypatch):
    root = FOLDER.parents[1]
    monkeypatch.chdir(root)
    text = (root / "docs" / "recipes.md").read_text(encoding="utf-8")
    variables = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, variables)
    assert variables["scores"].mean() > 0.75  # half of the trials are of either class
