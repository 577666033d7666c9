"""The first page moves by itself, asks, and follows the rank and the picture that one chooses."""

import re

from playwright.sync_api import expect

from pages.home.stencil import ORDER, RANK
from tests.browser.navigation import drawn, settled


def test_sweep_stops_half_way_and_rank_and_picture_follow_the_hand_and_the_address(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(server.address)
    view = page.locator(".stencil")
    expect(view).to_have_attribute("data-status", "finished")
    expect(view).to_have_attribute("data-rank", str(RANK))
    status = view.get_by_role("status")
    expect(status).to_contain_text("Where will it end")
    expect(view).to_have_attribute("data-done", "false")
    for part in view.locator("canvas").all():
        expect(part).to_be_in_viewport(ratio=1)
    half = drawn(view, "product")
    status.get_by_role("button", name="No face").click()
    expect(status).to_have_text(re.compile("W says face.*it is one.*You guessed the other"))
    assert drawn(view, "product") != half

    W = drawn(view, "W")
    rank = view.get_by_role("slider", name="Rank of W")
    rank.focus()
    page.keyboard.press("End")
    expect(view).to_have_attribute("data-rank", "25")
    expect(view).to_have_attribute("data-right", "47")
    assert drawn(view, "W") != W
    page.wait_for_function("() => location.search.includes('rank=25')")
    settled(page)
    expect(status).to_contain_text("You guessed the other")  # it is not asked anew

    view.get_by_role("button", name="Next picture").click()
    expect(view).to_have_attribute("data-picture", str(ORDER[1]))
    expect(status).to_contain_text("Where will it end")
    page.wait_for_function(f"() => location.search.includes('picture={ORDER[1]}')")
    settled(page)
    page.reload()
    expect(view).to_have_attribute("data-picture", str(ORDER[1]))
    expect(view).to_have_attribute("data-rank", "25")

    view.get_by_role("radio", checked=True).focus()
    for key, picture in (("ArrowRight", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        expect(view).to_have_attribute("data-picture", str(ORDER[1] + picture))
    view.get_by_role("radio", name="face 1", exact=True).check()
    expect(view).to_have_attribute("data-picture", "0")


def test_the_picture_that_fools_w_is_not_marked_until_the_reader_has_found_it(server, page):
    page.goto(server.address)
    view = page.locator(".stencil")
    status, score = view.get_by_role("status"), view.locator(".score")
    expect(score).to_contain_text("49 of 50")
    expect(score).to_contain_text("Which one fools W?")
    expect(view.locator(".wrong")).to_have_count(0)
    view.get_by_role("radio", name="background 26", exact=True).check()
    expect(view).to_have_attribute("data-picture", "25")
    status.get_by_role("button", name="No face").click()
    expect(status).to_contain_text("it is none, and fools W")
    expect(score).not_to_contain_text("fools")
    expect(view.locator(".wrong")).to_have_count(1)


def test_reduced_motion_shows_the_half_and_the_end_at_once(server, page):
    page.goto(server.address)
    view = page.locator(".stencil")
    status = view.get_by_role("status")
    expect(status).to_contain_text("Where will it end")
    status.get_by_role("button", name="Face", exact=True).click()
    expect(status).to_contain_text("As you guessed")
    expect(view).to_have_attribute("data-done", "true")


def test_sweep_begins_when_w_comes_whatever_was_touched_before(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.route(re.compile("/frames"), lambda route: None)  # they wait
    page.goto(server.address)
    view = page.locator(".stencil")
    view.get_by_role("button", name="Next picture").click()
    view.locator("canvas").first.click(position={"x": 40, "y": 40})
    page.unroute_all()
    expect(view.get_by_role("status")).to_contain_text("Where will it end")
    expect(view).to_have_attribute("data-done", "false")


def test_back_takes_the_rank_back(server, page):
    page.goto(f"{server.address}/?answer=shown")
    view = page.locator(".stencil")
    expect(view).to_have_attribute("data-rank", str(RANK))
    settled(page)
    view.locator(".knob input").press("ArrowRight")
    page.wait_for_function("() => location.search.includes('rank=')")
    settled(page)
    expect(view).not_to_have_attribute("data-rank", str(RANK))
    page.go_back()
    expect(view).to_have_attribute("data-rank", str(RANK))
    page.wait_for_function("() => !location.search.includes('rank=')")


def test_answer_that_the_lecturer_has_shown_is_still_there_after_a_reload(server, new_page):
    new_page.goto(f"{server.address}/?present=1")
    view = new_page.locator(".stencil")
    expect(view.get_by_role("status")).to_have_text("Guess above.")
    settled(new_page)
    expect(view.get_by_role("radio").first).to_be_visible()  # but not which of them is X
    expect(view.get_by_role("radio", checked=True)).to_have_count(0)
    new_page.keyboard.press("1")
    expect(new_page.locator(".st-key-question .chip > span").first).to_have_text("1")
    new_page.keyboard.press("r")
    for _ in range(2):
        expect(new_page.locator(".st-key-question .open")).to_be_visible()
        expect(view.get_by_role("status")).to_contain_text("W says face")
        expect(view).to_have_attribute("data-done", "true")
        settled(new_page)
        new_page.reload()
