"""Charts and fonts come after the first picture, and also where none can come; nothing jumps."""

from playwright.sync_api import expect

from tests.browser.navigation import assert_stays, settled


def test_charts_come_although_the_server_has_lost_the_run(server, new_page):
    new_page.route("**/frames?*", lambda route: route.fulfill(status=404))
    new_page.goto(f"{server.address}/smm")
    expect(new_page.locator(".js-plotly-plot").first).to_be_visible()


def test_fonts_of_icons_come_without_a_picture_too_and_the_page_does_without_one_that_fails(
    server, new_page
):
    new_page.goto(f"{server.address}/course")  # where there is no picture
    new_page.wait_for_function(HAS_ICONS)
    new_page.route("**/MaterialSymbols*", lambda route: route.abort())
    new_page.goto(f"{server.address}/symbols")
    new_page.wait_for_function("() => !document.documentElement.matches('.early')")


HAS_ICONS = """() => !document.documentElement.matches(".early")
    && [...document.fonts].some(
        ({ family, status }) => family.includes("Symbols") && status === "loaded")"""


def test_a_table_does_not_push_the_page_when_it_comes(server, new_page):
    new_page.route("**/*DataFrame*", lambda route: None)  # it comes when all else is there
    new_page.goto(f"{server.address}/table_2")
    settled(new_page)
    place = new_page.get_by_role("heading", name="What to look for")
    before = place.bounding_box()["y"]
    new_page.unroute_all()
    expect(new_page.get_by_test_id("stDataFrame").first).to_be_visible()
    assert_stays(place, before)


def test_charts_come_although_the_first_word_of_the_picture_is_lost(server, new_page):
    lost = []

    def lose_first(message):
        is_word = isinstance(message, bytes) and b'"drawn"' in message
        return lost.append(message) if is_word and not lost else to_server.send(message)

    def connect(socket):
        nonlocal to_server
        to_server = socket.connect_to_server()
        socket.on_message(lose_first)

    to_server = None
    new_page.route_web_socket("**/_stcore/stream", connect)
    new_page.goto(f"{server.address}/smm")
    expect(new_page.locator(".js-plotly-plot").first).to_be_visible()
    assert lost
