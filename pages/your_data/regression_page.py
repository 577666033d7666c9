"""Show a trial of regression: its controls, its run, its results and its downloads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.uploads import Upload
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.numbers import latex
from pages.shared.parts import charts, downloads
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from pages.your_data import controls, reopening
from pages.your_data.reading.preprocessing import describe_steps
from pages.your_data.reading.selection import Selection, draw_part
from pages.your_data.reading.source import MY_FILE
from pages.your_data.regression import results as regression_results
from pages.your_data.regression.html_report import make_report
from pages.your_data.regression.results import RegressionResults, ResidualSamples
from pages.your_data.regression.runs import (
    METHODS,
    RegressionRun,
    fetch_rows,
    regression_axis,
    regression_panels,
    split_target,
)
from pages.your_data.runs import SampleRequest, SplitRequest
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.regression_trial import REGRESSIONS, RegressionResult, RegressionTrial
from pages.your_data.trial.splits import Split
from pages.your_data.use.runs import RegressionMachineRun, describe_share, regression_machine_panels
from pages.your_data.use.train import use_machine

GIVEN, SEARCHED = "Given", "By cross-validation"
LAM_SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
RIDGE_SHARES = tuple(10.0**exponent for exponent in range(-6, 2))
DEFAULT_LAM, DEFAULT_RIDGE = 0.1, 0.01
CARD_WIDTH = 140  # pixels
SLOT = "your data: regression"


def show_regression(
    selection: Selection, steps: Preprocessing | None, right: DeltaGenerator
) -> None:
    """Show the trial of samples with a target; `right` is the place of its controls.

    Without steps, or for the fallback of a missing file, only the controls are drawn.
    """
    data, is_fallback = selection.data, selection.is_fallback
    assert isinstance(data, Upload)  # only a file has a target
    with right:
        st.header("The trial: regression")
        summary = st.container()
        lock = st.container()
        with st.expander("Settings: test, scaling, regularisation"):
            trial = _choose_trial(data.known, steps or Preprocessing(), is_fallback, lock)
        warnings = st.container()
    if steps is None or is_fallback:
        summary.info("The results appear here as soon as the data can be used.")
        return
    settings = controls.list_settings()
    experiment = RegressionRun(data, trial)
    with summary:
        parts = session.run_task(
            "your data: target splits",
            "Dividing the samples",
            split_target,
            SplitRequest(data, trial.scheme),
        )
    for sentence in parts.warnings:
        warnings.warning(escape_markdown(sentence))
    run = session.subscribe(SLOT, experiment)
    show_run(SLOT, run, regression_panels(trial), regression_axis(trial, len(parts.splits)))
    description = _describe_trial(selection, trial, steps, parts.splits)
    st.caption(f"{escape_markdown(selection.name)}: {description}")
    ended, tested = run.ended, run.frames.certificate or ()
    if len(tested) < len(METHODS) or not ended:
        summary.info(
            "Not all methods have been trained and tested: there is nothing to compare."
            if ended
            else "The models are being trained and tested. Stop keeps what is done so far."
        )
        return
    results = RegressionResults(experiment, parts, tested, selection.rows)
    seen = controls.count_seen(
        selection.rows, selection.identify(MY_FILE), trial, results.all_test_rows
    )
    results = replace(results, seen=seen)
    with summary:
        _draw_errors(results)
        draw_part(selection, len(parts.splits))
    st.header("All methods")
    st.dataframe(regression_results.table_rows(results), hide_index=True, height="content")
    st.caption(regression_results.TABLE_NOTE)
    st.header("One method in detail")
    model = _choose_model(results)
    samples = _draw_model(results, model)
    st.latex(_formula(model))
    st.header("Use the model")
    shares = [one.share for one in results.models[model.method]]
    use_machine(
        RegressionMachineRun.after(data, trial, model.method, shares),
        regression_machine_panels(),
        describe_share(model.method, shares),
        is_locked=trial.scheme.locked,
        reading=selection.reading,
        stem=selection.stem,
    )
    st.header("Download")
    report = partial(
        make_report, results, model, samples, run, selection.name, settings, description
    )
    _draw_downloads(results, model, run, selection.stem, report)


def _choose_trial(
    known: tuple[str, ...], steps: Preprocessing, is_fallback: bool, lock: DeltaGenerator
) -> RegressionTrial:
    """Draw the controls of a trial, and return it."""
    scheme = controls.choose_scheme(known, is_fallback, lock, ("chance", "group"))
    scaling = controls.choose_scaling()
    weights = url.choice(
        st,
        "segmented_control",
        "Regularisation settings",
        (SEARCHED, GIVEN),
        SEARCHED,
        key="target_weights",
        help="By cross-validation: in each training part, 19 values of λ and 22 of α in up to 5 "
        "folds; the least square error wins. Given: λ and α relative to the training part.",
    )
    lam = ridge = None
    if weights == GIVEN:
        left, right = st.columns(2)
        percent = "{:.1%}".format
        lam = url.choice(
            left,
            "selectbox",
            "λ / λₘₐₓ, nuclear norm",
            LAM_SHARES,
            DEFAULT_LAM,
            percent,
            key="lam_target",
            help="λ weighs the nuclear norm; from λₘₐₓ on, W = 0.",
        )
        ridge = url.choice(
            right,
            "selectbox",
            "α / ‖Φ‖², ridge",
            RIDGE_SHARES,
            DEFAULT_RIDGE,
            key="ridge",
            help="α of scikit-learn's Ridge, relative to the largest eigenvalue of the centred "
            "samples.",
        )
    return RegressionTrial(lam, ridge, scaling, scheme, steps)


def _describe_trial(
    selection: Selection,
    trial: RegressionTrial,
    steps: Preprocessing,
    splits: list[Split],
) -> str:
    train, test = splits[0]
    first_of = f", in the first of {len(splits)} splits" if len(splits) > 1 else ""
    return (
        f"{len(train):,} samples for training, {len(test):,} for the {trial.scheme.part}"
        f"{first_of}. Preprocessing: "
        f"{describe_steps(steps, *selection.data.shape[1:])}. Scaling: "
        f"{controls.SCALINGS[trial.scaling].lower()}; the target is not scaled. The model is f(X) "
        "= ⟨W, X⟩ + b of the scaled samples: regression of the target on matrices of low rank."
    )


def _draw_errors(results: RegressionResults) -> None:
    """Draw R² and RMSE of each method, and warnings."""
    row = st.container(horizontal=True, gap="small")
    for method in results.models:
        r2, rmse = results.r2(method), results.rmse(method)
        value, _, error = str(r2).partition(" ± ")
        with row.container(width=CARD_WIDTH, gap=None):
            st.metric(f"R², {REGRESSIONS[method]}", value)
            st.caption((f"± {error}  \n" if error else "") + f"RMSE {rmse}")
    st.caption(results.explanation)
    for sentence in results.warnings():
        st.caption(f"⚠️ {sentence}")


def _choose_model(results: RegressionResults) -> RegressionResult:
    """Draw the choice of a method and a split, and return its model."""
    left, right, _ = st.columns([3, 1, 1])
    method = url.choice(
        left,
        "segmented_control",
        "Method",
        list(results.models),
        "trace",
        REGRESSIONS.__getitem__,
        key="regression",
    )
    models = results.models[method]
    return models[controls.choose_split(right, len(models))]


def _draw_model(results: RegressionResults, model: RegressionResult) -> ResidualSamples:
    """Draw a model and the samples with the largest residuals of its method; return these."""
    figures = regression_results.model_figures(results, model)
    for pair in zip(figures[::2], [*figures[1::2], None], strict=False):
        for place, figure in zip(st.columns(2, gap="large"), pair, strict=True):
            if figure is not None:
                charts.draw(place, figure)
    worst = results.worst(model.method)
    request = SampleRequest(results.experiment.data, tuple(row for row, _, _ in worst))
    found = ResidualSamples(
        worst,
        *session.run_task("your data: residuals", "Loading some samples", fetch_rows, request),
    )
    figure, caption = regression_results.residual_figure(results, found)
    charts.draw(st, figure)
    st.caption(caption)
    return found


def _formula(model: RegressionResult) -> str:
    """Return the model and the objective of its training, in LaTeX."""
    b = latex(model.fit.b, 4)
    value = rf"f(X) = \langle W, X \rangle + b, \quad b = {b}"
    if model.method == "mean":
        return rf"{value}, \quad W = 0"
    weight = latex(model.fit.weight, 4)
    losses = r"\textstyle\sum_i (y_i - f(X_i))^2"
    objective = (
        rf"\tfrac12 {losses} + \lambda \|W\|_*, \quad \lambda = {weight}"
        if model.method == "trace"
        else rf"{losses} + \alpha \|W\|_F^2, \quad \alpha = {weight}"
    )
    return rf"\begin{{gathered}} {value} \\ \min_{{W, b}} \; {objective} \end{{gathered}}"


def _draw_downloads(
    results: RegressionResults,
    model: RegressionResult,
    run: Subscription[RegressionRun],
    stem: str,
    report: Callable[[], bytes],
) -> None:
    """Draw the download buttons."""
    name = downloads.file_stem(stem)
    saved = reopening.current_trial(has_files=True)
    with st.container(horizontal=True):
        downloads.offer_json("Save the trial", f"{name}_trial", saved.to_json)
        downloads.offer_page("Report", f"{name}_report", report)
        downloads.offer_table(
            "Predictions",
            f"{name}_predictions",
            partial(regression_results.prediction_table, results, model.method),
        )
        downloads.offer_table(
            "Trace", f"{name}_trace", lambda: downloads.to_csv(run.frames.metrics)
        )
        downloads.offer_arrays(
            "Model", f"{name}_model", partial(regression_results.model_arrays, results, model)
        )
        downloads.offer_script(f"{name}_run.py", results.experiment.script)
        downloads.offer_samples(results.experiment.data)
    st.caption(
        "Report: figures, tables, warnings and script in one page, to read offline or to print. "
        "Predictions: number of the sample (from 1), split, true value and prediction of the "
        "chosen method. The model is that of one split; it says how to use it in MATLAB and NumPy. "
        "The script runs in the folder of the app, on the samples that are offered beside it."
    )
