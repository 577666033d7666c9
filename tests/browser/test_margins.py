"""The picture of the noise follows its knob, while it is dragged."""

import pytest
from playwright.sync_api import expect

from pages.effects.robustness.margins import LEVELS
from tests.browser.navigation import ask_answer, hold, next_frames, settled
from tests.pages.effects.test_margins import LARGE_W, SMALL_W, right


def test_sample_and_histograms_follow_the_knob_and_the_address_its_end(server, page):
    page.goto(f"{server.address}/robustness")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    for part in (*view.locator("canvas").all(), view.get_by_role("status")):
        expect(part).to_be_in_viewport(ratio=1)
    knob = page.locator(".knob input")
    box = knob.bounding_box()
    y = box["y"] + box["height"] / 2
    hold(page, (box["x"] + 9, y), (box["x"] + 0.4 * box["width"], y))
    expect(view).not_to_have_attribute("data-level", "0")
    next_frames(page)  # the last move is drawn
    level = float(view.get_attribute("data-level"))
    assert level in LEVELS
    assert float(view.get_attribute("data-small")) == pytest.approx(right(SMALL_W, level))
    assert float(view.get_attribute("data-large")) == pytest.approx(right(LARGE_W, level))
    expect(view.get_by_role("status")).to_contain_text(
        "So fewer samples of the small W cross the line."
    )
    assert "_s=" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function(f"() => location.search.includes('_s={level:g}')")
    settled(page)
    assert float(view.get_attribute("data-level")) == level


def test_in_class_the_knob_keeps_the_answer(server, page):
    page.goto(f"{server.address}/robustness?present=1")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    page.locator(".knob input").press("ArrowRight")
    expect(view).not_to_have_attribute("data-level", "0")
    assert ask_answer(page, "isHidden")
