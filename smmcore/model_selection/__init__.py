"""Train and test the four methods on labelled samples: scaling, splits, weights, searches."""

from smmcore.model_selection.grid import Search, Tried, named, ranks, search, strands
from smmcore.model_selection.machines import METHODS, Fit, Machine, Part, along, fit
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import BY, KINDS, Scheme, Split
from smmcore.model_selection.trial import Material, State, Tested, Trial, states

__all__ = [
    "BY",
    "KINDS",
    "METHODS",
    "SCALINGS",
    "Fit",
    "Machine",
    "Material",
    "Part",
    "Scaling",
    "Scheme",
    "Search",
    "Split",
    "State",
    "Tested",
    "Trial",
    "Tried",
    "along",
    "fit",
    "named",
    "ranks",
    "search",
    "states",
    "strands",
]
