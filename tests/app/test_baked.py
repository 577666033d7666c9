"""The baked runs: each is what the solver of today finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.shared import jobs, presets
from pages.shared.runs import baked
from pages.shared.runs.chains import Chains
from pages.shared.runs.dispatch import Dispatch


@pytest.mark.parametrize("name", presets.BAKED)
def test_baked_run_is_what_the_solver_finds(name):
    recipe = presets.BAKED[name]
    kept, found = baked.load(recipe), jobs.advance(recipe, None, 600.0)
    assert kept is not None, "bake it: python -m tests.bake"
    for ours, theirs in zip(proofs(kept), proofs(found), strict=True):
        # Both have a gap, so W is known to the sum of their radii, on any machine.
        assert np.linalg.norm(ours.W - theirs.W) <= ours.radius + theirs.radius
    assert kept.verdict.lower().count("certified") == found.verdict.lower().count("certified")
    # The first iterates differ by rounding and by QPs that are solved to 1e-10 in a margin.
    fields = [field for field in kept.curves.dtype.names if field.startswith(("residual", "gap"))]
    for field in fields:
        early = kept.curves[field][:10], found.curves[field][:10]
        np.testing.assert_allclose(*early, rtol=1e-4, atol=1e-12)


def proofs(piece):
    """Return the certificates at the end of a run, of a race those of both sides."""
    several = isinstance(piece.certificate, dict)
    return list(piece.certificate.values()) if several else [piece.certificate]


def test_page_of_a_preset_needs_no_worker():
    run = Chains(Dispatch(1)).run(presets.QUICK)
    assert run.status == "finished"
    assert len(run.frames.curves) == len(run.frames.pictures) > 20
    assert Chains(Dispatch(1)).run(replace(presets.QUICK, eta=0.9)).status == "waiting"


def test_run_baked_for_another_film_is_not_shown(monkeypatch):
    curves = np.dtype([("k", "<u4")])
    monkeypatch.setattr("pages.shared.films.algorithm1.Algorithm1.curves", curves)
    assert baked.load(presets.QUICK) is None


def test_no_baked_run_is_left_over():
    files = {baked.path_of(recipe) for recipe in presets.BAKED.values()}
    assert files == set(baked.FOLDER.glob("*"))
