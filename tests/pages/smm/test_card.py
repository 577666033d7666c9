"""The paintings that a friend chooses from."""

import numpy as np
import pytest

from pages.shared.data.painted import PAINTINGS, encode, truth_of
from pages.smm.structure.paint import choices_for

OWN = encode(np.eye(20)[::-1])


@pytest.mark.parametrize("text", [*PAINTINGS, OWN])
def test_the_painting_is_one_of_four_different_ones(text):
    choices = choices_for(text)
    assert sum(choice["text"] == text for choice in choices) == 1
    assert len({str(choice["cells"]) for choice in choices}) == 4
    for choice in choices:
        np.testing.assert_array_equal(choice["cells"], truth_of(choice["text"]).ravel())


def test_its_place_says_nothing_about_it():
    places = {
        [each["text"] for each in choices_for(text)].index(text) for text in [*PAINTINGS, OWN]
    }
    assert len(places) > 2
    others = {
        each["text"] for text in PAINTINGS for each in choices_for(text) if each["text"] != text
    }
    assert others == {*PAINTINGS}  # each stands beside another one, too
