"""Repeated experiments in the browser: running means, their bands, and the printed figures."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import ended, settled

LISTEN = """
    const {prototype} = OffscreenCanvasRenderingContext2D, {fill, setLineDash} = prototype;
    window.bands = 0;
    window.dashes = new Set();
    prototype.fill = function (...how) {
        if (Math.abs(this.globalAlpha - 0.18) < 0.001) bands += 1;
        fill.apply(this, how);
    };
    prototype.setLineDash = function (dash) {
        dashes.add(dash.join());
        setLineDash.call(this, dash);
    };"""


def test_means_have_bands_and_the_pointer_tells_error_and_printed_figure(server, page):
    with page.add_init_script(LISTEN):
        page.goto(f"{server.address}/table_1")
    ended(page)
    settled(page)
    expect(page.get_by_text("mean ± standard deviation over 20 repetitions")).to_be_visible()
    table = page.locator(".player").first
    panels = table.locator("section.lines")
    expect(panels).to_have_count(4)
    page.set_viewport_size({"width": 1920, "height": 1080})
    lefts = {round(panel.bounding_box()["x"]) for panel in panels.all()}
    assert len(lefts) in (1, 2, 4)  # none stands alone in its row
    last = panels.nth(2)
    expect(last).to_contain_text("┄ printed")
    last.locator("canvas").hover(position={"x": 200, "y": 50})
    told = re.compile(r"LowRank  \d+\.\d % ± \d+\.\d %  printed 97\.6 %")
    expect(last.locator(".tip")).to_contain_text(told)
    # Four methods in each of four panels.
    page.wait_for_function("() => bands >= 16 && dashes.has('2,5')")
    assert page.complaints == []
