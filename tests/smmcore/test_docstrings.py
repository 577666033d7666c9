"""The docstrings of public callables: their examples run, and they name each parameter."""

import doctest
import inspect
import re
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

import smmcore
from smmcore import estimators

FOLDER = Path(smmcore.__file__).parent
SOURCES = {path: path.read_text() for path in sorted(FOLDER.rglob("*.py"))}
MODULES = [
    ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__")
    for path, text in SOURCES.items()
    if re.search(r">>> (?!.*# doctest: \+SKIP)", text)
]

# What users import.
PUBLIC = {}
for module in ("estimators", "problems", "solvers", "datasets", "model_selection"):
    package = import_module(f"smmcore.{module}")
    PUBLIC |= {f"{module}.{name}": getattr(package, name) for name in package.__all__}
for module in (
    *("prox", "qp", "path", "theory", "iterate", "decision", "penalties", "balls"),
    "subsets",
):
    found = vars(import_module(f"smmcore.{module}"))
    own = {name for name in found if getattr(found[name], "__module__", "") == f"smmcore.{module}"}
    PUBLIC |= {f"{module}.{name}": found[name] for name in own if name[0] != "_"}
METHODS = ["fit", "predict", "decision_function", "transform", "inverse_transform", "tau_max"]
for cls, name in product([getattr(estimators, name) for name in estimators.__all__], METHODS):
    method = getattr(cls, name, None)
    if method and method.__module__.startswith("smmcore."):
        PUBLIC[f"estimators.{method.__qualname__}"] = method
FUNCTIONS = {name: item for name, item in PUBLIC.items() if inspect.isfunction(item)}
CLASSES = {name: item for name, item in PUBLIC.items() if inspect.isclass(item)}

# Records that solvers and problems return, and abstract bases: no caller makes one.
MADE_BY_US = {
    *("problems.Candidate", "problems.Certificate", "problems.LSCertificate", "problems.Proof"),
    *("problems.SMMCertificate", "problems.MatrixProblem", "problems.SpectralProblem"),
    *("problems.Splitting", "model_selection.SplitResult", "model_selection.TrialState"),
    *("model_selection.MachineState", "model_selection.TrainedMachine"),
    *("model_selection.RegressionResult", "model_selection.RegressionState"),
    *("model_selection.RegressionMachineState", "model_selection.SavedMachine"),
    *("path.SMMPath", "prox.ThresholdedSVD", "qp.Solution", "theory.VCBound"),
    "subsets.FixedPoint",
    *("penalties.Norm", "penalties.Penalty", "penalties.Region"),
}
# They need a download, a file or another package.
NOT_AT_HAND = {f"datasets.{name}" for name in ("fetch_eeg_alcoholism", "fetch_olivetti")}
NOT_AT_HAND |= {"datasets.load_faces", "datasets.read_eeg_trial"}


def sections(item):
    """The sections of a docstring: {heading: text}."""
    parts = re.split(r"^(\w[\w ]*)\n-+$", inspect.getdoc(item), flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))


def described(item):
    """The parameters that a docstring describes, in its order."""
    heads = re.findall(r"^\w.*$", sections(item).get("Parameters", ""), re.MULTILINE)
    return [name for head in heads for name in head.split(" : ")[0].split(", ")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_print_what_they_say(name):
    failed, attempted = doctest.testmod(import_module(name))
    assert attempted
    assert not failed


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() | CLASSES.keys() - MADE_BY_US))
def test_a_docstring_describes_the_parameters_of_the_signature(name):
    parameters = [*inspect.signature(PUBLIC[name]).parameters]
    method = name in FUNCTIONS and "." in FUNCTIONS[name].__qualname__
    assert described(PUBLIC[name]) == parameters[method:]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_docstring_of_a_function_says_what_it_returns(name):
    assert sections(PUBLIC[name]).keys() & {"Returns", "Yields"}


FREE = {name for name in FUNCTIONS if "." not in FUNCTIONS[name].__qualname__}


@pytest.mark.parametrize("name", sorted(FREE - NOT_AT_HAND | CLASSES.keys() - MADE_BY_US))
def test_a_docstring_has_an_example(name):
    assert ">>> " in sections(PUBLIC[name])["Examples"]


def test_the_exceptions_exist():
    assert CLASSES.keys() >= MADE_BY_US
    assert NOT_AT_HAND <= FREE
