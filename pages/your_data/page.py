"""Your data: train and test classifiers on a file or a built-in set."""

from dataclasses import replace

import streamlit as st

import pages.your_data.trial.training_on_all
import pages.your_data.trial.trial
from pages.shared.engine import session
from pages.shared.parts import prose
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.player.panels import NAMES
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from pages.your_data import controls
from pages.your_data.reading.preprocessing import choose_preprocessing, describe_steps
from pages.your_data.reading.selection import draw_part
from pages.your_data.reading.source import MY_FILE, choose_source, select_samples
from pages.your_data.results import report
from pages.your_data.results.downloads import draw_downloads
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.runs import SplitRequest, TrialRun, split_samples, trial_axis, trial_panels
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.use.runs import MachineRun, describe_setting, machine_panels
from pages.your_data.use.saved import apply_saved_model
from pages.your_data.use.train import use_machine

with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        "Classify your own matrices. Does a classifier that uses rows and columns do better on "
        "new samples?",
        width="stretch",
    )
    is_applying = url.toggle(
        st,
        controls.APPLY,
        key="apply",
        help="A model (.mat or .npz) that you have downloaded here, for new samples.",
    )
if is_applying:
    apply_saved_model()
    prose.show_link()
    st.stop()
source = choose_source()
reading, preview, right = st.columns([3, 3, 4], gap="large")
below = st.container()
selection = select_samples(source, reading, preview)
with below:
    steps = choose_preprocessing(selection)
needs = ""
if selection.data.private:
    first = "upload the same file" if source == MY_FILE else "fetch the data"
    needs = f"to see this run, open it, {first} and choose variables and classes as you did"
is_fallback = selection.is_fallback or steps is None
with right:
    st.header("The trial")
    summary = st.container()
    lock = st.container()
    is_open = st.session_state.get(controls.OPENED, False)
    with st.expander("Settings: test, classifiers, scaling, regularisation", expanded=is_open):
        try:
            preprocessing = steps or Preprocessing()
            trial = controls.choose_trial(selection.data, preprocessing, is_fallback, lock)
        except controls.WeightError as error:
            if not is_open:  # show the field that the error is about, and leave it open
                st.session_state[controls.OPENED] = True
                st.rerun()
            summary.error(format_error(error), icon="⚠️")
            summary.button(
                f"Use {error.name} = {error.last}",
                on_click=url.set_values,
                args=({error.key: error.last},),
            )
            st.stop()
    warnings = st.container()
if steps is None or is_fallback:
    summary.info("The results appear here as soon as the data can be used.")
    st.stop()
experiment = TrialRun(selection.data, trial)
names = selection.label_names
with summary:
    train_test = session.run_task(
        "your data: splits",
        "Dividing the samples",
        split_samples,
        SplitRequest(experiment.data, trial.scheme),
    )
for sentence in train_test.warnings:
    warnings.warning(escape_markdown(sentence))

run = session.subscribe("your data", experiment)
split_count = len(train_test.splits)
show_run(
    "your data",
    run,
    trial_panels(trial, names),
    trial_axis(trial, split_count, len(selection.classes)),
)
train, test = train_test.splits[0]
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
    f"the {trial.scheme.part}{first_of}. Preprocessing: "
    f"{describe_steps(steps, *selection.data.shape[1:])}. Scaling: "
    f"{controls.SCALINGS[trial.scaling].lower()}. {balance}s² is the mean square distance of the "
    "scaled training samples from their mean; τₘₐₓ and λₘₐₓ are the smallest values with W = 0. "
    f"{one_vs_rest}"
)
ended, tested = run.ended, run.frames.certificate or ()
if not ended or not tested:
    note = "No classifier was trained completely before the stop."
    if not ended:
        note = (
            f"Training on {len(train):,} samples{first_of}; the {trial.scheme.part} on "
            f"{len(test):,} others follows. Stop keeps what is done so far."
        )
    with summary:
        report.draw_pending_accuracies(experiment, train_test, note)
    st.stop()

controls.remember_weights(tested)
results = TrialResults(experiment, train_test, tested, selection.classes, names, selection.rows)
seen = controls.count_seen(selection.rows, selection.identify(source), trial, results.test_rows)
results = replace(results, seen=seen)
with summary:
    report.draw_accuracies(results)
    draw_part(selection, split_count)
st.header("All classifiers")
report.draw_table(results)
st.header("One classifier in detail")
machine = report.choose_machine(results)
report.draw_tests(results, machine.spec.method)
k = report.choose_class(results, machine)
samples = report.fetch_shown_samples(results, machine, k)
report.draw_cards(report.machine_cards(results, machine, k, samples))
report.write_formulas(results, machine, k)

st.header("Use the machine")
specs = [one.spec for one in results.machines[machine.spec.method]]
training = MachineRun.after(experiment.data, trial, specs)
use_machine(
    training,
    machine_panels(training, names),
    f"**{NAMES[training.method]}** with {describe_setting(specs)}",
    is_locked=bool(results.locked_count),
    reading=selection.reading,
    form=selection.form,
    stem=selection.stem,
)

st.header("Download")
draw_downloads(results, machine, selection.form, selection.stem)
st.caption(
    "Predictions: number of the sample (from 1), split, label, prediction and decision values of "
    "the chosen classifier. The model is that of one split; it holds everything that happens to a "
    "sample, and says how to use it in MATLAB and NumPy. The script trains and tests all "
    "classifiers again: it needs `smmcore` and the samples that are offered beside it."
)
prose.draw_tools(
    pages.your_data.trial.trial, pages.your_data.trial.training_on_all, data="", needs=needs
)
