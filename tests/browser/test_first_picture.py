"""Charts come after the first picture, and also where none can come."""

from playwright.sync_api import expect


def test_charts_come_although_the_server_has_lost_the_run(server, new_page):
    new_page.route("**/frames?*", lambda route: route.fulfill(status=404))
    new_page.goto(f"{server.address}/grouping")
    expect(new_page.locator(".js-plotly-plot").first).to_be_visible()


def test_plotly_is_asked_for_after_the_first_picture(server, new_page):
    held = []
    new_page.route("**/frames?*", lambda route: held.append(route))
    asked = []
    new_page.on("request", lambda request: asked.append(request.url))
    new_page.goto(f"{server.address}/smm")
    new_page.wait_for_function("() => !document.documentElement.matches('.loading')")
    new_page.wait_for_timeout(1000)
    assert held
    assert not any("PlotlyChart" in url for url in asked)
    new_page.unroute("**/frames?*")  # which lets them go on
    expect(new_page.locator(".js-plotly-plot").first).to_be_visible()
