"""How near LowRank comes to Wolf's Table 1 on X: python -m tests.benchmarks.readings.

Under every generator of the data, permuted or not, each C, each const / D(1, 1), both orders of the
weightings and after each pass: the mean accuracy of the table's 20 repetitions. A few minutes.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice, product
from typing import NamedTuple, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from pages.shared import wolf
from smmcore.datasets import Protocol
from smmcore.problems import WeightingProblem
from smmcore.solvers.reweighting import SHARE, Weighting, iterative_weighting, spectral_weighting

LOSS_WEIGHTS = (0.01, 0.1, 1.0, 10.0, 1e4)
SHARES = (0.01, 0.03, SHARE, 0.3, 1.0)
PASSES = 12


class Tried(NamedTuple):
    """A reading of the text, and LowRank's accuracy under it in percent."""

    protocol: Protocol
    permute: bool
    C: float
    share: float  # const / D(1, 1)
    reverse: bool  # W from the weightings in the other order, as a step that is misread has it
    passes: int
    accuracy: float


def weigh(W: np.ndarray, share: float) -> Weighting:
    """The weighting of the low-rank SVM with another constant."""
    weighting = spectral_weighting(W)
    return replace(weighting, const=share * float(weighting.D.max()))


def accuracies(reading: wolf.Reading, share: float, repetition: int) -> np.ndarray:
    """Percent right after each pass, (2, PASSES): the weightings in their order, and reversed."""
    X, y = wolf.make_data(reading, 0, repetition)
    problem = WeightingProblem(X[: wolf.TRAIN], y[: wolf.TRAIN], reading.C)
    states = list(islice(iterative_weighting(problem, partial(weigh, share=share)), PASSES))
    found = np.empty((2, PASSES))
    for k, state in enumerate(states):
        W = state.svm.W.reshape(X.shape[1:])
        for weighting in state.weightings[:-1]:
            W = weighting(W)
        for order, each in enumerate((state.W, W)):
            b = problem.intercept(each, state.svm.b)
            right = np.tensordot(X[wolf.TRAIN :], each) + b > 0
            found[order, k] = 100 * np.mean(right == (y[wolf.TRAIN :] > 0))
    return found


def tried() -> Iterator[Tried]:
    """Every reading."""
    for protocol, permute, C, share in product(
        get_args(Protocol), (True, False), LOSS_WEIGHTS, SHARES
    ):
        reading = wolf.Reading(protocol, permute, C=C)
        mean = np.mean([accuracies(reading, share, r) for r in range(wolf.REPETITIONS)], axis=0)
        for (order, k), accuracy in np.ndenumerate(mean):
            yield Tried(protocol, permute, C, share, bool(order), k + 1, float(accuracy))


def main() -> None:
    """Print the best of each generator, and how many readings there were."""
    found = list(tried())
    for protocol, permute in product(get_args(Protocol), (True, False)):
        best = max(
            (one for one in found if (one.protocol, one.permute) == (protocol, permute)),
            key=lambda one: one.accuracy,
        )
        print(best)
    print(f"{len(found)} readings; printed: {wolf.PRINTED['LowRank'][0][0]}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
