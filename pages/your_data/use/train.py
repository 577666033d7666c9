"""Train a method of a trial on everything, and use the trained machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from pages.shared.engine import session
from pages.shared.numbers import scientific
from pages.shared.parts import downloads
from pages.shared.parts.prose import escape_markdown
from pages.shared.player.panels import Panel
from pages.shared.player.show_run import FIRST_WAIT, show_run
from pages.shared.widgets.session_values import compute_once
from pages.your_data.reading.selection import FileReading
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.training_on_all import TrainedMachine
from pages.your_data.use.apply import apply_machine
from pages.your_data.use.runs import TRAININGS, MachineRun


def use_machine(
    experiment: MachineRun,
    panels: Sequence[Panel],
    which: str,
    *,
    is_locked: bool,
    reading: FileReading | None,
    form: SampleForm,
    stem: str,
) -> None:
    """Draw the training of a method on everything, its downloads and its application."""
    slot = f"your data: {experiment.method} on everything"
    held = st.session_state.get(slot)
    if held is None or held.experiment != experiment:
        included = (
            "including the locked test set, which then cannot test it any more"
            if is_locked
            else "including the test set"
        )
        st.markdown(
            f"Happy with the test results? Train the final model on all samples, {included}: "
            f"{which}."
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
        show_run(slot, run, panels, TRAININGS)
    ended = run.ended
    trained: TrainedMachine | None = run.frames.certificate
    if not ended or trained is None:
        st.info(
            f"The {experiment.noun} was not trained completely before the stop."
            if ended
            else experiment.pending
        )
        return
    machine = compute_once(
        "machine with its form",
        (trained.machine, form),
        lambda: replace(trained.machine, form=form),
    )
    n = experiment.data.shape[0]
    st.markdown(f"Trained on all {n:,} samples: {which}; {describe_machine(trained)}")
    name = downloads.file_stem(f"{stem} {experiment.method}")
    with st.container(horizontal=True):
        downloads.offer_arrays(
            "Model on everything",
            f"{name}_everything",
            lambda: machine.to_arrays() | {"trial": repr(experiment.trial)},
        )
    st.caption(
        "The model holds everything that happens to a sample, says how to use it in MATLAB and "
        "NumPy, and can be loaded here again: *Apply a saved model*, at the top of the page."
    )
    st.subheader("Apply it to new samples")
    apply_machine(machine, reading, stem)


def _start(slot: str, experiment: MachineRun) -> None:
    session.subscribe(slot, experiment).wait(FIRST_WAIT)


def describe_machine(trained: TrainedMachine) -> str:
    """Return rank, gap and warnings of a machine, in Markdown."""
    machine = trained.machine
    ranks, gaps = np.unique(machine.rank).tolist(), np.atleast_1d(machine.gap)
    text = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {ranks[0]} to {ranks[-1]}"
    if np.isfinite(gaps).all():  # a gap is unknown where the solution has a closed form
        text += f", largest relative gap {scientific(float(gaps.max()), 1)}"
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
