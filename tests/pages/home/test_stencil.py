"""The first page: each W has its rank, and what the page says about them is true."""

import numpy as np
import pytest

from pages.home.runs import FACES, TOLERANCE, split
from pages.home.stencil import ORDER, RANK, RANKS, new_pictures
from pages.shared.engine import precomputed
from smmcore.path import next_on_path
from smmcore.problems import SMMProblem

X, y, NEW = split(FACES.data.prepare())
STORED = precomputed.load(FACES)
METRICS, IMAGES = STORED.metrics, STORED.images
W = IMAGES["W"].astype(float) * IMAGES["W_scale"][:, None, None] / 127  # as the browser has them
PICTURES = new_pictures()
IS_FACE = np.array(PICTURES["isFace"])


def verdicts():
    """Whether W says face, for each rank and each new picture, as the browser computes it."""
    greys = np.frombuffer(PICTURES["greys"], np.uint8).reshape(PICTURES["shape"]) / 255
    return np.einsum("rij,nij->rn", W, greys) + METRICS["b"][:, None] >= 0


def test_each_stored_w_is_the_certified_solution_of_its_rank():
    problem = SMMProblem(X[~NEW], y[~NEW], FACES.C, 0.0)
    assert METRICS["rank"].tolist() == RANKS
    state = None
    for tau, rank, b, drawn, scale in zip(
        METRICS["tau"], RANKS, METRICS["b"], W, IMAGES["W_scale"], strict=True
    ):
        state, proof = next_on_path(problem.with_weights(tau=float(tau)), state, TOLERANCE)
        assert proof.within(TOLERANCE)
        assert proof.rank == rank
        rounding = scale / 254 * np.sqrt(W[0].size)  # of W in 255 colours
        assert np.linalg.norm(proof.W - drawn) <= 2 * proof.radius + rounding
        assert b == pytest.approx(proof.b, abs=1e-3)


def test_drawn_numbers_give_the_classes_of_the_exact_ones():
    right = (verdicts() == IS_FACE).mean(axis=1)
    np.testing.assert_allclose(right, METRICS["right"], atol=1e-9)


def test_three_layers_are_enough_and_more_detail_is_no_better():
    right = (verdicts() == IS_FACE).sum(axis=1)
    assert right[RANK - 1] == right.max() == 49
    assert right[0] == 44
    p, q = W[0].shape
    more = np.array(RANKS) * (p + q) >= p * q
    assert (right[more] == 47).all()


def test_pictures_to_try_are_what_their_order_promises():
    said = verdicts()
    first, sign, *_ = ORDER
    assert IS_FACE[first]
    assert said[:, first].all()
    greys = np.frombuffer(PICTURES["greys"], np.uint8).reshape(PICTURES["shape"]) / 255
    half = W[RANK - 1][:, :12] * greys[first][:, :12]
    assert half.sum() + METRICS["b"][RANK - 1] < -0.04  # so that it is seen
    assert not IS_FACE[sign]
    assert not said[:, sign].any()
    assert (said[:, 25] != IS_FACE[25]).all()
    assert 25 in ORDER


def test_learned_pictures_are_not_among_the_new_ones():
    assert (~NEW).sum() == 150
    assert IS_FACE.sum() == 25
    assert len(IS_FACE) == NEW.sum() == 50
