"""The sample of *Hinge loss or squared loss?* is dragged, and both classifiers answer."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import RECORD_TEXT, hold, next_frames, settled

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


def test_each_curve_has_its_name_and_a_phone_shows_both_W(server, new_page):
    new_page.add_init_script(RECORD_TEXT)
    new_page.set_viewport_size({"width": 390, "height": 844})
    new_page.goto(f"{server.address}/squared_loss")
    W = new_page.locator(".picture canvas").last
    expect(W).to_be_visible()
    settled(new_page)
    next_frames(new_page)
    names = [each["text"] for each in new_page.evaluate("written") if "SMM" in each["text"]]
    assert names[-2:] == ["SMM, 72 beyond 4", "LS-SMM"]
    on_top = """canvas => {
        const { left, top } = canvas.getBoundingClientRect();
        return canvas.getRootNode().elementFromPoint(left + 9, top + 80) === canvas;
    }"""
    assert W.evaluate(on_top)
    new_page.goto(f"{server.address}/squared_loss?answer=shown&squared_loss_m=4")
    new_page.wait_for_function("() => written.some(({ text }) => text === 'then 1.4')")
