"""Trials: nothing of a test set is used before the test, every number is an estimator's, and the
script repeats it.
"""

import io
import pickle
import re
import subprocess
import sys
from contextlib import chdir, redirect_stdout

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.utils.class_weight import compute_sample_weight

import smmcore
from pages.shared.data.bundled import Digits
from pages.shared.data.samples import spool
from pages.shared.engine.worker import advance
from pages.your_data.results.report import trial_program, trial_samples
from pages.your_data.runs import (
    SampleRequest,
    SplitRequest,
    TrialExperiment,
    fetch_samples,
    split_samples,
)
from pages.your_data.trial import trial as trial_module
from pages.your_data.trial.logistic import FlatLogisticRegression
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import (
    METHODS,
    SCALINGS_TRIED,
    Grid,
    MethodSpec,
    PreparedTrial,
    TrainingSet,
    Trial,
    trial_states,
)
from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.decision import predicted_class
from smmcore.estimators.scaling import SCALINGS, Scaling
from smmcore.problems import SMMProblem
from smmcore.rivals.glm import GLMProblem
from tests.pages.your_data.lesson import GIVEN, digits, samples

EXACT = 1e-6  # a gap at which a path and single fits put each sample on the same side
SCHEMES = [
    Scheme(),
    Scheme("hold-out", "class", 3, 0.4, 7),
    Scheme("hold-out", "group", 2),
    Scheme("k-fold", "class", 4),
    Scheme("k-fold", "group", 3, repetitions=2),
    Scheme("own"),
]


GROUPS, OWN = np.repeat(np.arange(6), 10), np.arange(60) >= 48  # of mixed classes
HALVES = np.arange(60) % 2


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("K", [1, 3])
def test_parts_are_disjoint_folds_are_everything_and_no_group_straddles(scheme, K):
    y, groups = np.arange(60) % K, GROUPS
    splits = scheme.splits(y, groups, OWN)
    assert len(splits) == (1 if scheme.kind == "own" else scheme.number * scheme.repetitions)
    for train, test in splits:
        assert len(np.intersect1d(train, test)) == 0
        assert set(y[train]) == {*range(K)}
        if scheme.kind != "own":
            assert len(train) + len(test) == len(y)
        if scheme.by == "group":
            assert len(np.intersect1d(groups[train], groups[test])) == 0
    folds = [tuple(test) for _, test in splits]
    if scheme.kind == "k-fold":
        for first in range(0, len(folds), scheme.number):
            everything = np.sort(np.concatenate(folds[first : first + scheme.number]))
            np.testing.assert_array_equal(everything, np.arange(len(y)))
    if K > 1:
        assert len({*folds}) == len(folds)  # repeated ones are others
    for one, two in zip(splits, scheme.splits(y, groups, OWN), strict=True):
        np.testing.assert_array_equal(np.concatenate(one), np.concatenate(two))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_folds_that_choose_weights_lie_inside_the_training_part_and_keep_groups_whole(scheme):
    (X, y), groups = samples(), GROUPS
    material = PreparedTrial(Trial(GIVEN, scheme=scheme, search=True), X, y, groups, OWN)
    for number, (train, test) in enumerate(material.splits):
        held = []
        for inner in material.inner[number]:
            rows, kept = (train[part] for part in inner)
            assert np.isin(rows, train).all()
            assert np.isin(kept, train).all()
            assert len(np.intersect1d(rows, kept)) == 0
            assert len(np.intersect1d(np.r_[rows, kept], test)) == 0
            if scheme.by == "group" or scheme.kind == "own":
                assert len(np.intersect1d(groups[rows], groups[kept])) == 0
            held.append(kept)
        by_class = [y[kept].sum() for kept in held]
        assert np.ptp(by_class) <= 1 or scheme.by == "group" or scheme.kind == "own"
        np.testing.assert_array_equal(np.sort(np.concatenate(held)), np.sort(train))


@pytest.mark.parametrize(
    ("scaling", "steps"),
    [
        ("unit length", Preprocessing()),
        ("z-score", Preprocessing((0, 2), (1, 4), (1, 2), "columns", (0.0, 0.3), each=True)),
        ("chosen", Preprocessing()),
    ],
)
def test_test_samples_change_nothing_that_was_learned_or_chosen(scaling, steps):
    X, y = samples(n=30, shape=(3, 4))
    X[::7, 1, 2] = np.nan
    machines = (MethodSpec("lsvm", 10.0), MethodSpec("smm", 10.0, share=0.05))
    trial = Trial(
        machines, scaling, Scheme(), search=True, grid=Grid(*2 * [(10.0,)]), preprocessing=steps
    )
    _, test = trial.scheme.splits(y)[0]
    other = X.copy()
    other[test] = 1e3 * np.random.default_rng(1).normal(size=other[test].shape)
    for one, two in zip(trial.run(X, y), trial.run(other, y), strict=True):
        assert one.spec == two.spec
        assert one.validated == two.validated
        np.testing.assert_array_equal(one.W, two.W)
        np.testing.assert_array_equal(one.b, two.b)
        np.testing.assert_array_equal(one.scaling.fill, two.scaling.fill)
        assert not np.array_equal(one.decision, two.decision)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_gaps_are_filled_from_the_part_that_is_trained_on(scaling):
    X, y = samples(n=40, shape=(4, 3))
    X[3::7, 1, 2], X[5], X[:, 0, 0] = np.nan, np.inf, np.nan
    trial = Trial((MethodSpec("lsvm", 10.0),), scaling, Scheme("k-fold", number=4))
    found = trial.run(X, y)
    for one, (train, test) in zip(found, trial.scheme.splits(y), strict=True):
        means = np.ma.masked_invalid(X[train]).mean(axis=0).filled(0.0)
        np.testing.assert_allclose(one.scaling.fill, means)
        filled = np.where(np.isfinite(X), X, means)
        plain = Scaling.fit(scaling, filled[train])
        machine = TrainingSet(plain(filled[train]), y[train]).estimator(one.spec)
        machine.fit(plain(filled[train]), y[train])
        expected = machine.decision_function(plain(filled[test]))
        np.testing.assert_allclose(one.decision[:, 0], expected, atol=1e-6)
    assert [one.scaling.fill[0, 0] for one in found] == [0] * 4


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("K", [2, 3])
def test_a_trial_is_the_estimators_called_directly(K, class_weight):
    X, y = samples(K)
    some = np.flatnonzero((y == 0) | (np.arange(len(y)) % 5 < 2))  # class 0 is the largest
    X, y = X[some], y[some]
    train, test = Scheme().splits(y)[0]
    weights = compute_sample_weight(class_weight, y[train])
    sides = [np.where(y[train] == k, 1.0, -1.0) for k in range(K)]
    hinge = [SMMProblem(X[train], side, 1.0, 0.0, sample_weight=weights) for side in sides]
    glm = [GLMProblem(X[train], side, 1.0, sample_weight=weights) for side in sides]
    C = 10 / hinge[0].spread ** 2
    lam = 0.05 * max(problem.lam_max() for problem in glm)
    tau = 0.05 * C * max(problem.tau_bound() for problem in hinge)
    balance = {"class_weight": class_weight}
    estimators = {
        "lsvm": LinearSVM(C, **balance),
        "bsvm": BilinearSVM(2, C, fit_intercept=True, n_init=1, tol=1e-3, max_iter=100, **balance),
        "rglm": RegularizedGLM(lam, tol=1e-4, max_iter=2000, **balance),
        "smm": SupportMatrixMachine(C, tau, **balance),
        "logistic": FlatLogisticRegression(C, class_weight),
    }
    for tested in Trial(GIVEN, class_weight=class_weight).run(X, y):
        estimator = estimators[tested.spec.method].fit(X[train], y[train])
        np.testing.assert_allclose(np.squeeze(tested.W), np.squeeze(estimator.coef_), atol=1e-6)
        expected = estimator.decision_function(X[test])
        np.testing.assert_allclose(np.squeeze(tested.decision), expected, atol=1e-5)
        assert tested.accuracy == estimator.score(X[test], y[test])
        assert tested.rank.tolist() == np.atleast_1d(estimator.rank_).tolist()
        assert tested.certified.all()
        if tested.spec.method != "rglm":
            assert pytest.approx(C) == tested.C


@pytest.mark.parametrize("machine", GIVEN[1:])
def test_multiplying_the_samples_changes_no_answer(machine):
    X, y = samples()
    one, *others = (Trial((machine,)).run(scale * X, y)[0] for scale in (1.0, 1e5, 1e-6))
    for two in others:  # brightness of pixels, and volts
        np.testing.assert_allclose(one.decision, two.decision, rtol=1e-2, atol=1e-3)
        assert one.rank == two.rank


def test_a_search_that_is_cut_anywhere_goes_on_to_the_same_end():
    X, y = samples(n=30, shape=(3, 2))
    trial = Trial(GIVEN[1:], search=True, grid=Grid(*2 * [(10.0,)]))
    straight = trial.run(X, y)
    state = None
    while state is None or len(state.results) < len(straight):
        state = next(trial_states(PreparedTrial(trial, X, y), state))  # then all is lost
        state = pickle.loads(pickle.dumps(state))
    for one, two in zip(straight, state.results, strict=True):
        for name in one._fields:
            if name not in ("seconds", "scaling"):
                np.testing.assert_array_equal(getattr(one, name), getattr(two, name), name)


@pytest.mark.filterwarnings("ignore:.* found W = 0")
@pytest.mark.parametrize(("method", "K"), [*((each, 2) for each in METHODS), ("lsvm", 3)])
def test_a_search_tries_every_scaling_and_weight_and_takes_the_best_of_equals_the_first(
    method, K, monkeypatch
):
    monkeypatch.setattr(trial_module, "SEARCH_TOL", EXACT)
    X, y = samples(K, n=40, shape=(3, 3))
    X *= np.arange(1, 4)
    grid = Grid((0.1, 10.0), (0.1, 10.0), (0.5, 0.1), (0.2, 0.05), (1, 2))
    trial = Trial((MethodSpec(method),), "chosen", search=True, grid=grid)
    train, test = trial.scheme.splits(y)[0]
    best = 0.0, None, 0.0
    for kind in SCALINGS_TRIED:
        for spec in grid.specs(method, 3, 3):
            shares = grid.tau_shares if method == "smm" else [spec.share]
            for each in [spec._replace(share=share) for share in shares]:
                found = [
                    held_out_quality(X, y, kind, each, train, fold)
                    for fold in trial.scheme.folds(y[train])
                ]
                accuracy, auc = np.mean(found, axis=0)
                if accuracy + auc > best[0] + 1e-9:
                    best = accuracy + auc, each._replace(scaling=kind), accuracy
    (one,) = trial.run(X, y)
    assert (one.spec, one.scaling.kind) == (best[1], best[1].scaling)
    assert one.validated == pytest.approx(best[2])
    expected = Scaling.fit(one.scaling.kind, X[train])  # on all of the training set
    np.testing.assert_array_equal(one.scaling(X[test]), expected(X[test]))


def held_out_quality(X, y, kind, spec, train, fold):
    """Accuracy and AUC, by scikit-learn, on what a fold holds out."""
    rows, held_out = (train[part] for part in fold)
    scaling = Scaling.fit(kind, X[rows])
    part = TrainingSet(scaling(X[rows]), y[rows])
    machine = part.estimator(spec).set_params(tol=EXACT).fit(part.X, part.y)
    decision = machine.decision_function(scaling(X[held_out]))
    truth = y[held_out] if decision.ndim == 1 else np.eye(decision.shape[1])[y[held_out]]
    accuracy = np.mean(predicted_class(decision) == y[held_out])
    return accuracy, roc_auc_score(truth, decision, average="macro")


def test_logistic_regression_is_scikit_learns_and_its_gap_is_certain():
    X, y = samples(3, n=50)
    ours = FlatLogisticRegression(C=0.3, class_weight="balanced", tol=1e-6).fit(X, y)
    weights = compute_sample_weight("balanced", y)
    for k in range(3):
        theirs = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000)
        theirs.fit(X.reshape(50, -1), y == k, weights)
        np.testing.assert_allclose(ours.coef_[k].ravel(), theirs.coef_[0], atol=1e-5)
        assert ours.intercept_[k] == pytest.approx(theirs.intercept_[0], abs=1e-5)
    assert (ours.dual_gap_ > -1e-12).all()
    assert (ours.dual_gap_ < 1e-6 * ours.objective_).all()
    wide = FlatLogisticRegression(C=0.3).fit(X[:9], y[:9] > 0)  # fewer samples than entries
    theirs = LogisticRegression(C=0.3, tol=1e-10).fit(X[:9].reshape(9, -1), y[:9] > 0)
    np.testing.assert_allclose(wide.coef_.ravel(), theirs.coef_[0], atol=1e-5)


@pytest.mark.parametrize(
    ("scheme", "y", "sentence"),
    [
        (Scheme("k-fold", number=50), HALVES, "50 folds take a class .* the largest has 30: take"),
        (Scheme(share=0.001), HALVES, "the 60 samples of 2 classes are too few"),
        (
            *(Scheme("k-fold", "group", 3), np.repeat([0, 1, 2], 20)),
            "training set of split 1 has no sample of 1 of the 3 classes: to be split by group .* "
            "two groups at least",
        ),
    ],
)
def test_samples_that_cannot_be_divided_get_a_sentence(scheme, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        scheme.splits(y, groups=y)


@pytest.mark.parametrize("spec", GIVEN, ids=lambda spec: spec.method)
@pytest.mark.parametrize("value", [0.0, 3.0])
def test_equal_samples_leave_nothing_to_learn(spec, value):
    with pytest.raises(ValueError, match="all samples of a training set are equal"):
        Trial((spec,)).run(np.full((20, 3, 2), value), np.arange(20) % 2)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.3, 0.4, 0.5])
def test_subjects_of_one_class_each_are_held_out_from_every_class(share):
    groups = np.repeat(np.arange(24), 5)  # subjects, of whom a third are patients
    y = (groups % 3 == 0).astype(int)
    splits = Scheme("hold-out", "group", 20, share).splits(y, groups)
    assert len({tuple(test) for _, test in splits}) > 15
    for train, test in splits:
        assert len(np.intersect1d(groups[train], groups[test])) == 0
        for k in (0, 1):
            subjects = len(np.unique(groups[test][y[test] == k]))
            assert abs(subjects - share * (16, 8)[k]) <= 0.5
            assert k in y[train]


def test_a_class_of_one_group_stays_in_the_training_part():
    y, groups = np.repeat([0, 0, 0, 1], 10), np.repeat([0, 1, 2, 3], 10)
    for train, test in Scheme("hold-out", "group", 5).splits(y, groups):
        assert set(y[train]) == {0, 1}
        assert set(y[test]) == {0}


# ---- the run, its frames, and the script that repeats it -------------------------------------

TWO, THREE = spool(*digits(3, 8)), spool(*digits(0, 1, 2))


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
    source = trial_program(experiment, tested)
    (imported,) = re.findall(r"from smmcore import (.*)", source)
    assert {*imported.split(", ")} <= {*smmcore.__all__}
    assert "smmcore." not in source
    (folder / "run.py").write_text(source, encoding="utf-8")
    return folder / "run.py"


def repeated(path):
    names = {"__name__": "__main__"}
    with chdir(path.parent), redirect_stdout(io.StringIO()) as printed:
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    names["samples"].close()  # as the end of a process does
    return printed.getvalue().splitlines()


def table(tested):
    """Return the lines that a program prints of what was tested, without its header."""
    lines = []
    for method in dict.fromkeys(one.spec.method for one in tested):
        right = np.concatenate([one.is_right for one in tested if one.spec.method == method])
        lines.append([METHODS[method].estimator, str(right.sum()), str(len(right))])
        lines[-1].append(f"{right.mean():.1%}")
    return lines


STEPS = Preprocessing((1, 8), None, (1, 2), "columns", (0.0, 30.0), 100.0, True)
GAPPED, OF_THREE = digits(1, 4, 7, gaps=True)
SMALL = Grid((1.0, 10.0), (1.0, 10.0))


@pytest.mark.parametrize(
    ("data", "trial"),
    [
        (TWO, Trial((GIVEN[0], GIVEN[3], GIVEN[4]), "chosen", search=True, grid=SMALL)),
        (
            spool(GAPPED, np.where(OF_THREE == 4, "b", "a")),
            Trial(GIVEN, "z-score", Scheme("k-fold", number=2)),
        ),
        (Digits((3, 8)), Trial(GIVEN, class_weight="balanced")),
        (Digits((3, 8)), Trial((GIVEN[0], GIVEN[3]), "unit length", preprocessing=STEPS)),
    ],
    ids=["search", "text and gaps", "balanced", "steps"],
)
def test_the_program_trains_again_what_the_page_has_trained(tmp_path, data, trial):
    experiment = TrialExperiment(data, trial)
    tested = through(experiment)[-1].certificate
    _, *lines = repeated(program(tmp_path, experiment, tested))
    assert [line.split() for line in lines] == table(tested)


def test_the_program_of_a_stopped_trial_ends_where_it_was_stopped_and_needs_no_app(tmp_path):
    experiment = TrialExperiment(Digits((3, 8)), Trial(GIVEN[:2], scheme=Scheme(number=3)))
    tested = through(experiment)[-1].certificate[:3]
    path = program(tmp_path, experiment, tested)
    command = [sys.executable, "-I", "-W", "error", path.name]  # finds smmcore, which is installed
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    assert [line.split() for line in ran.stdout.splitlines()[1:]] == table(tested)


def test_frames_show_each_classifier_and_each_accuracy():
    experiment = TrialExperiment(THREE, Trial(GIVEN, scheme=Scheme(number=2)))
    piece = through(experiment)[-1]
    assert len(piece.metrics) == 5 * 2
    end = piece.metrics[-1]
    for machine in GIVEN:
        of = [one.accuracy for one in piece.certificate if one.spec == machine]
        assert end[f"held_{machine.method}"] == np.mean(of)
    assert np.isnan(piece.metrics[0]["held_smm"])
    assert piece.metrics["split"].tolist() == [1] * 5 + [2] * 5
    assert piece.summary == "10 classifiers trained and tested."


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
