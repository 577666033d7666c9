"""What a trial has come to: numbers, sentences and files, and the cards that draw them."""

from pages.shared.verdict.cards import (
    files,
    formulas,
    inside,
    machine,
    numbers,
    side,
    table,
    tests,
)
from pages.shared.verdict.cautions import unequal
from pages.shared.verdict.downloads import model, predictions
from pages.shared.verdict.found import Verdict

__all__ = [
    "Verdict",
    "files",
    "formulas",
    "inside",
    "machine",
    "model",
    "numbers",
    "predictions",
    "side",
    "table",
    "tests",
    "unequal",
]
