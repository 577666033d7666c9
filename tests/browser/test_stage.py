"""What every page shows as it loads: it holds still, and a lesson begins with its picture."""

import pytest

from tests.browser.conftest import open_tab
from tests.browser.measure import LESSON_ADDRESSES, LOWEST, MOST_SHIFT, PAGES, measure_stage

QUICK = "", "live"  # whose scripts end before a page is shown on any machine; the others: -m sweep
CASES = [
    pytest.param(address, marks=[pytest.mark.sweep] * (address not in QUICK), id=address or "home")
    for address in PAGES
]


@pytest.fixture
def cold_page(browser):
    """A tab whose cache is empty, which gets the scripts late."""
    page = open_tab(browser, {"width": 1280, "height": 720})
    yield page
    page.context.close()


@pytest.mark.parametrize("address", CASES)
def test_page_holds_still_as_it_loads_and_a_lesson_begins_with_its_picture(
    server, cold_page, address
):
    stage = measure_stage(cold_page, f"{server.address}/{address}")
    assert stage.shift < MOST_SHIFT
    assert stage.sideways <= 0
    if address in LESSON_ADDRESSES:
        assert stage.y is not None
        assert stage.y <= LOWEST
