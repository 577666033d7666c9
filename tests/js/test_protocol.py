"""Frames as the server packs them, read and stored by the pictures' JavaScript."""

import base64

import numpy as np
import pytest

from pages.shared.engine.frames import Frames
from pages.shared.engine.worker import advance
from tests.js.node import evaluate
from tests.pages.shared.test_resume import RUNS

STORE = """(answers) => {
    const run = newRun("run", {});
    for (const answer of answers) {
        const { buffer } = Uint8Array.from(atob(answer), (letter) => letter.charCodeAt(0));
        append(run, decode(buffer));
    }
    const fields = Object.keys(run.images[0]?.layout.fields ?? {});
    const { metrics, count, total, over, phase, message } = run;
    const images = run.images.map((image) => fields.map((name) => [...read(image, name)]));
    return { metrics, count, total, over, phase, message, fields, images };
}"""
MODULES = ["lib/protocol", "lib/store"]


def store(*answers):
    return evaluate(MODULES, STORE, [base64.b64encode(each).decode() for each in answers])


@pytest.fixture(scope="module", params=[0, 4, 16], ids=lambda i: type(RUNS[i]).__name__)
def frames(request):
    """The first frames of a run of some kind."""
    return Frames().with_slice(advance(RUNS[request.param], None, 600.0))


def assert_same(stored, frames):
    for name in frames.metrics.dtype.names:
        finite = np.isfinite(frames.metrics[name])
        np.testing.assert_array_equal([x is not None for x in stored["metrics"][name]], finite)
        known = np.array(stored["metrics"][name], dtype=float)
        np.testing.assert_array_equal(known[finite], frames.metrics[name][finite])
    images = [dict(zip(stored["fields"], image, strict=True)) for image in stored["images"]]
    assert stored["fields"] == [*frames.images.dtype.names]
    for found, image in zip(images, frames.images, strict=True):
        for name in frames.images.dtype.names:
            known = np.array(found[name], dtype=float)
            np.testing.assert_array_equal(known, np.ravel(image[name]).astype(float))


def test_frames_are_stored_as_they_are_packed(frames):
    stored = store(frames.to_bytes(0, "finished", "Certified."))
    assert stored["count"] == stored["total"] == len(frames.metrics)
    assert (stored["over"], stored["phase"], stored["message"]) == (True, "finished", "Certified.")
    assert_same(stored, frames)


def test_answers_that_overlap_come_twice_or_leave_a_hole_change_nothing(frames):
    later = frames.to_bytes(2, "running", "")
    stored = store(frames.to_bytes(0, "running", ""), later, later)
    assert_same(stored, frames)
    assert not stored["over"]
    assert store(later)["count"] == 0


def test_an_answer_that_is_cut_off_is_refused(frames):
    with pytest.raises(AssertionError, match="bytes, announced"):
        store(frames.to_bytes(0, "running", "")[:-1])
