"""The course is one story: a word is earned before it is used, and no question answers itself."""

import json
import re

import pytest

from pages.navigation import ALL_LESSONS, LESSONS
from tests.pages.visit import components, knobs, players, visit

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
    "live": ("ADMM", "residual", "momentum", "restart", "ρ", "η", "primal", "dual"),
    "grouping": ("group", "δ", "correlation", "feature"),
    "rank": ("overfitting",),
    "robustness": ("standard deviation",),
    "compare": ("B-SVM", "bilinear", "R-GLM", "grouping score"),
}
# No lesson earns these: they stand below the fold, beside what explains them.
LATE = "certif", "relative gap", "iteration", "C s²", "λₘₐₓ", "regularis"


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


def stage_words(page):
    """Return the words on and below the pictures of the first player, if there is one."""
    for player in players(page)[:1]:
        numbers = [number for panel in player["panels"] for number in panel.get("numbers", ())]
        titles = [panel.get("title", "") for panel in player["panels"]]
        labels = [player["axis"]["name"], player["axis"]["label"]]
        return " ".join([*titles, *labels, *(number["label"] for number in numbers)])
    return ""


def above_the_fold(page):
    """Yield the texts before the first heading of the page."""
    for text in unfolded(page.main):
        if text in {heading.value for heading in page.header}:
            return
        yield re.sub(r"\[.*?\]\(.*?\)", "", text)


def early_words(lesson, text):
    """Return the words in a text that a later lesson earns, or none."""
    order = [each.address for each in LESSONS]
    later = order[order.index(lesson.address) + 1 :] if lesson.address in order else []
    words = [*LATE, *(word for address in later for word in EARNED.get(address, ()))]
    return [word for word in words if re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)]


@pytest.mark.parametrize("lesson", ALL_LESSONS, ids=lambda lesson: lesson.address)
def test_lesson_earns_its_words_is_short_and_does_not_answer_itself(contents, lesson):
    visit(contents, lesson.address)
    (question,) = components(contents, "question")
    first = f"{idea(contents)} {question['question']}"
    answers = " ".join(answer["text"] for answer in question["answers"])
    labels = " ".join(f"{knob['label']} {knob['hint']}" for knob in knobs(contents).values())
    beside = " ".join(above_the_fold(contents))
    assert early_words(lesson, f"{first} {answers} {labels} {stage_words(contents)} {beside}") == []
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
