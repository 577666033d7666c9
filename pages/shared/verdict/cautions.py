"""What must be said beside the numbers of a trial."""

from __future__ import annotations

from html import unescape

import numpy as np

from pages.shared import evaluation
from pages.shared.panels import NAMES
from pages.shared.verdict.found import Verdict
from smmcore.model_selection import strands


def cautions(verdict: Verdict, rate: evaluation.Spread) -> list[str]:
    """What the tests do not show; `rate` is that of always naming the largest class.

    The sentences name labels as they are: escape before showing.
    """
    first = next(iter(verdict.of))
    certified = {
        NAMES[method]: np.concatenate([one.certified for one in found])
        for method, found in verdict.of.items()
    }
    scores = {NAMES[method]: summary.scores for method, summary in verdict.summaries.items()}
    said = evaluation.caveats.of_test(scores, verdict.splits(first), rate, certified)
    said = [*said, *unequal(verdict)]
    if flat := _flat(verdict):
        said.append(
            f"SMM: W = 0 is optimal{flat}, whatever C and τ: the mean of the smaller class lies "
            "among the samples of the larger one, and the hinge loss then asks for no more than "
            "to name the larger class always. Take classes of nearer sizes."
        )
    return said


def unequal(verdict: Verdict) -> list[str]:
    """Say where a stop, or the budget of a search, has ended one method before another."""
    counts = {NAMES[method]: len(found) for method, found in verdict.of.items()}
    said = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    stopped = (
        f"The stop came when methods had been through unequal numbers of splits ({said}): their "
        "means are of different tests."
    )
    cut = [stopped] if len(set(counts.values())) > 1 else []
    if not verdict.recipe.trial.search:
        return cut
    side = verdict.recipe.data.shape[1:]
    cells = {NAMES[method]: sum(map(len, strands(method, *side))) for method in verdict.of}
    tried = {NAMES[m]: [len(one.tried) for one in found] for m, found in verdict.of.items()}
    return cut + evaluation.caveats.of_search(tried, cells)


def _flat(verdict: Verdict) -> str:
    """Where tau_max is 0, as W is 0 below it: empty if nowhere."""
    found = [
        one for one in verdict.of.get("smm", ()) if one.machine.share and one.machine.share < 1
    ]
    zero = np.any([(one.rank == 0) & one.certified for one in found], axis=0)
    if not np.any(zero):
        return ""
    if len(zero) == 1:
        return " for these two classes"
    shown = [unescape(name) for name, none in zip(verdict.names, zero, strict=True) if none]
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    return f" for {', '.join(shown[:5])}{more} against the rest"
