"""What trained machines say about samples that they have not seen. Arrays in, numbers out."""

from pages.shared.evaluation import caveats
from pages.shared.evaluation.files import Part, model, predictions
from pages.shared.evaluation.roc import Roc, curves, macro
from pages.shared.evaluation.samples import Mistake, class_means, mistakes, support
from pages.shared.evaluation.scores import (
    Difference,
    Score,
    Spread,
    Summary,
    difference,
    majority,
    meaning,
    predicted,
    summary,
)

__all__ = [
    "Difference",
    "Mistake",
    "Part",
    "Roc",
    "Score",
    "Spread",
    "Summary",
    "caveats",
    "class_means",
    "curves",
    "difference",
    "macro",
    "majority",
    "meaning",
    "mistakes",
    "model",
    "predicted",
    "predictions",
    "summary",
    "support",
]
