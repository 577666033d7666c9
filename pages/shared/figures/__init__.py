"""Pictures that stand still. Plotly only: the page decides where they go and in which theme."""

from pages.shared.figures.balls import solid
from pages.shared.figures.dress import CONFIG
from pages.shared.figures.maps import correlations, gallery, heatmap, samples
from pages.shared.figures.verdicts import class_balance, singular_values

__all__ = [
    "CONFIG",
    "GREY",
    "class_balance",
    "correlations",
    "gallery",
    "heatmap",
    "samples",
    "singular_values",
    "solid",
]
