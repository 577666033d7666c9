"""The sample of *Hinge loss or squared loss?* is dragged, and both classifiers answer."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import hold, settled

CHANGED = re.compile(r"changed ([5-9]\d|\d{3})\.\d %")


def test_both_W_answer_while_the_sample_is_dragged_and_the_address_has_its_end(server, page):
    page.goto(f"{server.address}/squared_loss?answer=shown")
    handle, heads = page.locator(".losses .handle"), page.locator(".picture header")
    expect(handle).to_have_attribute("aria-valuenow", "1")
    expect(heads.nth(1)).to_contain_text("changed 0.0 %")
    settled(page)
    box, sheet = handle.bounding_box(), page.locator(".losses canvas").bounding_box()
    assert min(box["width"], box["height"]) >= 44
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hold(page, middle, (sheet["x"] + sheet["width"], box["y"]))
    expect(handle).to_have_attribute("aria-valuenow", "4")
    expect(heads.nth(1)).to_contain_text(CHANGED)
    expect(heads.nth(0)).to_contain_text("changed 0.0 %")
    assert "_m=" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function("() => location.search.endsWith('_m=4')")
    settled(page)
    handle.press("ArrowLeft")
    page.wait_for_function("() => location.search.endsWith('_m=3.9')")
    settled(page)
    expect(handle).to_have_attribute("aria-valuenow", "3.9")
