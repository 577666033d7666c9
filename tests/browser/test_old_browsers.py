"""A browser that is too old says so above the page, by a script that it can read."""

from pathlib import Path

from playwright.sync_api import expect

SCRIPT = (Path(__file__).parents[2] / "assets" / "browser.js").read_text(encoding="utf-8")
OLD = (
    "delete AbortSignal.any",
    "delete window.AbortSignal",
    "delete HTMLElement.prototype.showPopover",
    "CSS.supports = (name, value) => !value.startsWith('light-dark')",
)


def test_old_browser_says_above_the_page_which_ones_are_new_enough(server, page):
    alert = page.get_by_role("alert")
    for change in (*OLD, "null"):
        page.goto("about:blank")
        page.evaluate(f"({change}, 0)")
        page.evaluate(f"{SCRIPT}document.dispatchEvent(new Event('DOMContentLoaded'))")
        assert alert.count() == (change in OLD), change
    with page.add_init_script(OLD[0]):
        page.goto(f"{server.address}/course")
    rail = page.locator(".st-key-rail")
    expect(rail).to_be_visible()
    expect(alert).to_contain_text("Safari 17.5")
    end = alert.evaluate("alert => alert.getBoundingClientRect().bottom")
    assert rail.bounding_box()["y"] >= end
    page.complaints.clear()  # of what such a browser lacks
