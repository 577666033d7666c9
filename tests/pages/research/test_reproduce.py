"""The lesson on the reproduced papers: every result is shown, and each link opens its state."""

import re
from html import unescape
from itertools import chain
from math import isnan
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.research.reproduce.papers import PAPERS, anchor
from pages.research.reproduce.results import MARKS, describe_all
from pages.research.reproduce.table import table
from pages.shared.reproduction.reproduction import Comparison, Verdict, in_part, reproductions
from pages.shared.reproduction.stored_results import read_results
from tests.pages.visit import control_settings, figures, visit

SHOWN = dict(chain(*(paper.shown.items() for paper in PAPERS.values())))
PAGE = Path(__file__).parents[3] / "assets/results/README.md"


def test_every_reproduction_has_its_place():
    assert {*SHOWN} == {*reproductions()}
    assert {*MARKS} == {*Verdict}


def test_bars_count_every_printed_figure_and_have_the_symbols_of_the_tables(contents):
    visit(contents, "reproduce")
    (chart,) = figures(contents)
    total = sum(len(read_results(name).comparisons) for name in SHOWN)
    assert sum(sum(bar["x"]) for bar in chart["data"]) == total
    assert f"Of {total} comparisons" in contents.markdown[0].value + describe_all()
    for bar, (verdict, mark) in zip(chart["data"], MARKS.items(), strict=True):
        assert bar["name"] == f"{mark.symbol} {verdict}"
        assert bar["text"] == mark.symbol


def rows_and_notes(html):
    """Return the cells of each row of a table with one verdict, and its notes by number."""
    rows = [
        [
            unescape(re.sub("<.*?>", "", cell.replace("<sup>", "|")))
            for cell in re.findall("<t[hd].*?</t[hd]>", row)
        ]
        for row in re.findall("<tr>(.*?)</tr>", html)
        if "verdict" in row
    ]
    notes = map(unescape, re.findall("<li>(.*?)</li>", html))
    return rows, dict(enumerate(notes, 1))


@pytest.mark.parametrize("paper", PAPERS)
def test_each_printed_figure_stands_beside_ours_with_verdict_command_and_notes(contents, paper):
    visit(contents, "reproduce", reproduce_paper=paper)
    assert control_settings(contents)["reproduce_paper"] == paper
    shown = PAPERS[paper].shown
    assert len(contents.header) == len(shown)
    texts = [each.value for each in contents.markdown]
    assert PAPERS[paper].reference in texts
    bodies = [each.proto.body for each in contents.get("html")]
    tables = [body for body in bodies if body.startswith('<table class="comparisons"')]
    for (name, each), body in zip(shown.items(), tables, strict=True):
        results = read_results(name)
        (text,) = (text for text in texts if results.command in text)
        assert f"]({each.address})" in text
        assert each.section in text
        rows, notes = rows_and_notes(body)
        assert len({*notes.values()}) == len(notes)  # each text once
        parts = {each.part: [] for each in results.comparisons}
        for comparison in results.comparisons:
            parts[comparison.part].append(comparison)
        for comparison, cells in zip(chain(*parts.values()), rows, strict=True):
            item, verdict, *_ = cells
            verdict, numbers = verdict.split("|")
            assert item.lower() == comparison.item.lower()
            assert verdict.startswith(MARKS[comparison.verdict].symbol)
            three = comparison.printed, comparison.ours, comparison.difference
            assert [text == "–" for text in cells[2:]] == [*map(isnan, three)]
            assert comparison.reason in [notes[int(number)] for number in numbers.split(", ")]


def test_texts_of_a_table_are_escaped_and_what_all_rows_share_is_above_them():
    one = Comparison("<b>SMM", "at C = 1", 1.0, 2.0, 0.1, Verdict.NOT_REPRODUCED, "a < b.")
    other = one._replace(item="other")
    shared = table("<Table>", in_part("Part & parcel", [one, other]))
    assert "<b>SMM" not in shared
    assert shared.count("At C = 1.") == 1
    assert shared.index("Part &amp; parcel") < shared.index("At C = 1.") < shared.index("SMM")
    assert rows_and_notes(shared)[1] == {1: "a < b."}
    apart = table("Table", [one, other._replace(reading="at C = 2")])
    assert rows_and_notes(apart)[1] == {1: "At C = 1.", 2: "a < b.", 3: "At C = 2."}


@pytest.mark.parametrize("name", SHOWN)
def test_link_opens_the_lesson_in_the_state_and_at_the_section_that_shows_it(contents, name):
    shown = SHOWN[name]
    address = urlsplit(shown.address)
    query = dict(parse_qsl(address.query))
    assert address.path == f"./{shown.lesson}"
    assert query == shown.query
    visit(contents, shown.lesson, **query)
    assert not contents.error
    assert control_settings(contents).items() >= shown.settings.items()
    assert not any("The address sets" in text.value for text in contents.text)
    assert address.fragment == anchor(shown.section)
    assert not shown.section or shown.section in [each.value for each in contents.header]
    asking = any(part.proto.component_name == "question" for part in contents.get("bidi_component"))
    assert shown.asks == asking  # and then the link opens the answer


def test_page_of_the_results_counts_the_verdicts_of_each():
    rows = re.findall(r"^\| .* \| `(.*?)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    counts = {name: [int(count) for count in cells.split("|")] for name, cells in rows}
    assert counts == {
        name: [read_results(name).verdicts()[verdict] for verdict in MARKS] for name in SHOWN
    }
