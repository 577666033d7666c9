"""Vectors, curves and means of the player, and what they tell the pointer."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import RECORD_TEXT, ended, settled


def tip(page, kind: str) -> str:
    """Point at the middle of the first panel of a kind, and return what it says."""
    panel = page.locator(f".player .{kind}").first
    panel.locator("canvas").hover()
    expect(panel.locator(".tip")).to_be_visible()
    return panel.locator(".tip").inner_text()


def test_fit_and_its_bumps_follow_the_run_and_answer_the_pointer(server, page):
    page.add_init_script(RECORD_TEXT)
    page.goto(f"{server.address}/sparse")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator("[data-covered=true] .curve .sheet").first).to_be_visible()
    zeros = page.locator(".curve .readout").first
    expect(zeros).to_contain_text("exactly 0")
    expect(zeros).to_be_hidden()  # the question asks for them
    page.wait_for_function("() => written.some(({ text }) => text.includes('its bump: how high?'))")
    player = ended(page)
    expect(zeros).to_be_visible()
    settled(page)
    player.locator("[data-action=start]").click()
    canvas = player.locator(".curve canvas").first
    expect(player).to_have_attribute("data-frame", "0")
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    player.locator("[data-action=live]").click()
    expect(player.locator(".curve .readout b").first).to_have_text("37")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before
    told = r"x = [−\d.]+\nfit  .+\ntruth  .+\nnearest sample  .+\nits bump  [−\d.]+"
    assert re.fullmatch(told, tip(page, "curve"))
    page.get_by_role("radio", name="ℓ₂", exact=True).click()
    expect(player.locator(".status")).to_contain_text("0 of 50 heights are 0")
    page.wait_for_function("() => location.search.includes('penalty=')")


def test_tab_goes_past_the_question_marks_and_each_shows_its_words(server, page):
    page.goto(f"{server.address}/vc_dimension")
    settled(page)
    page.get_by_label("q, columns", exact=True).focus()
    page.keyboard.press("Tab")
    mark = page.get_by_role("button", name="About r, rank")
    expect(mark).to_be_focused()
    expect(page.get_by_text("is no restriction, and counts as")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_label("r, rank", exact=True)).to_be_focused()
    expect(page.get_by_text("is no restriction, and counts as")).to_be_hidden()
