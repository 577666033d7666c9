"""The synthetic data of the papers and the book."""

from smmcore.datasets.regression import make_low_rank, make_sinc, make_steps
from smmcore.datasets.relevant import Protocol, make_low_rank_relevant
from smmcore.datasets.synthetic import (
    Scaling,
    add_gaussian_noise,
    add_salt_and_pepper,
    column_groups,
    correlated_pair,
    make_block_correlated,
    positive_count,
    tight_pair,
)

__all__ = [
    "Protocol",
    "Scaling",
    "add_gaussian_noise",
    "add_salt_and_pepper",
    "column_groups",
    "correlated_pair",
    "make_block_correlated",
    "make_low_rank",
    "make_low_rank_relevant",
    "make_sinc",
    "make_steps",
    "positive_count",
    "tight_pair",
]
