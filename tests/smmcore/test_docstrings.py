"""The examples of docstrings run, and those of the estimators describe each parameter."""

import doctest
import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from smmcore import estimators

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("smmcore", "pages")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r">>> (?!.*# doctest: \+SKIP)", path.read_text())
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_print_what_they_say(name):
    failed, attempted = doctest.testmod(import_module(name))
    assert attempted
    assert not failed


@pytest.mark.parametrize("name", estimators.__all__)
def test_the_docstring_of_an_estimator_describes_its_parameters(name):
    estimator = getattr(estimators, name)
    sections = re.split(r"^(\w[\w ]*)\n-+$", inspect.getdoc(estimator), flags=re.MULTILINE)
    (described,) = (text for head, text in pairwise(sections) if head == "Parameters")
    heads = re.findall(r"^\w.*$", described, re.MULTILINE)
    names = [name for head in heads for name in head.split(" : ")[0].split(", ")]
    assert names == [*inspect.signature(estimator).parameters]
