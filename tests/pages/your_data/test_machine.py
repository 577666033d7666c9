"""A classifier by itself: its file, what that tells MATLAB, its training."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import loadmat
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV

from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Calibration, Machine
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import MethodSpec, TrainingSet, Trial, most_frequent, on_everything
from pages.your_data.use.train import describe_setting
from smmcore.decision import predicted_class
from smmcore.estimators.scaling import SCALINGS, Scaling
from tests.pages.your_data.lesson import (
    GIVEN,
    labels_of,
    machine_file,
    probabilities,
    samples,
    train_on_all,
)

P, Q = 4, 3
LSVM = GIVEN[0]
LABELS = {
    "numbers": np.array([5, 7, 6, 9]),
    "doubles": np.array([-0.5, 1.0, 2.0, 3.0]),
    "text": np.array(["é", "b b", "=c", ""]),
    "ascii": np.array(["a", "b b", "=c", "it's"]),
}


def machine(K=2, kind="none", steps="", labels="numbers", calibrated=False):
    """A machine of random numbers; `steps` are letters: gaps, left, right, each."""
    rng = np.random.default_rng(0)
    count, p, q = 1 if K == 2 else K, P - ("l" in steps), Q - ("r" in steps)
    scaling = Scaling(
        unit_length=kind == "unit length",
        fill=rng.normal(size=(P, Q)) if "g" in steps else None,
        left=rng.normal(size=(p, P)) if "l" in steps else None,
        right=rng.normal(size=(Q, q)) if "r" in steps else None,
        each="e" in steps,
    )
    if kind == "z-score":
        scaling = scaling._replace(mean=rng.normal(size=(p, q)), deviation=rng.random((p, q)) + 0.5)
    if kind == "whitened":
        sides = rng.normal(size=(p, p)), rng.normal(size=(q, q))
        scaling = scaling._replace(
            mean=rng.normal(size=(p, q)), white_left=sides[0], white_right=sides[1]
        )
    return Machine(
        "smm",
        rng.normal(size=(count, p, q)),
        0.1 * rng.normal(size=count),
        scaling,
        np.array(LABELS[labels][:K].tolist()),  # texts no longer than needed, as in a file
        calibration=Calibration(-rng.random(count), rng.normal(size=count)) if calibrated else None,
    )


def test_a_decision_that_overflows_gets_a_sentence():
    tiny = machine(kind="z-score")
    tiny = replace(tiny, scaling=tiny.scaling._replace(deviation=np.full((P, Q), 1e-300)))
    with pytest.raises(ValueError, match="too large"):
        tiny.decision(np.full((1, P, Q), 1e40))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("steps", ["", "g", "l", "r", "e", "glre"])
@pytest.mark.parametrize("kind", SCALINGS)
@pytest.mark.parametrize(("K", "calibrated"), [(2, False), (2, True), (4, False), (4, True)])
def test_the_file_tells_numpy_and_matlab_how_to_use_it(K, kind, steps, calibrated):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(8, P, Q))
    X[-1] = 0.0 if "e" not in steps else 3.0  # no length, or no deviation
    if "g" in steps:
        X[rng.random(X.shape) < 0.2] = np.nan
    labels = "text" if calibrated else "numbers"
    ours = machine(K, kind, steps, labels, calibrated)
    with np.load(io.BytesIO(machine_file(ours, ".npz"))) as arrays:
        numpy_file = {name: arrays[name] for name in arrays}
    matlab_file = loadmat(io.BytesIO(machine_file(ours, ".mat")))
    for i, sample in enumerate(X):
        for here in (in_numpy(sample, numpy_file), in_matlab(sample, matlab_file)):
            np.testing.assert_allclose(here["f"].ravel(), ours.decision(X)[i], atol=1e-9)
            assert here["label"] == labels_of(ours, X)[i]
            if calibrated:
                found = here["probability"].ravel()
                np.testing.assert_allclose(found, probabilities(ours, X)[i], atol=1e-9)


def in_numpy(X, file):
    names = {"X": X, **{name: array for name, array in file.items() if name != "use"}}
    exec(file["use_numpy"].item(), {"np": np}, names)
    return names


# From a statement of MATLAB to one of NumPy's matrices, whose product is the `*` of MATLAB.
MATLAB = {
    r"x\(~isfinite\(x\)\) = fill\(~isfinite\(x\)\)": "x = np.where(np.isfinite(x), x, fill)",
    r"reshape\(W, numel\(x\), \[\]\)'": "np.asmatrix(W.reshape(x.size, -1, order='F')).T",
    r"reshape\((.*), \[\], 1\)": r"(\1)",
    r"x\(:\)": "x.reshape(-1, 1, order='F')",
    r"\[~, k\] = max\(f\)": "k = f.argmax() + 1",
    r"classes[{(](.*)[})]$": r"classes[int(np.max(\1)) - 1]",
    r"\[1 - probability, probability\]'": "np.vstack([1 - probability, probability])",
    r"slope \.\* f": "np.multiply(slope, f)",
    r"\./": "/",
}


def in_matlab(X, file):
    """Do what the text says, statement by statement, columns first as MATLAB has them."""
    here = {name: array for name, array in file.items() if not name.startswith("_")}
    for name, array in here.items():
        if array.dtype.kind in "biuf" and array.ndim == 2:
            here[name] = np.asmatrix(array)
    classes = file["classes"].ravel()
    is_text = classes.dtype == object
    here |= {"np": np, "X": X, "classes": [str(*each) for each in classes] if is_text else classes}
    here |= {"double": lambda X: np.asmatrix(X.astype(float)), "max": np.max, "mean": np.mean}
    here |= {"std": lambda x, _: np.std(x), "norm": np.linalg.norm, "exp": np.exp, "sum": np.sum}
    here["realmin"] = np.finfo(float).tiny
    statements = file["use"].item().partition("data file: ")[2].partition(". Several")[0]
    assert ("classes{" in statements) == is_text
    for statement in statements.split("; "):
        for matlab, python in MATLAB.items():
            statement = re.sub(matlab, python, statement)
        exec(statement, here)
    return {name: np.asarray(here[name]) if name != "label" else here[name] for name in here}


def test_the_file_says_how_a_sample_is_made_of_a_vector_in_matlab():
    for order, fold in (
        ("columns", f"X = reshape(v, {P}, {Q})."),
        ("rows", f"X = reshape(v, {Q}, {P})'."),
    ):
        use = replace(machine(2), form=SampleForm(order=order)).to_arrays()["use"]
        assert f"A sample v that the data file has as a vector is {fold}" in use
    assert "reshape(v" not in machine(2).to_arrays()["use"]


def test_the_file_says_that_octave_cannot_read_some_labels():
    for labels, is_said in (("text", True), ("ascii", False), ("numbers", False)):
        use = machine(4, labels=labels).to_arrays()["use"]
        assert ("Octave cannot read" in use) == is_said
        assert use.isascii()


class RowClassifier(ClassifierMixin, BaseEstimator):
    """A method as scikit-learn sees it: its samples are numbers of rows."""

    def __init__(self, X, spec):
        self.X, self.spec = X, spec

    def fit(self, rows, y):
        X = self.X[np.ravel(rows)]
        self.scaling_ = Scaling.fit("z-score", X, gaps=True)
        Z = self.scaling_(X)
        self.machine_ = TrainingSet(Z, y).estimator(self.spec).fit(Z, y)
        self.classes_ = self.machine_.classes_
        return self

    def decision_function(self, rows):
        return self.machine_.decision_function(self.scaling_(self.X[np.ravel(rows)]))

    def predict(self, rows):
        return self.classes_[predicted_class(self.decision_function(rows))]


@pytest.mark.parametrize(("K", "spec"), [*((2, spec) for spec in GIVEN), (3, LSVM)])
def test_probabilities_are_those_of_scikit_learn_on_the_same_folds(K, spec):
    X, y = samples(K, 12 * K, (P, Q))
    X[np.random.default_rng(1).random(X.shape) < 0.05] = np.nan
    groups = np.arange(len(y)) // 4
    trial = Trial((spec,), "z-score", Scheme(by="group"))
    names = np.array(["x", "y", "z"])[:K]
    machine = train_on_all(trial, X, names[y], groups=groups)

    folds = trial.scheme.folds(y, groups)
    assert not any(np.isin(groups[train], groups[held_out]).any() for train, held_out in folds)
    theirs = CalibratedClassifierCV(RowClassifier(X, spec), cv=folds, ensemble=False).fit(
        np.arange(len(y))[:, None], y
    )
    expected = theirs.predict_proba(np.arange(len(y))[:, None])
    found = probabilities(machine, X)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert machine.classes.tolist() == names.tolist()


def test_probabilities_far_from_all_classes_are_even():
    flat = Calibration(np.full(3, -1.0), np.zeros(3))
    np.testing.assert_array_equal(flat(np.full((1, 3), -1e6)), [[1 / 3] * 3])


def test_a_training_that_is_stopped_after_the_first_fit_has_a_machine():
    X, y = samples(n=24)
    results = on_everything(Trial((LSVM,)), [LSVM]).run(X, y)
    assert len(results) == 1 + 5
    whole, stopped = (Machine.on_everything(some, np.arange(2)) for some in (results, results[:1]))
    assert stopped.calibration is None
    assert whole.calibration is not None
    np.testing.assert_array_equal(stopped.W, whole.W)


def test_without_enough_samples_or_groups_there_are_no_probabilities():
    X, y = samples(n=24)
    few = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:4]]
    trial = Trial((LSVM,))
    assert train_on_all(trial, X[few], y[few]).calibration is None
    by_group = replace(trial, scheme=Scheme(by="group"))
    for groups in (y, np.where(y == 0, np.arange(len(y)), -1)):  # a class comes in one group
        assert train_on_all(by_group, X, y, groups=groups).calibration is None


def test_the_setting_chosen_most_often_is_taken_and_said_and_of_equals_the_simplest():
    def smm(c, rank):
        return MethodSpec("smm", c, rank=rank)

    assert most_frequent([smm(1.0, 1), smm(5.0, 3), smm(5.0, 3)]) == smm(5.0, 3)
    assert most_frequent([smm(1.0, 3), smm(5.0, 2), smm(2.0, 2)]) == smm(2.0, 2)
    chosen = "C s² = 5, rank 3 (chosen in 2 of 3 splits)"
    assert describe_setting([smm(5.0, 3), smm(9.0, 1), smm(5.0, 3)]) == chosen
    assert describe_setting([GIVEN[3]] * 2) == "C s² = 10, τ / τₘₐₓ = 0.05"
    assert describe_setting([MethodSpec("rglm", share=0.1)]) == "λ / λₘₐₓ = 0.1"
    rglm = [MethodSpec("rglm", share=share) for share in (0.1, 0.5)]
    assert most_frequent(rglm) == rglm[1]
    trial = on_everything(Trial((LSVM,)), [LSVM, smm(10.0, 1), smm(10.0, 1)])
    assert trial.specs == (smm(10.0, 1),)
