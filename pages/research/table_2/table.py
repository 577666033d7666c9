"""Table 2 of Xia and Fan: the controls, the data, and our results beside the printed ones."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.research.table_2.cross_validation import PRINTED, best_weights, resize
from pages.research.table_2.runs import CrossValidationRun
from pages.shared.data.bundled import Digits
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.data.uploads import Upload, spool
from pages.shared.engine.subscription import Subscription
from pages.shared.files import infer_layouts, read_samples
from pages.shared.losses import LOSSES
from pages.shared.numbers import percent
from pages.shared.parts.prose import format_error
from pages.shared.reproduction.report import read_results
from pages.shared.widgets import url
from pages.shared.widgets.session_values import compute_once, fetch_on_request

DIGITS = {f"digits {i}, {j}": (i, j) for i, j in ((3, 8), (1, 7), (4, 9))}
ORL = {f"ORL {i}, {j}": (i, j) for data, i, j in PRINTED if data == "ORL"}
FACE_COUNT, PERSON_COUNT = 400, 40  # of ORL
FACE_SHAPE = 14, 12  # the paper has 14 x 11.5
MAX_MEGABYTES = 10  # of an uploaded file; the usual file has 0.4
GRIDS = {4: "5 × 5", 2: "9 × 9", 1: "17 × 17"}  # by the step of the exponents


def choose_cross_validation() -> CrossValidationRun | None:
    """Draw the controls; return the chosen experiment if it has data."""
    every = url.choice(
        st,
        "segmented_control",
        "Grid of C and τ",
        list(GRIDS),
        4,
        GRIDS.__getitem__,
        key="grid",
        help="Powers of two from 2⁻⁸ to 2⁸; theirs is 17 × 17, 289 pairs. On two digits 25 pairs "
        "take about ten seconds of processor time, 289 a minute or two. Stop keeps what is there.",
    )
    names = [*DIGITS, *ORL]
    name = url.choice(st, "segmented_control", "Two classes", names, names[0], key="two")
    try:
        data = Digits(DIGITS[name]) if name in DIGITS else _choose_faces()
        return CrossValidationRun(data, (DIGITS | ORL)[name], every) if data else None
    except (ValueError, OSError) as error:
        st.error(format_error(error))
        return None


def _choose_faces() -> LabelledDataset | None:
    """Draw two ways to get the ORL faces; return them, or None while they are missing."""
    left, right = st.columns(2, vertical_alignment="center")
    left.markdown(
        "The ORL faces are not part of this app. scikit-learn fetches them as the *Olivetti "
        "faces*, 4 MB; or bring `ORL_32x32.mat`. They are made 14 × 12, entries 0 to 1."
    )
    sent = right.file_uploader("ORL_32x32.mat", type="mat", max_upload_size=MAX_MEGABYTES)
    if sent:
        return compute_once("ORL file", sent.file_id, lambda: read_faces(sent.getvalue()))
    with left:
        whole = fetch_on_request("Olivetti faces", "Fetch them")
    return whole and compute_once("ORL faces", whole, lambda: _shrink_faces(whole))


def _shrink_faces(whole: Upload) -> Upload:
    X, y, people, *_ = whole.prepare()
    return spool(resize(X, FACE_SHAPE), people[y] + 1, name="orl")


def read_faces(content: bytes) -> Upload:
    """Read the ORL faces from a MATLAB file, in the size and the unit of the paper."""
    if len(content) > MAX_MEGABYTES << 20:
        raise ValueError(
            f"the file must have at most {MAX_MEGABYTES} MB, got {len(content) >> 20:,} MB"
        )
    X, y, *_ = read_samples(content, infer_layouts(content)[0])
    people = len(np.unique(y))
    if (len(y), people) != (FACE_COUNT, PERSON_COUNT):
        raise ValueError(
            f"the file must hold the {FACE_COUNT} faces of {PERSON_COUNT} people, got {len(y):,} "
            f"matrices of {people:,} classes; other samples have their place on the page Your data"
        )
    unit = 255 if X.max() > 1 else 1
    return spool(resize(X / unit, FACE_SHAPE), y, name="orl")


def draw_result(run: Subscription) -> None:
    """Draw the best of both machines so far, beside the printed figures of this pair."""
    done = run.frames.certificate
    printed = (
        PRINTED.get(("ORL", *run.experiment.pair))
        if run.experiment.data.shape[1:] == FACE_SHAPE
        else None
    )
    seconds = {name: sum(trial.seconds[name] for trial in done) for name in LOSSES.values()}
    rows = []
    for name in LOSSES.values():
        best = best_weights(done, name)
        row = {
            "classifier": name,
            "accuracy": f"{percent(best.accuracy)} ± {percent(best.deviation)}",
        }
        if printed:
            row["paper"] = f"{printed.accuracy[name]:g} % ± {printed.deviation[name]:g} %"
        rows.append(
            row
            | {"at C": f"{best.chosen.C:.3g}", "and τ": f"{best.chosen.tau:.3g}"}
            | {"as good": f"{best.as_good} of {len(done)} settings"}
            | {"seconds": f"{seconds[name]:.2f}"}
        )
    st.dataframe(rows, hide_index=True)
    note = (
        "Ours: mean and standard deviation over the folds, at the first of the best settings. The "
        "best of many on the samples that chose it looks better than it is, as theirs does."
    )
    if printed:
        theirs = f"in the paper: {printed.ratio:.1f}"
        note += (
            " The standard deviation of the paper is a different one: with four pictures a fold an "
            "accuracy is a multiple of 25 %, and the mean of five one of 5 %."
        )
    else:
        ratios = [row.ratio for row in PRINTED.values()]
        theirs = f"in the paper, for other data: {min(ratios):.1f} to {max(ratios):.1f}"
    st.caption(note)
    ratio = seconds["SMM"] / seconds["LS-SMM"]
    st.markdown(f"Seconds of the SMM to those of the LS-SMM: **{ratio:.1f}** ({theirs}).")


def orl_rows() -> list[dict[str, object]]:
    """Return a row for each pair of ORL faces: our result beside the printed one."""
    ours = {
        each.item: each.ours
        for each in read_results("lssmm-table2").comparisons
        if each.part.startswith(("ORL, pairs of people: accuracy", "ORL, pairs of people: seconds"))
    }
    rows: list[dict[str, object]] = []
    for i, j in ORL.values():
        printed = PRINTED["ORL", i, j]
        rows.append(
            {
                "pair": str((i, j)),
                "SMM, paper": f"{printed.accuracy['SMM']:g} %",
                "ours": f"{ours[f'{i} and {j}, SMM']:g} %",
                "LS-SMM, paper": f"{printed.accuracy['LS-SMM']:g} %",
                "ours ": f"{ours[f'{i} and {j}, LS-SMM']:g} %",
                "seconds SMM : LS-SMM, paper": f"{printed.ratio:.1f}",
                "ours  ": f"{ours[f'{i} and {j}']:.1f}",
            }
        )
    return rows
