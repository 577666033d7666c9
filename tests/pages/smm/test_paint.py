"""Paintings in links, and what the page does with those that are none."""

import re

import numpy as np
import pytest

from pages.shared.data.painted import PAINTINGS, PLAID, SIDE, SMILEY, Painted, decode, encode
from pages.smm.structure.runs import BUILT_IN, OWN_DRAWS
from tests.pages.visit import experiments, link, notes, visit

CODE = encode(PAINTINGS[SMILEY])
OWN = np.zeros((SIDE, SIDE))
OWN[2], OWN[:, 3] = 1, -1


@pytest.mark.parametrize("seed", range(5))
def test_painting_comes_back_from_its_text(seed):
    W = np.random.default_rng(seed).integers(-1, 2, (SIDE, SIDE))
    text = encode(W)
    assert re.fullmatch(r"[A-Za-z0-9_-]{107}", text)
    np.testing.assert_array_equal(decode(text), W)


NOT_PAINTINGS = {
    "empty": "",
    "short": CODE[:-1],
    "long": CODE * 50,
    "no letter of the code": "é" + CODE[1:],
    "ignored letters": CODE[:50] + "\n" + CODE[50:],
    "byte of no cells": "_" * 106 + "8",
    "markup": "<script>alert(1)</script>",
    "zero": "eXl5" * 26 + "eXk",
}


@pytest.mark.parametrize("text", NOT_PAINTINGS.values(), ids=NOT_PAINTINGS)
def test_text_that_is_no_painting_is_refused_with_the_reason(text):
    with pytest.raises(ValueError, match=r"W\* must have a cell|20 × 20 cells as 107 letters"):
        Painted(text)


def test_link_with_no_painting_gets_the_default_and_a_sentence(contents):
    visit(contents, "structure", painting=NOT_PAINTINGS["markup"])
    assert experiments(contents)["structure"] == BUILT_IN[SMILEY]
    assert any("Using Smiley" in note for note in notes(contents))


def test_link_restores_a_painting_of_ones_own_and_one_that_is_built_in(contents, other):
    visit(contents, "structure", painting=encode(OWN), structure_n="400")
    shared = link(contents)
    assert shared["structure_painting"] == encode(OWN)
    assert shared["structure_n"] == "400"
    visit(other, "structure", **shared)
    for app in (contents, other):
        run = experiments(app)["structure"]
        assert (run.data, run.draws) == (Painted(encode(OWN)), OWN_DRAWS)
        assert not notes(app)


def test_link_to_a_painting_that_is_built_in_shows_its_stored_run(contents):
    visit(contents, "structure", painting=PLAID)
    assert experiments(contents)["structure"] == BUILT_IN[PLAID]
