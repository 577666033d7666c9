"""Files in the shape of public bug reports, and what the page says about each."""

import numpy as np
import pytest

from tests.files.make import cells, mat, structs
from tests.pages.your_data.lesson import button, finish_runs, open_file, samples, texts

RNG = np.random.default_rng(0)


X, Y = samples(n=40, shape=(6, 20))
LAST = X.transpose(1, 2, 0)  # p x q x n, as in MATLAB
WORDS = cells([["left", "right"][k] for k in Y])


def windows(**known):
    """Windows that overlap by half, of recordings with a random class each: nothing to learn."""
    kind, found = RNG.permutation(np.arange(8) % 2), []
    for _ in range(8):
        x = RNG.normal(size=(6, 8 * 11))
        found += [x[:, 8 * i : 8 * i + 16] for i in range(10)]
    source = np.repeat(np.arange(8), 10)
    known = dict.fromkeys(known, source + 1)
    return mat(X=np.array(found).transpose(1, 2, 0), y=kind[source], **known)


def eeglab():
    """Epochs of EEGLAB with answers before and after the stimuli."""
    events = [(WORDS.flat[i], 20.0 * i + 4, i + 1.0) for i in range(40)]
    events += [("answer", 20.0 * i + (15 if i % 2 else 1), i + 1.0) for i in range(0, 40, 3)]
    kind, latency, epoch = map(list, zip(*sorted(events, key=lambda each: each[1]), strict=True))
    place = structs(labels=[f"E{i}" for i in range(6)], X=[*RNG.random(6)], Y=[*RNG.random(6)])
    event = structs(type=kind, latency=latency, epoch=epoch)
    about = {"pnts": 20.0, "times": 4.0 * np.arange(20)[None] - 12, "srate": 250.0}
    return mat(EEG={**about, "data": LAST, "chanlocs": place, "event": event})


def sessions():
    """Trials in sessions, struct arrays in a struct array."""
    parts = [
        structs(data=[*X[s : s + 10]], label=[*WORDS.flat[s : s + 10]]) for s in range(0, 40, 10)
    ]
    return mat(session=structs(trials=parts, name=["S1", "S2", "S3", "S4"]))


def fieldtrip():
    """As many trials as channels, and a table of trials."""
    x, y = samples(n=24, shape=(24, 30))
    data = {"label": cells([f"E{i}" for i in range(24)], (24, 1)), "trial": cells([*x])}
    times = np.c_[y + 1.0, RNG.permutation(np.arange(200, 224))]
    return mat(data={**data, "fsample": 250.0, "trialinfo": times})


PARTS = {"x_train": X[:28], "y_train": Y[:28] + 1, "x_test": X[28:]}
RATINGS = np.c_[5 + 4 * Y + RNG.random(40), 9 * RNG.random((40, 3))]
HOLES = np.where(np.arange(20) < 3, np.nan, X)
# What is uploaded, and what the page says.
REPORTS = {
    "a time axis beside conditions": (
        mat(data=LAST, t=np.arange(20)[None] / 250, cond=WORDS),
        "is all different and in order or evenly spaced, as an axis",  # why t is not used
    ),
    "epochs of EEGLAB": (eeglab(), "labels EEG.event.type at time 0, **2 classes**"),
    "trials in sessions": (sessions(), "40 samples of 6 × 20**, from session.trials.da"),
    "classes numbered apart": (
        mat(**PARTS, y_test=Y[28:]),
        "Training and test set number the classes differently, 1, 2 and 0, 1: number both alike.",
    ),
    "placeholders": (
        mat(**PARTS, y_test=np.zeros(12)),
        "Every label in y_test is the same, so x_test counts as unlabelled",
    ),
    "overlapping windows": (windows(), "as windows of one recording do"),
    "columns of ratings": (
        mat(data=X, labels=RATINGS),
        "holds measurements. They are divided in two classes, at first at their median",
    ),
    "holes in every sample": (
        mat(X=HOLES.transpose(1, 2, 0), y=Y),
        "18 entries have no value in any sample: filled in, they are 0",
    ),
    "trials of unequal length": (
        mat(trial=cells([x[:, : 20 - i % 4] for i, x in enumerate(X)]), y=Y),
        "40 samples of 6 × 17**, cells cut to 6 × 17",
    ),
    "as many trials as channels": (fieldtrip(), "labels data.trialinfo(:,1), **2 cla"),
}
# Of some, the samples and labels that are taken.
SELECTED = {
    "a time axis beside conditions": (X, WORDS),
    "epochs of EEGLAB": (X, WORDS),
    "trials in sessions": (X, WORDS),
    "trials of unequal length": (X[..., :17], Y),
}


@pytest.mark.parametrize("what", REPORTS)
def test_a_file_of_a_public_report_is_read_right(contents, what):
    files, sentence = REPORTS[what]
    page = open_file(contents, files, trained="SMM")
    drawn = " ".join(
        texts(each) for each in (page.markdown, page.caption, page.warning, page.error)
    )
    drawn += str([chart.proto.spec for chart in page.get("plotly_chart")])
    assert sentence in drawn
    assert bool(page.error) == (what == "holes in every sample")
    if what in SELECTED:
        samples, labels = SELECTED[what]
        data = page.session_state["last selection"].data.prepare()
        np.testing.assert_array_equal(data.X, samples)
        np.testing.assert_array_equal(data.classes[data.y], labels)


def test_labels_that_seem_to_be_placeholders_can_be_declared_real(contents):
    page = open_file(contents, mat(**PARTS, y_test=np.full(12, 7.0)), trained="SMM")
    assert "28 samples of 6 × 20" in texts(page.markdown)
    button(page, "These are real labels").click()
    page = finish_runs(page.run())
    assert "12 are the file's own test set" in texts(page.markdown)
    assert "leave out 7, or number both alike" in texts(page.error)
