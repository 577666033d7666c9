"""The experiment of the low-rank SVM: its controls, and the words and tables of its numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address
from pages.shared.jobs import Turned
from pages.shared.recipes import PROTOCOLS, WEIGHTED, Relevant, WeightingRun

PLAIN = "X"
SIZES = {PLAIN: None, "A X Bᵀ, 10 x 10": 10, "A X Bᵀ, 50 x 50": 50}
NOISES = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0]


def choose() -> WeightingRun:
    """Draw the controls."""
    left, right = st.columns([3, 2])
    behind = address.choice(
        left,
        "segmented_control",
        "Samples",
        list(SIZES),
        PLAIN,
        key="behind",
        help="A and B are random with orthonormal columns: a feature X(i, j) becomes the rank-one "
        "matrix X(i, j) aᵢbⱼᵀ.",
    )
    protocol = address.choice(
        right,
        "selectbox",
        "Protocol",
        list(PROTOCOLS),
        "as printed",
        key="protocol",
        help="Features 1 to 3 are one triple, 4 to 6 the other. As printed: the class decides "
        "which of them is informative. Weston's own: the first one in 70 % of the samples of "
        "either class. One triple: always the first; in one row: nothing is permuted, and the "
        "best W has rank 1.",
    )
    with st.container(key="pairs"):
        columns = st.columns(4)
    large = SIZES[behind] == 50
    noise = address.choice(
        columns[0],
        "select_slider",
        "Deviation of the noise",
        NOISES,
        0.5 if large else 0.0,
        key="noise_50" if large else "noise_10",
        help="Normal, on each entry of the samples. The paper has N(0, .5) behind A and B, but "
        "the equal figures in its Table 1 leave no noise for 10 x 10.",
    )
    train = address.choice(
        columns[1],
        "select_slider",
        "Training samples",
        [30, 50, 100, 200],
        50,
        key="train_on",
        help="Of 500; the others test.",
    )
    C = address.choice(
        columns[2],
        "select_slider",
        "C",
        [0.01, 0.1, 1.0, 10.0, 100.0, 1e4],
        1e4,
        key="C_hard",
        help="Loss weight of each SVM. 10000 stands for the hard margin of Weston's AROM; "
        "with 1 and 50 samples its W shrinks to 0 on 50 x 50.",
    )
    seed = address.number(columns[3], "Seed", 0, 9999, 0, key="seed_low_rank")
    kind, permute = PROTOCOLS[protocol]
    data = Relevant(
        train=train, size=SIZES[behind], noise=noise, protocol=kind, permute=permute, seed=seed
    )
    return WeightingRun(data, C)


def provenance(data: Relevant) -> str:
    """Say which data a picture shows and what was done to them."""
    behind = next(name for name, size in SIZES.items() if size == data.size)
    asked = data.protocol, data.permute
    protocol = next(name for name, made in PROTOCOLS.items() if made == asked)
    return (
        f"Data of this lesson, not of the side bar: {behind}, protocol {protocol}, noise of "
        f"deviation {data.noise:g}, seed {data.seed}; {data.train} samples train, {data.tests} "
        f"test. Each feature of X is scaled to mean 0 and deviation 1 over all {data.n}; then all "
        f"are {'permuted' if data.permute else 'left in their order'} and laid out as 10 x 10."
    )


def shrunk(curves: NDArray[np.void]) -> list[str]:
    """Return the methods whose W has become 0."""
    return [name for method, name in WEIGHTED.items() if curves[f"kept_{method}"][-1] == 0]


def passes_table(curves: NDArray[np.void], data: Relevant) -> list[dict[str, object]]:
    """Return the rows of the linear SVM, which is the first pass, and of each method at its end."""
    _, p, q = data.shape
    rows = [("linear SVM (pass 1)", "lowrank", curves[0], "all")]
    for (method, name), of in zip(
        WEIGHTED.items(), (f"{min(p, q)} directions", f"{p * q} features"), strict=True
    ):
        rows.append((name, method, curves[-1], f"{curves[f'kept_{method}'][-1]:.0f} of {of}"))
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


def ranks(kept: int, values: NDArray[np.float32]) -> str:
    """Hold the rank of Wₖ against the singular values of W in the coordinates of the samples."""
    if not 0 < kept < len(values):
        return ""
    left = values[kept] / values[0]
    return (
        f"{kept} direction{'s of Wₖ count' if kept > 1 else ' of Wₖ counts'}. Of W, in the "
        f"coordinates of the samples, the next singular value is {left:.2g} of the largest, "
        "and not 0."
    )


def times(passes: np.void, cycles: np.void) -> str:
    """Hold times and objectives of the cyclic algorithm against those of the weighting.

    Parameters
    ----------
    passes, cycles : numpy.void
        The last curves of a `WeightingRun` and of a `CyclicRun`.
    """
    cyclic, weighting = cycles["seconds_svm"], passes["seconds_lowrank"]
    steps = int(cycles["steps_svm"])
    return (
        f"From the linear SVM it takes {steps} cycle{'s' * (steps > 1)} and {cyclic:.2f} s of "
        f"processor time, from the random start {cycles['steps_random']:.0f} and "
        f"{cycles['seconds_random']:.2f} s; the weighting above takes "
        f"{passes['steps_lowrank']:.0f} passes and {weighting:.2f} s. The paper calls the cyclic "
        f"algorithm much slower; here, from the linear SVM, it takes {cyclic / weighting:.1f} "
        "times as long (on seeds 0 to 4, k = 6, one thread: some 5 to 20 times on X, 1 to 3 on "
        f"50 x 50). The objective ends at {cycles['primal_svm']:.4g} and "
        f"{cycles['primal_random']:.4g}; the weighting's W, which does not aim at it, has "
        f"{passes['objective_lowrank']:.4g}; without a bound on the rank the least is "
        f"{cycles['svm']:.4g}."
    )


def turned_table(found: Iterable[Turned]) -> list[dict[str, str]]:
    """Return a row for each method: what differs between X and A X Bᵀ, and what does not."""
    return [
        {
            "method": one.method + ("" if one.kept else " (W₂ = 0)"),
            "‖W₂ − A W Bᵀ‖ / ‖W‖": f"{one.apart:.0e}",
            "difference of scores": f"{one.scores:.0e}",
            "test accuracy, X": f"{one.held[0]:.1%}",
            "test accuracy, A X Bᵀ": f"{one.held[1]:.1%}",
        }
        for one in found
    ]
