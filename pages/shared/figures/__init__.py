"""Pictures that stand still. Plotly only: the page decides where they go and in which theme."""

from pages.shared.figures.balls import alike, solid, sparse_and_convex
from pages.shared.figures.bounds import approach, bounds
from pages.shared.figures.dress import CONFIG
from pages.shared.figures.maps import correlations, gallery, heatmap, pointed, samples
from pages.shared.figures.spectral import rules, sections
from pages.shared.figures.verdicts import (
    class_balance,
    confusion_matrix,
    grid,
    roc,
    singular_values,
    spectra,
)

__all__ = [
    "CONFIG",
    "GREY",
    "alike",
    "approach",
    "bounds",
    "class_balance",
    "confusion_matrix",
    "correlations",
    "gallery",
    "grid",
    "heatmap",
    "pointed",
    "roc",
    "rules",
    "samples",
    "sections",
    "singular_values",
    "solid",
    "sparse_and_convex",
    "spectra",
]
