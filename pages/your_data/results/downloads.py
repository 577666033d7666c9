"""Downloads of a trial: predictions as a table, a machine as arrays, samples, and a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import samples_to_hand_out
from pages.shared.parts import downloads
from pages.shared.player.panels import NAMES
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.runs import TrialRun
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.splits import Split
from pages.your_data.trial.trial import CLASSES, OPTIONS, SplitResult, Trial
from smmcore.decision import predicted_class

NUMBER_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
# By method: how its class takes the two weights of a training.
WEIGHTS = {"lsvm": "C", "bsvm": "int(weight), C", "rglm": "weight", "smm": "C, weight"}


def draw_downloads(results: TrialResults, chosen: SplitResult, form: SampleForm, stem: str) -> None:
    """Draw the download buttons."""
    name, method, data = downloads.file_stem(stem), chosen.spec.method, results.experiment.data
    parts = results.experiment, results.train_test.splits, results.tested
    with st.popover("Download"):
        downloads.offer_table(
            "Predictions", f"{name}_predictions", partial(method_predictions, results, method)
        )
        downloads.offer_arrays(
            "Model", f"{name}_model", partial(machine_arrays, results, chosen, form)
        )
        downloads.offer_script(
            f"{name}_run.py", partial(trial_program, results.experiment, results.tested)
        )
        downloads.offer_samples(data, partial(trial_samples, *parts))
        st.caption(
            "Predictions for the test samples: number of the sample (from 1), split, label, "
            "prediction and decision values of the chosen classifier. The model is that of one "
            "split; it says how to use it in MATLAB and NumPy. The script trains and tests all "
            "classifiers again: it needs `smmcore` and the samples."
        )


def method_predictions(results: TrialResults, method: str) -> bytes:
    """Return the table (.csv) of a method's predictions for all test samples, counted from 1."""
    labels = [table_label(label) for label in results.classes.tolist()]
    rows = []
    for one, (_, test) in zip(results.machines[method], results.splits(method), strict=True):
        columns = results.rows[test] + 1, one.truth, predicted_class(one.decision), one.decision
        for row, true, code, decision in zip(*(each.tolist() for each in columns), strict=True):
            rows.append([row, one.split + 1, results.part, labels[true], labels[code], *decision])
    header = ["sample", "split", "part", "label", "prediction", *decision_header(labels)]
    return downloads.rows_to_csv(header, rows)


def decision_header(labels: Sequence[object]) -> list[str]:
    """Return the names of the columns of decision values, one of two classes, else one each."""
    if len(labels) == 2:
        return ["decision_value"]
    return [f"decision_value {label}" for label in labels]


def table_label(label: object) -> object:
    """Return a label for a cell of a table: 3.0 as 3, and no text that a spreadsheet would run."""
    if isinstance(label, float) and label.is_integer():
        return int(label)
    text = str(label)
    formula = text.lstrip()[:1] in tuple("=+-@＝＋－＠") or text[:1] in ("\t", "\r", "\n")
    return f"'{text}" if formula and not NUMBER_PATTERN.fullmatch(text) else label


def machine_arrays(
    results: TrialResults, chosen: SplitResult, form: SampleForm
) -> dict[str, object]:
    """Return a machine as arrays, with what is known about its training and its test."""
    machine = replace(Machine.from_result(chosen, results.classes), form=form)
    return {
        **machine.to_arrays(),
        **training_arrays(chosen, results.experiment.trial),
        "split": chosen.split + 1,
        "accuracy": chosen.accuracy,
    }


def training_arrays(result: SplitResult, trial: Trial) -> dict[str, object]:
    """Return the weights, ranks and gaps of a training, and the trial that it belongs to."""
    return {
        "C": result.C,
        "tau_or_lambda": result.weight,
        "rank": result.rank,
        "relative_gap": result.gap,
        "trial": repr(trial),
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
        method = one.spec.method
        weight = one.spec.rank if method == "bsvm" else one.weight
        for name, value in ((f"{method}_C", one.C), (f"{method}_weight", weight)):
            arrays.setdefault(name, np.full(len(splits), np.nan))[one.split] = value
    left, right = experiment.trial.preprocessing.matrices(*experiment.data.shape[1:])
    steps = {"left": left, "right": right}
    return arrays | {name: step for name, step in steps.items() if step is not None}


def trial_program(experiment: TrialRun, tested: Sequence[SplitResult]) -> str:
    """Return a program that trains and tests again, and prints the right answers of each test.

    It reads `trial_samples` from the `file` of the data.
    """
    trial, each = experiment.trial, experiment.trial.preprocessing.each
    methods = list(dict.fromkeys(one.spec.method for one in tested))
    tests = "".join(f"    ({one.split}, {one.spec.method!r}),\n" for one in tested)
    machines = "".join(
        f"    {method!r}: lambda C, weight: {CLASSES[method].__name__}(\n"
        f"        {', '.join([WEIGHTS[method], *_options(method, trial.class_weight)])}\n    ),\n"
        for method in methods
    )
    names = ", ".join(sorted(CLASSES[method].__name__ for method in methods))
    return f'''\
"""Train and test the classifiers of a trial again. It needs smmcore (`pip install .` in the folder
of the app) and the file {experiment.data.file}, which the page offers as "Samples".
"""

import numpy as np

from smmcore import {names}
from smmcore.estimators.scaling import Scaling

samples = np.load({experiment.data.file!r})
X, y = samples["X"].astype(float), samples["y"]
gaps = not np.isfinite(X).all()
left, right = (samples.get(name) for name in ("left", "right"))  # preprocessing: left X right
machines = {{  # from the weights that were given or chosen
{machines}}}
names = { ({method: NAMES[method] for method in methods})!r}
tests = [  # split and method
{tests}]
for split, method in tests:
    train, test = samples["train_of_split"][split], samples["test_of_split"][split]
    scaling = Scaling.fit({trial.scaling!r}, X[train], gaps, left, right, {each})
    C, weight = (samples[f"{{method}}_{{name}}"][split] for name in ("C", "weight"))
    machine = machines[method](C, weight).fit(scaling(X[train]), y[train])
    correct = machine.predict(scaling(X[test])) == y[test]
    print(split + 1, names[method], correct.sum(), len(correct), f"{{correct.mean():.1%}}")
'''


def _options(method: str, class_weight: str | None) -> list[str]:
    """Return the other arguments of a classifier."""
    balanced = {"class_weight": class_weight} if class_weight else {}
    return [f"{name}={value!r}" for name, value in (OPTIONS[method] | balanced).items()]
