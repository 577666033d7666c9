"""The ball: its start follows hand and keys, and its steps are those of the test in Python."""

import pytest
from playwright.sync_api import expect

from pages.smm.live.momentum import START
from tests.browser.navigation import assert_stays, hold, next_frames, settled, swipe
from tests.pages.smm.test_momentum import rolled


def opened(server, page):
    """Open the lesson; return the picture and its valley with restarts, at the default start."""
    page.goto(f"{server.address}/live")
    view = page.locator(".momentum")
    expect(view).to_have_attribute("data-restarts", str(len(rolled(START)[1])))
    settled(page)
    return view, view.locator("[data-panel=with] canvas")


def test_start_follows_hand_and_keys_and_the_address_its_end(server, page):
    view, valley = opened(server, page)
    valley.focus()
    page.keyboard.press("ArrowUp")
    start = START[0], START[1] + 0.1
    page.wait_for_function(f"() => location.search.includes('ball_y={start[1]:g}')")
    settled(page)
    distances, stops = rolled(start)
    free, _ = rolled(start, restarts=False)
    assert float(view.get_attribute("data-stopped")) == pytest.approx(distances[-1], rel=1e-9)
    assert float(view.get_attribute("data-free")) == pytest.approx(free[-1], rel=1e-9)
    assert int(view.get_attribute("data-restarts")) == len(stops)

    box = valley.bounding_box()
    end = box["x"] + box["width"] - 40, box["y"] + 60
    hold(page, (box["x"] + 50, box["y"] + 50), end)
    next_frames(page)  # the last move is drawn
    held = view.get_attribute("data-start")
    assert float(held.split()[0]) > 0
    assert "ball_x" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('ball_x')")
    settled(page)
    expect(view).to_have_attribute("data-start", held)
    page.go_back()
    expect(view).to_have_attribute("data-start", f"{start[0]:g} {start[1]:g}")
    page.wait_for_function("() => !location.search.includes('ball_x')")


def test_finger_on_the_start_drags_it_and_elsewhere_scrolls_the_page(server, phone):
    phone.emulate_media(reduced_motion="no-preference")
    view, valley = opened(server, phone)
    valley.scroll_into_view_if_needed()
    box, start = valley.bounding_box(), view.get_attribute("data-start")
    swipe(phone, box["x"] + 30, box["y"] + 60, 0, -150)
    phone.wait_for_function(
        "([view, y]) => view.getBoundingClientRect().y < y - 50",
        arg=[valley.element_handle(), box["y"]],
    )
    expect(view).to_have_attribute("data-start", start)
    box = None
    while box != (box := valley.bounding_box()):  # until it rests
        next_frames(phone)
    handle = view.locator("[data-panel=with] .handle").bounding_box()
    swipe(phone, handle["x"] + 22, handle["y"] + 22, 30, -60)
    expect(view).not_to_have_attribute("data-start", start)
    assert_stays(valley, box["y"])
