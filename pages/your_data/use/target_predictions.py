"""The numbers that a regression predicts for new samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.files.layout import RawSamples
from pages.shared.parts import charts, downloads
from pages.your_data.regression.results import estimate_r2, estimate_rmse, scatter_figure
from pages.your_data.runs import count_noun
from pages.your_data.trial.regression_machine import RegressionMachine
from pages.your_data.use.predictions import Array, Columns, Predictions, apply_in_parts, as_numbers

MIN_COUNT = 2  # targets for R²
MIN_FOR_ERROR = 10  # for the standard errors


@dataclass(frozen=True, eq=False)
class TargetPredictions(Predictions):
    """The numbers that a regression predicts for the samples of a file."""

    predicted: Array  # (m,)

    @property
    def truth(self) -> Array | None:
        """The target as the file has it, (m,), NaN where it is unknown; None without numbers."""
        return None if self.labels is None else as_numbers(self.labels)

    def columns(self, count: int) -> Columns:
        """Return the columns of the table about the first samples."""
        columns: dict[str, Any] = {}
        if self.truth is not None:
            columns["target"] = self.truth[:count]
        columns["prediction"] = self.predicted[:count]
        settings = {name: st.column_config.NumberColumn(format="%.5g") for name in columns}
        return columns, settings

    def to_csv(self) -> bytes:
        """Return the table of predictions (.csv); samples are counted from 1."""
        columns: dict[str, NDArray[Any]] = {"sample": self.rows + 1}
        if self.truth is not None:
            columns["target"] = self.truth
        elif self.labels is not None:
            columns["label"] = self.labels
        columns["prediction"] = self.predicted
        rows = zip(*(each.tolist() for each in columns.values()), strict=True)
        return downloads.rows_to_csv([*columns], rows)

    def draw_quality(self) -> None:
        """Draw R², the root mean square error and the predictions over the known targets."""
        if self.labels is not None and self.truth is None:
            st.caption("The labels of these samples are no numbers: no error is shown.")
            return
        if self.truth is None:
            return
        known = np.isfinite(self.truth)
        if unknown := len(known) - int(known.sum()):
            st.caption(f"{count_noun(unknown, 'sample')} without a target: predicted, not counted.")
        truth, predicted = self.truth[known], self.predicted[known]
        if len(truth) < MIN_COUNT:
            st.caption("Fewer than two samples with a known target: no error is shown.")
            return
        squares, each = (truth - predicted) ** 2, np.arange(len(truth))
        left, right = st.columns([1, 2], gap="large")
        r2, rmse = estimate_r2(squares, truth, each), estimate_rmse(squares, each)
        for name, estimate in (("R²", r2), ("RMSE", rmse)):
            value, _, deviation = str(estimate).partition(" ± ")
            left.metric(
                f"{name} on the new samples",
                value,
                f"± {deviation}" if deviation and len(truth) >= MIN_FOR_ERROR else None,
                delta_color="off",
                delta_arrow="off",
            )
        left.caption(
            "R² compares with the mean of these targets. ±: one standard error, from "
            f"{MIN_FOR_ERROR} samples on. Both hold for new samples only if none of these was used "
            "for the training."
        )
        title = f"{count_noun(len(truth), 'new sample')} with a known target"
        charts.draw(right, scatter_figure(truth, predicted, self.rows[known] + 1, title))

    def explain(self) -> str:
        """Return what a prediction is, in Markdown."""
        return (
            "The prediction is f(X) = ⟨W, X⟩ + b, in the unit of the target, where X is the sample "
            "after preprocessing and scaling."
        )


def predict_targets(
    machine: RegressionMachine, stored: RawSamples, has_labels: bool
) -> TargetPredictions:
    """Predict the target of each sample of a file."""
    common, predicted = apply_in_parts(machine, stored, machine.predict, has_labels)
    return TargetPredictions(*common, predicted)
