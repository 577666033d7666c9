"""The picture of the noise follows its knob, while it is dragged."""

import pytest
from playwright.sync_api import expect

from pages.effects.robustness.margins import LEVELS
from tests.browser.navigation import next_frames, settled
from tests.pages.effects.test_margins import BLOCKS, SPECKLE, right


def test_sample_and_histograms_follow_the_knob_and_the_address_its_end(server, page):
    page.goto(f"{server.address}/robustness")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    for part in (*view.locator("canvas").all(), view.get_by_role("status")):
        expect(part).to_be_in_viewport(ratio=1)
    knob = page.locator(".knob input")
    box = knob.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2, steps=5)
    expect(view).not_to_have_attribute("data-level", "0")
    level = float(view.get_attribute("data-level"))
    assert level in LEVELS
    assert float(view.get_attribute("data-blocks")) == pytest.approx(right(BLOCKS, level))
    assert float(view.get_attribute("data-speckle")) == pytest.approx(right(SPECKLE, level))
    expect(view.get_by_role("status")).to_contain_text("further from 0")
    assert "_s=" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function(f"() => location.search.includes('_s={level:g}')")
    settled(page)
    assert float(view.get_attribute("data-level")) == level
    assert page.complaints == []


def test_in_class_the_knob_keeps_the_answer_and_show_raises_the_noise(server, page):
    page.goto(f"{server.address}/robustness?present=1")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    page.locator(".knob input").press("ArrowRight")
    expect(view).not_to_have_attribute("data-level", "0")
    assert page.evaluate("answer.isHidden()")
    page.get_by_role("button", name="Show", exact=True).dispatch_event("click")
    expect(view).to_have_attribute("data-level", "0.3")
    assert not page.evaluate("answer.isHidden()")
    page.get_by_role("button", name="Ask again").dispatch_event("click")
    expect(view).to_have_attribute("data-level", "0")
    page.get_by_role("button", name="Show", exact=True).dispatch_event("click")
    page.locator(".knob input").press("End")  # the hand has the last word
    page.wait_for_function("() => location.search.endsWith('_s=1')")
    settled(page)
    expect(view).to_have_attribute("data-level", "1")


def test_where_a_knob_comes_to_rest_outlives_the_answer_to_an_earlier_move(server, page):
    page.goto(f"{server.address}/robustness?answer=shown")
    expect(page.locator(".margins")).to_have_attribute("data-level", "0")
    settled(page)
    # As the page is told of a move by key, the knob jumps on, and the browser is slow to say so.
    page.evaluate(
        """place => document.addEventListener("knob", function jump({ detail: { key, rests } }) {
            if (!rests) return;
            document.removeEventListener("knob", jump);
            const later = window.setTimeout;
            window.setTimeout = (act) => ((window.say = act), -1);
            document.dispatchEvent(new CustomEvent("turn", { detail: { key, place, rests } }));
            window.setTimeout = later;
        })""",
        LEVELS.index(0.3),
    )
    page.locator(".knob input").press("ArrowRight")
    page.wait_for_function("() => location.search.includes('_s=0.01')")
    settled(page)
    page.evaluate("say()")
    page.wait_for_function("() => location.search.includes('_s=0.3')")
    expect(page.locator(".margins")).to_have_attribute("data-level", "0.3")
    assert page.complaints == []


def test_knob_that_was_away_and_is_back_says_so_and_back_twice_is_back_twice(server, page):
    page.goto(f"{server.address}/robustness?answer=shown")
    view, knob = page.locator(".margins"), page.locator(".knob input")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    rests = knob.evaluate("""input => new Promise((told) => {
        document.addEventListener("knob", ({ detail }) => detail.rests && told(detail.place));
        input.onpointerdown();
        for (input.value of [9, 0]) input.oninput();
        input.onpointerup();
    })""")
    assert rests == 0
    for level in ("0.01", "0.02"):
        knob.press("ArrowRight")
        page.wait_for_function(f"() => location.search.endsWith('_s={level}')")
        settled(page)
    page.evaluate("(history.back(), setTimeout(() => history.back(), 100), 0)")
    page.wait_for_function("() => !location.search.includes('_s=')")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    next_frames(page)
    expect(view).to_have_attribute("data-level", "0")
    assert page.complaints == []


def test_address_ends_without_a_knob_that_is_back_before_the_first_answer(server, new_page):
    held, line = [], []

    def connect(socket):
        there = socket.connect_to_server()
        socket.on_message(lambda message: there.send(message))
        there.on_message(lambda answer: held.append(answer) if line else socket.send(answer))
        new_page.socket = socket

    new_page.route_web_socket("**/_stcore/stream", connect)
    new_page.goto(f"{server.address}/robustness?answer=shown")
    expect(new_page.locator(".margins")).to_have_attribute("data-level", "0")
    settled(new_page)
    line.append("is held")
    for key in ("ArrowRight", "ArrowLeft"):
        told = new_page.evaluate_handle(
            """() => ({ told: new Promise((told) => document.addEventListener("knob",
                ({ detail }) => detail.rests && told())) })"""
        )
        new_page.locator(".knob input").press(key)
        told.evaluate("({ told }) => told")
    new_page.evaluate("""() => {
        const push = history.pushState.bind(history);
        window.addresses = [];
        history.pushState = (...entry) => (addresses.push(entry[2]), push(...entry));
    }""")
    while held:  # in their order, those that come meanwhile as well
        new_page.socket.send(held.pop(0))
    line.clear()
    new_page.wait_for_function("() => addresses.some((each) => each.includes('_s=0.01'))")
    new_page.wait_for_function("() => !location.search.includes('_s=')")
    assert new_page.complaints == []
