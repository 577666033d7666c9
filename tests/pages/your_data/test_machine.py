"""A classifier by itself: its file, what that tells MATLAB, its training."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import loadmat

from pages.your_data.trial.machine import Machine
from pages.your_data.trial.trial import MethodSpec, Trial, most_frequent, on_everything
from pages.your_data.use.train import describe_setting
from smmcore.estimators.scaling import SCALINGS, Scaling
from tests.pages.your_data.lesson import (
    GIVEN,
    form_of,
    labels_of,
    machine_file,
)

P, Q = 4, 3
LSVM = GIVEN[0]
LABELS = {
    "numbers": np.array([5, 7, 6, 9]),
    "doubles": np.array([-0.5, 1.0, 2.0, 3.0]),
    "text": np.array(["é", "b b", "=c", ""]),
    "ascii": np.array(["a", "b b", "=c", "it's"]),
}


def machine(K=2, kind="none", steps="", labels="numbers"):
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
    )


def test_a_decision_that_overflows_gets_a_sentence():
    tiny = machine(kind="z-score")
    tiny = replace(tiny, scaling=tiny.scaling._replace(deviation=np.full((P, Q), 1e-300)))
    with pytest.raises(ValueError, match="too large"):
        tiny.decision(np.full((1, P, Q), 1e40))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("steps", ["", "g", "l", "r", "e", "glre"])
@pytest.mark.parametrize("kind", SCALINGS)
@pytest.mark.parametrize(
    ("K", "labels"), [(2, "numbers"), (2, "text"), (4, "numbers"), (4, "text")]
)
def test_the_file_tells_numpy_and_matlab_how_to_use_it(K, kind, steps, labels):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(8, P, Q))
    X[-1] = 0.0 if "e" not in steps else 3.0  # no length, or no deviation
    if "g" in steps:
        X[rng.random(X.shape) < 0.2] = np.nan
    ours = machine(K, kind, steps, labels)
    with np.load(io.BytesIO(machine_file(ours, ".npz"))) as arrays:
        numpy_file = {name: arrays[name] for name in arrays}
    matlab_file = loadmat(io.BytesIO(machine_file(ours, ".mat")))
    for i, sample in enumerate(X):
        for here in (in_numpy(sample, numpy_file), in_matlab(sample, matlab_file)):
            np.testing.assert_allclose(here["f"].ravel(), ours.decision(X)[i], atol=1e-9)
            assert here["label"] == labels_of(ours, X)[i]


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
    here |= {"std": lambda x, _: np.std(x), "norm": np.linalg.norm}
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
        use = replace(machine(2), form=form_of(order)).to_arrays()["use"]
        assert f"A sample v that the data file has as a vector is {fold}" in use
    assert "reshape(v" not in machine(2).to_arrays()["use"]
    triangle = form_of("columns", triangle=1)
    use = replace(machine(2), form=triangle).to_arrays()["use"]
    assert f"X(triu(true({P}), 1)) = v; X = X + X' - diag(diag(X))." in use


def test_the_file_says_that_octave_cannot_read_some_labels():
    for labels, is_said in (("text", True), ("ascii", False), ("numbers", False)):
        use = machine(4, labels=labels).to_arrays()["use"]
        assert ("Octave cannot read" in use) == is_said
        assert use.isascii()


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
