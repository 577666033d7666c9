"""A browser that is too old says so above the page, by a script that it can read."""

import pytest
from playwright.sync_api import expect

OLD = {
    "without AbortSignal.any": "delete AbortSignal.any",
    "without AbortSignal": "delete window.AbortSignal",
    "without popovers": "delete HTMLElement.prototype.showPopover",
    "without light-dark()": "CSS.supports = (name, value) => !value.startsWith('light-dark')",
}


@pytest.mark.parametrize("change", [*OLD.values(), ""], ids=[*OLD, "new"])
def test_old_browser_says_above_the_page_which_ones_are_new_enough(server, page, change):
    with page.add_init_script(change):
        page.goto(f"{server.address}/course")
    rail, alert = page.locator(".st-key-rail"), page.get_by_role("alert")
    expect(rail).to_be_visible()
    expect(alert).to_have_count(1 if change else 0)
    if change:
        expect(alert).to_contain_text("Safari 17.5")
        end = alert.evaluate("alert => alert.getBoundingClientRect().bottom")
        assert rail.bounding_box()["y"] >= end
    page.complaints.clear()  # of what such a browser lacks
