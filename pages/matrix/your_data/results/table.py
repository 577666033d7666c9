"""The table of a trial: all quantities of all methods."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.results.scores import difference
from pages.matrix.your_data.results.trial_results import TrialResults
from pages.shared.player.panels import NAMES
from smmcore.decision import predicted_class


def rows(results: TrialResults) -> list[dict[str, str]]:
    """Return a row for each quantity, with a column for each method."""
    columns = {NAMES[method]: _column(results, method) for method in results.of}
    quantities = next(iter(columns.values()))
    return [
        {"": quantity} | {name: column[quantity] for name, column in columns.items()}
        for quantity in quantities
    ]


def _column(results: TrialResults, method: str) -> dict[str, str]:
    found, summary, area = results.of[method], results.summaries[method], results.areas[method]
    column = {"accuracy": str(summary.accuracy)}
    if _is_single_split(results):
        low, high = summary.scores[0].interval
        column["Wilson's 95 % interval"] = f"{100 * low:.1f} to {high:.1%}"
    column |= {
        "balanced accuracy": str(summary.balanced),
        "area below the ROC": str(area).removeprefix("AUC ") if area else "–",
        **_comparison(results, method),
        "C s²": _span([one.spec.c for one in found]),
        "τ / τ_max or λ / λ_max": _span([one.spec.share for one in found], ".3g"),
        "rank asked for": _span([one.spec.rank for one in found]),
        "rank of W": _span(np.concatenate([one.rank for one in found])),
        "largest relative gap": f"{max(one.gap.max() for one in found):.0e}",
    }
    if results.experiment.trial.search:
        column["cross-validated"] = _span([one.validated for one in found], ".1%")
        column["weights tried"] = _span([len(one.tried) for one in found])
    return column | {"seconds of processor time": f"{sum(one.seconds for one in found):.3g}"}


def note(results: TrialResults) -> str:
    """Explain the quantities."""
    several = len(results.classes) > 2
    sentences = []
    if "smm" in results.of:
        sentences.append(
            "SMM minus this: the paired difference of the accuracies ± its standard error; p: of "
            "McNemar's exact test, where no sample is tested twice."
        )
    sentences.append(
        "The relative duality gap of a training proves how far from its optimum it can be; of "
        "the bilinear SVM it is how far moving one factor alone could get."
    )
    if "groups" in results.experiment.data.known:
        sentences.append(
            "The standard error, p and Wilson's interval take samples as independent. Those of "
            "one group are not: with groups a difference is less certain than they say."
        )
    if several:
        sentences.append("Area below the ROC: mean of the classes, each against the rest.")
    if several or not _is_single_split(results):
        sentences.append("Ranges are over splits and classes.")
    return " ".join(sentences)


def _is_single_split(results: TrialResults) -> bool:
    """Return whether each method has been through one split only."""
    return all(len(found) == 1 for found in results.of.values())


def _comparison(results: TrialResults, other: str) -> dict[str, str]:
    """Compare the SMM with another method on the samples that both were tested on."""
    if "smm" not in results.of:
        return {}
    names = "SMM minus this, points", "right: SMM only, this only", "McNemar's p"
    if other == "smm":
        return dict.fromkeys(names, "–")
    both = min(len(results.of["smm"]), len(results.of[other]))
    first, second = (
        [
            predicted_class(decision) == truth
            for decision, truth in zip(
                results.decisions(method)[:both], results.truths(method)[:both], strict=True
            )
        ]
        for method in ("smm", other)
    )
    gap = difference(first, second, results.splits("smm")[:both])
    only = f"{gap.only_first:,}, {gap.only_second:,}"
    p = f"{gap.p:.2g}" if np.isfinite(gap.p) else "–"
    return dict(zip(names, (str(gap), only, p), strict=True))


def _span(values: Sequence[float | None] | NDArray, form: str = "g") -> str:
    known = [value for value in values if value is not None and np.isfinite(value)]
    if not known:
        return "–"
    low, high = format(min(known), form), format(max(known), form)
    return low if low == high else f"{low} to {high}"
