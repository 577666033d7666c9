"""The contours that one drags: what the browser computes, and how the page follows the hand."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
from playwright.sync_api import expect

from pages.foundations.corners.touching import MAX_COORDINATE, TouchingProblem, touching_point
from smmcore.sugiyama.penalties import Ball, Lp
from tests.browser.navigation import Line, hold, next_frames, settled, skip

HALF = MAX_COORDINATE + 0.25  # of the plane that is drawn


def opened(server, page, address=""):
    page.goto(f"{server.address}/corners{address}")
    skip(page)
    view = page.locator(".contours")
    expect(view).to_have_attribute("data-point", re.compile(".+"))
    settled(page)
    return view


def read(view, name):
    return json.loads(view.get_attribute(f"data-{name}"))


def drag(page, view, handle, to):
    """Drag a handle to a point of the plane, in steps, without letting go."""
    settled(page)
    view.locator(f"[data-handle={handle}]").hover()  # once it rests
    page.mouse.down()
    box = view.locator("canvas").first.bounding_box()
    scale = box["width"] / (2 * HALF)
    centre = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(centre[0] + to[0] * scale, centre[1] - to[1] * scale, steps=5)


def test_the_touching_point_follows_keys_slider_and_hand_and_the_address_their_end(server, page):
    view = opened(server, page)
    assert read(view, "point") == [1, 0]
    assert (
        float(view.get_attribute("data-share")) > 0.55
    )  # more than half, also with the ball itself
    expect(view.locator(".note")).to_contain_text("θ̂ = (1.000, 0). A corner holds")
    box = view.locator("canvas").first.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down(button="right")  # which drags nothing
    page.mouse.move(box["x"] + 160, box["y"] + 160, steps=5)
    page.mouse.up(button="right")
    next_frames(page)
    assert read(view, "point") == [1, 0]

    view.locator("[data-handle=minimum]").focus()
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowUp"):
        page.keyboard.press(key)
    for handle, value in (("Minimum of the loss", "2.1"), ("Long axis of the contours", "60")):
        expect(view.get_by_label(handle)).to_have_attribute("aria-valuenow", value)
    page.wait_for_function("() => location.search.includes('corners_min1=2.1&corners_min2=0.72')")

    settled(page)
    slider = page.locator(".st-key-corners_norm input")
    slider.hover()  # once it rests
    track = slider.bounding_box()
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"], track["y"] + track["height"] / 2, steps=5)
    expect(slider).to_have_attribute("aria-valuetext", "inf")
    expect(view).to_have_attribute("data-share", "0")
    assert "norm" not in page.url  # the button is still down
    assert_touching(view)
    point = view.get_attribute("data-point")
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('norm=inf')")
    settled(page)
    assert view.get_attribute("data-point") == point

    drag(page, view, "minimum", (1.0, 2.0))
    expect(view).to_have_attribute("data-state", re.compile(r'"minimum":\[1(\.\d+)?,(1\.9|2)'))
    assert "min1=2.1&corners_min2=0.72" in page.url  # the button is still down
    assert_touching(view)
    page.mouse.up()
    page.wait_for_function("() => /min1=1(\\.\\d+)?&corners_min2=(1\\.9|2)/.test(location.search)")
    drag(page, view, "axis", (0.2, 2.0))
    page.mouse.up()
    page.wait_for_function("() => /tilt=.*ratio=/.test(location.search)")
    expect(view).to_have_attribute("data-state", re.compile(r'"tilt":(0|1|179)\b'))  # drawn later
    state, point = read(view, "state"), view.get_attribute("data-point")
    query = {name: float(values[0]) for name, values in parse_qs(urlsplit(page.url).query).items()}
    assert [query["corners_min1"], query["corners_min2"]] == state["minimum"]
    assert [query["corners_tilt"], query["corners_ratio"]] == [state["tilt"], state["ratio"]]
    page.reload()
    expect(view).to_have_attribute("data-point", point)
    assert read(view, "state") == state


def assert_touching(view):
    """Check the point that the picture of the largest norm shows against smmcore's."""
    state, ball = read(view, "state"), Ball(Lp(np.inf), 1.0)
    H = TouchingProblem(ball, (0.0, 0.0), state["tilt"], state["ratio"]).H
    expected = touching_point(ball, H, state["minimum"])
    np.testing.assert_allclose(read(view, "point"), expected, atol=1e-6)


def test_hand_finds_the_zeros_before_the_answer_is_seen(server, page):
    """Each place of the minimum is coloured that gives a zero; no number tells the share."""
    page.goto(f"{server.address}/corners")
    view = page.locator(".contours")
    expect(view).to_have_attribute("data-trail", "1 of 1")
    settled(page)
    handle = view.locator("[data-handle=minimum]")
    places = [(2.0, round(0.6 + 0.1 * k, 1)) for k in range(20)]
    for count in range(2, len(places) + 1):
        handle.press("ArrowUp")
        expect(view).to_have_attribute("data-trail", re.compile(f"of {count}$"))
    state, ball = read(view, "state"), Ball(Lp(1.0), 1.0)
    assert state["minimum"] == [*places[-1]]
    H = TouchingProblem(ball, (0.0, 0.0), state["tilt"], state["ratio"]).H
    zeros = sum(0 in touching_point(ball, H, place).round(9) for place in places)
    assert 1 < zeros < len(places)
    expect(view).to_have_attribute("data-trail", f"{zeros} of {len(places)}")
    own = f"Of the {len(places)} places that you tried, {zeros} gave a 0"
    expect(view.get_by_role("status")).to_contain_text(own)
    expect(view.get_by_role("status")).not_to_contain_text("%")
    for row in view.locator(".key span").all():  # of all three kinds of places
        expect(row).to_be_visible()
    page.get_by_role("radio", name="Disc", exact=True).check()  # leads away, and tells nothing
    expect(page.locator(".st-key-question .way")).to_contain_text("Asked for Diamond")
    expect(page.locator(".st-key-question .reply")).to_be_empty()
    page.locator(".st-key-question .back").click()
    expect(page.locator(".st-key-question .way")).to_be_empty()
    expect(page.locator(".st-key-question .reply")).to_be_empty()
    page.get_by_role("button", name="More than half").click()
    expect(view.get_by_role("status")).to_contain_text("%")
    page.get_by_role("radio", name="Elastic net").check()
    expect(page.locator(".st-key-question .way")).to_have_text("Asked for Diamond · go there")
    expect(page.locator(".st-key-question .reply")).to_contain_text("Compare it with Disc")


# How strong the colours of the four cells of the weights are: at the minimum and at θ̂, θ₁ above θ₂.
STRENGTHS = """(canvas) => [0.4, 0.95].flatMap((y) => [0.35, 0.95].map((x) => {
    const [column, row] = [x * canvas.width, y * canvas.height];
    const { data } = canvas.getContext("2d").getImageData(column, row, 1, 1);
    return Math.max(...data.slice(0, 3)) - Math.min(...data.slice(0, 3));
}))"""


def test_weights_at_the_minimum_and_at_the_touching_point_are_cells_and_a_zero_is_white(
    server, page
):
    page.set_viewport_size({"width": 1280, "height": 720})
    view = opened(server, page)
    assert (read(view, "state")["minimum"], read(view, "point")) == ([2, 0.6], [1, 0])
    assert view.locator("canvas").first.bounding_box()["height"] > 0.8 * 720
    for part in (*view.locator("canvas").all(), view.locator(".note")):  # words stand beside it
        expect(part).to_be_in_viewport(ratio=1)
    first, found, second, zero = view.locator(".weights canvas").evaluate(STRENGTHS)
    assert first > found > second > zero == 0


def test_preset_has_the_last_word_when_its_answer_or_the_one_before_comes_late(server, new_page):
    line = Line(new_page)
    view = opened(server, new_page)
    handle = view.locator("[data-handle=minimum]")
    knob = new_page.get_by_label("p", exact=True)
    preset = new_page.get_by_role("radio", name="Disc")
    line.is_held = True
    knob.press("ArrowRight")
    new_page.wait_for_function("() => location.search.includes('norm=1.1')")
    preset.click()  # it interrupts the answer to the hand
    line.release()
    settled(new_page)
    expect(preset).to_be_checked()

    handle.press("ArrowUp")
    settled(new_page)
    expect(preset).to_be_checked()  # the shape is as before
    knob.press("ArrowLeft")
    settled(new_page)
    line.is_held = True
    preset.click()
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    hold(new_page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    line.release()  # while the handle is held
    settled(new_page)
    new_page.mouse.up()
    settled(new_page)
    expect(preset).to_be_checked()
    expect(knob).to_have_attribute("aria-valuetext", "2")
    assert new_page.complaints == []
