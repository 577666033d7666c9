"""The results of the low-rank SVM in sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pages.relatives.low_rank.runs import METHODS, Turned
from pages.shared.data.synthetic import Relevant


def zero_methods(curves: NDArray[np.void]) -> list[str]:
    """Return the methods whose W has become 0."""
    return [name for method, name in METHODS.items() if curves[f"kept_{method}"][-1] == 0]


def describe_rank(kept: int, values: NDArray[np.float32]) -> str:
    """Compare the rank of Wₖ with the singular values of W in the coordinates of the samples."""
    if not 0 < kept < len(values):
        return ""
    next_value = values[kept] / values[0]
    return (
        f"{kept} direction{'s of Wₖ count' if kept > 1 else ' of Wₖ counts'}. Of W, in the "
        f"coordinates of the samples, the next singular value is {next_value:.2g} of the largest, "
        "and not 0."
    )


def passes_rows(curves: NDArray[np.void], data: Relevant) -> list[dict[str, object]]:
    """Return a row for the linear SVM, which is the first pass, and for each method at its end."""
    _, p, q = data.shape
    first, end = curves[0], curves[-1]
    rows = (
        ("linear SVM (pass 1)", "lowrank", first, "all"),
        ("LowRank", "lowrank", end, f"{end['kept_lowrank']:.0f} of {min(p, q)} directions"),
        ("AROM", "arom", end, f"{end['kept_arom']:.0f} of {p * q} features"),
    )
    return [
        {
            "method": name,
            "passes": int(row[f"steps_{method}"]),
            "kept": kept,
            "training accuracy": f"{row[f'train_{method}']:.1%}",
            "test accuracy": f"{row[f'held_{method}']:.1%}",
            "processor seconds": f"{row[f'seconds_{method}']:.3f}",
        }
        for name, method, row, kept in rows
    ]


def describe_times(passes: np.void, cycles: np.void) -> str:
    """Compare times and objectives of the cyclic algorithm with those of the weighting.

    Parameters
    ----------
    passes, cycles : numpy.void
        The last metrics of a `WeightingRun` and of a `CyclicRun`.
    """
    cyclic, weighting = cycles["seconds_svm"], passes["seconds_lowrank"]
    steps = int(cycles["steps_svm"])
    return (
        f"From the linear SVM it takes {steps} cycle{'s' if steps > 1 else ''} and {cyclic:.2f} s "
        f"of processor time, from the random start {cycles['steps_random']:.0f} and "
        f"{cycles['seconds_random']:.2f} s; the weighting above takes "
        f"{passes['steps_lowrank']:.0f} passes and {weighting:.2f} s. The paper calls the cyclic "
        f"algorithm much slower; here, from the linear SVM, it takes {cyclic / weighting:.1f} "
        "times as long (on seeds 0 to 4, k = 6, one thread: some 5 to 20 times on X, 1 to 3 on "
        f"50 x 50). The objective ends at {cycles['primal_svm']:.4g} and "
        f"{cycles['primal_random']:.4g}; the weighting's W, which does not aim at it, has "
        f"{passes['objective_lowrank']:.4g}; without a bound on the rank the least is "
        f"{cycles['svm']:.4g}."
    )


def turned_rows(results: Iterable[Turned]) -> list[dict[str, str]]:
    """Return a row for each method: what differs between X and A X Bᵀ, and what does not."""
    return [
        {
            "method": one.method if one.kept else f"{one.method} (W₂ = 0)",
            "‖W₂ − A W Bᵀ‖ / ‖W‖": f"{one.apart:.0e}",
            "difference of scores": f"{one.scores:.0e}",
            "test accuracy, X": f"{one.held[0]:.1%}",
            "test accuracy, A X Bᵀ": f"{one.held[1]:.1%}",
        }
        for one in results
    ]
