"""Who may import whom: the rooms of the house, read off the code."""

import ast
import sys
from pathlib import Path

import pytest

import smmcore

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "smmcore.prox": set(),
    "smmcore.qp": set(),
    "smmcore.iterate": set(),
    "smmcore.datasets": {"smmcore.datasets", "sklearn"},
    "smmcore.matfile": {"smmcore.matfile"},
    "smmcore.penalties": {"smmcore.prox"},
    "smmcore.balls": {"smmcore.penalties"},
    "smmcore.problems": {
        *("smmcore.problems", "smmcore.penalties", "smmcore.prox", "smmcore.qp"),
    },
    "smmcore.theory": set(),
    "smmcore.solvers": {"smmcore.solvers", "smmcore.problems", "smmcore.prox", "smmcore.qp"},
    "smmcore.path": {"smmcore.solvers", "smmcore.problems"},
    "smmcore.estimators": {
        *("smmcore.estimators", "smmcore.solvers", "smmcore.problems", "smmcore.iterate"),
        *("smmcore.penalties", "sklearn"),
    },
    "smmcore.model_selection": {
        *("smmcore.model_selection", "smmcore.estimators", "smmcore.problems", "smmcore.solvers"),
        *("smmcore.path", "sklearn"),
    },
    "smmcore.robustness": {"smmcore.estimators", "smmcore.problems", "smmcore.datasets"},
    "smmcore.experiments": {
        *("smmcore.experiments", "smmcore.estimators", "smmcore.datasets", "smmcore.iterate"),
        *("smmcore.theory", "sklearn"),
    },
}


def modules(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


def imports(path, name):
    """Every module that a file imports anywhere, in full."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base]).rstrip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def room(module):
    return ".".join(module.split(".")[:2])


@pytest.mark.parametrize(("name", "path"), list(modules("smmcore")))
def test_rooms_of_smmcore_import_only_their_neighbours(name, path):
    if name == "smmcore":
        return
    allowed = MAY_IMPORT[room(name)]
    for module in imports(path, name):
        assert module.split(".")[0] not in {"streamlit", "plotly", "pages"}, module
        if module.startswith("smmcore."):
            assert room(module) in allowed, f"{name} imports {module}"
        if module.split(".")[0] == "sklearn":
            assert "sklearn" in allowed, f"{name} imports {module}"


def test_every_room_of_smmcore_comes_with_the_package():
    rooms = {name.split(".")[1] for name, _ in modules("smmcore") if "." in name}
    within = {"qp", "estimators"}  # the classes of the latter come by themselves
    assert rooms - within <= set(smmcore.__all__)


# Of the shared rooms: those next door that each one knows, and whether it draws with Streamlit.
SHARED = {
    "address": set(),
    "charts": {"figures"},
    "controls": {"address", "recipes"},
    "course": set(),
    "evaluation": {"evaluation", "recipes"},
    "exports": {"recipes", "runs"},
    "figures": {"figures"},
    "films": {"recipes", "films"},
    "history": {"address", "charts", "controls", "exports", "figures", "recipes", "runs"},
    "jobs": {"recipes", "films", "evaluation", "jobs"},
    "panels": {"films", "panels", "recipes"},
    "player": set(),
    "presets": {"recipes", "controls"},
    "prose": {"address", "recipes"},
    "recipes": {"recipes"},
    "runs": {"recipes", "films", "jobs", "runs"},
    "topics": set(),
    "trials": {"address", "panels", "recipes"},
    "uploads": {"address", "recipes", "figures", "charts", "uploads"},
    "verdict": {
        *("address", "charts", "evaluation", "exports", "figures", "jobs", "panels", "recipes"),
        *("prose", "runs", "uploads", "verdict"),
    },
    "watch": {"panels", "player", "runs"},
    # Topics.
    "admm": {"prose", "recipes"},
    "afterwards": {"charts", "figures", "grouping", "recipes", "runs", "theorem"},
    "contours": {"address", "recipes"},
    "corners": {"prose", "recipes", "touching"},
    "figure_2": {"address", "presets", "prose", "recipes"},
    "grouping": {"recipes", "jobs"},
    "low_rank": {"address", "jobs", "recipes"},
    "pairs": {"address", "recipes", "grouping"},
    "rivals": {"address", "presets", "prose", "recipes"},
    "sparse": {"address", "jobs", "prose", "recipes", "runs"},
    "spectral": {"recipes", "jobs"},
    "squared_loss": {"address", "prose", "recipes", "runs"},
    "table_1": {"address", "recipes"},
    "table_2": {"address", "recipes", "runs", "uploads"},
    "theorem": {"recipes", "grouping", "prose"},
    "touching": {"recipes"},
    "trace_norm": {"address", "prose", "recipes", "runs", "spectral"},
}
WITHOUT_STREAMLIT = {
    *("recipes", "panels", "figures", "films", "jobs", "grouping", "evaluation", "spectral"),
    *("touching", "course"),
}
DRAWS = {"verdict": "cards"}  # of a room in which one module alone does
WITH_SMMCORE = {
    *("figure_2", "recipes", "films", "jobs", "grouping", "evaluation", "runs", "uploads"),
    *("rivals", "theorem", "trials", "verdict", "table_1", "table_2"),
    *("contours", "touching", "corners", "sparse", "spectral"),
}


def rooms(module):
    """The way to a shared module; a topic is a room like any other."""
    return [part for part in module.split(".")[2:] if part != "topics"]


@pytest.mark.parametrize(("name", "path"), list(modules("pages/shared")))
def test_shared_rooms_import_only_their_neighbours(name, path):
    if name == "pages.shared":
        return
    own, *within = rooms(name) or ("topics",)
    for module in imports(path, name):
        top = module.split(".")[0]
        if module.startswith("pages.shared."):
            assert set(rooms(module)[:1]) <= SHARED[own], f"{name} imports {module}"
        if own in WITHOUT_STREAMLIT or (own in DRAWS and within != [DRAWS[own]]):
            assert top != "streamlit", f"{name} imports {module}"
        if own not in WITH_SMMCORE:
            assert top != "smmcore", f"{name} imports {module}"
        if own != "figures":
            assert top != "plotly", f"{name} imports {module}"


LESSONS = [(name, path) for name, path in modules("pages") if not name.startswith("pages.shared")]


@pytest.mark.parametrize(("name", "path"), [*LESSONS, ("app", ROOT / "app.py")])
def test_lessons_draw_and_define_nothing(name, path):
    for module in imports(path, name):
        top = module.split(".")[0]
        assert top not in {"plotly", "scipy", "sklearn", "cvxpy"}, f"{name} imports {module}"
    if name.startswith("pages.") and name != "pages.contents":
        defined = [
            n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef)
        ]
        assert not defined, f"{name} defines {defined[0].name}"


EXTRAS = {
    "distributed",  # what only those need who ask for it
    "formats",  # of smmcore.matfile: the child runs beside it
}


def test_whatever_is_imported_is_declared():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    declared = {line.split("#")[0].split(">")[0].strip().replace("-", "_") for line in lines}
    called = {"scikit_learn": "sklearn", "scikit_image": "skimage"}
    declared = {called.get(name, name) for name in declared}
    for folder in ("smmcore", "pages"):
        for name, path in modules(folder):
            for module in imports(path, name):
                top = module.split(".")[0]
                known = {*sys.stdlib_module_names, "smmcore", "pages", *declared, *EXTRAS}
                assert top in known, f"{name} imports {module}"
