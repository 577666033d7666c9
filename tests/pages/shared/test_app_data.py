"""Recipes: what they allow, and what they make."""

import gc
import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest

import app
from pages.effects.robustness.runs import NoiseSweep, Validation
from pages.foundations.corners.touching import TouchingProblem
from pages.further.sparse.runs import SparseRegression
from pages.shared.data import samples, spool_folder
from pages.shared.data.bundled import Digits
from pages.shared.data.curves import Sinc, Steps
from pages.shared.data.samples import samples_to_hand_out, spool
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.your_data.runs import TrialExperiment
from pages.your_data.trial.trial import MethodSpec, Trial
from smmcore.sugiyama.penalties import Ball, Lp
from tests.pages.runs import in_loop

SMALL = BlockCorrelated(n=40, p=6, q=8, groups=3, noise=0.05, rank=2)
DIGITS = Digits((3, 8))
VALIDATION = Validation(Split(SMALL))
NOISE = NoiseSweep(VALIDATION, (0, 0, 0, 0))
TOUCHING = TouchingProblem(Ball(Lp(1.0), 1.0), (2.0, 0.6))
SPARSE = SparseRegression(Sinc(20))


def arrays(n=30, p=4, q=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p, q)), np.where(np.arange(n) % 3, 1.0, -1.0)


@pytest.mark.parametrize(
    ("sound", "change", "sentence"),
    [
        (SMALL, {"n": 1}, "n, the number of samples, must .* 2 and at most 2,000, got 1"),
        (SMALL, {"p": 513, "q": 600}, "the smaller of rows .* at most 512, got 513"),
        (
            SMALL,
            {"n": 2000, "p": 200, "q": 200},
            "n × p × q must be at most 12,000,000, got 2,000 × 200",
        ),
        (SMALL, {"groups": 9}, r"V, the .* at most min\(q, n\) = 8, got 9"),
        (SMALL, {"noise": float("nan")}, "delta, the noise, must .* at most 100, got nan"),
        *((DIGITS, {"classes": few}, "two or more and differ") for few in ((3,), (3, 3))),
        (NOISE, {"chosen": (0, 0, 0, 7)}, "the number of a weight must be .* at most 6, got 7"),
        (TOUCHING, {"minimum": (4.0, 0.0)}, "the first coordinate .* at least -3 and at most 3"),
        (Steps(20), {"pieces": 11}, "the number of steps must .* at most n / 2 = 10, got 11"),
        (SPARSE, {"penalty": "l3"}, r"the penalty must be one of \['l2', .*, got 'l3'"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(sound, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(sound, **change)


@pytest.mark.parametrize("kind", [str, object, int, float])
def test_upload_keeps_labels_of_any_kind_groups_and_the_test_part(kind):
    X, _ = arrays()
    y = np.arange(30).astype(kind) if kind is not object else np.array(["a", "bc"] * 15, object)
    groups, test = np.repeat(["s2", "s1"], 15), np.arange(30) > 20
    upload = spool(X, y, groups, test, "mine")
    loaded = upload.prepare()
    assert loaded.classes[loaded.y].tolist() == y.tolist()
    assert upload.classes == tuple(loaded.classes.tolist())
    assert loaded.groups.tolist() == [1] * 15 + [0] * 15
    assert loaded.test.tolist() == test.tolist()
    assert spool(X, y, groups, test) == upload
    assert len({spool(X, y), spool(X, y, groups), spool(X, y, None, test), upload}) == 4


@pytest.mark.parametrize("scale", [1, 1000, 0.5, 0.1])
@pytest.mark.parametrize("gap", [False, True])
def test_handed_out_samples_are_the_same_upload_in_the_smallest_type(scale, gap):
    X = np.random.default_rng(0).integers(0, 200, (30, 4, 5)) * float(scale)
    if gap:
        X[3, 2, 1] = np.nan
    upload = spool(X, np.repeat(["a", "bc"], 15), np.arange(30) % 3, np.arange(30) > 20, "mine")
    arrays = samples_to_hand_out(upload.prepare())
    assert spool(**arrays, name="mine") == upload
    smallest = {1: "u1", 1000: "f4", 0.5: "f4", 0.1: "f8"}[scale]
    assert arrays["X"].dtype == ("f4" if gap and scale == 1 else smallest)


def test_labels_of_one_kind_only_are_refused():
    with pytest.raises(ValueError, match="every label is 3; there must be two classes"):
        spool(arrays()[0], np.full(30, 3))


def test_upload_is_one_file_for_one_content_and_is_deleted_with_its_last_holder():
    X, y = arrays()
    first, second = spool(X, y), spool(X.copy(), y.copy())
    other = spool(X, -y)
    assert first is second
    assert first != other
    file = Path(first.path)
    run = TrialExperiment(first, Trial((MethodSpec("lsvm", 1.0),)))
    del first, second
    gc.collect()
    assert file.exists()  # the run may still need it
    sent = pickle.loads(pickle.dumps(run))
    assert sent == run
    assert hash(sent) == hash(run)
    assert np.array_equal(sent.data.prepare().X, X)
    del run
    gc.collect()
    assert not file.exists()
    with pytest.raises(ValueError, match="please upload the file again"):
        sent.data.prepare()


def test_the_end_of_an_older_upload_leaves_a_newer_one_of_the_same_content_alone():
    first = spool(*arrays())
    path = first.path
    again = pickle.loads(pickle.dumps(first))  # equal, but no holder of the file
    del first
    gc.collect()
    second = spool(*arrays())
    assert second == again
    assert second.path != path
    assert np.array_equal(second.prepare().X, arrays()[0])


def test_a_full_disk_gets_a_sentence_and_no_broken_file(monkeypatch):
    def fill(path, **_arrays):
        path.write_bytes(bytes(9))
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(samples.np, "savez", fill)
    with pytest.raises(ValueError, match="the server's disk is full or cannot be written"):
        spool(*arrays(seed=3))
    assert 9 not in [file.stat().st_size for file in spool_folder.folder().iterdir()]


async def live():
    """Start and end a server without workers and other processes."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("session", "gc", "guard_connections", "start_reader"):
            patch.setattr(app, name, MagicMock())
        async with app.lifespan(app.app):
            return [file.name for file in spool_folder.folder().parent.iterdir()]


def test_uploads_do_not_outlive_their_server(monkeypatch, tmp_path):
    """Killed servers leave their folders; the next one deletes these, and not those of others."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(spool_folder, "_make_folder", cache(spool_folder._make_folder.__wrapped__))
    program = (
        "import numpy as np; from pages.shared.data.samples import spool;"
        "kept = spool(np.arange(8.0).reshape(2, 2, 2), np.arange(2)); print(kept.path); input()"
    )
    command = [sys.executable, "-c", program]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, encoding="utf-8", **pipes) as other:
        upload = Path(other.stdout.readline().strip())
        assert len(in_loop(live())) == 2  # its own folder, and that of the other
        assert upload.exists()
        other.kill()
    assert upload.exists()
    assert len(in_loop(live())) == 1
    assert [*tmp_path.iterdir()] == []


def test_uploads_have_a_bound_in_all(monkeypatch):
    monkeypatch.setattr(samples, "_spooled", type(samples._spooled)())  # none of other tests
    monkeypatch.setattr(samples, "MAX_SPOOL", 8 * 30 * 4 * 5 * 2)
    held = [spool(*arrays(seed=1))]
    with pytest.raises(ValueError, match="as many uploads as it can"):
        held.append(spool(*arrays(seed=2)))


def test_split_of_a_class_with_one_sample_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="each class needs at least 2 samples"):
        Split(replace(SMALL, positives=0.01)).parts()
