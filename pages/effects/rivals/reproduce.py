"""Figure 1 of the SMM paper: groups of columns in W, against the weights that it does not print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from pages.shared.methods import BILINEAR_SVM, LINEAR_SVM, PAPER_METHODS, R_GLM, SMM, Settings
from pages.shared.reproduction.reproduction import (
    Cell,
    Comparison,
    Minutes,
    Reproduction,
    Results,
    Row,
    Size,
    Verdict,
    in_part,
    mean_and_error,
    rows_with,
)
from pages.shared.reproduction.sources import SourceSamples
from smmcore.datasets import column_groups, make_block_correlated
from smmcore.decision import accuracy
from smmcore.problems import SMMProblem
from smmcore.theory import grouping_score

GROUPS = 4  # V of section 5.1
HELD_OUT = 0.5  # samples to test, for each training sample
LOSS_WEIGHTS = (0.1, 1.0, 10.0, 100.0)
SHARES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # of lambda_max
TAU_SHARE = 0.1  # of the linear SVM's ||W||_2 at the same C
TOLERANCE = 1e-4  # relative gap, enough for the colours of a picture
# n, p, q and delta; with less noise than this, 80 samples show blocks at every weight.
SIZES = {"small": (80, 12, 16, 1e-2), "paper": (1_000, 80, 100, 1e-3)}
SEEDS = {"small": 2, "paper": 3}
PURE, NONE = 0.9, 0.6  # grouping scores above and below which a picture has pure blocks, or none
PRINTED = {
    SMM.key: "SMM, four blocks of pure colour",
    BILINEAR_SVM.key: "B-SVM, blocks with more noise",
    R_GLM.key: "R-GLM, no blocks",
}


@dataclass(frozen=True)
class Figure1Cell(Cell):
    """One method at one weight on one draw of the data."""

    n: int
    p: int
    q: int
    noise: float
    seed: int
    method: str
    weight: float  # C, or lambda / lambda_max of the R-GLM

    def row(self, samples: SourceSamples | None) -> Row:
        """Return grouping score, rank and held-out accuracy in percent."""
        held_out = round(HELD_OUT * self.n)
        shape, rank = (self.p, self.q), self.q // 5
        X, y = make_block_correlated(
            self.n + held_out, shape, GROUPS, self.noise, rank, random_state=self.seed
        )[:2]
        base = SMMProblem(X[: self.n], y[: self.n], 1.0, 0.0)
        weights = Settings(C=self.weight, lam=self.weight, rank=GROUPS)
        method = PAPER_METHODS[self.method]
        if "tau" in method.settings:
            svm = LINEAR_SVM.problem(base, weights)
            proof = LINEAR_SVM.solve(svm, TOLERANCE, LINEAR_SVM.max_iter)
            weights = weights._replace(tau=TAU_SHARE * float(proof.singular_values[0]))
        proof = method.solve(method.problem(base, weights), TOLERANCE, method.max_iter)
        decision = X[self.n :].reshape(held_out, -1) @ proof.W.ravel() + proof.b
        return {
            "group": grouping_score(proof.W, column_groups(self.q, GROUPS)),
            "rank": proof.rank,
            "held out": 100 * accuracy(decision, y[self.n :]),
            "relative gap": proof.relative_gap,
        }


class SMMFigure1(Reproduction):
    """The grouping score of W against the weight of each method."""

    name = "figure1"
    title = "Luo, Xie, Zhang, Li 2015, Figure 1: groups of columns in W"
    minutes = Minutes(small=0.1, paper=4)

    def cells(self, size: Size, available: Sequence[str]) -> list[Figure1Cell]:
        """Return a cell for each draw of the data, method and weight."""
        return [
            Figure1Cell(*SIZES[size], seed, method.key, weight)
            for seed in range(SEEDS[size])
            for method in PAPER_METHODS.values()
            for weight in (SHARES if "lam" in method.settings else LOSS_WEIGHTS)
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the scores of the three pictures at the weights that are nearest to the print.

        These are the C with the largest lead of the SMM over the B-SVM among those at which the SMM
        has pure blocks, and the smallest lambda. The reason says how many other weights give the
        printed order, which is no printed figure and has no verdict.
        """
        scores = {
            method: {
                weight: mean_and_error(_scores(results, method, weight))
                for weight in _weights(results, method)
            }
            for method in PAPER_METHODS
        }
        smm, bsvm, rglm = (scores[method] for method in PRINTED)
        C = max(smm, key=lambda C: (smm[C][0] >= PURE) + smm[C][0] - bsvm[C][0])
        lam = min(rglm)
        readings = {
            SMM.key: (f"at C = {C:g}", smm[C], smm[C][0] >= PURE),
            BILINEAR_SVM.key: (f"at C = {C:g}", bsvm[C], bsvm[C][0] < smm[C][0]),
            R_GLM.key: (f"at λ = λₘₐₓ / {1 / lam:,.0f}", rglm[lam], rglm[lam][0] < NONE),
        }
        reason = _why_open(scores, [row["held out"] for row in results.values()])
        return in_part(
            "Grouping score of W",
            (
                Comparison(
                    PRINTED[method],
                    reading,
                    nan,
                    *found,
                    Verdict.OTHER_READING if like else Verdict.NOT_REPRODUCED,
                    reason,
                )
                for method, (reading, found, like) in readings.items()
            ),
        )


def _why_open(
    scores: Mapping[str, Mapping[float, tuple[float, float]]], held_out: Sequence[float]
) -> str:
    """Return what the weights, which are not printed, change in pictures and in accuracy."""
    smm, bsvm, rglm = (scores[method] for method in PRINTED)
    order = [
        smm[C][0] >= PURE and bsvm[C][0] < smm[C][0] and rglm[lam][0] < NONE
        for C in smm
        for lam in rglm
    ]
    ranges = []
    for method, text in PRINTED.items():
        low, *_, high = sorted(score for score, _ in scores[method].values())
        ranges.append(f"{low:.2f} to {high:.2f} for the {text.split(',')[0]}")
    return (
        f"The paper does not print its weights. For C from {min(smm):g} to {max(smm):g} and λ from "
        f"λₘₐₓ / {1 / min(rglm):,.0f} to λₘₐₓ / {1 / max(rglm):,.0f} the score is "
        f"{', '.join(ranges)}; {100 * np.mean(order):.0f} % of the pairs of C and λ give the "
        "printed order of the three pictures. Accuracy cannot choose the weights: on new samples "
        f"it is {min(held_out):.0f} to {max(held_out):.0f} % at all of them."
    )


def _weights(results: Results, method: str) -> list[float]:
    return sorted(
        {cell.weight for cell in results if isinstance(cell, Figure1Cell) and cell.method == method}
    )


def _scores(results: Results, method: str, weight: float) -> list[float]:
    """Return the grouping scores of one setting, one for each draw of the data."""
    return [row["group"] for row in rows_with(results, method=method, weight=weight)]
