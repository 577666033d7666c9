"""Your data: train four machines on a file or a built-in set, and test them."""

import streamlit as st

import smmcore.model_selection
from pages.matrix.your_data import controls
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
from pages.shared.engine import session
from pages.shared.parts import prose
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.show_run import show_run
from smmcore.matfile.samples import label_names

st.title("Your data")
prose.ask_prediction(
    "guess-rank",
    "How well will a machine do whose W has only a few singular values?",
    ("Hardly better than chance", "Nearly as well as one of full rank", "Perfectly"),
    "What tells two kinds of matrices apart often lies in few rows and columns, and then a few "
    "singular values do: compare the SMM with the linear SVM. The test counts no sample that was "
    "trained on.",
)
selection = select_samples()
st.subheader("The trial")
summary = st.container()
with st.expander("Change the trial: test, methods, scaling, weights"):
    trial = controls.choose_trial(selection.data, selection.is_fallback)
if selection.is_fallback:
    summary.info("No results yet: they follow here as soon as the data above can be used.")
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
one_vs_rest = (
    "More than two classes: one machine for each against the rest; the largest f(X) names."
    if len(selection.classes) > 2
    else ""
)
st.caption(
    f"Of {escape_markdown(selection.name)}: {len(train):,} samples to train on, {len(test):,} to "
    f"test{first_of}. Scaling: {controls.SCALINGS[trial.scaling].lower()}. C in units of 1/s², the "
    "mean square distance of the scaled training samples from their mean; τ and λ as shares of the "
    f"least that give W = 0. {one_vs_rest}"
)
tested = run.frames.certificate or ()
if not run.ended or not tested:
    summary.info(
        "The machines are being trained; their tests follow at the end. Stop keeps what is found."
        if not run.ended
        else "Nothing was trained to its end before the stop."
    )
    st.stop()

results = TrialResults(experiment, train_test, tested, selection.classes, names, selection.rows)
with summary:
    report.draw_accuracies(results)
st.subheader("All machines beside each other")
report.draw_table(results)
st.subheader("One machine in full")
machine = report.choose_machine(results)
report.draw_tests(results, machine.spec.method)
k = report.choose_class(results, machine)
report.draw_machine(results, machine, k)
report.write_formulas(results, machine, k)

st.subheader("Take it with you")
draw_downloads(results, machine, run, selection.stem)
st.caption(
    "Predictions of the chosen method: number of the sample (from 1), split, label, prediction, "
    "decision values. The model is the chosen machine, in the units of the file, and says how to "
    "use it in MATLAB. The script prints the accuracies of all machines again."
)
if selection.data.private:
    st.caption(
        "The address keeps the settings of the trial. Your file, its reading and its classes stay "
        "with you: after a reload, or elsewhere, upload it again, and choose them again."
    )
prose.show_link()
prose.show_source("The source that trained and tested", smmcore.model_selection.trial)
