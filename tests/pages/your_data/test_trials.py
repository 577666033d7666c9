"""Trials of labelled samples: the run, its frames, and the script that repeats it."""

import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.datasets import load_digits

from pages.shared.data.bundled import Digits, Faces
from pages.shared.data.uploads import spool
from pages.shared.engine.slices import advance
from pages.shared.files import Contents
from pages.your_data.reading.classes import ClassChoice
from pages.your_data.reading.files import reading_script
from pages.your_data.reading.selection import Choice, make_selection
from pages.your_data.results.downloads import trial_script
from pages.your_data.runs import SampleRequest, SplitRequest, TrialRun, fetch_samples, split_samples
from pages.your_data.trial import MethodSpec, Scheme, Trial

ROOT = Path(__file__).parents[3]
EACH = (
    MethodSpec("lsvm", 10.0),
    MethodSpec("bsvm", 10.0, rank=2),
    MethodSpec("rglm", share=0.05),
    MethodSpec("smm", 10.0, share=0.02),
)
DIGITS = load_digits()


def few(*classes, n=60):
    """Some of the digits, as somebody brings them."""
    rows = np.flatnonzero(np.isin(DIGITS.target, classes))[:n]
    return spool(DIGITS.images[rows], DIGITS.target[rows])


TWO, THREE = few(3, 8), few(0, 1, 2)


def through(experiment, budget=60.0):
    """The slices of a run from its beginning to its end."""
    pieces, state, first = [], None, 0
    while not pieces or not pieces[-1].summary:
        pieces.append(advance(experiment, state, budget, first))
        state, first = pieces[-1].state, first + len(pieces[-1].metrics)
    return pieces


def brought(folder, classes, gaps=False, new_labels=None):
    """The upload that a file with five digits becomes, of which some are chosen and renamed."""
    rows = np.flatnonzero(np.isin(DIGITS.target, (*classes, 0, 2)))[:120]
    path = folder / "mine.mat"
    images = DIGITS.images[rows].transpose(1, 2, 0).copy()
    if gaps:
        images[3, 4, ::3] = np.nan
    savemat(path, {"images": images, "labels": DIGITS.target[rows]})
    contents = Contents(path)
    layout = replace(contents.infer_layouts()[0], missing="impute" if gaps else "refuse")

    script = partial(reading_script, ["mine.mat"], layout)
    choice = Choice(ClassChoice(classes, new_labels or classes, False), 60, 60, (), 1.0)
    return make_selection(contents.raw_samples(layout), choice, script, "mine.mat", "mine").data


@pytest.mark.parametrize(
    ("classes", "new_labels"), [((3, 8), None), ((1, 4, 7), None), ((1, 4, 7), ("a", "b", "a"))]
)
@pytest.mark.parametrize("search", [False, True])
def test_the_script_reads_the_users_own_file_and_prints_the_accuracies(
    tmp_path, monkeypatch, capsys, classes, new_labels, search
):
    upload = brought(tmp_path, classes, not search, new_labels)
    machines = EACH if not search else (EACH[0], EACH[3])
    scheme = Scheme("k-fold", number=2) if not search else Scheme()
    experiment = TrialRun(upload, Trial(machines, "z-score", scheme, search, 0.5))
    tested = through(experiment)[-1].certificate
    repeating = experiment.with_fixed_search(tuple(one.paths for one in tested))
    monkeypatch.chdir(tmp_path)
    exec(compile(repeating.script(), "script", "exec"), {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert printed == table(tested)


def test_the_script_is_a_program_of_its_own_with_one_thread(tmp_path):
    experiment = TrialRun(brought(tmp_path, (3, 8)), Trial(EACH[:1], scheme=Scheme(number=2)))
    threads = "print(*{each['num_threads'] for each in threadpool_info()})\n"
    count = f"from threadpoolctl import threadpool_info\n{threads}"
    (tmp_path / "run.py").write_text(experiment.script() + count)
    ran = subprocess.run(
        [sys.executable, "run.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    *printed, counted = [line.split() for line in ran.stdout.splitlines()]
    assert printed == table(through(experiment)[-1].certificate)
    assert counted == ["1"]


def test_the_script_says_how_to_install_the_package():
    begin = TrialRun(TWO, Trial(EACH)).script()[:200]
    command = 'pip install ".[files]"'
    assert command in begin
    assert command in (ROOT / "README.md").read_text()


def table(tested):
    """Return the words that a script prints of what was tested."""
    return [
        [
            *(str(one.split + 1), one.spec.method, str(one.right), str(len(one.decision))),
            f"{one.accuracy:.1%}",
        ]
        for one in tested
    ]


def test_the_script_of_a_locked_trial_prints_its_cross_validation(capsys):
    experiment = TrialRun(Digits((3, 8)), Trial(EACH[:1], scheme=Scheme(locked=True)))
    exec(compile(experiment.script(), "script", "exec"), {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert printed == table(through(experiment)[-1].certificate)
    assert len(printed) == 5


def test_the_script_keeps_absolute_weights_to_the_last_digit(capsys):
    specs = MethodSpec("smm", C=0.1 + 0.2, weight=1 / 3), MethodSpec("rglm", weight=1e-3)
    experiment = TrialRun(Digits((3, 8)), Trial(specs))
    script = experiment.script()
    assert "MethodSpec(method='smm', C=0.30000000000000004, weight=0.3333333333333333)" in script
    exec(compile(script, "script", "exec"), {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert printed == table(through(experiment)[-1].certificate)


@pytest.mark.parametrize("search", [False, True])
def test_the_script_of_a_stopped_trial_ends_where_it_was_stopped(search, capsys):
    experiment = TrialRun(Digits((3, 8)), Trial(EACH[:1], scheme=Scheme(number=5), search=search))
    piece = through(replace(experiment, trial=replace(experiment.trial, paths=(2,) * 5)))[-1]
    frames = SimpleNamespace(certificate=piece.certificate[:3])
    for status, of in (("stopped", 3), ("finished", 5)):
        stopped = SimpleNamespace(status=status, frames=frames if of == 3 else piece)
        exec(compile(trial_script(stopped, experiment), "script", "exec"), {})
        printed = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
        assert printed == [
            [str(one.split + 1), "lsvm", str(one.right)] for one in piece.certificate[:of]
        ]


def test_a_stopped_run_keeps_the_machines_that_were_tested():
    experiment = TrialRun(TWO, Trial(EACH, scheme=Scheme(number=2)))
    counts = [len(piece.certificate) for piece in through(experiment, 0.0)]
    assert counts == sorted(counts)
    assert set(counts) == set(range(9))


def test_frames_show_each_class_and_each_accuracy():
    experiment = TrialRun(THREE, Trial(EACH, scheme=Scheme(number=2)))
    piece = through(experiment)[-1]
    assert len(piece.metrics) == 3 * 4 * 2
    end = piece.metrics[-1]
    for machine in EACH:
        of = [one.accuracy for one in piece.certificate if one.spec == machine]
        assert end[f"held_{machine.method}"] == np.mean(of)
    assert np.isnan(piece.metrics[0]["held_lsvm"])
    each = [4 * method + k for method in range(4) for k in (1, 2, 3)]
    assert piece.metrics["doing"].tolist() == each * 2
    assert piece.metrics["split"].tolist() == [1] * 12 + [2] * 12
    assert piece.summary == "24 classifiers trained and tested."


def test_frames_of_a_search_show_its_best_so_far():
    experiment = TrialRun(TWO, Trial(EACH[:1], search=True))
    piece = through(experiment)[-1]
    best = piece.metrics["cv_lsvm"]
    assert (np.diff(best) >= 0).all()
    assert piece.certificate[0].validated == best[-1]
    assert piece.metrics["cells"].max() == 20
    assert (piece.metrics["of"] == 20).all()
    assert set(piece.metrics["doing"][:-1]) == {0}
    assert len(piece.certificate[0].tried) == 20
    assert piece.summary == (
        "1 classifier trained and tested, after 20 cells of their grids were tried."
    )


def test_divided_samples_come_with_what_would_flatter_a_test():
    rows = np.flatnonzero(np.isin(DIGITS.target, (3, 8)))[:40]
    X, y = DIGITS.images[rows], DIGITS.target[rows]
    groups = np.arange(40) // 10
    upload = spool(np.concatenate([X, X[:1]]), np.r_[y, y[0]], np.r_[groups, 0])
    splits, codes, warnings = split_samples(SplitRequest(upload, Scheme("k-fold", number=5)))
    assert len(splits) == 5
    np.testing.assert_array_equal(codes, np.r_[y, y[0]] == 8)
    assert any("identical to a training sample" in warning for warning in warnings)
    assert any("split by group" in warning for warning in warnings)


def test_fetched_samples_come_samples_as_they_came_and_class_means():
    data = Digits((0, 1))
    X, y, *_ = data.prepare()
    samples, means, signed = fetch_samples(SampleRequest(data, (5, 2)))
    assert not signed
    np.testing.assert_array_equal(samples, X[[5, 2]])
    np.testing.assert_array_equal(means[1], X[y == 1].mean(axis=0))


def test_samples_that_cannot_be_divided_fail_with_a_sentence():
    experiment = TrialRun(Faces(), Trial(EACH, scheme=Scheme(by="group")))
    with pytest.raises(ValueError, match="the data have none"):
        advance(experiment, None, 1.0)


def test_pictures_have_the_shape_of_the_samples():
    run = TrialRun(Faces(), Trial(EACH[:1]))
    assert advance(run, None, 60.0).images["W"].shape[1:] == (25, 25)
