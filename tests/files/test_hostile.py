"""A small part of `python -m tests.files.hostile`, which asks everything of every bad file."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.shared.files import sandbox
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


def test_one_slow_file_beside_quick_ones_keeps_nobody_from_reading(monkeypatch):
    run_reader, slow, quick = sandbox.run_reader, b"MATLAB slow".ljust(200), FILES["v7"]

    def slowly(question, data, longest):
        if data == slow:
            time.sleep(0.1)
            raise sandbox._too_long_error()
        return run_reader(question, data, longest)

    monkeypatch.setattr(sandbox, "run_reader", slowly)
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(hostile.judge, ["slow", "quick"] * 8, [slow, quick] * 8))
    assert not [each.faults for each in outcomes if each.faults]
    assert not any(each.read for each in outcomes[::2])
    assert all(each.read > 3 and not each.refused for each in outcomes[1::2])
