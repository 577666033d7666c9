"""Your data: train and test classifiers on a file or a built-in set."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.bundled import P300
from pages.shared.engine import session
from pages.shared.parts import downloads, prose
from pages.shared.parts.prose import escape_markdown
from pages.shared.parts.question import Answer, introduce, is_class
from pages.shared.player.panels import Axis
from pages.shared.player.show_run import show_run, skip_wait, wait_once
from pages.shared.widgets import url
from pages.your_data import controls
from pages.your_data.reading.source import draw_first_of_each, is_first_example, select_samples
from pages.your_data.reading.uploads import FORMATS, draw_folder_uploader, draw_uploader
from pages.your_data.results import report
from pages.your_data.results.evidence import draw_evidence, draw_stored_curve
from pages.your_data.results.layer import draw_layer
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.runs import (
    PRECOMPUTED,
    SplitRequest,
    TrialExperiment,
    split_samples,
    trial_panels,
)
from pages.your_data.trial.trial import NAMES, at_given_weights, on_everything
from pages.your_data.use.train import describe_setting, use_machine

IDEA = "A classifier is judged by samples that it was **not** trained on."

head = introduce(IDEA) if is_class() else None
if url.is_presenting():  # the results come first, beside a sample of each class
    on_wall = st.container(horizontal=True, key="on-the-wall")
    samples = on_wall.container(width="content")
    right = on_wall.container()
    left: DeltaGenerator = st.expander("Samples and training")
else:
    left, right = st.columns([10, 15], gap="large")
if head:
    right = right.container(key="behind-the-question")
waiting = right.empty()
if "your data" not in st.session_state and is_first_example():  # the rest takes seconds
    with waiting.container():
        st.markdown("The classifiers are being trained. **Measured before, on the same trials:**")
        draw_stored_curve(PRECOMPUTED["Learning curve of P300 by group"], "while it trains")
with left:
    draw_uploader()
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_folder_uploader()
        with st.popover("Which formats?", type="tertiary", width="content"):
            st.markdown(FORMATS)
    selection = select_samples()
    if url.is_presenting() and selection.reading is None:  # a file has its own pictures
        with samples:
            draw_first_of_each(selection)
    trial = controls.choose_trial(selection, right)
if head:
    head.ask(
        f"The SMM is one of {len(NAMES)} classifiers that learn to tell 3 from 8. "
        "Does it beat the linear SVM?",
        (
            Answer("Yes, clearly", "With many samples and few pixels there is little to gain."),
            Answer("They are close", "Few pixels and many samples: both do well.", right=True),
            Answer("No, it falls behind", "It is as good within the ranges of the picture."),
        ),
        at=("source",),
    )
film = st.container()
if selection.is_fallback:
    right.info("The results appear here as soon as the data can be used.")
if trial is None or selection.is_fallback:
    st.stop()
searched = TrialExperiment(selection.data, trial)
# The scaling of noise that channels share, where nothing is chosen yet
first_scaling = "whitened" if isinstance(selection.data, P300) else "none"
given = TrialExperiment(selection.data, at_given_weights(trial, first_scaling))
names = selection.label_names
with right:
    train_test = session.run_task(
        "your data: splits",
        "Dividing the samples",
        split_samples,
        SplitRequest(selection.data, trial.scheme),
    )
    for sentence in train_test.warnings:
        st.warning(escape_markdown(sentence))
slot, experiment, status = "your data", given, ""
run = player_run = session.subscribe(slot, given)
count: int | None = len(train_test.splits) * len(trial.specs)
wait_once(slot, run)  # a quick training is no film that opens
if trial.search and run.ended and run.frames.certificate:
    slot, count = "your data: search", None
    player_run = session.subscribe(slot, searched)
    skip_wait(slot, player_run)
    if player_run.status == "finished":
        run, experiment = player_run, searched
    else:
        status = "Better ones are being chosen by cross-validation: see *The training as a film*."
        if player_run.ended:
            status = "The search for better ones was stopped."
with film.expander("The training as a film", expanded=not run.ended):
    panels = trial_panels(player_run.experiment.trial, names)
    show_run(slot, player_run, panels, Axis("step", "steps", count=count))
ended, tested = run.ended, run.frames.certificate or ()
if not ended or not tested:
    train, test = train_test.splits[0]
    note = "No classifier was trained completely before the stop."
    if not ended:
        note = (
            f"Training on {len(train):,} samples, then a test on {len(test):,} others. Stop, at "
            "the film below, keeps what is done so far."
        )
    right.info(note)
    st.stop()

waiting.empty()
results = TrialResults(experiment, train_test, tested, selection.classes, names, selection.rows)
with right:
    above = st.container()
    chosen, k = report.choose_machine(results)
    with above:
        report.draw_results(results, chosen, k, status)
        if selection.left_out:
            st.markdown(selection.left_out)
    draw_layer(selection.data, chosen, k)
    report.draw_tests(results, chosen)
    st.header("Evidence")
    draw_evidence(results, chosen, trial)
    st.header("Use the classifier")
    method = chosen.spec.method
    specs = [one.spec for one in results.machines[method]]
    use_machine(
        TrialExperiment(experiment.data, on_everything(trial, specs)),
        selection,
        f"**{NAMES[method]}** with {describe_setting(specs)}",
    )
with st.expander(f"All figures: the {len(results.machines)} classifiers on the test samples"):
    report.draw_table(results)
with st.container(horizontal=True):
    report.draw_downloads(results, chosen, selection.form, selection.stem)
    program = report.trial_program(experiment, tested)
    prose.draw_tools(program, downloads.file_stem(selection.stem), data="")
