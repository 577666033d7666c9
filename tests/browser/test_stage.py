"""What every page shows as it loads: it holds still, and a lesson begins with its picture."""

import pytest

from tests.browser.conftest import open_tab
from tests.browser.measure import LESSON_ADDRESSES, LOWEST, MOST_SHIFT, PAGES, measure_stage
from tests.browser.navigation import settled

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


@pytest.mark.parametrize("lesson", ["imbalance", "squared_loss"])
def test_two_pictures_stand_above_each_other_beside_a_wide_chart(server, page, lesson):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.address}/{lesson}")
    panels = page.locator(".player").first.locator(".panels")
    panels.locator(".picture canvas").last.wait_for()
    settled(page)
    one, other = (each.bounding_box() for each in panels.locator(".picture .sheet").all())
    chart = panels.locator("section:not(.picture) .sheet").bounding_box()
    assert one["x"] == other["x"]
    assert one["y"] + one["height"] < other["y"]
    assert chart["width"] > 2 * one["width"]
    assert chart["height"] > one["height"] + other["height"]
    assert chart["x"] + chart["width"] < one["x"] or one["x"] + one["width"] < chart["x"]
