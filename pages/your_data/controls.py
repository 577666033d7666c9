"""The settings of a trial: test, preprocessing, scaling and the weights of the classifiers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from math import ceil
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.samples import MAX_ENTRIES, MAX_LENGTH, MAX_SIDE, check_sides
from pages.shared.engine import session
from pages.shared.numbers import one_two_five
from pages.shared.parts.prose import format_error
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state
from pages.your_data.reading import pictures
from pages.your_data.reading.selection import Selection
from pages.your_data.runs import SampleRequest, fetch_samples
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import By, Kind, Scheme
from pages.your_data.trial.trial import (
    CHOSEN,
    METHODS,
    MOST_WHITENED,
    NAMES,
    Balance,
    MethodSpec,
    Trial,
    estimate_search_seconds,
)

SHARES = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
DEFAULT_C, DEFAULT_SHARE, DEFAULT_RANK = 10.0, 0.02, 4
TESTS: dict[Kind, str] = {"hold-out": "Hold out 30 %", "k-fold": "k folds", "own": "The file's own"}
EACH = "each sample"
SPLITS_BY: dict[By, str] = {"class": "At random", "group": "By group"}
SCALINGS = {
    CHOSEN: "Chosen",
    "none": "None",
    "unit length": "Unit length",
    EACH: "Each sample",
    "z-score": "Each entry",
    "whitened": "Rows and columns",
}
# Where time runs, by the name in the address.
TIMES = {"none": "No", "columns": "Along the rows", "rows": "Down the columns"}
NUMBER = r"(\d+(?:\.\d*)?|\.\d+)?"
RANGE_PATTERN = re.compile(rf"{NUMBER}\s*(-|–|—|:|to)?\s*{NUMBER}")
MOST_AVERAGED = 10_000  # neighbours
ROUNDING = 1e-9  # in samples: 0.3 s at 100 Hz is sample 30, although 0.3 * 100 > 30
GIVEN, SEARCHED = "By hand", "By cross-validation"
BY_HAND = "C_rel", "tau_rel", "rank_bsvm"  # settings in a link, which mean weights by hand
QUICK_SEARCH = 20.0  # estimated seconds up to which weights are chosen by cross-validation
SEARCH = (
    "In up to 5 folds of each training set: C = 0.01, 0.1, 1 … 1,000 in units of 1/s²; for the SMM "
    "C = 1, 10, 100, each with 4 values of τ, for the bilinear SVM the same C and ranks 1 and 2; 5 "
    "values of λ for the R-GLM. A *chosen* scaling is none, each entry, or rows and columns. The "
    "best sum of accuracy and AUC wins; of equals, the simplest."
)


def choose_trial(selection: Selection, errors: DeltaGenerator) -> Trial | None:
    """Draw the settings, and return the trial; None, with an error, if the steps do not fit.

    All settings are drawn in either case, so that they can be corrected.
    """
    with st.expander("Settings"):
        scheme = _choose_scheme(selection.data.known)
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
                    with errors:
                        name = f"Average over {times:,} neighbours"
                        choose_state([State(name, error.remedy)], "remedy")
        preview = st.container()
        st.markdown("**Classifiers**")
        methods = url.several(st, "Methods", NAMES, key="trained")
        balanced = url.toggle(
            st,
            "Balance the classes",
            key="balanced",
            help="Each class weighs the same in the loss: a loss has the weight n / (K m) if its "
            "class is one of K and has m of n samples. In scikit-learn: class_weight='balanced'.",
        )
        shape = steps.shape(*selection.data.shape[1:])
        size = selection.data.shape[0], len(selection.classes), *shape
        is_quick = estimate_search_seconds(scheme, len(methods), *size) <= QUICK_SEARCH
        has_weights = any(url.full_key(name) in st.query_params for name in BY_HAND)
        weights = url.choice(
            st,
            "segmented_control",
            "Weights",
            (GIVEN, SEARCHED),
            SEARCHED if is_quick and not has_weights else GIVEN,
            key="weights",
        )
        search = weights == SEARCHED
        scaling = _choose_scaling(search, max(shape) <= MOST_WHITENED)
        if scaling == EACH:
            steps, scaling = replace(steps, each=True), "none"
        if search:
            st.caption(SEARCH)
        with preview:
            draw_steps(selection, steps)
        specs = _choose_weights(methods, min(shape), draws=not search)
    if not fits:
        return None
    class_weight: Balance = "balanced" if balanced else None
    return Trial(specs, scaling, scheme, search, preprocessing=steps, class_weight=class_weight)


def _choose_scheme(known: tuple[str, ...]) -> Scheme:
    """Draw the controls of the test, and return its scheme."""
    default: Kind = "own" if "test" in known else "hold-out"
    tests = {kind: name for kind, name in TESTS.items() if kind != "own" or "test" in known}
    kind = url.choice(
        st, "segmented_control", "Test", list(tests), default, TESTS.__getitem__, key="kind"
    )
    if kind == "own":
        return Scheme(kind)
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
        return Scheme(kind, by, times)
    folds = url.number(columns[1], "Folds", 2, 20, 5, key="folds")
    return Scheme(kind, by, folds, repetitions=times)


def _choose_scaling(search: bool, can_whiten: bool) -> str:
    """Draw the choice of the scaling, which a search can make."""
    kinds = [kind for kind in SCALINGS if search or kind != CHOSEN]
    kinds = [kind for kind in kinds if can_whiten or kind != "whitened"]
    return url.choice(
        st,
        "segmented_control",
        "Scaling",
        kinds,
        kinds[0],
        SCALINGS.__getitem__,
        key="scaled",
        help="Unit length divides each sample by its norm. Each sample: subtract the mean of "
        "its own entries and divide by their standard deviation, so that the brightness of an "
        "image or the offset of a recording tells nothing. Each entry: the same for each entry "
        "over the training samples (z-score). Rows and columns: whiten, so that neither the rows "
        "nor the columns of the training samples are correlated; for noise that many channels "
        "share, as in EEG.",
    )


def _choose_weights(
    methods: tuple[str, ...], full_rank: int, draws: bool
) -> tuple[MethodSpec, ...]:
    """Draw the controls of the weights, and return the methods with them or with the defaults."""
    c, share, rank = DEFAULT_C, DEFAULT_SHARE, DEFAULT_RANK
    used = {method: METHODS[method].settings for method in methods}
    settings = {*chain(*used.values())} if draws else set()
    if "C" in settings:
        c = url.slider(
            st,
            "C in units of 1/s²",
            one_two_five(-3, 4)[:-1],
            DEFAULT_C,
            key="C_rel",
            help="C weighs the loss; s is the root mean square distance of the training samples "
            "from their mean. In this unit 10 means the same for grey values and for volts.",
        )
    left, right = st.columns(2)
    if settings & {"tau", "lam"}:
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
    if "rank" in settings:
        rank = url.number(right, "Rank, bilinear SVM", 1, MAX_SIDE, DEFAULT_RANK, key="rank_bsvm")
    return tuple(
        MethodSpec(
            method,
            c if "C" in names else None,
            share if "tau" in names else (share or SHARES[1]) if "lam" in names else None,
            min(rank, full_rank) if "rank" in names else None,
        )
        for method, names in used.items()
    )


def draw_steps(selection: Selection, steps: Preprocessing) -> None:
    """Draw some samples after the steps."""
    if selection.is_fallback or steps == Preprocessing():
        return
    names = dict(enumerate(selection.label_names))
    some, titles, meaning = pictures.some_of_each(selection.y, names, selection.rows)
    request = SampleRequest(selection.data, tuple(some.tolist()), steps)
    samples, _ = session.run_task(
        "your data: preview", "Preprocessing some samples", fetch_samples, request
    )
    meaning = f"After these steps. {meaning}"
    pictures.draw_samples(pictures.coarsen(samples), samples.shape, titles, meaning)


def choose_steps(p: int, q: int) -> Preprocessing:
    """Draw the controls of the steps for samples p x q, and return the steps.

    Steps that change no number are none. All controls are drawn before the first error, so that
    they can be corrected.
    """
    time = url.choice(
        st,
        "segmented_control",
        "Is a sample a recording over time?",
        list(TIMES),
        "none",
        TIMES.__getitem__,
        key="time",
    )
    rate_text = band_text = ""
    if time != "none":
        left, right = st.columns(2)
        rate_text = url.text(left, "Sampling rate in Hz", key="rate", placeholder="unknown")
        unit = "Hz" if rate_text.strip() else "cycles per sample"
        band_text = url.text(
            right,
            f"Band in {unit}",
            key="band",
            placeholder="all, or such as 8-30" if rate_text.strip() else "all, or such as 0.1-0.3",
            help="The part of each recording at these frequencies. The filter is a projection on "
            "the cosines of the discrete cosine transform, over the whole recording, before "
            "anything is cut off.",
        )
    crops = {}
    places = dict(zip(("rows", "columns"), st.columns(2), strict=True))
    for side, m in (("rows", p), ("columns", q)):
        if side == time and rate_text.strip():
            crops[side] = url.text(
                places[side],
                "Time window in s",
                key="window",
                placeholder="all, or such as 0.2-0.5",
                help="From the first sample on, which is at 0 s.",
            )
        else:
            crops[side] = url.text(
                places[side], side.capitalize(), key=side, placeholder=f"all, 1-{m}"
            )
    times = url.number(
        st,
        "Average over",
        1,
        MOST_AVERAGED,
        1,
        key="average",
        help="Means of so many neighbouring rows and columns; along time only in a recording. What "
        "is left at the end is cut off.",
    )
    blocks = (1 if time == "columns" else times, 1 if time == "rows" else times)
    rate = _parse_rate(rate_text)
    low, high = _parse_range("The band", band_text, 0.0, (rate or 1.0) / 2)
    steps = Preprocessing(
        rows=_crop("rows", crops["rows"], p, rate if time == "rows" else None),
        columns=_crop("columns", crops["columns"], q, rate if time == "columns" else None),
        blocks=blocks,
        time="columns" if time == "none" else time,
        band=(low, high) if band_text.strip() else None,
        rate=rate or 1.0,
    )
    shape = steps.shape(p, q)  # an error if the samples do not have these rows
    if steps.band is not None:
        length = p if time == "rows" else q
        if length > MAX_LENGTH:
            raise ValueError(
                f"a band needs recordings of at most {MAX_LENGTH:,} samples in time, got {length:,}"
            )
        steps.matrices(p, q)  # an error if no frequency is in the band
    _refuse_too_large((p, q), shape)
    return steps if steps.band is not None or shape != (p, q) else Preprocessing()


class TooLargeError(ValueError):
    """Samples have too many rows or columns to train on."""

    remedy: Mapping[str, Any] | None = None  # settings that average, if any helps


def _refuse_too_large(before: tuple[int, int], after: tuple[int, int]) -> None:
    """Refuse samples that are too large after the steps, and steps whose matrices are."""
    if not _is_too_large(before, after):
        return
    error = TooLargeError(
        f"samples of {after[0]:,} × {after[1]:,} are too large to train on: at most {MAX_SIDE} × "
        f"{MAX_LENGTH:,} are allowed, and less of very long recordings. Keep a part of the rows or "
        "columns, or average over neighbours"
    )
    p, q = before
    time = "none" if min(before) > MAX_SIDE else "rows" if p >= q else "columns"
    for times in range(2, MOST_AVERAGED + 1):
        means = p if time == "columns" else p // times, q if time == "rows" else q // times
        if not _is_too_large(before, means):
            error.remedy = {"time": time, "average": times}
            break
    raise error


def _is_too_large(before: tuple[int, int], after: tuple[int, int]) -> bool:
    try:
        check_sides(*after)
    except ValueError:
        return True
    # The steps are matrices with these numbers of rows and columns.
    steps = zip(before, after, strict=True)
    return any(old != new and old * new > MAX_ENTRIES for old, new in steps)


def _with_points(text: str) -> str:
    """Return numbers without commas between thousands, as in 1,000, and with decimal points."""
    return re.sub(r"\b([1-9]\d{0,2}),(?=\d{3}\b)", r"\1", text).replace(",", ".")


def _parse_rate(text: str) -> float | None:
    """Return the sampling rate, or None if it is unknown."""
    if not text.strip():
        return None
    number = _with_points(text.strip())
    if not re.fullmatch(r"\d*\.?\d+", number) or not float(number):
        raise ValueError(f"the sampling rate must be a positive number, such as 250, got {text!r}")
    return float(number)


def _parse_range(name: str, text: str, first: float, last: float) -> tuple[float, float]:
    """Return both ends of a range such as "5-20", "5-" or "7"; an end that is left out is given."""
    found = RANGE_PATTERN.fullmatch(_with_points(text.strip()))
    if not found:
        raise ValueError(f"{name} must be a range, for example 5-20, 5- or -20, got {text!r}")
    low, dash, high = found.groups()
    begin = low or first
    end = high or (begin if low and not dash else last)
    return float(begin), float(end)


def _crop(side: str, text: str, m: int, rate: float | None) -> tuple[int, int] | None:
    """Return the first of m rows or columns to keep and the one behind the last, from 0.

    With a sampling rate the text is a time window in seconds.
    """
    if not text.strip():
        return None
    if rate is None:
        name = f"the {side} to keep"
        first, last = _parse_range(name, text, 1, m)
        if not (first.is_integer() and last.is_integer() and 1 <= first <= last <= m):
            raise ValueError(
                f"{name} must be a range from 1 to {m}, such as 1-{max(1, m // 2)}, got {text!r}"
            )
        return int(first) - 1, int(last)
    begin, end = _parse_range("the time window", text, 0.0, m / rate)
    if not begin < end <= m / rate * (1 + ROUNDING):
        raise ValueError(
            f"the time window must be a range from 0 to {m / rate:g} s, the length of the "
            f"recording, got {text!r}"
        )
    start, behind = (ceil(time * rate - ROUNDING) for time in (begin, end))
    if start == behind:
        raise ValueError(
            f"no sample lies in the time window {text!r} s: at {rate:g} Hz they are {1 / rate:g} s "
            "apart"
        )
    return start, behind
