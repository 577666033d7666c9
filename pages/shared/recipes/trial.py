"""Recipes of a trial: labelled samples, and what is trained on them and tested how."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from pages.shared.recipes.data import Brought
from smmcore.model_selection import Scheme, Trial


@dataclass(frozen=True)
class TrialRun:
    """Methods, trained on parts of the samples and tested on the others."""

    data: Brought
    trial: Trial

    def repeating(self, strands: tuple[int, ...]) -> TrialRun:
        """Return the trial with what its searches have tried, in place of their budget."""
        return replace(self, trial=replace(self.trial, strands=strands))

    def script(self, most: int | None = None) -> str:
        """Return a program that prints split, method, right answers, tests and accuracy.

        It ends after the first tests, `most` of them: a trial that was stopped has no more.
        """
        trial = self.trial
        machines = "".join(f"        {machine!r},\n" for machine in trial.machines)
        rest = "".join(
            f"    {field.name}={getattr(trial, field.name)!r},\n"
            for field in fields(trial)
            if field.name != "machines"
        )
        further = "".join(f", {name}={name}" for name in self.data.known)
        each, tests = "tested", f"trial.tested(X, y{further})"
        if most is not None:
            each, tests = "_, tested", f"zip(range({most}), {tests})"  # it asks for no further one
        return f'''\
"""A trial of the support matrix machine lab; it needs the lab's package smmcore."""

{self.data.script()}
from smmcore.model_selection import Machine, Scheme, Trial

trial = Trial(
    machines=(
{machines}    ),
{rest})
for {each} in {tests}:
    of = len(tested.decision)
    print(tested.split + 1, tested.machine.method, tested.right, of, f"{{tested.accuracy:.1%}}")
'''


@dataclass(frozen=True)
class Division:
    """Samples and how they are divided into training and test parts."""

    data: Brought
    scheme: Scheme


@dataclass(frozen=True)
class Look:
    """Some of the samples, to be looked at."""

    data: Brought
    rows: tuple[int, ...]
