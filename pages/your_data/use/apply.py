"""Apply a trained or a saved machine to new samples, and draw what it predicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.samples import check, check_numbers, check_sides
from pages.shared.files.infer.vectors import MAX_CLASSES
from pages.shared.files.samples import label_names
from pages.shared.parts import downloads
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.player.panels import NAMES
from pages.shared.widgets.session_values import compute_once
from pages.your_data.reading import pictures
from pages.your_data.reading.selection import FileReading
from pages.your_data.reading.uploads import choose_file
from pages.your_data.trial.machine import Machine
from pages.your_data.use.new_samples import NewSamples, choose_new_samples
from pages.your_data.use.predictions import Predictions, predict
from pages.your_data.words import count_noun, join_names

SAVED = "saved model"  # slot of the session
MAX_NAMES = 10  # of classes
MAX_ROWS = 200  # of the table with pictures, which is sent at each rerun
PIXELS = 56  # height of a row, which holds a picture


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


def apply_machine(machine: Machine, reading: FileReading | None, stem: str) -> None:
    """Draw the choice of new samples and what a machine predicts for them."""
    try:
        new = choose_new_samples(machine, reading)
        if new is None:
            return
        note = st.container()
        found, strips = compute_once(
            "predictions", (machine, *new.key), lambda: _predict(machine, new)
        )
    except (ValueError, OSError) as error:
        st.error(format_error(error), icon="⚠️")
        return
    if new.description:
        note.success(new.description)
    if problem := machine.form.find_unit_problem(found.low, found.high):
        note.warning(escape_markdown(problem), icon="⚠️")
    _draw_predictions(found, strips, downloads.file_stem(stem))


def _predict(machine: Machine, new: NewSamples) -> tuple[Predictions, list[str]]:
    """Return predictions, and data URLs of the pictures of the first samples."""
    with st.spinner("Predicting ..."):
        stored = new.read()
        found = predict(machine, stored, new.has_labels)
        at = np.flatnonzero(np.isin(stored.rows, found.rows[:MAX_ROWS]))
        some = pictures.coarsen(stored.take(at).X)
        return found, [pictures.strip_url(each[None], (PIXELS - 8,) * 2) for each in some]


def _draw_predictions(found: Predictions, strips: list[str], stem: str) -> None:
    if found.left_out:
        st.caption(
            f"{count_noun(found.left_out, 'sample')} with NaN or infinity left out: the model was "
            "trained on complete samples and has nothing to fill in."
        )
    found.draw_quality()
    columns, settings = found.columns(MAX_ROWS)
    table: dict[str, Any] = {"sample": found.rows[:MAX_ROWS] + 1, "picture": strips}
    picture = {"picture": st.column_config.ImageColumn("", width=PIXELS + 16)}
    st.dataframe(
        table | columns, hide_index=True, row_height=PIXELS, column_config=picture | settings
    )
    if len(found.rows) > MAX_ROWS:
        st.caption(
            f"The first {MAX_ROWS} of {len(found.rows):,} samples; the table to download has all."
        )
    downloads.offer_table(
        "Predictions for the new samples", f"{stem}_new_predictions", found.to_csv
    )
    st.caption(found.explain())
