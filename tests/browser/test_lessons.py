"""What only a real browser can show: the way from `streamlit run app.py` to the painted frame."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.navigation import PLAYER, Line, ended, go, settled, skip


def test_first_visit_of_a_fresh_server_is_a_deep_link_whose_experiment_survives_a_walk(
    server, page
):
    """A switch of the theme on the way recolours the charts of an open page."""
    page.goto(f"{server.address}/live?n=120&C=0.5&delta=0.05&rho=1&nonsense=1")
    skip(page)
    expect(page.get_by_role("heading", name="Watch the algorithm", level=1)).to_be_visible()
    expect(page.get_by_label("n", exact=True)).to_have_value("120")
    expect(page.get_by_text("Data: 120 samples of 20 × 25")).to_be_visible()
    expect(page.locator(".st-key-rail")).to_be_visible()  # the frame, not the old pages
    ended(page)
    go(page, "Home")
    expect(page.get_by_role("heading", name="W is a stencil for faces", level=1)).to_be_visible()
    settled(page)
    go(page, "Theorem 2, measured")  # which has no ρ
    expect(page.get_by_role("heading", name="Theorem 2, measured", level=1)).to_be_visible()
    page.get_by_role("radio", name=re.compile("yours: n = 120, .*C = 0.5")).click()
    expect(page.get_by_label("n", exact=True)).to_have_value("120")
    page.wait_for_function("() => location.search.includes('n=120')")
    assert "rho" not in page.url
    settled(page)

    letters = [page.locator(f".js-plotly-plot .{name}").first for name in ("gtitle", "ytick text")]
    for each in letters:
        expect(each).to_have_css("fill", "rgb(27, 34, 41)")
    page.get_by_test_id("stMainMenu").click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    for each in letters:
        expect(each).to_have_css("fill", "rgb(232, 237, 242)")

    go(page, "Watch the algorithm")
    expect(page.get_by_role("heading", name="Watch the algorithm", level=1)).to_be_visible()
    settled(page)
    assert page.evaluate("location.search") == ""  # its own settings
    expect(page.get_by_role("radio", name=re.compile("yours: n = 120, .*C = 0.5"))).to_be_visible()


CLOCK = """
    const now = performance.now.bind(performance);
    let shift = 0, held = null; // milliseconds
    performance.now = () => (held ?? now()) + shift;
    window.stopTheClock = () => (held = now());
    // The player looks at the clock every 100 ms, by a timer that ends before this one.
    window.wait = (milliseconds) => {
        shift += milliseconds;
        return new Promise((wake) => setTimeout(wake, 250));
    };"""


def test_click_on_a_link_is_not_lost_when_the_run_ends_at_that_moment(server, new_page):
    """The page hears of the end soon after a click that leads nowhere."""
    page = new_page
    line = Line(page)
    page.add_init_script(CLOCK)
    page.route(re.compile("/frames"), lambda route: None)  # the end of the run waits for the click
    promise = page.get_by_text("The numbers appear when the run has ended")
    with server.stopped_workers():
        page.goto(f"{server.address}/low_rank_svm?low_rank_svm_noise_10=0.3&answer=shown")
        expect(promise).to_have_count(1)
        settled(page)
    expect(page.locator(PLAYER).first).to_be_visible()  # its script knows of no click before
    page.evaluate("stopTheClock()")
    heading = page.get_by_role("heading", level=1)
    heading.click()
    page.unroute_all()
    ended(page)
    page.evaluate("wait(0)")
    settled(page)
    expect(promise).to_have_count(1)
    page.evaluate("wait(3_000)")  # and no further
    expect(promise).to_have_count(0)

    page.get_by_text("Protocol, noise, number of samples and seed").click()
    page.route(re.compile("/frames"), lambda route: None)
    with server.stopped_workers():
        page.locator(".st-key-pairs input[type=range]").first.press("ArrowLeft")
        page.wait_for_function("() => !location.search.includes('noise_10=0.3')")
        settled(page)
    page.evaluate("wait(1)")
    line.is_held = True
    go(page, "Home")
    heading.click()  # why is it so slow?
    page.unroute_all()
    ended(page)  # the browser knows, and does not know yet that the server has turned the page
    page.evaluate("wait(10_000)")  # however long the server takes
    line.release()
    expect(page.get_by_role("heading", name="W is a stencil for faces", level=1)).to_be_visible()
    page.evaluate("wait(60_000)")
    settled(page)  # nor does late news lead back
    assert urlsplit(page.url).path == "/"
