"""The synthetic data of the papers and the book, and real data sets, built in or downloaded."""

from smmcore.datasets.eeg import fetch_eeg_alcoholism, read_eeg_trial
from smmcore.datasets.faces import fetch_olivetti, load_faces
from smmcore.datasets.regression import (
    make_feature_groups,
    make_hidden_pair,
    make_low_rank,
    make_sinc,
    make_steps,
)
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
from smmcore.datasets.tensors import make_rank_one_tensors

__all__ = [
    "Protocol",
    "Scaling",
    "add_gaussian_noise",
    "add_salt_and_pepper",
    "column_groups",
    "correlated_pair",
    "fetch_eeg_alcoholism",
    "fetch_olivetti",
    "load_faces",
    "make_block_correlated",
    "make_feature_groups",
    "make_hidden_pair",
    "make_low_rank",
    "make_low_rank_relevant",
    "make_rank_one_tensors",
    "make_sinc",
    "make_steps",
    "positive_count",
    "read_eeg_trial",
    "tight_pair",
]
