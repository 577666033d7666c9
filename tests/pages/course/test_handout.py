"""The questions of the lessons on paper, and for Moodle."""

import re

from pages.course import handout
from pages.navigation import ALL_LESSONS


def test_worksheet_and_questions_for_moodle_hold_each_question_once(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["handout", str(tmp_path), "http://class.example/"])
    handout.main()
    gift = (tmp_path / "questions.gift").read_text("utf-8")
    sheet = (tmp_path / "worksheet.html").read_text("utf-8")
    blocks = gift.strip().split("\n\n")
    assert len(blocks) == sheet.count("<section>") == sheet.count("<svg") > 10
    for block in blocks:
        title, question = re.match(r"::(.+?)::(.+) \{", block).groups()
        assert title in {lesson.title for lesson in ALL_LESSONS}
        assert question
        assert len(re.findall(r"^  =", block, re.MULTILINE)) == 1  # one answer is right
        assert len(re.findall(r"^  ~", block, re.MULTILINE)) >= 1
        assert block.count("#") - block.count(r"\#") == block.count("\n") - 1  # a reply each
    for lesson in ALL_LESSONS:
        if lesson.title in sheet:
            assert f"http://class.example/{lesson.address}<" in sheet
