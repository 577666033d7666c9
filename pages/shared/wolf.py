"""Table 1 of Wolf, Jhuang and Hazan: four methods on data with few relevant directions."""

from __future__ import annotations

from math import log, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from pages.shared.reproduction.reproduction import fit_as_given
from smmcore.datasets import Protocol, make_low_rank_relevant

SETTINGS = ("X", "A X Bᵀ, 10 × 10", "A X Bᵀ, 50 × 50")
SIZES = (None, 10, 50)
METHODS = ("SVM", "AROM", "2DPCA + AROM", "LowRank")
PRINTED = {  # accuracy in percent and its standard deviation over repetitions, for each setting
    "SVM": ((92.63, 1.69), (92.63, 1.69), (89.12, 3.72)),
    "AROM": ((99.90, 0.20), (80.96, 8.01), (75.54, 9.03)),
    "2DPCA + AROM": ((97.84, 1.11), (97.84, 1.11), (79.99, 8.07)),
    "LowRank": ((99.47, 0.35), (99.47, 0.35), (97.60, 2.48)),
}
PRINTED_FACES = {"SVM": (92.7, 1.1), "AROM": (92.8, 1.0), "LowRank": (94.8, 1.2)}
PRINTED_PEDESTRIANS = {"SVM": 88.3, "AROM": 88.4, "LowRank": 89.6}  # not reproduced: no data
PRINTED_ACTIONS = {"SVM": 75.8, "AROM": 63.1, "LowRank": 84.3}  # tensors, no data either
REPETITIONS, SAMPLES, TRAIN = 20, 500, 50


class Reading(NamedTuple):
    """An interpretation of the experiment where the paper's text leaves details open."""

    protocol: Protocol = "as printed"
    permute: bool = True
    # Standard deviation in the last setting; the second has none, as its figures equal the first's.
    noise: float = 0.5
    C: float = 1e4  # a hard margin, as Weston's; at C = 1 AROM's W shrinks to 0 at 50 x 50
    components: int = 10  # of 2DPCA


AS_PRINTED = Reading()
# The result of a search: with this noise the SVM of the last setting has its printed accuracy.
FITTING = Reading("one triple", permute=False, noise=0.2)
READINGS = {  # N(0, 0.5) in the text gives the deviation or the variance
    "text, deviation 0.5": AS_PRINTED,
    "text, variance 0.5": AS_PRINTED._replace(noise=0.5**0.5),
    "nearest to the table": FITTING,
}


def make_estimator(method: str, reading: Reading) -> Any:
    """Return the unfitted estimator of one of `METHODS`."""
    from sklearn.pipeline import make_pipeline

    from smmcore import LinearSVM
    from smmcore.wolf.estimators import AROM, LowRankSVM
    from smmcore.wolf.two_d_pca import TwoDPCA

    C = reading.C
    match method:
        case "SVM":
            return LinearSVM(C)
        case "AROM":
            return AROM(C)
        case "2DPCA + AROM":
            return make_pipeline(TwoDPCA(reading.components), AROM(C))
        case "LowRank":
            return LowRankSVM(C)
    raise ValueError(f"the method must be one of {METHODS}, got {method!r}")


def make_data(reading: Reading, setting: int, repetition: int) -> tuple[Any, Any]:
    """Return X and y of a repetition; the features before A, B and the noise are the same."""
    return make_low_rank_relevant(
        SAMPLES,
        SIZES[setting],
        _noise(reading, setting),
        repetition,
        protocol=reading.protocol,
        permute=reading.permute,
    )[:2]


def _noise(reading: Reading, setting: int) -> float:
    return reading.noise if setting == 2 else 0.0


class AccuracyLimit(NamedTuple):
    """The accuracy of the Bayes classifier, which no other classifier exceeds."""

    distance: float  # between the class means, in standard deviations
    accuracy: float  # percent


def accuracy_limit(reading: Reading, setting: int) -> AccuracyLimit:
    """Return the accuracy of a classifier that knows A, B and the distribution of each class.

    It ignores that the features are scaled by the standard deviations of a sample. Only the six
    relevant features count: noise outside the subspaces of A and B is independent of all else.
    """
    triple = (1.0, 2.0, 3.0)
    shifts = {"as printed": (*triple, *triple), "one triple": tuple(2 * m for m in triple)}
    if reading.protocol not in shifts:
        raise ValueError(f"the protocol must be one of {tuple(shifts)}, got {reading.protocol!r}")
    share, noise = 0.7, _noise(reading, setting)  # the share of class +1
    # Noise is added to scaled features, of which it has deviation noise * (variance)^(1/2).
    squares = [
        shift**2 / (1 + noise**2 * (1 + share * (1 - share) * shift**2))
        for shift in shifts[reading.protocol]
    ]
    distance = sqrt(sum(squares))
    lean, right = log(share / (1 - share)) / distance, NormalDist().cdf
    accuracy = share * right(distance / 2 + lean) + (1 - share) * right(distance / 2 - lean)
    return AccuracyLimit(distance, 100 * accuracy)


def accuracies(reading: Reading, setting: int, repetition: int) -> dict[str, float]:
    """Return the accuracy of each method on one draw, in percent: 50 samples train, 450 test.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, section 6.
    """
    X, y = make_data(reading, setting, repetition)
    parts = X[:TRAIN], y[:TRAIN], X[TRAIN:], y[TRAIN:]
    return {method: accuracy(method, reading, *parts) for method in METHODS}


def split(X: ArrayLike, y: ArrayLike, repetition: int) -> Any:
    """Return X to train and to test, then y: a quarter to train, stratified."""
    from sklearn.model_selection import train_test_split

    return train_test_split(X, y, train_size=0.25, stratify=y, random_state=repetition)


def accuracy(method: str, reading: Reading, X: Any, y: Any, test_X: Any, test_y: Any) -> float:
    """Train a method and return its accuracy on the test part, in percent.

    At a small C, AROM and LowRank end at W = 0. This is a result, not a failure: every test sample
    gets the larger class of the training part, and the accuracy is the share of that class.
    """
    machine = fit_as_given(make_estimator(method, reading), X, y)
    return 100 * float(machine.score(test_X, test_y))
