"""Your data: train four classifiers on a file or a built-in set, and test them."""

import streamlit as st

import smmcore.model_selection
from pages.matrix.your_data import controls
from pages.matrix.your_data.reading.preprocessing import choose_preprocessing, describe_steps
from pages.matrix.your_data.reading.selection import draw_part
from pages.matrix.your_data.reading.source import select_samples
from pages.matrix.your_data.results import report
from pages.matrix.your_data.results.downloads import draw_downloads
from pages.matrix.your_data.results.trial_results import TrialResults
from pages.matrix.your_data.runs import (
    TRAININGS,
    SplitRequest,
    TrialRun,
    split_samples,
    trial_panels,
)
from pages.matrix.your_data.use.saved import apply_saved_model
from pages.matrix.your_data.use.train import use_machine
from pages.shared.engine import session
from pages.shared.parts import prose
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from smmcore.matfile.samples import label_names
from smmcore.model_selection import Preprocessing

with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        "Train and test four classifiers on your own matrices: is the SMM better than a linear "
        "SVM? The test uses only samples that were not used for training.",
        width="stretch",
    )
    is_applying = url.toggle(
        st,
        "Apply a saved model",
        key="apply",
        help="A model (.mat or .npz) that you have downloaded here, for new samples.",
    )
if is_applying:
    apply_saved_model()
    prose.show_link()
    st.stop()
selection = select_samples()
steps = choose_preprocessing(selection)
is_fallback = selection.is_fallback or steps is None
st.header("The trial")
summary = st.container()
with st.expander("Settings of the trial: test, classifiers, scaling, regularisation"):
    trial = controls.choose_trial(selection.data, steps or Preprocessing(), is_fallback)
if steps is None or is_fallback:
    summary.info("The results appear here as soon as the data above can be used.")
    st.stop()
experiment = TrialRun(selection.data, trial)
names = label_names(selection.classes)
train_test = session.run_task(
    "your data: splits",
    "Dividing the samples",
    split_samples,
    SplitRequest(experiment.data, trial.scheme),
)
for sentence in train_test.warnings:
    st.warning(escape_markdown(sentence))

run = session.subscribe("your data", experiment)
show_run("your data", run, trial_panels(trial, names), TRAININGS)
train, test = train_test.splits[0]
split_count = len(train_test.splits)
first_of = f", in the first of {split_count} splits" if split_count > 1 else ""
balance = "The classes are balanced. " if trial.class_weight else ""
one_vs_rest = (
    "With more than two classes, one classifier is trained for each class against the rest; the "
    "class with the largest f(X) is predicted."
    if len(selection.classes) > 2
    else ""
)
st.caption(
    f"{escape_markdown(selection.name)}: {len(train):,} samples for training, {len(test):,} for "
    f"the test{first_of}. Preprocessing: {describe_steps(steps, *selection.data.shape[1:])}. "
    f"Scaling: {controls.SCALINGS[trial.scaling].lower()}. {balance}C is in units of "
    "1/s², where s² is the mean square distance of the scaled training samples from their mean; τ "
    f"and λ are shares of the smallest values with W = 0. {one_vs_rest}"
)
tested = run.frames.certificate or ()
if not run.ended or not tested:
    summary.info(
        "The classifiers are being trained; the test follows. Stop keeps what is done so far."
        if not run.ended
        else "No classifier was trained completely before the stop."
    )
    st.stop()

results = TrialResults(experiment, train_test, tested, selection.classes, names, selection.rows)
with summary:
    report.draw_accuracies(results)
    draw_part(selection, split_count)
st.header("All classifiers")
report.draw_table(results)
st.header("One classifier in detail")
machine = report.choose_machine(results)
report.draw_tests(results, machine.spec.method)
k = report.choose_class(results, machine)
report.draw_machine(results, machine, k)
report.write_formulas(results, machine, k)

st.header("Use the machine")
use_machine(results, machine.spec.method, selection.reading, selection.stem)

st.header("Download")
draw_downloads(results, machine, run, selection.stem)
st.caption(
    "Predictions: number of the sample (from 1), split, label, prediction and decision values of "
    "the chosen classifier. The model is that of one split; it holds everything that happens to a "
    "sample, and says how to use it in MATLAB and NumPy. The script prints the accuracies of all "
    "classifiers again."
)
if selection.data.private:
    st.caption(
        "The link keeps the settings of the trial, but not your file: after a reload, upload it "
        "and choose its variables again."
    )
prose.show_link()
prose.show_source("Code", smmcore.model_selection.trial, smmcore.model_selection.training_on_all)
