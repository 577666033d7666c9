"""Apply a model that was saved earlier, without any training data."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.samples import check, check_numbers, check_sides
from pages.shared.files.infer.vectors import MAX_CLASSES
from pages.shared.files.labels import label_names
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.player.panels import NAMES
from pages.shared.widgets.session_values import compute_once
from pages.your_data.trial.machine import Machine
from pages.your_data.use.apply import apply_machine
from pages.your_data.use.model_files import choose_file
from pages.your_data.words import join_names

SAVED = "saved model"  # slot of the session
MAX_NAMES = 10  # of classes


def apply_saved_model(place: DeltaGenerator) -> None:
    """Draw the uploader of a saved model in its place, what it is, and its application."""
    try:
        with place:
            label = "Drop a model that was downloaded here (.mat or .npz)"
            file = choose_file(label, SAVED, ["mat", "npz"])
        if file is None:
            st.info("The model, and what it predicts for new samples, will appear here.")
            return
        machine = compute_once("saved model as read", file.digest, lambda: _load(file.content))
    except (ValueError, OSError) as error:
        st.error(format_error(error), icon="⚠️")
        return
    st.success(_describe(machine))
    st.caption("A link to this page holds neither of the files: after a reload, upload them again.")
    apply_machine(machine, None, Path(file.name).stem)


def _load(content: bytes) -> Machine:
    with st.spinner("Reading the model ..."):
        machine = Machine.load(content)
    check_numbers(2, *machine.shape)  # as the samples of a trial
    check_sides(*machine.W.shape[1:])
    check("the number of classes", len(machine.classes), 2, MAX_CLASSES)
    return machine


def _describe(machine: Machine) -> str:
    """Return a sentence about a machine."""
    p, q = machine.shape
    names = [escape_markdown(name) for name in label_names(machine.classes)]
    calibrated = "with" if machine.calibration else "without"
    scaling = machine.scaling
    steps = [
        "" if scaling.fill is None else "missing numbers filled in",
        "" if scaling.left is None and scaling.right is None else "rows or columns filtered",
        "each sample standardised" if scaling.each else "",
        "" if scaling.kind == "none" else scaling.kind,
    ]
    done = ", ".join(filter(None, steps)) or "none"
    return (
        f"**{NAMES[machine.method]}** for samples of **{p} × {q}**, {len(names)} classes: "
        f"{join_names(names, MAX_NAMES)}; {calibrated} probabilities. Scaling: {done}."
    )
