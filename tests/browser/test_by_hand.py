"""One can be the SVM: paint W, pay for it, and find out which samples hold the best W."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import RECORD_TEXT, ask_answer, go, hold, next_frames, settled
from tests.js.test_by_hand import BY_HAND

FLOOR = 22.85323770  # smmcore's, see tests/js/test_by_hand.py
CROSS = [[(row, column) for column in range(1, 5)] for row in (2, 3)]
CROSS += [[(row, column) for row in range(1, 5)] for column in (2, 3)]
CORNERS = [
    [(1, 0), (0, 0), (0, 1)],
    [(0, 4), (0, 5), (1, 5)],
    [(4, 0), (5, 0), (5, 1)],
    [(5, 4), (5, 5), (4, 5)],
]


@pytest.fixture
def view(server, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    return open_page(server, page)


def open_page(server, page, query=""):
    page.goto(f"{server.address}/by_hand{query}")
    view = page.locator(".by_hand")
    expect(view).to_have_attribute("data-opens", "false")
    settled(page)
    return view


def stroke(page, canvas, cells):
    box = canvas.bounding_box()
    at = [
        [box["x"] + (c + 0.5) * box["width"] / 6, box["y"] + (r + 0.5) * box["height"] / 6]
        for r, c in cells
    ]
    hold(page, *at, steps=3)
    page.mouse.up()


def rests(view, step):
    expect(view).to_have_attribute("data-step", str(step))
    next_frames(view.page)
    return {
        name: float(view.get_attribute(f"data-{name}")) for name in ("loss", "objective", "floor")
    }


def done(view):
    return [chip.inner_text() for chip in view.locator(".steps .done").all()]


def drag_sample(view, i, by):
    """Drag a sample by so much of a score, and return how far W has moved."""
    page, axis = view.page, view.locator("[data-panel=axis] canvas")
    axis.blur()
    axis.focus()
    for _ in range(i + 1):
        page.keyboard.press("ArrowDown")
    for _ in range(round(abs(by) / 0.15)):
        page.keyboard.press("ArrowRight" if by > 0 else "ArrowLeft")
    next_frames(page)
    return float(view.get_attribute("data-far"))


def test_a_mouse_plays_all_five_steps(view, page):
    page.emulate_media(reduced_motion="no-preference")
    W, note = view.locator("[data-panel=W] canvas"), view.locator(".note")
    expect(view).to_have_attribute("data-right", "6")
    expect(note).to_contain_text("add up to 6; a tenth of that, 0.6, is its score")
    expect(view.locator("[data-panel=W] header")).to_contain_text("this frame: (6.0 − 0.0) / 10")
    expect(page.locator(".ask .before")).to_be_visible()  # in the place of the question
    for part in (
        *view.locator("canvas").all(),
        note,
        view.locator(".palette"),
        view.locator(".onward"),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    assert view.locator("canvas").first.bounding_box()["y"] <= 190
    for cells in CROSS:
        stroke(page, W, cells)
    view.get_by_role("radio", name="−1", exact=True).click()
    for cells in CORNERS:
        stroke(page, W, cells)
    expect(view).to_have_attribute("data-right", "24")
    expect(note).to_contain_text("✓ All 24")
    page.wait_for_function(f"() => location.search.includes('by_hand_W={BY_HAND}')")
    expect(view.locator(".steps .done")).to_have_text(["1 Sort"])  # once W rests
    view.locator(".onward").click()
    assert rests(view, 2)["loss"] == pytest.approx(4.7)
    expect(note).to_contain_text("All threads: 4.7")
    view.locator(".onward").click()
    assert rests(view, 3)["objective"] == pytest.approx(26.1)
    expect(note).to_contain_text("14 % above the floor")
    expect(page.locator(".ask .before")).to_be_hidden()
    view.locator(".hint").click()
    expect(note).to_contain_text("Make each marked cell one shade more")
    view.locator(".hint").click()
    expect(note).to_contain_text("✓ Your W is 7.6 % above the floor")
    assert done(view) == ["1 Sort", "3 Pay"]
    assert ask_answer(page, "isHidden")
    page.get_by_role("button", name="It stays").click()
    assert rests(view, 4)["floor"] == pytest.approx(FLOOR)
    expect(note).to_contain_text("Objective 22.85 = floor 22.85 ✓")
    expect(note).to_contain_text("You came within 7.6 %")


def test_only_samples_with_a_load_move_w(server, page):
    view = open_page(server, page, "?by_hand_step=4")
    note = view.locator(".note")
    assert not ask_answer(page, "isHidden")
    assert drag_sample(view, 4, 0.45) == 0
    expect(note).to_contain_text("W has not changed: this cross is outside its edge")
    assert drag_sample(view, 22, 1.05) > 0.1
    expect(note).to_contain_text("this frame has load 3.0 of at most 3")
    expect(view.locator("[data-panel=axis] header")).to_contain_text("load 3.0 at most C = 3")
    assert "4 The best" in done(view)
    assert rests(view, 4)["objective"] == pytest.approx(rests(view, 4)["floor"])
    view.locator(".back").click()
    next_frames(page)
    assert rests(view, 4)["floor"] == pytest.approx(FLOOR)
    view.locator(".onward").click()
    expect(note).to_contain_text("the SVM makes 29 mistakes, the SMM 20")
    assert "5 Few layers" not in done(view)
    view.locator(".tau input").press("Home")
    expect(note).to_contain_text("the SMM is the SVM")


def test_keys_alone_paint_and_lead_through_the_steps_and_the_address_keeps_it(server, page):
    view = open_page(server, page)
    W = view.locator("[data-panel=W] canvas")
    W.focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function("() => /by_hand_W=[a-g]{14}ff[a-g]{5}f/.test(location.search)")
    view.locator(".line").press("ArrowRight")
    page.wait_for_function("() => location.search.includes('by_hand_line=0.02')")
    page.keyboard.press("3")
    rests(view, 3)
    page.keyboard.press("2")
    before = rests(view, 2)
    view.locator(".size input").press("ArrowRight")
    page.wait_for_function("() => location.search.includes('by_hand_size=1.05')")
    settled(page)
    changed = rests(view, 2)
    assert changed != before
    page.reload()
    expect(view).to_have_attribute("data-step", "2")
    settled(page)
    assert rests(view, 2) == pytest.approx(changed)
    page.go_back()
    page.wait_for_function("() => !location.search.includes('by_hand_size')")
    settled(page)
    assert rests(view, 2) == pytest.approx(before)


def test_a_stroke_sets_cells_never_erases_and_goes_into_the_address_of_its_own_page(server, page):
    view = open_page(server, page, f"?by_hand_W={'d' * 36}")
    W = view.locator("[data-panel=W] canvas")
    stroke(page, W, [(2, 0), (2, 3)])
    stroke(page, W, [(2, 3), (2, 5)])  # begins on an orange cell
    page.wait_for_function(f"() => location.search.includes('{'d' * 12}{'f' * 6}')")
    view.locator("[data-panel=axis] canvas").hover(position={"x": 5, "y": 5})
    before = page.evaluate("() => location.search")
    view.locator(".line").press("ArrowLeft")  # the lines stay in view wherever it stands
    page.wait_for_function("() => location.search.includes('by_hand_line=-0.02')")
    page.go_back()  # which is one step
    page.wait_for_function("(search) => location.search === search", arg=before)
    settled(page)

    stroke(page, W, [(4, 0), (4, 3)])
    go(page, "Why corners make zeros")  # before the hand has rested
    expect(page.get_by_role("heading", name="Why corners make zeros", level=1)).to_be_visible()
    settled(page)
    assert page.evaluate("() => location.search") == ""
    page.go_back()
    painted = "f" * 6 + "d" * 6 + "f" * 4
    page.wait_for_function(
        "(W) => location.pathname === '/by_hand' && location.search.includes(W)", arg=painted
    )


HEIGHT = "(text) => written.findLast((each) => each.text === text)?.y"


def test_each_fall_of_a_high_bar_is_seen_and_its_number_is_the_headings(server, page):
    page.add_init_script(RECORD_TEXT)
    view = open_page(server, page, "?by_hand_step=3")
    heights = []
    for _ in range(2):
        objective = rests(view, 3)["objective"]
        assert objective > 3 * FLOOR
        heading = view.locator("[data-panel=axis] header").inner_text()
        number = re.search(r"Objective ([\d.]+)", heading)[1]
        heights.append(page.evaluate(HEIGHT, number))
        page.keyboard.press("h")
        page.keyboard.press("h")
    assert heights[0] < heights[1]  # in pixels from the top


def test_ask_me_first_keeps_the_answer_and_asking_again_hides_it(server, page):
    view = open_page(server, page, "?ask=1&by_hand_step=3")
    page.keyboard.press("4")
    page.keyboard.press("5")
    rests(view, 3)
    expect(view.locator(".goal")).to_contain_text("First answer the question")
    assert ask_answer(page, "isHidden")
    page.get_by_role("button", name="It shrinks").click()
    rests(view, 4)
    page.keyboard.press("5")
    rests(view, 5)
    page.get_by_role("button", name="Ask again").click()
    rests(view, 3)
    assert ask_answer(page, "isHidden")


def test_reply_is_read_before_the_picture_goes_to_the_best_w(view, page):
    page.keyboard.press("3")
    rests(view, 3)
    settled(page)
    page.clock.install()
    page.get_by_role("button", name="It stays").click()
    expect(page.locator(".st-key-question .reply")).to_contain_text("no thread and no load")
    page.clock.run_for(1000)
    assert view.get_attribute("data-step") == "3"
    page.clock.run_for(1000)
    expect(view).to_have_attribute("data-step", "4")


def test_a_painted_w_outlives_the_answer(view, page):
    page.keyboard.press("3")
    rests(view, 3)
    stroke(page, view.locator("[data-panel=W] canvas"), [(1, 2), (1, 3)])
    painted = rests(view, 3)
    page.get_by_role("button", name="It stays").click()  # which shows the best W
    assert rests(view, 4)["objective"] < painted["objective"]
    expect(view.locator(".note")).to_contain_text("Your own W is kept in step 3.")
    page.get_by_role("button", name="3 Pay").click()
    assert rests(view, 3) == painted


def test_what_is_reached_by_hand_can_be_sent(server, page):
    view = open_page(server, page, "?by_hand_step=3")
    boast = view.locator(".boast")
    expect(boast).to_be_hidden()
    for _ in range(30):  # hints, until the W is good
        page.keyboard.press("h")
        page.keyboard.press("h")
        rests(view, 3)
        if boast.is_visible():
            break
    above = re.search(r"[\d.]+ %", boast.inner_text())[0]
    assert boast.inner_text() == f"Copy “Within {above} of the floor, by hand”"
    expect(view.locator(".note")).to_contain_text(f"{above} above the floor")  # once W rests
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    boast.click()
    expect(boast).to_have_text("Copied")
    text, link = page.evaluate("() => navigator.clipboard.readText()").rsplit(": ", 1)
    assert text == f"Within {above} of the floor, by hand"
    page.goto(link)
    expect(page.locator(".by_hand .note")).to_contain_text(f"{above} above the floor")


def test_in_class_no_room_is_kept_for_a_question_that_is_not_asked_yet(server, page):
    view = open_page(server, page, "?present=1")
    idea = page.locator(".st-key-idea").bounding_box()
    assert view.bounding_box()["y"] < idea["y"] + idea["height"] + 24
