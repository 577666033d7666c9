"""Table 2 of Xia and Fan: the pairs of classes, and their figures beside ours."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.shared import address
from pages.shared.recipes import LOSSES, Brought, CrossValidationRun, Digits, Upload, spool
from pages.shared.runs import Run
from pages.shared.uploads.choice import once, said
from pages.shared.uploads.sets import fetched
from smmcore.experiments.least_squares import PRINTED, resized, summary
from smmcore.matfile import proposals, read_samples

DIGITS = {f"digits {i}, {j}": (i, j) for i, j in ((3, 8), (1, 7), (4, 9))}
ORL = {f"ORL {i}, {j}": (i, j) for data, i, j in PRINTED if data == "ORL"}
FACES, PEOPLE = 400, 40  # ORL has so many
SHAPE = 14, 12  # theirs: 14 x 11.5
LARGEST_FILE = 10  # MB; the file in common use has 0.4
MADE_SMALL = "from smmcore.experiments.least_squares import resized\n"
GRIDS = {4: "5 x 5", 2: "9 x 9", 1: "17 x 17"}  # by the step of the exponents
# Right, of the SMM and of the LS-SMM, in per cent, and the ratio of their seconds, at the best of
# all 289 pairs of weights and over them: python -m tests.benchmarks.table_2 ORL_32x32.mat
OURS = {(3, 8): (95, 95, 4.0), (5, 1): (100, 100, 4.0), (5, 4): (100, 100, 4.2)}


def choose() -> CrossValidationRun | None:
    """Draw the pairs, and for faces where they come from; return what is to be cross-validated."""
    every = address.choice(
        st,
        "segmented_control",
        "Grid of C and τ",
        list(GRIDS),
        4,
        GRIDS.get,
        key="grid",
        help="Powers of two from 2⁻⁸ to 2⁸; theirs is 17 x 17, 289 pairs.",
    )
    names = [*DIGITS, *ORL]
    name = address.choice(st, "segmented_control", "Two classes", names, names[0], key="two")
    try:
        data = Digits(DIGITS[name]) if name in DIGITS else _faces()
        run = data and CrossValidationRun(data, (DIGITS | ORL)[name], every)
    except (ValueError, OSError) as error:
        st.error(said(error))
        run = None
    # Drawn without a run, too: a switch that is not drawn forgets that it was on.
    wanted = address.toggle(
        st,
        f"Cross-validate both at these {(16 // every + 1) ** 2} pairs of weights",
        key="table",
        help="On two digits 25 pairs take ten seconds of processor time, on faces four; all 289 a "
        "minute or two. Stop keeps what is there.",
    )
    return run if wanted else None


def _faces() -> Brought | None:
    """Draw the ways to the ORL faces; they are no part of this app."""
    left, right = st.columns(2, vertical_alignment="center")
    left.markdown(
        "The ORL faces are not part of this app. scikit-learn fetches them as the *Olivetti "
        "faces*, 4 MB; or bring `ORL_32x32.mat`. They are made 14 x 12, entries 0 to 1."
    )
    sent = right.file_uploader("ORL_32x32.mat", type="mat", max_upload_size=LARGEST_FILE)
    if sent:
        return once("ORL file", sent.file_id, lambda: _read(sent.name, sent.getvalue()))
    with left:
        whole = fetched("Olivetti faces", "Fetch them")
    return whole and once("ORL faces", whole, lambda: _small(whole))


def _small(whole: Upload) -> Upload:
    X, y, people, *_ = whole.prepare()
    lines = f"{MADE_SMALL}{whole.script()}X, y = resized(X, {SHAPE}), y + 1\n"
    return spool(resized(X, SHAPE), people[y] + 1, statements=lines)


def _read(name: str, content: bytes) -> Upload:
    if len(content) > LARGEST_FILE << 20:
        raise ValueError(
            f"the file must have at most {LARGEST_FILE} MB, got {len(content) >> 20:,} MB"
        )
    X, y, *_ = read_samples(content, proposals(content)[0])
    people = len(np.unique(y))
    if (len(y), people) != (FACES, PEOPLE):
        raise ValueError(
            f"the file must hold the {FACES} faces of {PEOPLE} people, got {len(y):,} matrices of "
            f"{people:,} classes; other samples have their place on the page Your data"
        )
    unit = 255 if X.max() > 1 else 1
    lines = (
        f"{MADE_SMALL}from smmcore.matfile import proposals, read_samples\n\n"
        f"X, y, *_ = read_samples({name!r}, proposals({name!r})[0])\n"
        f"X = resized(X / {unit}, {SHAPE})\n"
    )
    return spool(resized(X / unit, SHAPE), y, statements=lines)


def measured() -> list[dict[str, object]]:
    """The rows of what came out on the ORL faces, beside what is printed."""
    smm, squares = LOSSES.values()
    rows = []
    for pair, (hinge, ls, ratio) in OURS.items():
        printed = PRINTED["ORL", *pair]
        rows.append(
            {"pair": str(pair)}
            | {f"{smm}, printed": f"{printed.accuracy[smm]:g}%", "ours": f"{hinge}%"}
            | {f"{squares}, printed": f"{printed.accuracy[squares]:g}%", "ours ": f"{ls}%"}
            | {"seconds SMM : LS-SMM, printed": f"{printed.ratio:.1f}", "ours  ": f"{ratio:.1f}"}
        )
    return rows


def draw(run: Run) -> None:
    """Draw the best of both machines so far, beside what is printed for this pair."""
    done = run.frames.certificate
    printed = PRINTED.get(("ORL", *run.recipe.pair)) if run.recipe.data.shape[1:] == SHAPE else None
    rows = []
    for name in LOSSES.values():
        best = summary(done, name)
        row = {"machine": name, "accuracy": f"{best.accuracy:.1%} ± {best.deviation:.1%}"}
        if printed:
            row["printed"] = f"{printed.accuracy[name]:g}% ± {printed.deviation[name]:g}%"
        rows.append(
            row
            | {"at C": f"{best.chosen.C:.3g}", "and τ": f"{best.chosen.tau:.3g}"}
            | {"as good": f"{best.as_good} of {len(done)} pairs of weights"}
            | {"seconds": f"{sum(trial.seconds[name] for trial in done):.2f}"}
        )
    st.dataframe(rows, hide_index=True)
    smm, squares = (sum(trial.seconds[name] for trial in done) for name in LOSSES.values())
    theirs = (
        f"printed: {printed.ratio:.1f}"
        if printed
        else "printed, for other data: "
        + f"{min(row.ratio for row in PRINTED.values()):.1f} to "
        + f"{max(row.ratio for row in PRINTED.values()):.1f}"
    )
    st.caption(
        "Ours: mean and deviation over the folds, at the first of the best pairs. The best of many "
        "on the samples that chose it looks better than it is, as theirs does."
        + " The printed deviation is another: with four pictures a fold an accuracy is a multiple "
        "of 25 %, and the mean of five one of 5 %." * bool(printed)
    )
    st.markdown(f"Seconds of the SMM to those of the LS-SMM: **{smm / squares:.1f}** ({theirs}).")
