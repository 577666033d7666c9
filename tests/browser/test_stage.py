"""What every page shows as it loads: it holds still, and a lesson begins with its picture."""

import pytest

from tests.browser.measure import LESSON_ADDRESSES, LOWEST, MOST_SHIFT, PAGES, measure_stage

COLD = "", "live", "smm", "corners"  # one page for each script that draws pictures
QUICK = "", "live"  # whose scripts end before a page is shown on any machine; the others: -m sweep
CASES = [
    pytest.param(address, marks=[pytest.mark.sweep] * (address not in QUICK), id=address or "home")
    for address in PAGES
]


@pytest.mark.parametrize("address", CASES)
def test_page_holds_still_as_it_loads_and_a_lesson_begins_with_its_picture(
    server, request, address
):
    """A tab whose cache is empty gets the scripts late; other tabs take half of the time."""
    page = request.getfixturevalue("new_page" if address in COLD else "page")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="no-preference")
    stage = measure_stage(page, f"{server.address}/{address}")
    assert stage.shift < MOST_SHIFT
    assert stage.sideways <= 0
    if address in LESSON_ADDRESSES:
        assert stage.y is not None
        assert stage.y <= LOWEST
