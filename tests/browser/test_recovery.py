"""The lesson on the trace norm in a real browser."""

import re
from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.browser.navigation import PLAYER, ended, link, settled, skip


def test_bars_have_the_truth_beside_them_and_the_link_brings_the_run_back(server, page):
    few = {"n": 20, "p": 6, "q": 5, "r": 2, "R": 1, "picture": "Fewer samples"}
    query = urlencode({f"trace_norm_{name}": value for name, value in few.items()})
    page.goto(f"{server.address}/trace_norm?{query}")
    ended(page)
    player = ended(page, 1)
    settled(page)
    bars = page.locator(f"{PLAYER} .bars").first
    expect(bars.get_by_text("― of Θ*")).to_be_visible()
    bars.locator("canvas").hover(position={"x": 80, "y": 50})
    expect(bars.locator(".tip")).to_have_text(re.compile(r"number 1\s*0\.\d+\s*of Θ\* 0\.\d+"))
    play = player.locator("[data-action=play]")
    expect(play).to_have_attribute("title", "Play (Space)")  # it rests, at the page's own n
    expect(player.locator(".place")).to_have_text("n = 20")
    play.click()
    expect(player.locator(".place")).to_have_text("n = 42")
    address = link(page, "trace_norm_R=1")
    page.goto("about:blank")
    page.goto(address)
    skip(page)
    expect(page.get_by_text("20 samples X of 6 × 5")).to_have_count(1)
    expect(page.locator(PLAYER).nth(1).locator(".place")).to_have_text("n = 20")
    assert page.complaints == []
