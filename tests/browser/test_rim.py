"""The drum of matrices: a guess by a tap, four steps by mouse and by keys, and their address."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import assert_stays, drawn, hold, settled

MARKED = ".row :is(.right, .wrong)"


def opened(server, page, address=""):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.address}/trace_norm{address}")
    view = page.locator(".rim")
    expect(view).to_have_attribute("data-film", "false")
    settled(page)
    view.evaluate("view => view.scrollIntoView()")
    return view


def drag(page, box, at, by):
    """Drag from a place in a box, in shares of it, by pixels."""
    x, y = box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]
    hold(page, (x, y), (x + by[0], y + by[1]))
    page.mouse.up()


def test_a_tap_on_the_drum_is_a_guess_and_the_balloon_answers(server, page):
    page.emulate_media(reduced_motion="no-preference")
    view = opened(server, page)
    note = view.locator(".note")
    parts = [*view.locator("canvas").all(), view.locator(".onward"), view.locator(".guess").last]
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    words = page.locator("main, .stMain").first.inner_text() + view.inner_text()
    assert not re.search(r"rank 1[^0]|\brims\b|end on a rim", words)
    assert view.get_attribute("data-part") == ""
    labels = view.locator("[aria-label]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert "rim" not in " ".join(labels)
    expect(view.locator(".handle")).to_be_hidden()  # there is nothing to drag yet
    heights = [part.bounding_box()["y"] for part in parts]
    space = view.locator("[data-panel=space] canvas").bounding_box()
    page.mouse.click(
        space["x"] + 0.37 * space["width"], space["y"] + 0.6 * space["height"]
    )  # the middle of the curved side
    expect(note).to_contain_text("✗ No. It touches the rim. There σ₂ = 0")
    expect(view.locator(".wrong")).to_have_text("Curved side")
    expect(view.locator(".right")).to_have_text("Rim")
    expect(view).to_have_attribute("data-part", "rim")
    for part, y in zip(parts, heights, strict=True):
        assert_stays(part, y)
    page.wait_for_function("() => location.search.endsWith('trace_norm_guess=curved')")
    settled(page)

    # The reply belongs to the minimum that was asked about.
    box = view.locator(".handle").bounding_box()
    drag(page, box, (0.5, 0.5), (-30, 130))
    expect(note).to_have_text("The balloon touches the curved side: rank 2.")
    expect(view.locator(MARKED)).to_have_count(0)
    page.wait_for_function("() => location.search.includes('trace_norm_at=')")
    settled(page)
    page.reload()
    expect(note).to_have_text("The balloon touches the curved side: rank 2.")
    page.go_back()
    expect(note).to_contain_text("✗ No.")


def test_a_tap_on_each_part_guesses_that_part(server, page):
    view = opened(server, page)
    space = view.locator("[data-panel=space] canvas").bounding_box()
    for high, part in ((0.19, "flat"), (0.312, "rim")):
        page.mouse.click(space["x"] + 0.37 * space["width"], space["y"] + high * space["height"])
        page.wait_for_function("(end) => location.search.endsWith(end)", arg=f"guess={part}")
        expect(view.locator("[aria-pressed=true]")).to_have_attribute("value", part)
        settled(page)
        page.go_back()
        expect(view.locator("[aria-pressed=true]")).to_have_count(0)
        settled(page)


def test_steps_show_the_fan_the_500_minima_and_the_other_ball(server, page):
    view = opened(server, page)
    note = view.locator(".note")
    view.get_by_role("button", name="Play").click()
    expect(note).to_contain_text("It touches the rim")
    expect(view.locator(MARKED)).to_have_count(0)  # nothing was guessed
    view.get_by_role("button", name="Next: Why there?").click()
    expect(note).to_contain_text("All minima of a whole sector end at this one point")
    before = drawn(view, "space")
    drag(page, view.locator(".handle").bounding_box(), (0.5, 0.5), (20, 150))
    expect(note).to_contain_text("The drum is smooth here")
    assert drawn(view, "space") != before
    space = view.locator("[data-panel=space] canvas").bounding_box()
    for by in (450, 450, -300):  # however the drum is turned, the minimum stays in view
        drag(page, space, (0.2, 0.7), (by, -60))
        box = view.locator(".handle").bounding_box()
        assert space["x"] <= box["x"] + 22 <= space["x"] + space["width"]
        assert space["y"] <= box["y"] + 22 <= space["y"] + space["height"]
    view.get_by_role("button", name="Next: 500 minima").click()
    expect(note).to_contain_text("325 end on a rim, 147 on the curved side, 28 on a flat side")
    before = drawn(view, "space")
    drag(page, space, (0.3, 0.5), (90, 30))
    assert drawn(view, "space") != before
    expect(view.locator(".steps .done")).to_have_count(3)
    view.get_by_role("button", name="Next: Other ball").click()
    expect(note).to_contain_text("0 of 500 minima end there")
    page.wait_for_function("() => location.search.includes('trace_norm_rim=4')")
    settled(page)
    light = drawn(view, "space")
    page.emulate_media(color_scheme="dark")
    page.reload()
    expect(note).to_contain_text("0 of 500 minima end there")
    assert drawn(view, "space") != light  # in colours of its own


def test_keys_alone_play_all_steps(server, page):
    view = opened(server, page)
    view.get_by_role("button", name="Rim", exact=True).press("Enter")
    expect(view.locator(".note")).to_contain_text("✓ Yes.")
    before = drawn(view, "space")
    space = view.locator("[data-panel=space] canvas")
    space.press("ArrowLeft")
    page.wait_for_function("() => location.search.includes('trace_norm_at=')")
    assert drawn(view, "space") != before
    page.keyboard.press("n")
    expect(view).to_have_attribute("data-step", "2")
    handle = view.locator(".handle")
    for _ in range(16):
        handle.press("ArrowDown")
    expect(handle).to_have_attribute("aria-label", re.compile("touches: curved"))
    page.keyboard.press("4")
    expect(view).to_have_attribute("data-step", "4")


def test_lecturer_shows_and_steps_the_picture_that_is_in_view(server, page):
    view = opened(server, page, "?present=1")
    page.mouse.wheel(0, 1)  # class mode holds the stage in view until then
    view.evaluate("view => view.scrollIntoView()")
    page.keyboard.press("r")
    expect(view.locator(".note")).to_contain_text("It touches the rim. There σ₂ = 0")
    expect(view.locator(MARKED)).to_have_count(0)  # nobody has guessed
    page.wait_for_function("() => location.search.includes('trace_norm_guess=shown')")
    page.keyboard.press("ArrowRight")
    expect(view).to_have_attribute("data-step", "2")
    page.keyboard.press("n")
    expect(view).to_have_attribute("data-step", "3")
    page.keyboard.press("PageUp")
    expect(view).to_have_attribute("data-step", "2")
