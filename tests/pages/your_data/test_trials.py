"""Trials of labelled samples: the run, its frames, and the script that repeats it."""

import io
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from pages.shared.data.bundled import Digits
from pages.shared.data.uploads import spool
from pages.shared.engine.slices import advance
from pages.shared.player.panels import NAMES
from pages.your_data.results.downloads import trial_program, trial_samples
from pages.your_data.runs import SampleRequest, SplitRequest, TrialRun, fetch_samples, split_samples
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import MethodSpec, Trial

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


def program(folder, experiment, tested):
    """Write the program of a trial to a folder, beside the samples and nothing else."""
    splits = split_samples(SplitRequest(experiment.data, experiment.trial.scheme)).splits
    np.savez(folder / experiment.data.file, **trial_samples(experiment, splits, tested))
    (folder / "run.py").write_text(trial_program(experiment, tested))
    return folder / "run.py"


def repeated(path):
    """Return the words that a program prints."""
    names = {"__name__": "__main__"}
    with chdir(path.parent), redirect_stdout(io.StringIO()) as printed:
        exec(compile(path.read_text(), path, "exec"), names)
    names["samples"].close()  # as the end of a process does
    return printed.getvalue().splitlines()


def repeated_alone(path):
    """Return the words of a program that finds smmcore, which is installed, but not the app."""
    command = [sys.executable, "-I", "-W", "error", "run.py"]
    ran = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def table(tested):
    """Return the lines that a program prints of what was tested."""
    return [
        f"{one.split + 1} {NAMES[one.spec.method]} {one.is_right.sum()} {len(one.decision)} "
        f"{one.accuracy:.1%}"
        for one in tested
    ]


@pytest.mark.parametrize(
    ("classes", "new_labels", "search"),
    [((3, 8), None, True), ((1, 4, 7), ("a", "b", "a"), False), ((1, 4, 7), None, False)],
)
def test_the_program_trains_the_users_samples_again(tmp_path, classes, new_labels, search):
    X, y, *_ = few(*classes).prepare()
    if not search:
        X[::3, 3, 4] = np.nan
    upload = spool(X, np.array(new_labels or classes)[y])
    machines = EACH if not search else (EACH[0], EACH[3])
    scheme = Scheme("k-fold", number=2) if not search else Scheme()
    experiment = TrialRun(upload, Trial(machines, "z-score", scheme, search))
    tested = through(experiment)[-1].certificate
    assert repeated(program(tmp_path, experiment, tested)) == table(tested)


@pytest.mark.parametrize(
    "trial",
    [
        Trial(EACH[:1], scheme=Scheme(locked=True)),
        Trial(EACH, class_weight="balanced"),
        Trial(
            (EACH[0], EACH[3]),
            "unit length",
            preprocessing=Preprocessing((1, 8), None, (1, 2), "columns", (0.0, 30.0), 100.0, True),
        ),
    ],
    ids=["locked", "balanced", "steps"],
)
def test_the_program_knows_the_settings_of_a_trial(tmp_path, trial):
    experiment = TrialRun(Digits((3, 8)), trial)
    tested = through(experiment)[-1].certificate
    assert repeated(program(tmp_path, experiment, tested)) == table(tested)


def test_the_program_of_a_stopped_trial_ends_where_it_was_stopped(tmp_path):
    experiment = TrialRun(Digits((3, 8)), Trial(EACH[:2], scheme=Scheme(number=3)))
    tested = through(experiment)[-1].certificate[:3]
    assert repeated_alone(program(tmp_path, experiment, tested)) == table(tested)


def test_a_stopped_run_keeps_the_machines_that_were_tested():
    experiment = TrialRun(TWO, Trial(EACH, scheme=Scheme(number=2)))
    counts = [len(piece.certificate) for piece in through(experiment, 0.0)]
    assert counts == sorted(counts)
    assert set(counts) == {*range(1, 9)}


def test_frames_show_each_classifier_and_each_accuracy():
    experiment = TrialRun(THREE, Trial(EACH, scheme=Scheme(number=2)))
    piece = through(experiment)[-1]
    assert len(piece.metrics) == 4 * 2
    end = piece.metrics[-1]
    for machine in EACH:
        of = [one.accuracy for one in piece.certificate if one.spec == machine]
        assert end[f"held_{machine.method}"] == np.mean(of)
    assert np.isnan(piece.metrics[0]["held_smm"])
    assert piece.metrics["doing"].tolist() == [1, 3, 5, 7] * 2
    assert piece.metrics["split"].tolist() == [1] * 4 + [2] * 4
    assert piece.summary == "8 classifiers trained and tested."
    assert piece.images["W"].shape[1:] == (8, 8)


def test_frames_of_a_search_count_its_steps():
    experiment = TrialRun(TWO, Trial(EACH[:1], search=True))
    piece = through(experiment)[-1]
    assert piece.metrics["searched"].tolist() == [*range(1, 31), 0]
    assert (piece.metrics["of"] == 30).all()
    assert piece.metrics["doing"].tolist() == [0] * 30 + [1]
    assert piece.summary == "1 classifier trained and tested, each after a search for its settings."


def test_fetched_samples_come_as_they_came():
    X, y, *_ = Digits((0, 1)).prepare()
    X[::7, 2, 3], X[:, 0, 0], X[4] = np.nan, np.nan, np.nan
    samples, signed = fetch_samples(SampleRequest(spool(X, y), (4, 2)))
    assert not signed
    np.testing.assert_array_equal(samples, X[[4, 2]])
    steps = Preprocessing(blocks=(2, 4))  # after which means take the place of gaps
    samples, _ = fetch_samples(SampleRequest(spool(X, y), (4, 2), steps))
    filled = np.where(np.isnan(X), np.ma.masked_invalid(X).mean(axis=0).filled(0.0), X)
    means = filled[[4, 2]].reshape(2, 4, 2, 2, 4).mean(axis=(2, 4))
    np.testing.assert_allclose(samples, means)
