"""What is taken home of a trial."""

from __future__ import annotations

from collections.abc import Mapping

from pages.matrix.your_data.runs import TrialRun
from pages.shared import evaluation
from pages.shared.panels import NAMES
from pages.shared.runs import Run
from pages.shared.verdict.found import Verdict
from smmcore.model_selection import Tested


def predictions(verdict: Verdict, method: str) -> bytes:
    """Return the table of what a method said about all test samples."""
    parts = [
        evaluation.Part(
            one.split,
            "test",
            verdict.rows[verdict.divided.splits[one.split][1]],
            truth,
            one.decision,
        )
        for one, truth in zip(verdict.of[method], verdict.truths(method), strict=True)
    ]
    return evaluation.predictions(verdict.classes, parts)


def model(verdict: Verdict, chosen: Tested) -> dict[str, object]:
    """Return a machine as arrays, and how it came about."""
    scaling = chosen.scaling
    arrays = evaluation.model(
        chosen.W,
        chosen.b,
        verdict.classes,
        mean=scaling.mean,
        scale=scaling.deviation,
        unit_length=scaling.unit_length,
        fill=scaling.fill,
    )
    about: Mapping[str, object] = {
        "method": NAMES[chosen.machine.method],
        "C": chosen.C,
        "tau_or_lambda": chosen.weight,
        "rank": chosen.rank,
        "relative_gap": chosen.gap,
        "split": chosen.split + 1,
        "accuracy": chosen.accuracy,
        "trial": repr(verdict.recipe.trial),
    }
    return arrays | about


def trial_script(run: Run, recipe: TrialRun) -> str:
    """Return the program of a trial: of one that was stopped, up to there.

    Parameters
    ----------
    run : Run
    recipe : TrialRun
        This session's own: another session may have brought the same samples in another file.
    """
    tested = run.frames.certificate
    if recipe.trial.search:
        recipe = recipe.repeating(tuple(one.strands for one in tested))
    return recipe.script(len(tested) if run.status == "stopped" else None)
