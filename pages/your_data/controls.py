"""The settings of a trial: test, preprocessing, scaling and the weights of the classifiers."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.samples import MAX_SIDE
from pages.shared.parts.prose import format_error
from pages.shared.player.panels import NAMES
from pages.shared.widgets import url
from pages.your_data.reading.selection import Selection
from pages.your_data.step_controls import TooLargeError, choose_steps, draw_steps
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import By, Kind, Scheme
from pages.your_data.trial.trial import C_GRID, Balance, MethodSpec, Trial

SHARES = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
DEFAULT_C, DEFAULT_SHARE, DEFAULT_RANK = 10.0, 0.02, 4
TESTS: dict[Kind, str] = {"hold-out": "Hold out 30 %", "k-fold": "k folds", "own": "The file's own"}
EACH = "each sample"
SPLITS_BY: dict[By, str] = {"class": "At random", "group": "By group"}
SCALINGS = {
    "none": "None",
    "unit length": "Unit length",
    EACH: "Each sample",
    "z-score": "Each entry",
}
APPLY = "Open a saved model"
LOCK = "Lock the test set"
GIVEN, SEARCHED = "By hand", "By cross-validation"
SEARCH = (
    "In up to 5 folds of each training set: C = 0.01, 0.1, 1 … 1,000 in units of 1/s², with 10 "
    "values of τ for the SMM and the ranks 1, 2, 4 … for the bilinear SVM; 10 values of λ for the "
    "R-GLM. The best accuracy wins; ties go to the smaller C, then to the larger τ or smaller rank."
)


def choose_trial(selection: Selection, errors: DeltaGenerator) -> Trial | None:
    """Draw the settings, and return the trial; None, with an error, if the steps do not fit.

    All settings are drawn in either case, as one that is not drawn loses its value.
    """
    lock = st.container()  # seen while the settings are folded
    with st.expander("Settings"):
        scheme = _choose_scheme(selection.data.known, lock)
        st.markdown("**Preprocessing**")
        steps, fits = Preprocessing(), True
        try:
            steps = choose_steps(*selection.data.shape[1:])
        except ValueError as error:
            if not selection.is_fallback:
                errors.error(format_error(error), icon="⚠️")
                fits = False
                if isinstance(error, TooLargeError) and error.remedy:
                    times = error.remedy["average"]
                    errors.button(
                        f"Average over {times:,} neighbours",
                        on_click=url.set_values,
                        args=(error.remedy,),
                    )
        scaling = url.choice(
            st,
            "segmented_control",
            "Scaling",
            list(SCALINGS),
            "none",
            SCALINGS.__getitem__,
            key="scaled",
            help="Unit length divides each sample by its norm. Each sample: subtract the mean of "
            "its own entries and divide by their standard deviation, so that the brightness of an "
            "image or the offset of a recording tells nothing. Each entry: the same for each entry "
            "over the training samples (z-score).",
        )
        if scaling == EACH:
            steps, scaling = replace(steps, each=True), "none"
        draw_steps(selection, steps)
        st.markdown("**Classifiers**")
        methods = url.several(st, "Methods", NAMES, key="trained")
        balanced = url.toggle(
            st,
            "Balance the classes",
            key="balanced",
            help="Each class weighs the same in the loss: a loss has the weight n / (K m) if its "
            'class is one of K and has m of n samples. In scikit-learn: `class_weight="balanced"`.',
        )
        weights = url.choice(
            st, "segmented_control", "Weights", (GIVEN, SEARCHED), GIVEN, key="weights"
        )
        full_rank = min(steps.shape(*selection.data.shape[1:]))
        if search := weights == SEARCHED:
            st.caption(SEARCH)
            specs = tuple(map(MethodSpec, methods))
        else:
            specs = _choose_weights(methods, full_rank)
    if not fits:
        return None
    class_weight: Balance = "balanced" if balanced else None
    return Trial(specs, scaling, scheme, search, preprocessing=steps, class_weight=class_weight)


def _choose_scheme(known: tuple[str, ...], lock: DeltaGenerator) -> Scheme:
    """Draw the controls of the test, and return its scheme; the lock is drawn in `lock`."""
    state = st.session_state
    before, state["known"] = state.get("known", known), known
    default: Kind = "own" if "test" in known else "hold-out"
    if ("test" in before) != ("test" in known):  # other samples
        state[url.full_key("kind")] = default
    if ("groups" in before) != ("groups" in known):
        state[url.full_key("by")] = "group" if "groups" in known else "class"
    tests = {kind: name for kind, name in TESTS.items() if kind != "own" or "test" in known}
    kind = url.choice(
        st, "segmented_control", "Test", list(tests), default, TESTS.__getitem__, key="kind"
    )
    if kind == "own":
        return _choose_lock(lock, Scheme(kind))
    columns = st.columns(2)
    times = url.number(columns[0], "Repetitions", 1, 50, 1, key="times")
    by: By = "class"
    if "groups" in known:
        by = url.choice(
            st,
            "segmented_control",
            "Split",
            list(SPLITS_BY),
            "group",
            SPLITS_BY.__getitem__,
            key="by",
            help="At random: both sets have the same shares of the classes. By group: all samples "
            "of a subject or session are on the same side.",
        )
    if kind == "hold-out":
        return _choose_lock(lock, Scheme(kind, by, times))
    folds = url.number(columns[1], "Folds", 2, 20, 5, key="folds")
    return _choose_lock(lock, Scheme(kind, by, folds, repetitions=times))


def _choose_lock(place: DeltaGenerator, scheme: Scheme) -> Scheme:
    """Draw the switch that locks the test set, and return the scheme with its part locked or not.

    Where there is no single test set, the switch is off, cannot be used, and says why.
    """
    try:
        locked = replace(scheme, locked=True)
    except ValueError as error:
        url.keep("locked")
        place.toggle(LOCK, disabled=True)
        place.caption(format_error(error))
        return scheme
    is_locked = url.toggle(
        place,
        LOCK,
        key="locked",
        help="While it is locked, all numbers are of a cross-validation within the training set, "
        "and the test set is not used. Change settings as you like, then unlock it once.",
    )
    return locked if is_locked else scheme


def _choose_weights(methods: tuple[str, ...], full_rank: int) -> tuple[MethodSpec, ...]:
    """Draw the controls of the weights, and return the methods with them."""
    c, share, rank = DEFAULT_C, DEFAULT_SHARE, DEFAULT_RANK
    if set(methods) - {"rglm"}:
        c = url.slider(
            st,
            "C in units of 1/s²",
            C_GRID,
            DEFAULT_C,
            key="C_rel",
            help="C weighs the loss; s is the root mean square distance of the training samples "
            "from their mean. In this unit 10 means the same for grey values and for volts.",
        )
    left, right = st.columns(2)
    if {"smm", "rglm"} & set(methods):
        share = url.choice(
            left,
            "selectbox",
            "τ / τₘₐₓ, λ / λₘₐₓ",
            SHARES,
            DEFAULT_SHARE,
            "{:.1%}".format,
            key="tau_rel",
            help="τ of the SMM and λ of the R-GLM weigh the nuclear norm, here as a share of a "
            "value at which W = 0: the smallest one, but for classes of unequal sizes τₘₐₓ is a "
            "bound, at most about twice as large. The λ of the R-GLM is at least 0.1 %.",
        )
    if "bsvm" in methods:
        rank = url.number(right, "Rank, bilinear SVM", 1, MAX_SIDE, DEFAULT_RANK, key="rank_bsvm")
    every = {
        "lsvm": MethodSpec("lsvm", c),
        "bsvm": MethodSpec("bsvm", c, rank=min(rank, full_rank)),
        "rglm": MethodSpec("rglm", share=share or SHARES[1]),
        "smm": MethodSpec("smm", c, share=share),
    }
    return tuple(every[method] for method in methods)
