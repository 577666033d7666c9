"""Who may import whom: the rooms of the house, read off the code."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "smmcore.prox": set(),
    "smmcore.qp": set(),
    "smmcore.iterate": set(),
    "smmcore.datasets": set(),
    "smmcore.matfile": {"smmcore.matfile"},
    "smmcore.problems": {"smmcore.prox", "smmcore.qp"},
    "smmcore.theory": {"smmcore.problems", "smmcore.prox"},
    "smmcore.solvers": {"smmcore.solvers", "smmcore.problems", "smmcore.prox", "smmcore.qp"},
    "smmcore.estimators": {
        *("smmcore.estimators", "smmcore.solvers", "smmcore.problems", "smmcore.iterate"),
        "sklearn",
    },
    "smmcore.experiments": {
        *("smmcore.estimators", "smmcore.datasets", "smmcore.iterate", "smmcore.theory"),
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
