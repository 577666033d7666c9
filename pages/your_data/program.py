"""The program that repeats a trial with smmcore alone, and the samples that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.uploads import samples_to_hand_out
from pages.shared.player.panels import NAMES
from pages.your_data.runs import TrialRun
from pages.your_data.trial.splits import Split
from pages.your_data.trial.training import LIMITS
from pages.your_data.trial.trial import SplitResult

# By method: its class in smmcore, and how it takes the two weights of a training.
MACHINES = {
    "lsvm": ("LinearSVM", "C=C"),
    "bsvm": ("BilinearSVM", "rank=int(weight), C=C, fit_intercept=True, n_init=1"),
    "rglm": ("RegularizedGLM", "lam=weight"),
    "smm": ("SupportMatrixMachine", "C=C, tau=weight"),
}


def trial_samples(
    experiment: TrialRun, splits: Sequence[Split], tested: Sequence[SplitResult]
) -> dict[str, NDArray[Any]]:
    """Return the samples, the parts of each split, and the weights of each training."""
    arrays = samples_to_hand_out(experiment.data.prepare())
    n = len(arrays["y"])
    for name, part in (("train_of_split", 0), ("test_of_split", 1)):
        arrays[name] = np.array([np.isin(np.arange(n), split[part]) for split in splits])
    for one in tested:
        method, weight = one.spec.method, one.weight
        if method == "bsvm":
            weight = np.full(len(one.W), one.spec.rank, dtype=float)
        for name, values in ((f"{method}_C", one.C), (f"{method}_weight", weight)):
            arrays.setdefault(name, np.full((len(splits), len(one.W)), np.nan))[one.split] = values
    left, right = experiment.trial.preprocessing.matrices(*experiment.data.shape[1:])
    steps = {"left": left, "right": right}
    return arrays | {name: step for name, step in steps.items() if step is not None}


def trial_program(experiment: TrialRun, tested: Sequence[SplitResult]) -> str:
    """Return a program that trains and tests again, and prints the right answers of each test.

    It reads `trial_samples` from the `file` of the data.
    """
    trial = experiment.trial
    methods = list(dict.fromkeys(one.spec.method for one in tested))
    tests = "".join(f"    ({one.split}, {one.spec.method!r}),\n" for one in tested)
    balanced = ', class_weight="balanced"' if trial.class_weight else ""
    machines = "".join(
        f"    {method!r}: lambda C, weight: {MACHINES[method][0]}(\n"
        f"        {MACHINES[method][1]}{balanced}{_limits(method)}\n    ),\n"
        for method in methods
    )
    names = ", ".join(["MatrixScaler", *sorted(MACHINES[method][0] for method in methods)])
    return f'''\
"""Train and test the classifiers of a trial again. It needs smmcore (`pip install .` in the folder
of the app) and the file {experiment.data.file}, which the page offers as "Samples".
"""

import numpy as np

from smmcore import {names}

samples = np.load({experiment.data.file!r})
X, y = samples["X"].astype(float), samples["y"]
classes = np.unique(y)
machines = {{  # from the weights that were given or chosen
{machines}}}
names = { ({method: NAMES[method] for method in methods})!r}
tests = [  # split and method
{tests}]
for split, method in tests:
    train, test = samples["train_of_split"][split], samples["test_of_split"][split]
    Z = X
{_steps(experiment)}    scaler = MatrixScaler({trial.scaling!r}).fit(Z[train])
    weights = zip(samples[f"{{method}}_C"][split], samples[f"{{method}}_weight"][split])
    scores = []
    for label, (C, weight) in zip(classes if len(classes) > 2 else classes[1:], weights):
        machine = machines[method](C, weight).fit(scaler.transform(Z[train]), y[train] == label)
        scores.append(machine.decision_function(scaler.transform(Z[test])))
    if len(classes) == 2:
        predicted = classes[(scores[0] > 0).astype(int)]
    else:
        predicted = classes[np.argmax(scores, axis=0)]
    right = predicted == y[test]
    print(split + 1, names[method], right.sum(), len(right), f"{{right.mean():.1%}}")
'''


def _limits(method: str) -> str:
    """Return the tolerance and the maximum of iterations of a training."""
    tol, max_iter = LIMITS[method]
    return f", tol={tol}" + (f", max_iter={max_iter}" if max_iter > 1 else "")


def _steps(experiment: TrialRun) -> str:
    """Return the statements before the scaling: missing numbers, linear steps, standardisation."""
    steps = experiment.trial.preprocessing
    left, right = steps.matrices(*experiment.data.shape[1:])
    lines = ["if not np.isfinite(Z).all():"]
    lines += ["    mean = np.nan_to_num(np.nanmean(Z[train], axis=0))"]
    lines += ["    Z = np.where(np.isfinite(Z), Z, mean)"]
    lines += ['Z = samples["left"] @ Z'] if left is not None else []
    lines += ['Z = Z @ samples["right"]'] if right is not None else []
    if steps.each:
        lines += ["Z = Z - Z.mean(axis=(1, 2), keepdims=True)"]
        lines += ["deviation = Z.std(axis=(1, 2), keepdims=True)"]
        lines += ["Z = Z / np.where(deviation > 0, deviation, 1.0)"]
    return "".join(f"    {line}\n" for line in lines)
