"""The baked runs: each is what the solver of today finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.shared import jobs, presets
from pages.shared.films import film_of
from pages.shared.recipes import (
    ESTIMATES,
    DuelRun,
    RecoveryRun,
    SMMRun,
    TraceNormPath,
    column,
)
from pages.shared.runs import baked
from pages.shared.runs.chains import Chains
from pages.shared.runs.dispatch import Dispatch

TABLE = "Wolf's Table 1"


def baked_as(*kinds):
    return [name for name, recipe in presets.BAKED.items() if isinstance(recipe, kinds)]


@pytest.mark.parametrize("name", baked_as(SMMRun, DuelRun))
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


@pytest.mark.parametrize("name", baked_as(TraceNormPath))
def test_baked_path_along_r_is_what_the_solver_finds(name):
    recipe = presets.BAKED[name]
    kept, found = baked.load(recipe), jobs.advance(recipe, None, 600.0)
    np.testing.assert_allclose(kept.curves["radius"], found.curves["radius"])
    # Both have a gap below 1e-6 P(0); Theta is known to the root of it.
    for field in ("error", "test", "trace", "s1"):
        np.testing.assert_allclose(kept.curves[field], found.curves[field], atol=0.01)
    assert kept.verdict == found.verdict


@pytest.mark.parametrize("name", baked_as(RecoveryRun))
def test_baked_estimates_are_what_the_solver_finds(name):
    recipe = presets.BAKED[name]
    kept = baked.load(recipe)
    assert kept.curves["n"].tolist() == recipe.counts
    # The first frame that is shown, at the lesson's own n: all of them take ten seconds.
    shown = recipe.counts.index(recipe.few.n)
    frame = next(film_of(recipe).frames(recipe.data.load(), shown))
    found = dict(zip(kept.curves.dtype.names, frame.curve, strict=True))
    for field in (*ESTIMATES, *(f"test_{name}" for name in ESTIMATES)):
        assert kept.curves[field][shown] == pytest.approx(found[field], abs=0.01), field


def test_baked_table_is_what_the_methods_find_and_what_the_lessons_tell():
    recipe = presets.BAKED[TABLE]
    kept, found = baked.load(recipe), jobs.advance(replace(recipe, repetitions=3), None, 600.0)
    assert kept.certificate is None
    assert len(kept.curves) == len(kept.pictures) == recipe.repetitions == 20
    for method in recipe.methods:
        for setting in range(len(recipe.settings)):
            field = column("right", method, setting)
            # One test sample that falls the other way on another machine is 1 / 450.
            np.testing.assert_allclose(kept.curves[field][:3], found.curves[field], atol=2.5 / 450)

    def told(method, setting):
        return round(100 * float(kept.curves[column("mean", method, setting)][-1]), 1)

    assert [told("SVM", k) for k in range(3)] == [93.1, 93.1, 74.8]
    assert [told("LowRank", k) for k in range(3)] == [92.7, 92.7, 84.7]
    assert [told("AROM", k) for k in range(2)] == [97.7, 81.9]


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
