"""The map of where low rank pays off: a guess, taps that uncover places, and a border."""

import re

import pytest
from playwright.sync_api import expect

from pages.smm.structure.tiles import COUNTS, RANKS
from tests.browser.navigation import RECORD_TEXT, hold, next_frames, settled, swipe

LAPTOP = {"width": 1280, "height": 720}


@pytest.fixture
def view(server, page):
    page.set_viewport_size(LAPTOP)
    return open_page(server, page)


def open_page(server, page, query=""):
    page.goto(f"{server.address}/structure{query}")
    view = page.locator(".map")
    expect(view).to_have_attribute("data-step", re.compile("[123]"))
    settled(page)
    view.evaluate("view => view.scrollIntoView()")
    return view


def the_map(view):
    return view.locator("[data-panel=map] canvas")


def place_of(view, rank, n):
    """Return the middle of a place on the page; of rank 0 or n = 0, that of a number of an axis."""
    box = the_map(view).bounding_box()
    size = the_map(view).evaluate("canvas => parseFloat(getComputedStyle(canvas).fontSize)")
    left, top = 3.4 * size, 1.6 * size
    wide = (box["width"] - left - 2) / len(RANKS)
    tall = (box["height"] - top - 2.8 * size) / len(COUNTS)
    row = COUNTS.index(n) if n else -1
    x = left + (rank - 0.5) * wide if rank else left / 2
    return box["x"] + x, box["y"] + top + (len(COUNTS) - 1 - row + 0.5) * tall


def tap(view, rank, n):
    view.page.mouse.click(*place_of(view, rank, n))


def done(view):
    return [chip.inner_text() for chip in view.locator(".steps .done").all()]


def test_a_mouse_guesses_explores_and_finds_that_no_border_is_a_law(view, page):
    page.emulate_media(reduced_motion="no-preference")
    note = view.locator(".note")
    for part in (*view.locator("canvas").all(), note, view.locator(".onward")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(view).to_have_attribute("data-known", "1")
    expect(note).to_contain_text("Rank 2, n = 280: of 1,000 new samples the SMM gets")
    tap(view, 1, 200)
    expect(note).to_contain_text("First guess")
    expect(view).to_have_attribute("data-known", "1")
    view.get_by_role("button", name="1,600").click()
    expect(view).to_have_attribute("data-known", "12")
    expect(note).to_contain_text("✗ No. With so many samples the SVM catches up")
    assert done(view) == ["1 Guess"]
    expect(the_map(view)).to_have_attribute("aria-label", re.compile("Rank 1, n = 200: SMM 838"))
    page.keyboard.press("2")
    expect(view).to_have_attribute("data-step", "2")
    expect(note).to_contain_text("The SVM needs 5.3 times as many samples")
    tap(view, 4, 560)
    expect(note).to_contain_text("Press the number 4 below the map")
    tap(view, 4, 0)
    expect(view).to_have_attribute("data-known", "23")
    expect(note).to_contain_text("Rank 4, n = 560")
    expect(note).to_contain_text("times as many samples for that")
    hold(page, place_of(view, 6, 100), place_of(view, 9, 100), steps=20)
    page.mouse.up()
    expect(view).to_have_attribute("data-known", "27")
    tap(view, 0, 50)  # a whole row
    expect(view).to_have_attribute("data-known", "45")
    assert done(view) == ["1 Guess", "2 Explore"]
    page.wait_for_function("() => location.search.includes('structure_rank=9')")
    view.locator(".onward").click()
    expect(note).to_contain_text("Your choice uncovers the map")
    expect(view).to_have_attribute("data-known", "45")  # the curves tell no place
    for name, layers in (("10 r²", "equal"), ("r (40", "equal"), ("r (40", "falling")):
        view.get_by_role("button", name=f"n = {name}").click()
        view.get_by_role("button", name=f"layers of {layers} height").click()
        expect(note).to_contain_text(f"Above n = {name}")
    view.get_by_role("button", name="n = 10 r²").click()
    expect(view).to_have_attribute("data-known", "220")
    expect(note).to_contain_text("Neither is a law")
    assert done(view) == ["1 Guess", "2 Explore", "3 Which border?"]


def test_keys_uncover_a_place_and_the_address_keeps_it(server, page):
    view = open_page(server, page, "?structure_step=2")
    the_map(view).focus()
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function("() => /structure_rank=3.*structure_samples=400/.test(location.search)")
    expect(the_map(view)).to_have_attribute("aria-label", re.compile("Rank 3, n = 400: SMM 8"))
    page.keyboard.press("ArrowRight")
    expect(the_map(view)).to_have_attribute("aria-label", re.compile("Rank 4, n = 400: not seen"))
    settled(page)
    page.reload()
    expect(view).to_have_attribute("data-rank", "3")
    expect(view).to_have_attribute("data-known", "2")
    settled(page)
    page.go_back()
    expect(view).to_have_attribute("data-rank", "2")


def test_map_of_a_class_has_no_next_lesson_outside_a_plan(server, page):
    page.goto(f"{server.address}/map?map_step=3")
    expect(page.locator(".map")).to_have_attribute("data-step", "3")
    expect(page.locator(".map .onward")).to_be_hidden()


def test_no_number_of_a_place_is_told_before_it_is_uncovered_and_none_before_the_guess(
    server, new_page
):
    new_page.add_init_script(RECORD_TEXT)
    view = open_page(server, new_page, "?ask=1&structure_rank=1&structure_samples=50")
    new_page.keyboard.press("2")
    next_frames(new_page)
    expect(view).to_have_attribute("data-step", "1")
    expect(view).to_have_attribute("data-rank", "2")
    tiles = {"98"}  # of the first place
    axes = {f"{n:,}" for n in (*COUNTS, *RANKS, *range(500, 1001, 50))}
    texts = {each["text"] for each in new_page.evaluate("written") if each["text"][-1:].isdigit()}
    painting = {"100", "200", "400", "800"}
    assert texts <= tiles | axes | painting
    view.get_by_role("button", name="50", exact=True).click()
    expect(view).to_have_attribute("data-known", "12")
    expect(view).to_have_attribute("data-step", "2")
    next_frames(new_page)
    assert "166" in {each["text"] for each in new_page.evaluate("written")}


def test_the_server_trains_at_a_place_with_other_samples(server, page):
    view = open_page(server, page, "?structure_step=2&structure_rank=3&structure_samples=50")
    for _ in range(2):
        view.get_by_role("button", name="Other samples here").click()
        expect(view.locator(".note")).to_contain_text("other samples: the SMM gets")
        settled(page)
    tap(view, 4, 50)
    expect(view.locator(".note")).not_to_contain_text("other samples: the SMM gets")


def test_a_finger_taps_paints_sideways_and_scrolls(server, phone):
    view = open_page(server, phone, "?structure_step=2&structure_guess=50")
    phone.touchscreen.tap(*place_of(view, 5, 400))
    expect(view).to_have_attribute("data-rank", "5")
    x, y = place_of(view, 3, 140)
    swipe(phone, x, y, place_of(view, 9, 140)[0] - x, 0)
    expect(view).to_have_attribute("data-rank", "9")
    expect(view).to_have_attribute("data-known", str(12 + 1 + 7))
    swipe(phone, *place_of(view, 15, 140), 0, -150)  # scrolls
    settled(phone)
    expect(view).to_have_attribute("data-known", str(12 + 1 + 7))
    assert phone.evaluate("() => document.documentElement.scrollWidth - innerWidth") == 0


def test_map_of_a_class_is_empty_when_the_question_is_asked_again(server, new_page):
    new_page.goto(f"{server.address}/map?present=1&map_step=2")
    view = new_page.locator(".map")
    expect(view).to_have_attribute("data-known", "1")
    settled(new_page)
    new_page.keyboard.press("r")
    expect(view).to_have_attribute("data-known", "220")
    new_page.keyboard.press("PageDown")
    new_page.locator(".curve").first.click()
    new_page.wait_for_function("() => location.search.includes('map_curve')")
    new_page.get_by_role("button", name="Ask again").dispatch_event("click")
    expect(view).to_have_attribute("data-known", "1")  # as at first
    new_page.wait_for_function("() => !location.search.includes('map_curve')")
