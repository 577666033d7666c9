"""The README keeps its word."""

import re
import subprocess
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path

from PIL import Image

from pages.navigation import SECTIONS
from tests import pictures

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_examples_print_the_numbers_below_them(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile("".join(blocks("python")), "README.md", "exec"), {})
    assert capsys.readouterr().out == "".join(blocks("text"))


def test_its_example_and_the_others_pass_mypy_in_strict_mode(tmp_path):
    (tmp_path / "readme.py").write_text("".join(blocks("python")), encoding="utf-8")
    files = [str(file) for file in (tmp_path / "readme.py", *ROOT.glob("assets/examples/*.py"))]
    command = ["mypy", "--strict", *files]  # with the cache of the linter, which runs after it
    checked = subprocess.run([sys.executable, "-m", *command], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout.decode()


def test_ci_runs_the_first_commands_of_contributing():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("```sh\n")[2]
    commands = [line.partition("  #")[0].strip() for line in text.splitlines()[:3]]
    assert " && ".join(commands) in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_windows_has_the_same_commands_without_what_its_shell_lacks():
    """PowerShell 5.1 knows no `&&`, and a Python from python.org is called `py`."""
    for ours, theirs in zip(blocks("sh"), blocks("powershell"), strict=True):
        commands = [line.strip().replace("python3", "py") for line in ours.split("&&")]
        plain = theirs.replace("\\", "/").replace("Scripts/python -m pip", "bin/pip")
        assert plain.replace("Scripts", "bin").splitlines() == commands


def test_every_lesson_is_in_the_list():
    text = " ".join(README.split())
    for lesson in chain(*SECTIONS.values()):
        assert lesson.title in text


def test_pictures_are_of_the_lessons_of_today():
    """Else run: python -m tests.pictures."""
    titles = {lesson.address: lesson.title for lesson in chain(*SECTIONS.values())}
    with Image.open(pictures.FOLDER / "rank.gif") as film:
        assert film.info["comment"].decode() == titles[pictures.FILM]
    assert (pictures.FOLDER / "rank.gif").stat().st_size < 2e5
    for name, (lesson, *_) in pictures.STILLS.items():
        with Image.open(pictures.FOLDER / f"{name}.png") as still:
            assert still.text["Title"] == titles[lesson]
            assert f"| {titles[lesson]} |" in README  # below it


def test_accuracies_of_the_first_screen_are_those_of_the_first_program():
    paragraph = README.partition("support matrix machine** (SMM)")[2].partition("\n\n")[0]
    told, printed = (
        re.findall(r"([\d.]+) %", paragraph),
        re.findall(r"([\d.]+)%", blocks("text")[0]),
    )
    assert told == printed
    assert len(told) == 2


def test_every_path_named_exists():
    links = re.findall(r"\(((?:assets|docs)/[^)]+|[A-Z]+\.\w+)\)", README)
    for name in (*links, *re.findall(r"`((?:pages|smmcore)[\w/]*)`", README)):
        assert (ROOT / name).exists(), name


def test_first_page_is_short():
    assert len(README.splitlines()) <= 120


def test_every_command_named_can_be_imported():
    files = ["README.md", "CONTRIBUTING.md", "tests/benchmarks/README.md", "docs/benchmarks.md"]
    texts = [(ROOT / file).read_text(encoding="utf-8") for file in files]
    command = r"python -m ((?:tests|pages)[\w.]+)"
    names = {name for text in texts for name in re.findall(command, text)}
    assert len(names) > 5
    for name in names:
        import_module(name)
