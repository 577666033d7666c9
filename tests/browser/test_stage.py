"""What every page shows on a cold load: it holds still, and a lesson begins with its picture."""

import pytest

from tests.browser.measure import LESSON_ADDRESSES, LOWEST, MOST_SHIFT, PAGES, measure_stage


@pytest.mark.parametrize("address", PAGES, ids=lambda address: address or "home")
def test_page_holds_still_as_it_loads_and_a_lesson_begins_with_its_picture(
    server, new_page, address
):
    new_page.set_viewport_size({"width": 1280, "height": 720})
    stage = measure_stage(new_page, f"{server.address}/{address}")
    assert stage.shift < MOST_SHIFT
    assert stage.sideways <= 0
    if address in LESSON_ADDRESSES:
        assert stage.y is not None
        assert stage.y <= LOWEST
