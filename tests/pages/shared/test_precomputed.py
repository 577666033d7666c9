"""Precomputed runs are what the solver of today finds."""

from dataclasses import replace

import numpy as np
import pytest

from pages.shared.algorithm1 import QUICK, Algorithm1
from pages.shared.engine import precomputed
from pages.shared.engine.experiment import constructor
from pages.shared.engine.scheduler import Scheduler
from pages.shared.engine.subscription import JobStore
from pages.shared.engine.worker import advance
from pages.smm.live.runs import SolverRace
from pages.your_data.runs import LearningCurve
from tests.pages.runs import load_stored
from tests.precompute import PRESETS

# What is solved before the first frame.
FEWER = {"Stencils for faces": {"points": 10}} | {
    name: {"trial": replace(preset.experiment.trial, search=False, scaling="none")}
    for name, preset in PRESETS.items()
    if isinstance(preset.experiment, LearningCurve)
}


def precomputed_as(*kinds):
    return [name for name, preset in PRESETS.items() if isinstance(preset.experiment, kinds)]


@pytest.mark.parametrize("name", PRESETS)
def test_precomputed_run_has_the_metrics_and_images_of_today(name):
    experiment = PRESETS[name].experiment
    kept = load_stored(experiment)
    experiment = replace(experiment, **FEWER.get(name, {}))
    fresh = advance(experiment, None, 0.0)
    while not len(fresh.metrics):  # it has not come to its first frame
        fresh = advance(experiment, fresh.state, 0.0)
    assert kept.metrics.dtype.names == fresh.metrics.dtype.names, PRESETS[name].command
    assert kept.images.dtype.names == fresh.images.dtype.names, PRESETS[name].command


@pytest.mark.parametrize("name", precomputed_as(Algorithm1, SolverRace))
def test_precomputed_run_is_what_the_solver_finds(name):
    experiment = PRESETS[name].experiment
    kept, found = load_stored(experiment), advance(experiment, None, 600.0)
    for ours, theirs in zip(proofs(kept), proofs(found), strict=True):
        # Both have a gap, so W is known to the sum of their radii, on any machine.
        assert np.linalg.norm(ours.W - theirs.W) <= ours.radius + theirs.radius
    for word in "Certified", "not at its floor":
        assert kept.summary.count(word) == found.summary.count(word)
    # The first iterates differ by rounding and by QPs that are solved to 1e-10 in a margin.
    fields = [field for field in kept.metrics.dtype.names if field.startswith(("residual", "gap"))]
    for field in fields:
        early = kept.metrics[field][:10], found.metrics[field][:10]
        np.testing.assert_allclose(*early, rtol=1e-4, atol=1e-12)


def proofs(piece):
    """Return the certificates at the end of a run, of a race those of all contestants."""
    several = isinstance(piece.certificate, dict)
    return list(piece.certificate.values()) if several else [piece.certificate]


def test_page_of_a_preset_needs_no_worker():
    run = JobStore(Scheduler(1)).subscribe(QUICK)
    assert run.status == "finished"
    assert len(run.frames.metrics) == len(run.frames.images) > 20
    assert JobStore(Scheduler(1)).subscribe(replace(QUICK, eta=0.9)).status == "waiting"


def test_every_stored_run_is_of_a_preset():
    paths = precomputed.stored_paths()
    assert {*paths} == {constructor(preset.experiment) for preset in PRESETS.values()}
    assert len(paths) == len(list(precomputed.FOLDER.glob("*")))
