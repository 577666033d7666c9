"""Train the chosen classifier of a trial on everything, and use it."""

from __future__ import annotations

import streamlit as st

from pages.matrix.your_data.reading.selection import FileReading
from pages.matrix.your_data.results.trial_results import TrialResults
from pages.matrix.your_data.use.apply import apply_machine
from pages.matrix.your_data.use.runs import TRAININGS, MachineRun, describe_setting, machine_panels
from pages.shared.engine import session
from pages.shared.numbers import scientific
from pages.shared.parts import downloads
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.panels import NAMES
from pages.shared.player.show_run import FIRST_WAIT, show_run
from smmcore.model_selection import TrainedMachine


def use_machine(results: TrialResults, method: str, reading: FileReading | None, stem: str) -> None:
    """Draw the training of a method on everything, its downloads and its application.

    Parameters
    ----------
    results : TrialResults
    method : str
    reading : FileReading or None
        The file of the trial, if its samples are from a file.
    stem : str
        Beginning of the file names.
    """
    specs = [one.spec for one in results.machines[method]]
    data, trial = results.experiment.data, results.experiment.trial
    experiment = MachineRun.after(data, trial, specs)
    which = f"**{NAMES[method]}** with {describe_setting(specs)}"
    slot = f"your data: {method} on everything"
    held = st.session_state.get(slot)
    if held is None or held.experiment != experiment:
        included = (
            "the locked test part included, which then cannot test it any more"
            if results.locked_count
            else "the test parts included"
        )
        st.markdown(
            "Satisfied with the test? Then train the classifier on everything, "
            f"{included}: {which}."
        )
        st.button(
            "Train on everything",
            key="train on everything",
            type="primary",
            on_click=_start,
            args=(slot, experiment),
        )
        return
    run = session.subscribe(slot, experiment)
    if run.status != "finished":  # the player is for its progress and its end
        show_run(slot, run, machine_panels(experiment, results.names), TRAININGS)
    trained: TrainedMachine | None = run.frames.certificate
    if not run.ended or trained is None:
        st.info(
            "The classifier was not trained completely before the stop."
            if run.ended
            else "The classifier is being trained on everything, then without each fold for its "
            "probabilities. Once it has seen everything, Stop keeps it, without probabilities."
        )
        return
    st.markdown(f"{which}, trained on all {data.shape[0]:,} samples: {describe_machine(trained)}")
    name = downloads.file_stem(f"{stem} {method}")
    with st.container(horizontal=True):
        downloads.offer_arrays(
            "Model on everything",
            f"{name}_everything",
            lambda: trained.machine.to_arrays() | {"trial": repr(experiment.trial)},
        )
        downloads.offer_script(f"{name}_everything.py", experiment.script)
    st.caption(
        "The model holds everything that happens to a sample, says how to use it in MATLAB and "
        "NumPy, and can be loaded here again: *Apply a saved model*, at the top of the page."
    )
    st.subheader("Apply it to new samples")
    apply_machine(trained.machine, reading, stem)


def _start(slot: str, experiment: MachineRun) -> None:
    session.subscribe(slot, experiment).wait(FIRST_WAIT)


def describe_machine(trained: TrainedMachine) -> str:
    """Return rank, gap and warnings of a machine, in Markdown."""
    machine = trained.machine
    ranks = sorted({*machine.rank.tolist()})
    rank = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {ranks[0]} to {ranks[-1]}"
    text = f"{rank}, largest relative gap {scientific(float(machine.gap.max()), 1)}"
    if machine.calibration is not None:
        text += ", with calibrated probabilities"
    sentences = [f"{text}."]
    if not trained.certified:
        sentences.append(
            "⚠️ The solution is not certified: training reached its limit before the gap was small "
            "enough. More iterations may give other numbers."
        )
    if machine.calibration is None:
        stopped = "the training was stopped before the cross-validation ended"
        reason = escape_markdown(trained.reason) or stopped
        sentences.append(f"⚠️ Probabilities are not available: {reason}.")
    return "  \n".join(sentences)
