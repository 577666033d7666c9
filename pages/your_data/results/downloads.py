"""Downloads of a trial: predictions as a table, a machine as arrays, and a script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st
from numpy.typing import NDArray

from pages.shared.parts import downloads
from pages.your_data.program import trial_program, trial_samples
from pages.your_data.results.metrics import Array, Rows
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.trial import SplitResult, Trial
from smmcore.decision import predicted_class

NUMBER_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def draw_downloads(
    results: TrialResults,
    chosen: SplitResult,
    form: SampleForm,
    stem: str,
) -> None:
    """Draw the download buttons."""
    name, method = downloads.file_stem(stem), chosen.spec.method
    with st.popover("Download"):
        downloads.offer_table(
            "Predictions", f"{name}_predictions", partial(method_predictions, results, method)
        )
        downloads.offer_arrays(
            "Model", f"{name}_model", partial(machine_arrays, results, chosen, form)
        )
        program = partial(trial_program, results.experiment, results.tested)
        downloads.offer_script(f"{name}_run.py", program)
        downloads.offer_samples(results.experiment.data, partial(results_samples, results))
        st.caption(
            "Predictions for the test samples: number of the sample (from 1), split, label, "
            "prediction and decision values of the chosen classifier. The model is that of one "
            "split; it says how to use it in MATLAB and NumPy. The script trains and tests all "
            "classifiers again: it needs `smmcore` and the samples."
        )


def results_samples(results: TrialResults) -> dict[str, NDArray[Any]]:
    """Return what the program reads: samples, splits and weights."""
    return trial_samples(results.experiment, results.train_test.splits, results.tested)


def method_predictions(results: TrialResults, method: str) -> bytes:
    """Return the table of a method's predictions for all test samples."""
    found = zip(
        results.machines[method], results.splits(method), results.truths(method), strict=True
    )
    parts = [
        PartPredictions(one.split, results.part, results.rows[test], truth, one.decision)
        for one, (_, test), truth in found
    ]
    return prediction_table(results.classes, parts)


class PartPredictions(NamedTuple):
    """The decision values of a machine for the training or the test set of a split."""

    split: int  # from 0
    name: str  # "train", "test" or "validation"
    rows: Rows  # (m,), places of the samples in the file, from 0
    truth: Rows  # (m,), places in the classes
    decision: Array  # (m, 1) or (m, K)


def prediction_table(classes: NDArray[Any], parts: Iterable[PartPredictions]) -> bytes:
    """Return the table of predictions (.csv); samples and splits are counted from 1."""
    labels = [table_label(label) for label in classes.tolist()]
    rows = []
    for part in parts:
        columns = part.rows + 1, part.truth, predicted_class(part.decision), part.decision
        for row, true, code, decision in zip(*(c.tolist() for c in columns), strict=True):
            rows.append([row, part.split + 1, part.name, labels[true], labels[code], *decision])
    header = ["sample", "split", "part", "label", "prediction", *decision_header(labels)]
    return downloads.rows_to_csv(header, rows)


def decision_header(labels: Sequence[object]) -> list[str]:
    """Return the names of the columns of decision values, one of two classes, else one each."""
    if len(labels) == 2:
        return ["decision_value"]
    return [f"decision_value {label}" for label in labels]


def table_label(label: object) -> object:
    """Return a label for a cell of a table, which no spreadsheet runs as a formula."""
    return _escape_formula(_to_integer(label))


def _to_integer(label: object) -> object:
    """Turn 3.0 into 3, as MATLAB's numbers are doubles."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def _escape_formula(label: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would run as a formula."""
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
