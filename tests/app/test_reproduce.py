"""The lesson on the reproduced papers: every result is shown, and each link opens its state."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from pages.research.reproduce.results import COLOURS, PAPERS, describe_all, read
from smmcore.experiments.reproduction import Verdict, reproductions
from tests.app.visit import figures, link, visit

SHOWN = dict(chain(*(names.items() for names in PAPERS.values())))
README = Path(__file__).parents[2] / "README.md"


def test_every_reproduction_has_its_place():
    assert {*SHOWN} == {*reproductions()}
    assert {*COLOURS} == {*Verdict}


def test_bars_count_every_printed_figure(contents):
    visit(contents, "reproduce")
    assert not contents.exception
    (chart,) = figures(contents)
    total = sum(len(read(name).comparisons) for name in SHOWN)
    assert sum(sum(bar["x"]) for bar in chart["data"]) == total
    assert f"Of {total} comparisons" in contents.markdown[0].value + describe_all()


@pytest.mark.parametrize("paper", PAPERS)
def test_each_printed_figure_stands_beside_ours_with_command_and_reason(contents, paper):
    visit(contents, "reproduce", reproduce_paper=paper)
    assert not contents.exception
    assert link(contents).get("reproduce_paper", next(iter(PAPERS))) == paper
    assert len(contents.header) == len(PAPERS[paper])
    texts = [each.value for each in contents.markdown]
    tables = [text for text in texts if text.startswith("| | read as")]
    for name, table in zip(PAPERS[paper], tables, strict=True):
        results, lines = read(name), table.splitlines()[2:]
        assert any(results.command in text for text in texts)
        for each, line in zip(results.comparisons, lines, strict=True):
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            assert len(cells) == 7
            assert cells[:2] == [each.item, each.reading]
            assert cells[5] == each.verdict
            assert cells[6] in (each.reason, "as above")


@pytest.mark.parametrize("name", SHOWN)
def test_link_opens_the_lesson_in_the_state_that_shows_it(contents, name):
    shown = SHOWN[name]
    visit(contents, shown.lesson, "your data", **shown.settings)
    assert not contents.exception
    assert not contents.error
    assert link(contents).items() >= shown.settings.items()
    assert not any("in the address" in text.value for text in contents.text)


def test_readme_counts_the_verdicts_of_each():
    rows = re.findall(r"^\| .* \| `(.*?)` \| (.*) \|$", README.read_text(encoding="utf-8"), re.M)
    counts = {name: [int(count) for count in cells.split("|")] for name, cells in rows}
    assert counts == {
        name: [read(name).verdicts()[verdict] for verdict in COLOURS] for name in SHOWN
    }
