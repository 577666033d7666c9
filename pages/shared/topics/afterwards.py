"""What takes longer on the grouping lesson: the curve along r, and the score of each machine."""

from __future__ import annotations

from math import prod

import numpy as np
import streamlit as st

from pages.shared import charts, figures, runs
from pages.shared.algorithm1 import SMMRun
from pages.shared.topics import grouping, theorem

LONG = 100_000  # numbers in the samples up to which a curve takes less than a second


def draw_curve(chosen: SMMRun, measured: float) -> None:
    """Draw distance and bound of a pair at every r; `measured` is the distance at its own."""
    curve = runs.ask(
        "grouping: curve",
        "The machine is being trained at every r",
        grouping.curve,
        grouping.curve_of(chosen),
        long=prod(chosen.data.data.shape) > LONG,
    )
    charts.draw(
        st,
        figures.approach(
            grouping.CORRELATIONS,
            curve.measured,
            curve.bound,
            (chosen.data.correlation, measured),
            "What happens when the slider moves",
        ),
    )
    if missing := np.count_nonzero(np.isnan(curve.bound)):
        st.caption(
            f"{missing} of {len(curve.bound)} points were not reached within "
            f"{grouping.CURVE_SECONDS:g} seconds; the lines lead over them."
        )


def draw_scores(chosen: SMMRun) -> None:
    """Draw the grouping scores of three machines, each at three strengths."""
    pair = chosen.data
    data = pair.data
    if not 1 < data.groups < data.q:
        st.info(
            f"There is no grouping score for V = {data.groups} and q = {data.q}: it needs at least "
            "two groups, one of them with two columns."
        )
        return
    scores = runs.ask(
        "grouping: scores",
        "Nine machines are being trained",
        grouping.grouping_scores,
        SMMRun(data, C=chosen.C, tau=chosen.tau),
        long=True,
    )
    st.table(theorem.table(scores, chosen.C))
    st.caption(
        f"Grouping scores of the data{' without the change' * pair.changed}, at "
        f"τ = {chosen.tau:g}. A machine is not solved if its gap is not {grouping.SCORE_TOL:g} "
        "of its objective in time."
    )
