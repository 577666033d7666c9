"""Figure 2 of the SMM paper: accuracy under noise, against the rule that breaks ties of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from pages.shared.methods import PAPER_METHODS, SMM
from pages.shared.noise import RULES, accuracies, choose_weight, fit, fold_of, strengths
from pages.shared.numbers import signed
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
from smmcore.datasets import make_block_correlated

GROUPS, NOISE, FOLDS, REPETITIONS = 10, 1e-2, 3, 10  # V and delta of section 5.2
DEVIATIONS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
DENSITIES = (0.001, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035)
SALT = 1.0  # against entries of about 0.03, without which salt and pepper would change nothing
SIZES = {"small": (120, 60, 16, 20), "paper": (1_000, 500, 80, 100)}  # training, test, p, q
SEEDS, COUNT = {"small": 2, "paper": 3}, 4  # draws of the data, weights of each method
# Levels at which the printed SMM is ahead.
COMPARED = {
    "gaussian 0.3": "Gaussian noise of deviation 0.3",
    "salt and pepper 0.035": "salt-and-pepper noise of density 0.035",
}


@dataclass(frozen=True)
class Figure2Cell(Cell):
    """One method at one strength of its regularisation, on one draw of the data."""

    n: int
    tests: int
    p: int
    q: int
    seed: int
    method: str
    strength: int  # of `robustness.strengths`

    def row(self, samples: SourceSamples | None) -> Row:
        """Return the accuracy in cross-validation and at each level of noise, in percent."""
        shape, rank = (self.p, self.q), self.q // 5
        X, y = make_block_correlated(
            self.n + self.tests, shape, GROUPS, NOISE, rank, random_state=self.seed
        )[:2]
        X, y, X_test, y_test = X[: self.n], y[: self.n], X[self.n :], y[self.n :]
        strength = strengths(COUNT)[self.strength]
        folds = fold_of(y, FOLDS)
        right = 0.0
        for fold in range(FOLDS):
            test = folds == fold
            model = fit(self.method, X[~test], y[~test], strength)
            right += np.count_nonzero(test) * model.accuracy(X[test], y[test])
        model = fit(self.method, X, y, strength)
        row: Row = {"validated": 100 * right / self.n, "rank": np.linalg.matrix_rank(model.W)}
        for level in DEVIATIONS:  # the mean over all draws of the noise, in closed form
            row[f"gaussian {level:g}"] = 100 * model.exact_accuracy(X_test, y_test, level)
        for number, level in enumerate(DENSITIES):
            draws = accuracies(
                [model],
                X_test,
                y_test,
                "salt and pepper",
                level,
                salt=SALT,
                repetitions=REPETITIONS,
                random_state=[self.seed, number],  # the same noise for all methods
            )
            row[f"salt and pepper {level:g}"] = 100 * draws.mean()
        return row


class SMMFigure2(Reproduction):
    """The lead of the SMM under noise, for each rule that breaks ties among validated weights."""

    name = "figure2"
    title = "Luo, Xie, Zhang, Li 2015, Figure 2: accuracy on noisy test samples"
    minutes = Minutes(small=0.1, paper=4)

    def cells(self, size: Size, available: Sequence[str]) -> list[Figure2Cell]:
        """Return a cell for each draw of the data, method and strength."""
        return [
            Figure2Cell(*SIZES[size], seed, method, strength)
            for seed in range(SEEDS[size])
            for method in PAPER_METHODS
            for strength in range(COUNT)
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the lead of the SMM without noise and at two levels, and what the rules change."""
        chosen = {rule: _chosen(results, rule) for rule in RULES}
        comparisons = [_compare_clean(chosen)]
        for level, noise in COMPARED.items():
            leads = {rule: mean_and_error(_leads(rows, level)) for rule, rows in chosen.items()}
            ahead = [rule for rule, (lead, error) in leads.items() if lead > 2 * error]
            if len(ahead) == len(RULES):
                verdict = Verdict.REPRODUCED
            else:
                verdict = Verdict.OTHER_READING if ahead else Verdict.NOT_REPRODUCED
            reading = max(leads, key=lambda rule: leads[rule][0])
            by_rule = ", ".join(
                f"{signed(lead, '.1f')} ({rule})" for rule, (lead, _) in leads.items()
            )
            reason = (
                "Of weights that validate equally well, a rule must take one, and the paper names "
                f"none. The lead of the SMM by rule, in points: {by_rule}."
            )
            comparisons.append(
                Comparison(
                    f"SMM minus the best of the others, {noise}",
                    _describe(reading),
                    nan,
                    *leads[reading],
                    verdict,
                    reason,
                )
            )
        return in_part("Differences of accuracy, in points", comparisons)


def _chosen(results: Results, rule: str) -> dict[str, list[Row]]:
    """Return the rows of the weights that a rule chooses, by method, one for each draw."""
    cells = [cell for cell in results if isinstance(cell, Figure2Cell)]
    chosen: dict[str, list[Row]] = {method: [] for method in PAPER_METHODS}
    for seed in dict.fromkeys(cell.seed for cell in cells):
        for method, rows in chosen.items():
            of_method = rows_with(results, seed=seed, method=method)
            scores = np.array([row["validated"] / 100 for row in of_method])
            rows.append(of_method[choose_weight(rule, scores, cells[0].n)])
    return chosen


def _leads(rows: dict[str, list[Row]], level: str) -> list[float]:
    """Return the accuracy of the SMM minus that of the best other method, for each draw."""
    others = [method for method in PAPER_METHODS if method != SMM.key]
    return [
        own[level] - max(rows[method][seed][level] for method in others)
        for seed, own in enumerate(rows[SMM.key])
    ]


def _describe(rule: str) -> str:
    """Return one of `RULES` in words: which of several weights it takes."""
    side, _, among = rule.partition(" ")
    return f"with the {side} regularisation {among}"


def _compare_clean(chosen: dict[str, dict[str, list[Row]]]) -> Comparison:
    """Check that all methods are comparable without noise, whatever the rule."""
    spreads = {
        rule: mean_and_error(
            [
                max(draw["gaussian 0"] for draw in draws)
                - min(draw["gaussian 0"] for draw in draws)
                for draws in zip(*rows.values(), strict=True)
            ]
        )
        for rule, rows in chosen.items()
    }
    rule = max(spreads, key=lambda rule: spreads[rule][0])
    comparable = spreads[rule][0] <= 5
    return Comparison(
        "Best minus worst method, without noise",
        _describe(rule),
        nan,
        *spreads[rule],
        Verdict.REPRODUCED if comparable else Verdict.NOT_REPRODUCED,
        "The methods are comparable on clean samples: within five points under every rule."
        if comparable
        else "On clean samples the methods differ by more than five points under this rule.",
    )
