"""Choose steps that change each sample, and draw what becomes of some samples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil
from typing import Any

import streamlit as st

from pages.shared.data.samples import MAX_ENTRIES, MAX_LENGTH, MAX_SIDE, check_sides
from pages.shared.engine import session
from pages.shared.widgets import url
from pages.your_data.reading import pictures
from pages.your_data.reading.selection import Selection
from pages.your_data.runs import SampleRequest, fetch_samples
from pages.your_data.trial.preprocessing import Preprocessing

# Where time runs, by the name in the address.
TIMES = {"none": "No", "columns": "Along the rows", "rows": "Down the columns"}
NUMBER = r"(\d+(?:\.\d*)?|\.\d+)?"
RANGE_PATTERN = re.compile(rf"{NUMBER}\s*(-|–|—|:|to)?\s*{NUMBER}")
MOST_AVERAGED = 10_000  # neighbours
ROUNDING = 1e-9  # in samples: 0.3 s at 100 Hz is sample 30, although 0.3 * 100 > 30


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


def describe_steps(steps: Preprocessing, p: int, q: int) -> str:
    """Return what the steps do to samples p x q, in words."""
    parts = []
    if steps.band:
        low, high = steps.band
        unit = "cycles per sample" if steps.rate == 1 else "Hz"
        along = "rows" if steps.time == "columns" else "columns"
        parts.append(f"band from {low:g} to {high:g} {unit} along the {along}")
    crops = {"rows": steps.rows, "columns": steps.columns}
    parts += [f"{side} {part[0] + 1} to {part[1]}" for side, part in crops.items() if part]
    if steps.blocks != (1, 1):
        parts.append(f"means of blocks of {steps.blocks[0]} × {steps.blocks[1]}")
    if steps.each:
        parts.append("each sample standardised")
    if not parts:
        return "none"
    height, width = steps.shape(p, q)
    return f"{', '.join(parts)}; {p} × {q} becomes {height} × {width}"


def choose_steps(p: int, q: int) -> Preprocessing:
    """Draw the controls of the steps for samples p x q, and return the steps.

    Steps that change no number are none. All controls are drawn before the first error, as one that
    is not drawn loses its value.
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
