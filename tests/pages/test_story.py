"""The course is one story: a word is earned before it is used, and no question answers itself."""

import json
import re

import pytest

from pages.navigation import ALL_LESSONS, LESSONS
from tests.pages.visit import components, knobs, visit

MOST_WORDS = 450  # of a lesson, without what is folded away
FOLDED = "expander", "expandable", "popover"
TEXTS = "markdown", "caption", "header", "info", "warning"
# Words that a lesson earns: none may stand above the fold of a lesson before (DESIGN, section 5).
EARNED = {
    "by_hand": ("margin", "loss", "support matrix", "floor", "SVM", "label"),
    "corners": ("penalty", "ℓ₁", "ℓ₂"),
    "trace_norm": ("rank", "singular value", "nuclear norm", "trace norm", "Frobenius"),
    "smm": ("load", "Ω", "τ"),
    "structure": ("noise",),
    "live": ("ADMM", "residual", "momentum", "restart", "ρ", "η", "certificate", "relative gap"),
    "grouping": ("group", "δ", "correlation", "feature"),
    "rank": ("overfitting",),
    "robustness": ("standard deviation",),
    "compare": ("B-SVM", "bilinear", "R-GLM", "grouping score"),
}


def unfolded(block):
    """Yield the texts of a part of the page that no expander or popover hides."""
    for child in block.children.values():
        if hasattr(child, "children"):
            if child.type not in FOLDED:
                yield from unfolded(child)
        elif child.type in TEXTS:
            yield child.value


def idea(page):
    """Return the first line: the first paragraph of the page that is not in the rail."""
    return next(text for text in unfolded(page.main) if " " in text and "[" not in text)


def above_the_fold(page):
    """Yield the texts before the first heading of the page."""
    for text in unfolded(page.main):
        if text in {heading.value for heading in page.header}:
            return
        yield re.sub(r"\[.*?\]\(.*?\)", "", text)


def early_words(lesson, text):
    """Return the words in a text that a later lesson earns."""
    order = [each.address for each in LESSONS]
    if lesson.address not in order:  # it stands after the course
        return []
    later = order[order.index(lesson.address) + 1 :]
    words = [word for address in later for word in EARNED.get(address, ())]
    return [word for word in words if re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)]


@pytest.mark.parametrize("lesson", ALL_LESSONS, ids=lambda lesson: lesson.address)
def test_lesson_earns_its_words_is_short_and_does_not_answer_itself(contents, lesson):
    visit(contents, lesson.address)
    (question,) = components(contents, "question")
    first = f"{idea(contents)} {question['question']}"
    answers = " ".join(answer["text"] for answer in question["answers"])
    labels = " ".join(f"{knob['label']} {knob['hint']}" for knob in knobs(contents).values())
    beside = " ".join(above_the_fold(contents))
    assert early_words(lesson, f"{first} {answers} {labels} {beside}") == []
    words = [re.findall(r"[^\W\d_]+", text) for text in unfolded(contents.main)]
    assert sum(map(len, words)) <= MOST_WORDS
    # Nor do the pictures, whose words come with their data. A single word says nothing by itself.
    (right,) = (answer["text"] for answer in question["answers"] if answer["right"])
    if " " not in right:
        return
    others = [
        each.proto.json
        for each in contents.get("bidi_component")
        if each.proto.component_name not in ("question", "states", "share")
    ]
    shown = " ".join([first, *(str(json.loads(text)) for text in others)])
    assert not re.search(rf"\b{re.escape(right)}\b", shown, re.IGNORECASE)
