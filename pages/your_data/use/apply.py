"""Apply a trained machine to new samples, and draw what it predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from pages.shared.files.arrange import RawSamples
from pages.shared.parts import downloads
from pages.shared.parts.prose import format_error
from pages.your_data.reading import pictures
from pages.your_data.reading.selection import FileReading
from pages.your_data.trial.machine import Machine
from pages.your_data.use.new_samples import predict_new
from pages.your_data.use.predictions import Predictions, ShownPredictions, predict
from pages.your_data.words import count_noun

MAX_ROWS = 200  # of the table with pictures, which is sent at each rerun
PIXELS = 56  # height of a row, which holds a picture


def apply_machine(machine: Machine, reading: FileReading | None, stem: str) -> None:
    """Draw the choice of new samples and what a machine predicts for them."""
    try:
        shown = predict_new(machine, reading, _predict)
    except (ValueError, OSError) as error:
        st.error(format_error(error), icon="⚠️")
        return
    if shown is not None:
        _draw_predictions(shown.predictions, shown.strips, downloads.file_stem(stem))


def _predict(machine: Machine, stored: RawSamples, has_labels: bool) -> ShownPredictions:
    with st.spinner("Predicting ..."):
        found = predict(machine, stored, has_labels)
        at = np.flatnonzero(np.isin(stored.rows, found.rows[:MAX_ROWS]))
        some = pictures.coarsen(stored.take(at).X)
        size = (PIXELS - 8,) * 2
        strips = [pictures.strip_url(each[None], size) for each in some]
        problem = machine.form.find_unit_problem(stored.stacks[0][0])
        return ShownPredictions(found, strips, problem)


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
