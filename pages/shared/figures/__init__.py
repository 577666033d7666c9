"""Pictures that stand still. Plotly only: the page decides where they go and in which theme."""

from pages.shared.figures.balls import alike, solid, sparse_and_convex
from pages.shared.figures.bounds import approach, bounds
from pages.shared.figures.capacity import vc_dimension
from pages.shared.figures.dress import CONFIG
from pages.shared.figures.losses import losses
from pages.shared.figures.maps import correlations, gallery, heatmap, pointed, samples
from pages.shared.figures.spectral import rules, sections
from pages.shared.figures.verdicts import class_balance, singular_values

__all__ = [
    "CONFIG",
    "GREY",
    "alike",
    "approach",
    "bounds",
    "class_balance",
    "correlations",
    "gallery",
    "heatmap",
    "losses",
    "pointed",
    "rules",
    "samples",
    "sections",
    "singular_values",
    "solid",
    "sparse_and_convex",
    "vc_dimension",
]
