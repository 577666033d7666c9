"""The README keeps its word."""

import re
from importlib import import_module
from itertools import chain
from pathlib import Path

from pages.navigation import SECTIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_example_prints_the_numbers_beside_it(capsys):
    exec(compile("".join(blocks("python")), "README.md", "exec"), {})
    assert capsys.readouterr().out == blocks("text")[0]


def test_ci_runs_the_test_command_of_the_readme():
    assert blocks("sh")[1] in (ROOT / ".ci/run").read_text()


def test_every_lesson_is_in_the_map():
    for lesson in chain(*SECTIONS.values()):
        assert f"| {lesson.title} |" in README


def test_every_path_named_exists():
    for name in re.findall(r"\((assets/[^)]+)\)|`((?:pages|smmcore)[\w/.]*)`", README):
        path = next(part for part in name if part)
        if "/" in path or path in ("pages", "smmcore"):
            assert (ROOT / path).exists(), path


def test_every_command_named_can_be_imported():
    texts = (file.read_text() for file in [ROOT / "README.md", ROOT / "tests/benchmarks/README.md"])
    names = {name for text in texts for name in re.findall(r"python -m (tests[\w.]+)", text)}
    assert len(names) > 5
    for name in names:
        import_module(name)
