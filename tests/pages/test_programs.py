"""The programs that lessons hand out run where `smmcore` is, and nothing else of the project."""

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pages.effects.rank.runs import BUILT_IN, TRUTH
from pages.foundations.corners.touching import touching_point
from pages.research.theorem_2.runs import Pair
from pages.shared.algorithm1 import PLAIN, QUICK, WITHOUT_RESTART
from pages.shared.data.synthetic import Split
from pages.shared.parts import programs
from pages.smm.live.runs import RACERS, SolverRace
from pages.smm.meet.samples import Crosses
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp
from tests.pages.runs import load_stored, run_to_the_end

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "pages").rglob("program.py"))
PAINTED, SPLIT = BUILT_IN[TRUTH].data, Split(QUICK.data)
DATA = {
    **dict.fromkeys(("rank", "structure", "live"), PAINTED),
    **dict.fromkeys(("squared_loss", "rivals", "robustness", "bilevel"), SPLIT),
    "meet": Crosses(),
    "theorem_2": Pair(QUICK.data, 8, 19, 0.9),
}
# Less of what takes seconds, and as many lines.
LESS = {"table_2": {"EVERY": 8}, "cyclic": {"RANK": 2}, "live": {"STEPS": 1_001}}


# Runs the programs it is told of in a folder without the project, each in a namespace of its own.
RUNNER = """
import contextlib, io, json, runpy, sys, traceback
sys.modules["pages"] = None
sys.path.insert(0, ".")
for name in sys.stdin:
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(name.strip())
        except BaseException:
            error = traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a program in an empty folder beside a copy of the package; returns its lines."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "smmcore").symlink_to(ROOT / "smmcore")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    # One process for all of them: most of the time of a program is the start of Python.
    with subprocess.Popen([sys.executable, "-c", RUNNER], cwd=folder, env=env, **pipes) as runner:

        def start(text):
            (folder / "lesson.py").write_text(text, encoding="utf-8")
            print("lesson.py", file=runner.stdin, flush=True)
            printed, error = json.loads(runner.stdout.readline())
            assert not error, error
            return printed.splitlines()

        yield start


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.parent.name)
def test_a_program_runs_alone_and_prints_a_short_table_with_a_header(run, file):
    data = DATA.get(file.parent.name)
    text = programs.fill(str(file), data.script() if data else "", **LESS.get(file.parent.name, {}))
    assert len(text.splitlines()) <= 40
    assert text.isascii()  # so that it prints on any system
    lines = run(text)
    assert 2 <= len(lines) <= 30
    assert any(letter.isalpha() for letter in lines[0])
    cells = json.loads(programs.to_notebook(text))["cells"]
    same = "\n".join(cell["source"] for cell in cells)
    assert ast.dump(ast.parse(same)) == ast.dump(ast.parse(text))


def test_the_program_of_ranks_prints_the_numbers_of_the_page(run):
    lines = run(programs.fill(str(ROOT / "pages/effects/rank/page.py"), PAINTED.script(), N=200))
    path = load_stored(BUILT_IN[TRUTH]).metrics
    path = path[path["n"] == 200][::2]
    shown = [line.split() for line in lines[1:]]
    assert [float(row[0]) for row in shown] == path["tau"].tolist()
    assert all(
        abs(float(row[2]) - 1000 * new) < 1 for row, new in zip(shown, path["new"], strict=True)
    )


@pytest.mark.parametrize(
    "run_shown",
    [
        replace(QUICK, rho=0.01, max_iter=350),
        replace(QUICK, data=Pair(QUICK.data, 0, 7, 0.9), algorithm=PLAIN, max_iter=50),
        replace(QUICK, data=SPLIT, eta=0.9, tau=0.0, max_iter=7),
        replace(QUICK, data=replace(QUICK.data, positives=0.3)),
    ],
    ids=["restarts", "a pair", "a split that ends early", "few positives"],
)
def test_the_program_of_the_algorithm_prints_the_end_of_the_run_and_of_its_race(run, run_shown):
    second = replace(run_shown, algorithm=WITHOUT_RESTART, rho=10.0)
    race = SolverRace(run_shown, second)
    lines = run(
        programs.fill(
            str(ROOT / "pages/smm/live/page.py"),
            run_shown.data.script(),
            C=run_shown.C,
            TAU=run_shown.tau,
            ADMM=run_shown.call,
            STEPS=run_shown.max_iter,
            FIRST=run_shown.call,
            SECOND=second.call,
            RACE_STEPS=run_shown.max_iter,
        )
    )
    end = run_to_the_end(race).metrics[-1]
    for line, name in zip(lines[-3:], RACERS, strict=True):
        _, steps, _, rank, gap, *_ = line.split()
        assert int(steps) == end[f"steps_{name}"]
        assert int(rank) == end[f"rank_{name}"]
        assert float(gap) == pytest.approx(end[f"gap_{name}"], rel=0.06)
    shown, first = lines[-4].split(), lines[-3].split()
    assert shown == first


@pytest.mark.parametrize(
    "ball",
    [Ball(Lp(0.0), 1.0), Ball(Lp(0.5), 1.0), Ball(Lp(float("inf")), 1.0), ElasticBall(0.4, 1.0)],
)
def test_the_program_of_corners_finds_the_point_of_the_page(run, ball):
    page = str(ROOT / "pages/foundations/corners/page.py")
    lines = run(programs.fill(page, BALL=ball, MINIMUM=(2.0, 0.7)))
    expected = touching_point(ball, [[1.0, 0.0], [0.0, 1.0]], (2.0, 0.7))
    assert [float(each) for each in lines[1].split()[:2]] == pytest.approx(expected, abs=2e-4)


def test_a_setting_without_its_constant_is_refused():
    with pytest.raises(LookupError, match="not one"):
        programs.fill(str(ROOT / "pages/foundations/corners/page.py"), TURN=1)
