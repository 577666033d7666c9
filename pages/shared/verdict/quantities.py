"""All numbers of all methods, written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pages.shared import evaluation
from pages.shared.panels import NAMES
from pages.shared.verdict.found import Verdict

DEPENDENT = (
    " The standard error, p and Wilson's interval take samples as independent. Those of one group "
    "are not: with groups a difference is less certain than they say."
)


def rows(verdict: Verdict) -> list[dict[str, str]]:
    """A quantity in each, by method."""
    searched = verdict.recipe.trial.search
    columns: dict[str, dict[str, str]] = {}
    for method, found in verdict.of.items():
        summary, area = verdict.summaries[method], verdict.areas[method]
        column = {"accuracy": str(summary.accuracy)}
        if _once(verdict):
            low, high = summary.scores[0].interval
            column["Wilson's 95 % interval"] = f"{100 * low:.1f} to {high:.1%}"
        column |= {
            "balanced accuracy": str(summary.balanced),
            "area below the ROC": str(area).removeprefix("AUC ") if area else "–",
        }
        column |= _compared(verdict, method)
        column |= {
            "C s²": _span([x.machine.c for x in found]),
            "τ / τ_max or λ / λ_max": _span([x.machine.share for x in found], ".3g"),
            "rank asked for": _span([x.machine.rank for x in found]),
            "rank of W": _span(np.concatenate([x.rank for x in found])),
            "largest relative gap": f"{max(x.gap.max() for x in found):.0e}",
        }
        if searched:
            column["cross-validated"] = _span([x.validated for x in found], ".1%")
            column["weights tried"] = _span([len(x.tried) for x in found])
        column["seconds of processor time"] = f"{sum(x.seconds for x in found):.3g}"
        columns[NAMES[method]] = column
    quantities = next(iter(columns.values()))
    return [
        {"": quantity} | {name: column[quantity] for name, column in columns.items()}
        for quantity in quantities
    ]


def note(verdict: Verdict) -> str:
    """What the quantities mean."""
    several = len(verdict.classes) > 2
    compared = (
        "SMM minus this: the paired difference of the accuracies ± its standard error; p: of "
        "McNemar's exact test, where no sample is tested twice. "
    )
    return (
        compared
        * ("smm" in verdict.of)
        + "The relative duality gap of a training proves how far from its optimum it can be; of "
        "the bilinear SVM it is how far moving one factor alone could get."
        + DEPENDENT * ("groups" in verdict.recipe.data.known)
        + " Area below the ROC: mean of the classes, each against the rest." * several
        + " Ranges are over splits and classes." * (several or not _once(verdict))
    )


def _once(verdict: Verdict) -> bool:
    """Whether each method has been through one split only."""
    return all(len(found) == 1 for found in verdict.of.values())


def _compared(verdict: Verdict, other: str) -> dict[str, str]:
    """How the SMM does against another method on the samples that both were tested on."""
    if "smm" not in verdict.of:
        return {}
    if other == "smm":
        return {
            "SMM minus this, points": "–",
            "right: SMM only, this only": "–",
            "McNemar's p": "–",
        }
    both = min(len(verdict.of["smm"]), len(verdict.of[other]))
    right = [
        [
            evaluation.predicted(decision) == truth
            for decision, truth in zip(
                verdict.decisions(method)[:both], verdict.truths(method)[:both], strict=True
            )
        ]
        for method in ("smm", other)
    ]
    gap = evaluation.difference(*right, verdict.splits("smm")[:both])
    return {
        "SMM minus this, points": str(gap),
        "right: SMM only, this only": f"{gap.only_first:,}, {gap.only_second:,}",
        "McNemar's p": f"{gap.p:.2g}" if np.isfinite(gap.p) else "–",
    }


def _span(values: Sequence[float | None] | NDArray, form: str = "g") -> str:
    known = [value for value in values if value is not None and np.isfinite(value)]
    if not known:
        return "–"
    low, high = format(min(known), form), format(max(known), form)
    return low if low == high else f"{low} to {high}"
