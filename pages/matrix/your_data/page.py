"""Your data: a file or a built-in set, four machines, and a test of them."""

import streamlit as st

import smmcore.model_selection
from pages.matrix.your_data import controls
from pages.matrix.your_data.reading.source import choose_samples
from pages.matrix.your_data.results import cards
from pages.matrix.your_data.results.trial_results import TrialResults
from pages.matrix.your_data.runs import TRAININGS, Division, TrialRun, divide, trial_panels
from pages.shared.engine import session
from pages.shared.parts import prose
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from smmcore.matfile import distinct

url.begin()  # the experiment of the side bar plays no part here
st.title("Your data")
prose.ask_prediction(
    "guess-rank",
    "How well will a machine do whose W has only a few singular values?",
    ("Hardly better than chance", "Nearly as well as one of full rank", "Perfectly"),
    "What tells two kinds of matrices apart often lies in few rows and columns, and then a few "
    "singular values do: compare the SMM with the linear SVM. The test counts no sample that was "
    "trained on.",
)
choice = choose_samples()
st.subheader("The trial")
summary = st.container()
with st.expander("Change the trial: test, methods, scaling, weights"):
    trial = controls.choose_trial(choice.data, choice.stands_in)
if choice.stands_in:
    summary.info("No results yet: they follow here as soon as the data above can be used.")
    st.stop()
experiment = TrialRun(choice.data, trial)
names = distinct(choice.classes)
division = Division(experiment.data, trial.scheme)
divided = session.run_task("your data: splits", "Dividing the samples", divide, division)
for sentence in divided.cautions:
    st.warning(escape_markdown(sentence))

run = session.subscribe("your data", experiment)
show_run("your data", run, trial_panels(trial, names), TRAININGS)
train, test = divided.splits[0]
times = len(divided.splits)
first_of = f", in the first of {times} splits" if times > 1 else ""
one_vs_rest = (
    "More than two classes: one machine for each against the rest; the largest f(X) names."
    if len(choice.classes) > 2
    else ""
)
st.caption(
    f"Of {escape_markdown(choice.name)}: {len(train):,} samples to train on, {len(test):,} to test"
    f"{first_of}. Scaling: {controls.SCALED[trial.scaling].lower()}. C in units of 1/s², the mean "
    "square distance of the scaled training samples from their mean; τ and λ as shares of the "
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

results = TrialResults(experiment, divided, tested, choice.classes, names, choice.rows)
with summary:
    cards.draw_accuracies(results)
st.subheader("All machines beside each other")
cards.draw_table(results)
st.subheader("One machine in full")
machine = cards.choose_machine(results)
cards.draw_tests(results, machine.machine.method)
k = cards.choose_class(results, machine)
cards.draw_machine(results, machine, k)
cards.write_formulas(results, machine, k)

st.subheader("Take it with you")
cards.offer_files(results, machine, run, choice.stem)
st.caption(
    "Predictions of the chosen method: number of the sample (from 1), split, label, prediction, "
    "decision values. The model is the chosen machine, in the units of the file, and says how to "
    "use it in MATLAB. The script prints the accuracies of all machines again."
)
if choice.data.private:
    st.caption(
        "The address keeps the settings of the trial. Your file, its reading and its classes stay "
        "with you: after a reload, or elsewhere, upload it again, and choose them again."
    )
prose.show_link()
prose.show_source("The source that trained and tested", smmcore.model_selection.trial)
