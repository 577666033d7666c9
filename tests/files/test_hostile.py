"""A small part of `python -m tests.files.hostile`, which asks everything of every bad file."""

import pytest

from tests.files import hostile
from tests.files.reader import list_variables

pytestmark = pytest.mark.usefixtures("sandboxed")
FILES = hostile.ordinary()


def test_the_ordinary_files_are_read_whole():
    for outcome in hostile.sweep(FILES.items()):
        assert outcome.read > 2, outcome
        assert not outcome.refused, outcome
        assert not outcome.faults, outcome


@pytest.mark.parametrize("version", FILES)
def test_bit_flips_and_truncations_get_arrays_or_a_sentence(version):
    content = FILES[version]
    bad = [*hostile.flipped(content, 8), *hostile.cut(content, len(content) // 8)]
    outcomes = hostile.sweep(bad)
    assert [(each.name, each.faults) for each in outcomes if each.faults] == []
    assert any(each.read for each in outcomes)
    assert any(not each.read for each in outcomes)
    assert list_variables(FILES["v7.3"])
