"""Repeated experiments in the browser: running means, their bands, and the printed figures."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import ended, settled


def test_pointer_tells_the_error_of_a_mean_and_the_printed_figure(server, page):
    page.goto(f"{server.address}/table_1")
    ended(page)
    settled(page)
    expect(page.get_by_text("mean ± standard deviation over 20 repetitions")).to_be_visible()
    table = page.locator(".player").first
    panels = table.locator("section.lines")
    expect(panels).to_have_count(4)
    last = panels.nth(2)
    expect(last).to_contain_text("┄ printed")
    last.locator("canvas").hover(position={"x": 200, "y": 50})
    told = re.compile(r"LowRank  \d+\.\d % ± \d+\.\d %  printed 97\.6 %")
    expect(last.locator(".tip")).to_contain_text(told)
    assert page.complaints == []
