"""Who may import whom, read from the source code (also imports inside functions)."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def modules(folder):
    """The modules below a folder: name and file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


FILES = dict([*modules("smmcore"), *modules("pages")])


@cache
def imports(name):
    """Every module that a module imports, in full: of `from a import b`, a.b or a."""
    package = name if FILES[name].name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base]).rstrip(".")
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= names & FILES.keys()
            found |= {base} if names - FILES.keys() else set()
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


# ---- what each part may import -----------------------------------------------------------------


def test_smmcore_imports_what_its_installation_brings_and_nothing_of_the_app():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = {
        line.split(">")[0].replace("scikit-learn", "sklearn") for line in project["dependencies"]
    }
    for name in (name for name in FILES if top(name) == "smmcore"):
        unknown = {*map(top, imports(name))} - {*sys.stdlib_module_names, "smmcore", *base}
        assert not unknown, f"{name} imports {unknown}"


# Whose functions and experiments the pages send to a worker.
WORK = {name for name in FILES if name.endswith(".runs")}
WORK |= {
    "pages.shared.engine.worker",
    "pages.smm.meet.second_opinion",
    "pages.smm.structure.tiles",
}


def test_code_that_runs_in_a_worker_never_imports_streamlit():
    assert FILES.keys() >= WORK
    inside = reachable(WORK)
    assert "smmcore.solvers.admm" in inside
    assert "streamlit" not in {*map(top, inside)}


LESSONS = {name.removesuffix(".page") for name in FILES if name.endswith(".page")}
# It knows no page; the server starts its child, and the command of reproductions reads files too.
READER = "pages.your_data.files"


def lesson(name):
    """The lesson to which a module belongs, or an empty string."""
    if name.startswith(READER):
        return ""
    return next((each for each in LESSONS if f"{name}.".startswith(f"{each}.")), "")


def level(name):
    """How high a module stands: the package, what lessons share, the lessons, what lists them."""
    if top(name) == "smmcore":
        return 0
    return 1 if name.startswith(("pages.shared", READER)) else 2 if lesson(name) else 3


def test_a_lesson_never_imports_another_lesson_and_nothing_imports_upwards():
    assert len(LESSONS) > 20
    for name in FILES:
        for other in imports(name) & FILES.keys():
            # Names and addresses.
            contents = lesson(name) and other in ("pages.navigation", "pages.class_steps")
            assert level(other) <= level(name) or contents, f"{name} imports {other}"
            assert lesson(other) in ("", lesson(name)), f"{name} imports {other}"


ORDER = (
    *(("prox", "iterate", "datasets"), ("problems",), ("solvers",), ("path",), ("estimators",)),
    ("rivals", "sugiyama", "wolf", "xia_fan"),
)


def test_smmcore_keeps_its_order():
    """Directly or through others, a module uses nothing that stands above it."""
    heights = {f"smmcore.{name}": i for i, names in enumerate(ORDER) for name in names}

    def height(name):
        return heights.get(".".join(name.split(".")[:2]), -1)

    for name in FILES:
        if height(name) >= 0:
            used = reachable([name], without={"smmcore"})  # its `__init__` imports all for users
            assert max(map(height, used), default=-1) <= height(name), name


def room(name):
    """The folder of a module inside a package or a section, or the module if it lies loose."""
    parts = name.split(".")
    sections = {each.rpartition(".")[0] for each in LESSONS}
    inside = {"smmcore", "pages.shared", READER, *LESSONS, *sections}
    while ".".join(parts[:-1]) not in inside and len(parts) > 1:
        parts.pop()
    return ".".join(parts) if len(parts) > 1 else name


@pytest.mark.parametrize("place", [str, room], ids=["modules", "rooms"])
def test_no_import_goes_in_a_circle(place):
    graph = {}
    for name in FILES.keys() - {"smmcore"}:  # whose `__init__` imports all for its users
        used = {place(other) for other in imports(name) & FILES.keys() - {"smmcore"}}
        graph.setdefault(place(name), set()).update(used - {place(name)})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_import_between_scripts_goes_in_a_circle_or_out_of_order():
    """What pictures share imports no picture, and only the player's parts know the player."""
    assets, graph = ROOT / "assets", {}
    for path in assets.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r'^import .*"(\..*)";$', text, re.MULTILINE)
        assert len(named) == len(re.findall(r"""(?:from|import) ["']\.""", text)), path
        graph[path] = {(path.parent / name).resolve() for name in named}
    for path, used in graph.items():
        assert used <= graph.keys(), path
        for other in used:
            folders = {"lib", path.parent.name} if path.parent != assets else {"lib"}
            assert other.parent.name in folders, f"{path} imports {other}"
    assert len(graph) > 40
    TopologicalSorter(graph).prepare()  # a circle is an error that names it


# ---- what an import loads ----------------------------------------------------------------------


def test_a_worker_starts_without_the_packages_that_take_longest_to_import():
    """Two thirds of its start were scikit-learn, which few jobs use."""
    modules = "pages.shared.algorithm1, pages.shared.engine.processes, pages.shared.engine.worker"
    code = f"import sys, {modules}\nprint(*sys.modules)"
    loaded = subprocess.check_output(
        [sys.executable, "-c", code], cwd=ROOT, encoding="utf-8"
    ).split()
    assert "smmcore.solvers.admm" in loaded
    assert not {"sklearn", "scipy.stats", "cvxpy", "streamlit", "plotly"} & {*loaded}


# ---- who has a colour --------------------------------------------------------------------------

# Hex codes, and what is no grey, of photographs or shadows; names in quotes, or as values in CSS.
COLOUR = r"#[\da-fA-F]{3,8}\b|\brgba?\((?!(\d+)[ ,]+\2[ ,]+\2\b)|\bhsla?\("
NAMES = "(white|black|gr[ae]y|red|orange|yellow|green|blue|purple|pink|brown)"


def test_only_the_theme_has_colours():
    for path in (*FILES.values(), *(ROOT / "assets").rglob("*.*s")):
        around = ("[ :,(]", "[,;)}]") if path.suffix == ".css" else ("[\"']", "[\"']")
        found = re.search(NAMES.join(around) + f"|{COLOUR}", path.read_text(encoding="utf-8"))
        assert not found, f"{path} has the colour {found[0]}"


# ---- who knows a method ------------------------------------------------------------------------


def test_only_its_record_and_the_printed_tables_have_the_key_of_a_method():
    own = {"pages.shared.methods", "pages.your_data.reproduce"}
    for name in FILES.keys() - own:
        found = re.search(r"""["'](lsvm|bsvm|rglm)["']""", FILES[name].read_text(encoding="utf-8"))
        assert not found, f"{name} has the key {found[0]}"


# ---- what is declared --------------------------------------------------------------------------

OPTIONAL = {
    "distributed",  # for a cluster only
    *("formats", "kernel"),  # of pages.your_data.files: the child runs beside them
}


def requirements(lines):
    """Requirements without comments and spaces."""
    return {line.split("#")[0].strip() for line in lines} - {""}


def test_whatever_is_imported_is_declared():
    lines = requirements((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    declared = {line.split(">")[0].replace("-", "_") for line in lines}
    called = {"scikit_learn": "sklearn", "scikit_image": "skimage", "pillow": "PIL"}
    declared = {called.get(name, name) for name in declared}
    known = {*sys.stdlib_module_names, "smmcore", "pages", *declared, *OPTIONAL}
    for name in FILES:
        unknown = {*map(top, imports(name))} - known
        assert not unknown, f"{name} imports {unknown}"


def test_the_requirements_of_the_app_are_those_of_the_package_with_its_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = {*project["dependencies"], *extras["app"], *extras["cvx"]}
    listed = requirements((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    assert declared - {"smmcore[cvx]"} == listed
