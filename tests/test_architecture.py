"""Who may import whom, read from the source code (also imports inside functions)."""

import ast
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
import scipy

import smmcore

ROOT = Path(__file__).parents[1]


def modules(folder):
    """The modules below a folder: name and file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


FILES = dict([*modules("smmcore"), *modules("pages")])


@cache
def imports(name):
    """Every module that a module imports, in full, and what may be a module: `from a import b`."""
    package = name if FILES[name].name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base]).rstrip(".")
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return found


def reachable(names, without=()):
    """These modules and all that is imported with them: their packages, what they import, ..."""
    found, ahead = set(), [*names]
    while ahead:
        name = ahead.pop()
        if name not in found and name not in without:
            found.add(name)
            if name in FILES:
                ahead += [*imports(name), name.rpartition(".")[0]]
    return found


def top(name):
    return name.partition(".")[0]


@pytest.mark.parametrize("name", [name for name in FILES if top(name) == "smmcore"])
def test_smmcore_imports_neither_streamlit_nor_plotly_nor_the_app(name):
    assert not {"streamlit", "plotly", "pages"} & {*map(top, imports(name))}


# Whose functions and experiments the pages send to a worker.
WORK = {name for name in FILES if name.endswith(".runs")}
WORK |= {
    "pages.shared.engine.worker",
    "pages.shared.engine.slices",
    "pages.shared.survey",
    "pages.smm.meet.second_opinion",
    "pages.foundations.corners.touching",
    "pages.foundations.sparse.subsets",
    "pages.variants.low_rank.tensors",
}


def test_code_that_runs_in_a_worker_never_imports_streamlit():
    inside = reachable(WORK)
    assert "smmcore.solvers.admm" in inside
    assert "streamlit" not in {*map(top, inside)}


def test_code_without_streamlit_is_strictly_typed():
    """mypy is strict but in modules that import Streamlit."""
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    (relaxed,) = (each["module"] for each in overrides if "disallow_untyped_defs" in each)
    for name in FILES:
        if any(fnmatchcase(name, pattern) for pattern in relaxed):
            assert "streamlit" in {*map(top, imports(name))}, name


def test_a_worker_starts_without_the_packages_that_take_longest_to_import():
    """Two thirds of its start were scikit-learn, which few jobs use."""
    code = (
        "import sys, pages.shared.algorithm1, pages.shared.engine.processes, "
        "pages.shared.engine.slices; print(*sys.modules)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert "smmcore.solvers.admm" in loaded
    assert not {"sklearn", "scipy.stats", "cvxpy", "streamlit", "plotly"} & {*loaded}


def test_proximal_operators_need_little_beyond_numpy():
    code = "import sys, smmcore.prox; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert "sklearn" not in loaded
    submodules = {f"scipy.{name}" for name in scipy.__all__}  # optimize, linalg, sparse, ...
    assert "scipy.optimize" in submodules
    assert not submodules & {*loaded}
    assert {name for name in loaded if top(name) == "smmcore"} == {"smmcore", "smmcore.prox"}


def test_a_lesson_never_imports_another_lesson_and_shared_code_never_imports_one():
    sections = {name.split(".")[1] for name in FILES if name.endswith(".page")} - {"your_data"}
    no_lessons = {"", "contents", "navigation", "shared"}

    def lesson(name):
        """Its first names, down to the folder of the lesson; nothing for all that is no lesson."""
        section, *rest = name.split(".")[1:] or [""]
        if top(name) != "pages" or section in no_lessons:
            return ""
        return ".".join(["pages", section, *(rest[:1] if section in sections else ())])

    lessons = {name: lesson(name) for name in FILES}
    assert len({*lessons.values()}) > 10
    for name, own in lessons.items():
        others = {lessons.get(module) for module in imports(name)} - {None, "", own}
        assert not others, f"{name} imports {others}"


ORDER = [{"prox", "iterate", "datasets"}, {"problems"}, {"solvers"}, {"estimators"}]


@pytest.mark.parametrize("level", range(len(ORDER)))
def test_smmcore_keeps_its_order(level):
    """Directly or through others, a module uses nothing that stands above it."""
    own = [name for name in FILES if {*name.split(".")[1:2]} & ORDER[level]]
    above = set().union(*ORDER[level + 1 :])
    used = reachable(own, without={"smmcore"})  # whose `__init__` imports all for its users
    assert sorted(name for name in used if {*name.split(".")[1:2]} & above and name in FILES) == []


def test_every_module_of_smmcore_comes_with_the_package():
    names = {name.split(".")[1] for name in FILES if name.startswith("smmcore.")}
    within = {"qp", "estimators"}  # the classes of the latter come by themselves
    assert names - within <= set(smmcore.__all__)


OPTIONAL = {
    "distributed",  # for a cluster only
    "formats",  # of smmcore.matfile: the child runs beside it
}


def requirements(lines):
    """Requirements without comments and spaces."""
    return {line.split("#")[0].strip() for line in lines} - {""}


def test_whatever_is_imported_is_declared():
    lines = requirements((ROOT / "requirements.txt").read_text().splitlines())
    declared = {line.split(">")[0].replace("-", "_") for line in lines}
    called = {"scikit_learn": "sklearn", "scikit_image": "skimage", "pillow": "PIL"}
    declared = {called.get(name, name) for name in declared}
    known = {*sys.stdlib_module_names, "smmcore", "pages", *declared, *OPTIONAL}
    for name in FILES:
        unknown = {*map(top, imports(name))} - known
        assert not unknown, f"{name} imports {unknown}"


def test_the_requirements_of_the_app_are_those_of_the_package_with_its_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    declared = {*project["dependencies"], *extras["app"], *extras["cvx"], *extras["files"]}
    listed = requirements((ROOT / "requirements.txt").read_text().splitlines())
    assert declared - {"smmcore[cvx,files]"} == listed


def test_smmcore_starts_without_its_extras():
    """The imports at the head of its modules come with `pip install .`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base = {
        line.split(">")[0].replace("scikit-learn", "sklearn") for line in project["dependencies"]
    }
    known = {*sys.stdlib_module_names, "smmcore", *base}
    for name, file in FILES.items():
        # These are for HDF5 files and for images only.
        if top(name) != "smmcore" or name.endswith((".formats.hdf5", ".formats.images")):
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Import):
                assert {top(alias.name) for alias in node.names} <= known, name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert top(node.module) in known, name
