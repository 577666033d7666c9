"""What stands above, below and beside the pictures of a player can be read, and does not move."""

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import ended, next_frames, settled

LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
# The numbers that are not within the head of their picture.
OUTSIDE = """cells => cells.filter((cell) => {
    const [box, head] = [cell, cell.closest("header")].map((node) => node.getBoundingClientRect());
    return box.bottom > head.bottom + 1 || box.right > head.right + 1;
}).map((cell) => cell.textContent)"""
HEIGHTS = "heads => heads.map((head) => head.offsetHeight)"


def turn_to(page, player, key) -> None:
    player.press(key)
    next_frames(page)


@pytest.mark.parametrize(
    ("address", "place"),
    [("live", 1), pytest.param("squared_loss", 0, marks=pytest.mark.sweep), ("compare", 0)],
)
def test_all_numbers_of_a_head_are_seen_and_it_holds_still(server, page, address, place):
    page.set_viewport_size(LAPTOP)
    page.goto(f"{server.address}/{address}?present=1")
    player = ended(page, place)
    if address == "compare":
        assert_four_maps_stand_in_two_rows_beside_their_chart(page, player)
    heads, cells = player.locator(".panels header"), player.locator("header .readout > span")
    for is_in_class in (True, False):
        expect(page.locator("html.presenting")).to_have_count(int(is_in_class))
        settled(page)
        heights = []
        for key in ("Home", "End"):
            turn_to(page, player, key)
            assert cells.evaluate_all(OUTSIDE) == []
            heights.append(heads.evaluate_all(HEIGHTS))
        assert heights[0] == heights[1]
        player.press("p")  # leaves the class


def test_on_a_phone_the_axis_of_a_chart_ends_above_the_player(server, page):
    page.set_viewport_size(PHONE)
    page.goto(f"{server.address}/live?answer=1")
    player = page.locator(".player").first
    expect(player).to_have_attribute("data-covered", "false")
    settled(page)
    next_frames(page)
    parts = (".panels .residuals canvas", ".dock")
    chart, dock = (player.locator(part).bounding_box() for part in parts)
    assert chart["y"] + chart["height"] <= dock["y"]
    assert chart["height"] > 150


def assert_four_maps_stand_in_two_rows_beside_their_chart(page, player):
    settled(page)
    maps = [each.bounding_box() for each in player.locator(".panels .picture canvas").all()]
    assert [len({round(box[side]) for box in maps}) for side in "xy"] == [2, 2]
    assert all(box["width"] > 200 for box in maps)
    chart = player.locator(".panels .lines canvas").bounding_box()
    assert chart["x"] > max(box["x"] + box["width"] for box in maps)
    assert chart["height"] > 2 * maps[0]["height"]


@pytest.mark.parametrize(
    "address", ["sparse", pytest.param("live", marks=pytest.mark.sweep), "cyclic?cyclic_k=2"]
)
def test_legends_and_the_sentence_below_the_pictures_are_complete_on_a_phone(server, page, address):
    page.set_viewport_size(PHONE)
    page.goto(f"{server.address}/{address}")
    player = ended(page)
    settled(page)
    turn_to(page, player, "End")
    status = player.locator(".status")
    expect(status).to_contain_text(".")
    assert status.evaluate("status => status.scrollHeight <= status.clientHeight")
    legends = player.locator(".panels header > span:not(.readout)")
    assert legends.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")
    if address.startswith("cyclic"):
        assert_both_w_can_be_told_apart(page, player)


def assert_both_w_can_be_told_apart(page, player):
    page.set_viewport_size(LAPTOP)
    next_frames(page)
    for title in player.locator(".panels .title").all():
        assert title.evaluate("title => title.scrollWidth <= title.clientWidth")
    tops = player.locator(".panels section").evaluate_all(
        "all => all.map((each) => each.offsetTop)"
    )
    assert len(set(tops)) == 1  # they are in one row
    for picture in player.locator(".panels .picture canvas").all():
        assert picture.bounding_box()["width"] > 200


@pytest.mark.parametrize(
    "address",
    [
        "live",
        *(
            pytest.param(address, marks=pytest.mark.sweep)
            for address in ("imbalance", "squared_loss", "robustness", "sparse", "grouping")
        ),
    ],
)
def test_no_word_of_a_knob_is_cut_on_a_phone(server, page, address):
    page.set_viewport_size(PHONE)
    page.goto(f"{server.address}/{address}")
    words = page.locator(".knob .label > *, .grouping label > *").filter(visible=True)
    expect(words.first).to_be_visible()
    settled(page)
    cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1)"
    assert words.evaluate_all(f"{cut}.map((each) => each.textContent)") == []
