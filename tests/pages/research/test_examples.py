"""The page of examples."""

from pathlib import Path

from tests.pages.visit import visit

FOLDER = Path(__file__).parents[3] / "assets" / "examples"


def test_all_examples_are_shown_and_can_be_downloaded(contents):
    visit(contents, "examples")
    shown = [block.value for block in contents.code]
    programs = [file.read_text(encoding="utf-8").strip() for file in FOLDER.glob("*.py")]
    assert sorted(shown) == sorted(programs)
    assert len(contents.get("download_button")) == len(shown)
