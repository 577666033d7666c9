"""Train a method of a trial on everything, and use the trained classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.shared.engine import session
from pages.shared.numbers import scientific, smallest_to_largest
from pages.shared.parts import downloads
from pages.shared.player.panels import Axis
from pages.shared.player.show_run import FIRST_WAIT, show_run
from pages.your_data.reading.selection import Selection
from pages.your_data.reading.uploads import compute_once
from pages.your_data.results.report import training_arrays
from pages.your_data.runs import TrialExperiment, trial_panels
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.splits import fingerprints
from pages.your_data.trial.trial import METHODS, MethodSpec, SplitResult, most_frequent
from pages.your_data.use.apply import apply_machine

# Fields of `MethodSpec`, as the page writes them.
SETTING_NAMES = {"c": "C s² =", "share": "τ / τₘₐₓ =", "rank": "rank"}
SCALING_NAMES = {
    "none": "no scaling",
    "unit length": "samples of unit length",
    "z-score": "each entry scaled",
    "whitened": "rows and columns whitened",
}


def use_machine(experiment: TrialExperiment, selection: Selection, which: str) -> None:
    """Draw the training of a method on everything, its downloads and its application."""
    method = experiment.trial.specs[0].method
    slot = f"your data: {method} on everything"
    held = st.session_state.get(slot)
    n = experiment.data.shape[0]
    every = f"the {n:,} samples in use" if selection.left_out else f"all {n:,} samples"
    if held is None or held.experiment != experiment:
        st.markdown(
            f"Happy with the test results? Train the final model on {every}, including the test "
            f"set: {which}."
        )
        st.button(
            "Train on everything",
            key="train on everything",
            type="primary",
            on_click=lambda: session.subscribe(slot, experiment).wait(FIRST_WAIT),
        )
        return
    run = session.subscribe(slot, experiment)
    if run.status != "finished":  # the player is for its progress and its end
        show_run(
            slot,
            run,
            trial_panels(experiment.trial, selection.label_names),
            Axis("training", "trainings"),
        )
    ended, results = run.ended, run.frames.certificate or ()
    if not ended or not results:
        stopped = "The classifier was not trained completely before the stop."
        st.info(stopped if ended else "The classifier is being trained on everything.")
        return
    machine = compute_once(
        "machine on everything",
        (experiment, selection.form),
        lambda: replace(
            Machine.from_result(results[0], selection.classes),
            form=selection.form,
            seen=fingerprints(experiment.data.prepare().X),
        ),
    )
    st.markdown(f"Trained on {every}: {which}; {describe_training(results[0])}")
    name = downloads.file_stem(f"{selection.stem} {method}")
    with st.container(horizontal=True):
        downloads.offer_arrays(
            "Model on everything",
            f"{name}_everything",
            lambda: machine.to_arrays() | training_arrays(results[0], experiment.trial),
        )
    st.caption(
        "The model holds everything that happens to a sample, and says how to use it in MATLAB and "
        "NumPy."
    )
    st.subheader("Apply it to new samples")
    apply_machine(machine, selection)


def describe_training(result: SplitResult) -> str:
    """Return rank, gap and warnings of a training, in Markdown."""
    gap = scientific(float(result.gap.max()), 1)
    text = f"rank {smallest_to_largest(result.rank)}, largest relative gap {gap}."
    if not result.certified.all():
        text += (
            "  \n⚠️ The solution is not certified: training reached its limit before the gap was "
            "small enough. More iterations may give other numbers."
        )
    return text


def describe_setting(specs: Sequence[MethodSpec]) -> str:
    """Return the settings that were chosen most often, and how often if not always."""
    spec = most_frequent(specs)
    is_lam = "lam" in METHODS[spec.method].settings
    names = SETTING_NAMES | ({"share": "λ / λₘₐₓ ="} if is_lam else {})
    text = ", ".join(
        f"{names[name]} {float(format(value, '.3g')):g}"  # 2000, not 2e+03
        for name, value in spec._asdict().items()
        if name in names and value is not None
    )
    if spec.scaling:
        text += f", {SCALING_NAMES[spec.scaling]}"
    times = specs.count(spec)
    if times == len(specs):
        return text
    return f"{text} (chosen in {times} of {len(specs)} splits)"
