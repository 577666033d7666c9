"""Draw the results of a trial: the methods side by side, one classifier in detail, downloads."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape, unescape
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import samples_to_hand_out
from pages.shared.engine import session
from pages.shared.methods import SMM
from pages.shared.numbers import percent
from pages.shared.parts import charts, downloads, heatmaps
from pages.shared.parts.charts import COLORBAR, border, format_figure
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets import url
from pages.your_data.results.trial_results import Bar, TrialResults, table_columns
from pages.your_data.runs import FetchedSamples, SampleRequest, TrialExperiment, fetch_samples
from pages.your_data.trial import logistic
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Split
from pages.your_data.trial.trial import LOGISTIC, METHODS, NAMES, SplitResult, Trial
from smmcore.decision import predicted_class

MAX_PICTURES = 12  # samples in a gallery
LONGEST_LINE = 12  # letters above a W
LEFT = 0.35  # of the axis: to the right of a line there the words at it have room
PERCENT = {f"{k}%": percent(k / 100, 0) for k in range(101)}  # for Plotly's labels
NUMBER_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
# The settings of a method in a program that has the two weights of a training.
SETTINGS = {
    "C": "C",
    "tau": "weight",
    "lam": "weight",
    "rank": "int(weight)",
    "fit_intercept": "True",
}


def draw_results(results: TrialResults, chosen: SplitResult, k: int, status: str = "") -> None:
    """Draw the accuracies and the W of all methods side by side, with warnings."""
    left, right = st.container(key="results").columns(2)
    charts.draw(left, accuracies(results.bars, results.majority_rate))
    found = [one for one in results.tested if one.split == chosen.split]
    labels = [
        "<br>".join([*wrap(NAMES[one.spec.method], LONGEST_LINE), f"rank {one.rank[k]}"])
        for one in found
    ]
    towards = f"{results.html_names[k]} against the rest"
    if len(chosen.W) == 1:
        towards = f"positive: {results.html_names[1]}"
    # The size of W changes no prediction, and that of the R-GLM is another one.
    shapes = [one.W[k] / (np.abs(one.W[k]).max() or 1.0) for one in found]
    figure = heatmaps.gallery(shapes, labels, f"W, {towards}", across=3)
    figure.update_traces(showscale=False)
    charts.draw(right, figure)
    st.caption(" ".join(filter(None, [results.weights_sentence, status])))
    for sentence in results.comparisons():
        st.markdown(sentence)
    st.caption(
        f"{results.explanation} Colours of W: blue is negative, orange positive, each as a share "
        "of its largest entry."
    )
    for sentence in results.warnings():
        st.caption(f"⚠️ {escape_markdown(sentence)}")


def choose_machine(results: TrialResults) -> tuple[SplitResult, int]:
    """Draw the choice of a method, a split and a class; return its classifier and W's place."""
    left, middle, right = st.columns([5, 2, 3])
    trained = list(results.machines)
    method = url.choice(
        left,
        "segmented_control",
        "Classifier",
        trained,
        SMM.key if SMM.key in trained else trained[0],
        NAMES.__getitem__,
        key="machine",
    )
    found = results.machines[method]
    split = 1
    if len(found) > 1:
        split = url.choice(
            middle, "selectbox", "Split", range(1, len(found) + 1), 1, key="shown_split"
        )
    chosen, k = found[split - 1], 0
    if len(chosen.W) > 1:
        names = list(results.names)
        k = names.index(
            url.choice(right, "selectbox", "W of class", names, names[0], key="shown_class")
        )
    return chosen, k


def draw_tests(results: TrialResults, chosen: SplitResult) -> None:
    """Draw the confusion matrix of a method and its most confident mistakes."""
    method = chosen.spec.method
    left, right = st.columns(2)
    confusion = results.evaluations[method].confusion
    title = f"{NAMES[method]}: {confusion.sum():,} test samples by class"
    charts.draw(left, confusion_matrix(confusion, results.html_names, title))
    wrong = results.mistakes(method)[:MAX_PICTURES]
    if not wrong:
        right.caption(f"The {NAMES[method]} makes no mistake on these test samples.")
        return
    fetched = _fetch(results, [mistake.row for mistake in wrong], "mistakes")
    labels = [
        mistake.caption(results.html_names, results.rows[mistake.row] + 1) for mistake in wrong
    ]
    figure = heatmaps.samples(
        fetched.samples, labels, f"Mistakes of the {NAMES[method]}", signed=fetched.signed
    )
    charts.draw(right, figure)
    several = "the f(X) of that class minus that of its own" if len(chosen.W) > 1 else "|f(X)|"
    right.caption(
        f"The most confident ones: number of the sample, its class → the predicted one; {several}."
    )


def draw_table(results: TrialResults) -> None:
    """Draw all numbers of all methods."""
    charts.draw_table(table_columns(results), height="content")
    trial, shape = results.experiment.trial, results.experiment.data.shape
    st.caption(
        "The relative duality gap bounds how far the objective is from its minimum; for the "
        "bilinear SVM it bounds what changing one factor alone could gain. Ranges are over splits "
        "and classes."
    )
    st.caption(
        f"Preprocessing: {trial.preprocessing.describe(*shape[1:])}. s² is the mean squared "
        "distance of the scaled training samples from their mean. At τₘₐₓ and at λₘₐₓ W = 0; for "
        "classes of unequal sizes τₘₐₓ is a bound, at most about twice the smallest such value."
    )


def _fetch(results: TrialResults, rows: list[int], what: str) -> FetchedSamples:
    request = SampleRequest(results.experiment.data, tuple(rows))
    return session.run_task(f"your data: {what}", f"Loading {what}", fetch_samples, request)


def accuracies(bars: Mapping[str, Bar], majority: float) -> go.Figure:
    """Draw a dot and a range for each method, and a line at the majority rate."""
    figure = go.Figure()
    lowest = min(majority, *(bar.low for bar in bars.values()))
    by_colour = {method.colour: method.label for method in METHODS.values()}
    for number in range(max(by_colour) + 1):  # the theme colours by place
        name = by_colour.get(number, "")
        bar = bars.get(name)
        figure.add_scatter(
            x=[bar.accuracy if bar else None],
            y=[name] if name in bars else [None],
            name=name,
            mode="markers+text",
            text=[f"<b>{percent(bar.accuracy)}</b>" if bar else ""],
            textposition="top center",
            marker={"size": 15},
            error_x={
                "array": [bar.high - bar.accuracy if bar else None],
                "arrayminus": [bar.accuracy - bar.low if bar else None],
                "thickness": 3,
                "width": 8,
            },
            cliponaxis=False,
            hovertemplate=f"{name}: %{{x:.1%}}<extra></extra>",
        )
    figure.add_vline(majority, line=border() | {"width": 2})
    figure.add_annotation(
        x=majority,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"largest class: {percent(majority)}",
        showarrow=False,
        xanchor="left" if majority - lowest < LEFT * (1 - lowest) else "right",
    )
    room = 0.1 * (1 - lowest) or 0.01
    ends = max(lowest - room, -room), 1 + 2 * room  # at the right for the words at a dot
    figure.update_xaxes(range=ends, tickformat=".0%", labelalias=PERCENT, nticks=4, tickangle=0)
    figure.update_yaxes(categoryorder="array", categoryarray=list(bars)[::-1])
    figure.update_yaxes(range=[-0.6, len(bars) - 0.3])
    format_figure(figure, "Accuracy on test samples", 400)
    figure.layout.margin.t += 24  # for the words at the line
    return figure


def confusion_matrix(counts: NDArray[np.integer], names: Sequence[str], title: str) -> go.Figure:
    """Draw counts (K, K), with a row for each true class; many classes without the numbers."""
    K = len(names)
    places = np.arange(1, K + 1)  # names may be equal, or look like numbers
    true, predicted = np.meshgrid(names, names, indexing="ij")
    figure = go.Figure(
        go.Heatmap(
            z=counts / np.maximum(counts.sum(axis=1, keepdims=True), 1),
            x=places,
            y=places,
            text=counts,
            customdata=np.dstack([true, predicted, counts]),
            texttemplate="%{text}" if K <= 12 else "",
            textfont={"size": 22 if K <= 4 else 13},
            zmin=0,
            zmax=1,
            xgap=2 if K <= 12 else 0.5,
            ygap=2 if K <= 12 else 0.5,
            colorbar=COLORBAR | {"tickformat": ".0%", "labelalias": PERCENT, "title": "of<br>row"},
            showscale=K > 12,
            hovertemplate="true %{customdata[0]}, predicted %{customdata[1]}: "
            "%{customdata[2]} (%{z:.1%})<extra></extra>",
        )
    )
    letters = 14 if K <= 4 else 9
    texts = [_shorten(name, letters) for name in names]

    def ticks(most: int) -> dict[str, object]:
        every = -(-K // most)
        return {"tickvals": places[::every], "ticktext": texts[::every]}

    # To the left: Plotly omits a label that leans out at the right.
    leaning = {"autotickangles": [0, -30, -90]}
    figure.update_xaxes(title="predicted", **ticks(10 if K > 12 else 12), **leaning)
    figure.update_yaxes(title="true", autorange="reversed", **ticks(20))
    below = 6 * max(map(len, texts)) if K > 4 else 0  # long names stand upright there
    return format_figure(figure, title, below + (420 if K <= 12 else 520))


def _shorten(name: str, letters: int) -> str:
    """Cut a name in HTML that has more letters."""
    text = unescape(name)
    return name if len(text) <= letters else f"{escape(text[: letters - 1])}…"


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
        downloads.offer_samples(data, partial(trial_samples, *parts))
        st.caption(
            "Predictions for the test samples: number of the sample (from 1), split, label, "
            "prediction and decision values of the chosen classifier. The model is that of one "
            "split; it says how to use it in MATLAB and NumPy. The program under *Code* reads the "
            "samples."
        )


def method_predictions(results: TrialResults, method: str) -> bytes:
    """Return the table (.csv) of a method's predictions for all test samples, counted from 1."""
    found, splits = results.machines[method], results.splits(method)
    tests = np.concatenate([test for _, test in splits])
    truth = np.concatenate([one.truth for one in found])
    numbers = [one.split + 1 for one, (_, test) in zip(found, splits, strict=True) for _ in test]
    columns = {"split": numbers, "label": results.classes[truth].tolist()}
    decision = np.concatenate([one.decision for one in found])
    return predictions_to_csv(results.rows[tests], columns, decision, results.classes)


def predictions_to_csv(
    rows: NDArray[np.intp],
    columns: Mapping[str, Sequence[Any]],
    decision: NDArray[Any],
    classes: NDArray[Any],
) -> bytes:
    """Return a table (.csv): samples counted from 1, these columns, predictions and decisions."""
    labels = [table_label(label) for label in classes.tolist()]
    values = ["decision_value"]
    if len(labels) > 2:
        values = [f"decision_value {label}" for label in labels]
    lines = zip(
        (rows + 1).tolist(),
        *(map(table_label, column) for column in columns.values()),
        (labels[code] for code in predicted_class(decision)),
        *decision.T.tolist(),
        strict=True,
    )
    return downloads.rows_to_csv(["sample", *columns, "prediction", *values], lines)


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
    """Return a classifier as arrays, with what is known about its training and its test."""
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
    experiment: TrialExperiment, splits: Sequence[Split], tested: Sequence[SplitResult]
) -> dict[str, NDArray[Any]]:
    """Return the samples, the parts of each split, and weights and scaling of each training."""
    arrays = samples_to_hand_out(experiment.data.prepare())
    n = len(arrays["y"])
    for name, part in (("train_of_split", 0), ("test_of_split", 1)):
        arrays[name] = np.array([np.isin(np.arange(n), split[part]) for split in splits])
    for one in tested:
        method = one.spec.method
        weight = one.spec.rank or one.weight
        for name, value in ((f"{method}_C", one.C), (f"{method}_weight", weight)):
            arrays.setdefault(name, np.full(len(splits), np.nan))[one.split] = value
        kinds = arrays.setdefault(f"{method}_scaling", np.full(len(splits), "", "U16"))
        kinds[one.split] = one.scaling.kind
    left, right = experiment.trial.preprocessing.matrices(*experiment.data.shape[1:])
    steps = {"left": left, "right": right}
    return arrays | {name: step for name, step in steps.items() if step is not None}


def trial_program(experiment: TrialExperiment, tested: Sequence[SplitResult]) -> str:
    """Return a program that trains and tests again, and prints the right answers of each method.

    It reads `trial_samples` from the `file` of the data, and needs smmcore alone.
    """
    trial = experiment.trial
    methods = [METHODS[key] for key in dict.fromkeys(one.spec.method for one in tested)]
    balanced = {"class_weight": trial.class_weight} if trial.class_weight else {}
    machines = "".join(
        f"    {method.key!r}: lambda C, weight: {method.estimator}"
        f"({method.write_arguments(SETTINGS, **balanced)}),\n"
        for method in methods
    )
    names = {method.estimator for method in methods if method != LOGISTIC} | {"MatrixScaler"}
    begin = "import numpy as np\n"
    if LOGISTIC in methods:  # all of its file but what stands at the top
        source = inspect.getsource(logistic)
        begin = source.partition('"""\n\n')[2].replace("  # type: ignore[misc]", "")
    return f'''\
"""Train and test the classifiers of a trial again. It reads the samples that the page offers."""

{begin}

# %% The samples, and the classifiers with the weights that were given or chosen
from smmcore import {", ".join(sorted(names))}

samples = np.load({experiment.data.file!r})
X, y = samples["X"].astype(float), samples["y"]
known = np.isfinite(X)
machines = {{
{machines}}}


def scale(kind, train, test):
    """Return training and test samples; the training samples alone fill gaps and set the scale."""
    counts = np.maximum(known[train].sum(axis=0), 1)
    Z = np.where(known, X, X[train].sum(axis=0, where=known[train]) / counts)
{_write_steps(trial.preprocessing, *experiment.data.shape[1:])}\
    scaler = MatrixScaler(kind).fit(Z[train])
    return scaler.transform(Z[train]), scaler.transform(Z[test])


# %% Each on the test part of each split
print("classifier              correct  tested  accuracy")
for name, make in machines.items():
    correct = []
    for split, kind in enumerate(samples[f"{{name}}_scaling"]):
        if not kind:  # not tested before the stop
            continue
        train, test = samples["train_of_split"][split], samples["test_of_split"][split]
        C, weight = (samples[f"{{name}}_{{one}}"][split] for one in ("C", "weight"))
        to_train, to_test = scale(str(kind), train, test)
        machine = make(C, weight).fit(to_train, y[train])
        correct.extend(machine.predict(to_test) == y[test])
    kind = type(machine).__name__
    print(f"{{kind:22}}  {{sum(correct):7}}  {{len(correct):6}}  {{np.mean(correct):8.1%}}")
'''


def _write_steps(steps: Preprocessing, p: int, q: int) -> str:
    """Return the lines of a program that preprocess samples Z."""
    left, right = steps.matrices(p, q)
    factors = [
        *(['samples["left"]'] if left is not None else []),
        "Z",
        *(['samples["right"]'] if right is not None else []),
    ]
    lines = [f"Z = {' @ '.join(factors)}"] * (len(factors) > 1)
    if steps.each:
        lines = [
            f"size, Z = {' @ '.join(f'abs({each})' for each in factors)}, {' @ '.join(factors)}",
            "Z = Z - Z.mean(axis=(1, 2), keepdims=True)",
            "least = 1e-9 * size.max(axis=(1, 2), keepdims=True)",
            "deviation = Z.std(axis=(1, 2), keepdims=True)",
            "Z = np.where(deviation > least, Z / np.where(deviation > 0, deviation, 1), 0)",
        ]
    return "".join(f"    {line}\n" for line in lines)
