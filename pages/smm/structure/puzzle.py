"""The puzzle of the lesson: make data on which the SMM wins, and data on which it loses."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.shared.data.planted import SIDE, Planted
from pages.shared.engine import session
from pages.shared.numbers import signed
from pages.shared.parts.knobs import draw_knobs
from pages.shared.widgets import url
from pages.smm.structure.runs import COUNTS, RANKS, LearningCurves, play

NOISES = 0.0, 0.3, 1.0, 3.0
DRAWS = 20
POINTS = 10  # by which the SMM is to win, in percentage points
KEY, SCORES = "puzzle", "scores of the puzzle"  # of the session


def draw_puzzle() -> None:
    """Draw the knobs, the button that trains both classifiers, and the score so far."""
    st.markdown(
        f"Make data on which the SMM wins by **{POINTS} percentage points**, and data on which it "
        "**loses**. Which of the three knobs matters most?"
    )
    rank, first = url.knob("rank of W*", "the truth", RANKS, 3, key="puzzle_rank")
    n, second = url.knob("n", "training samples", COUNTS, 100, key="puzzle_n")
    noise, third = url.knob(
        "noise",
        "of the labels",
        NOISES,
        0.3,
        key="puzzle_noise",
        help="Standard deviation of what is added to ⟨W*, X⟩, whose own is 1, before its sign is "
        "taken.",
    )
    draw_knobs([first, second, third], KEY)
    experiment = LearningCurves(Planted(rank, noise=noise), (n,), DRAWS)
    st.button("Train both", key="train both", on_click=_ask_for, args=(experiment,))
    if st.session_state.get(KEY + " asked") != experiment:
        st.caption(f"{DRAWS} draws of {SIDE} × {SIDE} matrices; it takes some seconds.")
        return
    scores = st.session_state.setdefault(SCORES, {})
    if experiment not in scores:
        scores[experiment] = session.run_task(
            "structure: puzzle", "Both are being trained", play, experiment
        )
    st.markdown(describe(scores[experiment]))
    st.markdown(describe_scores(scores))


def _ask_for(experiment: LearningCurves) -> None:
    """Train both classifiers in this run of the script; a callback."""
    st.session_state[KEY + " asked"] = experiment


def gain_of(numbers: Mapping[str, float]) -> tuple[float, float]:
    """Return what the SMM gains over the linear SVM, and its standard error, in points."""
    return 100 * numbers["gain"], 100 * numbers["error_gain"]


def describe(numbers: Mapping[str, float]) -> str:
    """Say who wins, and by how much."""
    gain, error = gain_of(numbers)
    accuracies = (
        f"SMM **{100 * numbers['smm']:.1f} %**, linear SVM **{100 * numbers['svm']:.1f} %**"
    )
    if abs(gain) <= 2 * error:
        return (
            f"{accuracies}: a tie. The difference over {DRAWS} draws, {signed(gain, '+.1f')} "
            "points, is less than two standard errors."
        )
    verdict = "wins" if gain > 0 else "loses"
    return f"{accuracies}: the SMM {verdict} by {abs(gain):.1f} ± {error:.1f} points."


def describe_scores(scores: Mapping[LearningCurves, Mapping[str, float]]) -> str:
    """Say which of the two tasks are done, with the best data for each."""
    best = max(scores, key=lambda one: scores[one]["gain"])
    worst = min(scores, key=lambda one: scores[one]["gain"])
    won, lost = gain_of(scores[best]), gain_of(scores[worst])
    is_won, is_lost = won[0] >= POINTS, lost[0] < -2 * lost[1]
    won_by = f"by {won[0]:.1f} points ({_name(best)})"
    lost_by = f"by {-lost[0]:.1f} points ({_name(worst)})"
    if not is_won:
        won_by = f"not yet, at most {won_by}" if won[0] > 2 * won[1] else "not yet"
    return (
        f"{'✓' if is_won else '○'} The SMM wins by {POINTS} points: {won_by}.  \n"
        f"{'✓' if is_lost else '○'} The SMM loses: {lost_by if is_lost else 'not yet'}."
    )


def _name(experiment: LearningCurves) -> str:
    data = experiment.data
    assert isinstance(data, Planted)
    return f"rank {data.rank}, n = {experiment.counts[0]}, noise {data.noise:g}"
