"""The examples of docstrings run, and those of the estimators describe each parameter."""

import doctest
import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest

import smmcore
from tests.api import draw_example, write_brackets
from tests.smmcore.conftest import ESTIMATORS

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("smmcore", "pages")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r">>> (?!.*# doctest: \+SKIP)", path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_print_what_they_say(name):
    failed, attempted = doctest.testmod(import_module(name))
    assert attempted
    assert not failed


def test_no_formula_is_a_tag_that_a_browser_would_not_show():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "smmcore").rglob("*.py")]
    written = [write_brackets(text) for text in texts]
    assert sum(text.count("⟨W, X_i⟩ + b") for text in written) > 9
    assert not [*re.finditer(r"<[A-Za-z/!?]", "".join(written))]


def test_the_picture_of_an_example_has_a_square_for_each_entry_of_its_w():
    picture = unquote(draw_example(inspect.getdoc(smmcore.LinearSVM)))
    assert picture.count("<rect") == 6 * 5 + 1  # and the frame
    assert not draw_example(inspect.getdoc(smmcore.MatrixScaler))


def test_the_table_of_the_package_has_a_row_for_each_estimator():
    rows = re.findall(r"^\| `(\w+)`", smmcore.__doc__, re.MULTILINE)
    transformers = {"MatrixScaler", "TwoDPCA"}
    assert sorted(rows) == sorted({*ESTIMATORS} - transformers)
    assert all(f"`{name}`" in smmcore.__doc__ for name in transformers)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_related_estimators_exist(name):
    heads = re.findall(r"See Also\n-+\n(.*)", inspect.getdoc(getattr(smmcore, name)))
    assert all(hasattr(smmcore, other) for head in heads for other in head.split(", "))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_docstring_of_an_estimator_describes_its_parameters(name):
    estimator = getattr(smmcore, name)
    sections = re.split(r"^(\w[\w ]*)\n-+$", inspect.getdoc(estimator), flags=re.MULTILINE)
    (described,) = (text for head, text in pairwise(sections) if head == "Parameters")
    heads = re.findall(r"^\w.*$", described, re.MULTILINE)
    names = [name for head in heads for name in head.split(" : ")[0].split(", ")]
    assert names == [*inspect.signature(estimator).parameters]


def test_each_parameter_that_a_docstring_names_is_described():
    section = r"^( *)Parameters\n +-+\n(.*?)(?=\n\n\1\w[\w ]*\n +-+\n|\n *\"\"\")"
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "smmcore").rglob("*.py")]
    sections = re.findall(section, "\n".join(texts), flags=re.DOTALL | re.MULTILINE)
    assert len(sections) > 50
    for indent, parameters in sections:
        for each in re.split(rf"\n(?={indent}\S)", parameters):
            assert "\n" in each.rstrip() or " : " not in each, each
