"""Apply a model that was saved earlier, without any training data."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.matrix.your_data.runs import join_names
from pages.matrix.your_data.use.apply import apply_machine
from pages.matrix.your_data.use.files import choose_file
from pages.shared.data.samples import check, check_size
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.player.panels import NAMES
from pages.shared.widgets.session_values import compute_once
from smmcore.matfile.infer.vectors import MAX_CLASSES
from smmcore.matfile.samples import label_names
from smmcore.model_selection import Machine

SAVED = "saved model"  # slot of the session
MAX_NAMES = 10  # of classes


def apply_saved_model() -> None:
    """Draw the uploader of a saved model, what it is, and its application to new samples."""
    st.header("Apply a saved model")
    try:
        file = choose_file("Model (.mat or .npz) that was downloaded here", SAVED, ["mat", "npz"])
        if file is None:
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
    check_size(2, *machine.shape)  # as the samples of a trial
    check("the number of classes", len(machine.classes), 2, MAX_CLASSES)
    return machine


def _describe(machine: Machine) -> str:
    """Return a sentence about a machine."""
    p, q = machine.shape
    names = [escape_markdown(name) for name in label_names(machine.classes)]
    scaling = machine.scaling
    steps = [
        "" if scaling.fill is None else "missing numbers filled in",
        "" if scaling.left is None and scaling.right is None else "rows or columns filtered",
        "each sample standardised" if scaling.each else "",
        "" if scaling.kind == "none" else scaling.kind,
    ]
    done = ", ".join(filter(None, steps)) or "none"
    calibrated = "with" if machine.calibration else "without"
    return (
        f"**{NAMES[machine.method]}** for samples of **{p} × {q}**, {len(names)} classes: "
        f"{join_names(names, MAX_NAMES)}. Scaling: {done}; {calibrated} probabilities."
    )
