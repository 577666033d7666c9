"""Painting a W*: the brush follows the hand, the classifiers follow the painting, links keep it."""

import io
import re
from dataclasses import replace
from functools import cache
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from pages.effects.robustness.runs import FIGURE_2, NoiseOnMargins, Pattern
from pages.shared.data.painted import DIAGONAL, PAINTINGS, PLAID, SIDE, SMILEY, decode, encode
from pages.smm.structure.paint import SEEN, run_of
from pages.smm.structure.runs import OPENS, LearningCurves
from tests.browser.navigation import drawn, hold, settled


def opened(server, page, query="answer=1"):
    page.goto(f"{server.address}/structure?{query}")
    view = page.locator(".paint")
    expect(view).not_to_have_attribute("data-draws", "0")
    settled(page)
    return view


def hidden(view):
    return view.locator("[data-panel=W] canvas")


def strip(view):
    return view.locator("[data-panel=strip] canvas")


def signs(W):
    """Return the signs of the first samples."""
    y = run_of(encode(W)).data.prepare().problem.y[:SEEN]
    return "signs " + " ".join("+" if label > 0 else "−" for label in y)


def place_of(view, row, column):
    """Return the middle of a cell."""
    box = hidden(view).bounding_box()
    x, y = ((part + 0.5) / SIDE for part in (column, row))
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def stroke(page, view, *cells):
    """Paint along lines between cells, each in a single movement of the mouse."""
    hold(page, *(place_of(view, *cell) for cell in cells), steps=1)
    page.mouse.up()


def painted(address):
    """Return the W* of an address."""
    (text,) = parse_qs(urlsplit(address).query).get("structure_painting", [SMILEY])
    return PAINTINGS[text] if text in PAINTINGS else decode(text)


def wait_for_painting(page, W):
    """Wait until the address has a painting."""
    text = next((name for name in PAINTINGS if np.array_equal(PAINTINGS[name], W)), encode(W))
    in_address = "(text) => new URLSearchParams(location.search).get('structure_painting') === text"
    page.wait_for_function(in_address, arg=text)
    settled(page)


@cache
def numbers_of(text, n, draws):
    """Return what smmcore finds in this process at one n."""
    run = LearningCurves(run_of(text).data, (n,), max(2, draws))
    return [frame.metrics for frame in run.run()][draws - 1]


def test_brush_leaves_no_gaps_and_both_classifiers_and_the_link_follow(server, page):
    view = opened(server, page)
    for width, height in ((1280, 720), (1920, 1080), (1280, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for part in (*view.locator("canvas").all(), view.get_by_role("status")):
            expect(part).to_be_in_viewport(ratio=1)
    before = drawn(view, "smm")
    status = view.get_by_role("status")
    view.get_by_role("button", name="Clear").click()
    expect(status).to_contain_text("zero everywhere")
    expect(view).to_have_class(re.compile("blank"))  # nothing of the painting before is seen
    expect(strip(view)).to_have_attribute("aria-label", re.compile(r"signs( \?){6}"))
    W = np.zeros((SIDE, SIDE))
    hold(page, place_of(view, 2, 1), place_of(view, 2, 18), steps=1)  # in one go
    expect(view).to_have_attribute("data-rank", "1")
    expect(view).to_have_class(re.compile("stale"))  # the The small W before are dimmed
    page.mouse.up()
    W[2, 1:19] = 1
    wait_for_painting(page, W)
    view.get_by_text("minus", exact=True).click()
    stroke(page, view, (5, 5), (15, 5), (15, 12))
    W[5:16, 5] = W[15, 5:13] = -1
    wait_for_painting(page, W)
    view.get_by_text("erase", exact=True).click()
    stroke(page, view, (2, 1), (2, 3))
    W[2, 1:4] = 0
    wait_for_painting(page, W)
    expect(strip(view)).to_have_attribute("aria-label", re.compile(re.escape(signs(W))))
    np.testing.assert_array_equal(painted(page.url), W)
    expect(view).to_have_attribute("data-rank", str(np.linalg.matrix_rank(W)))
    expect(view).not_to_have_attribute("data-draws", "0")
    assert drawn(view, "smm") != before

    found = view.evaluate("view => ({ ...view.dataset })")
    expected = numbers_of(encode(W), OPENS, int(found["draws"]))
    for name in ("svm", "smm"):
        assert int(found[name]) == round(1000 * expected[name])
    expect(status).to_contain_text(f"Rank 3 of 20, n = {OPENS}: of 1,000 new samples the SMM gets")

    page.go_back()  # takes the last stroke back
    W[2, 1:4] = 1
    wait_for_painting(page, W)
    expect(view).to_have_attribute("data-rank", "3")
    expect(hidden(view)).to_have_attribute("aria-label", re.compile("18 cells plus, 18 minus"))


def test_keyboard_paints_and_moves_along_n_which_is_read_out_when_it_rests(server, page):
    view = opened(server, page, "answer=1&structure_painting=Plaid")
    view.get_by_role("button", name="Clear").click()
    hidden(view).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Space", "ArrowRight", "Enter", "Enter"):
        page.keyboard.press(key)
    W = np.zeros((SIDE, SIDE))
    W[1, 2] = 1  # the other cell was painted and erased
    label = re.compile("1 cells plus, 0 minus, rank 1. Row 2, column 4: empty")
    expect(hidden(view)).to_have_attribute("aria-label", label)
    wait_for_painting(page, W)

    slider = view.get_by_role("slider", name="Training samples n")
    slider.focus()
    page.keyboard.press("End")
    expect(view).to_have_attribute("data-n", "800")
    page.wait_for_function("() => location.search.includes('structure_n=800')")
    expect(view).not_to_have_attribute("data-draws", "0")
    spoken = re.compile(r"^n = 800: linear SVM \d{3} right, SMM \d{3}$")
    expect(slider).to_have_attribute("aria-valuetext", spoken)
    settled(page)
    page.go_back()
    expect(view).to_have_attribute("data-n", str(OPENS))
    page.wait_for_function("() => !location.search.includes('structure_n')")

    line = view.get_by_role("status")
    expect(line).not_to_have_attribute("aria-live", "off")
    slider.evaluate("knob => ((knob.value = 2), knob.oninput())")
    expect(line).to_have_text(re.compile("n = 400"))
    expect(line).to_have_attribute("aria-live", "off")
    slider.evaluate("knob => knob.onchange()")
    expect(line).not_to_have_attribute("aria-live", "off")


def test_question_and_pills_load_paintings(server, page):
    view = opened(server, page, "")
    page.locator(".st-key-question").get_by_role("button", name=PLAID).click()
    wait_for_painting(page, PAINTINGS[DIAGONAL])  # the answer, whatever was chosen
    expect(page.locator(".reply")).to_contain_text("The answer: Diagonal")
    expect(view).to_have_attribute("data-rank", "20")
    view.get_by_text(PLAID, exact=True).click()
    wait_for_painting(page, PAINTINGS[PLAID])
    expect(view.get_by_role("status")).to_contain_text("Rank 1 of 20")
    expect(view.get_by_role("status")).to_contain_text("Even 800 samples are not enough")
    expect(view.get_by_role("radio", name=PLAID)).to_be_checked()


def test_finger_paints_and_does_not_scroll(server, phone):
    view = opened(server, phone)
    view.get_by_role("button", name="Clear").tap()
    hidden(view).scroll_into_view_if_needed()
    scrolled = "() => document.querySelector('.stMain').scrollTop"
    top = phone.evaluate(scrolled)
    (x, low), (_, high) = place_of(view, 15, 10), place_of(view, 6, 10)
    touch = phone.context.new_cdp_session(phone)
    for kind, y in (("Start", low), ("Move", (low + high) / 2), ("Move", high), ("End", None)):
        points = [] if y is None else [{"x": x, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    W = np.zeros((SIDE, SIDE))
    W[6:16, 10] = 1
    wait_for_painting(phone, W)
    assert phone.evaluate(scrolled) == top


def picture(entries):
    """Return a picture file as a file field takes one."""
    file = io.BytesIO()
    Image.fromarray(entries.astype(np.uint8)).save(file, "png")
    return {"name": "a.png", "mimeType": "image/png", "buffer": file.getvalue()}


BAR = np.zeros((SIDE, SIDE))
BAR[3:6, 2:15] = 1
PHOTO = picture(np.kron(200 - 150 * BAR, np.ones((10, 10))))  # a dark bar


def test_photo_becomes_the_painting_and_goes_along_and_another_file_gets_a_sentence(server, page):
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_buffer or b""))
    # From now on the browser tells of its choosers; it takes a moment to learn that it should.
    page.on("filechooser", lambda _: None)
    view = opened(server, page)
    field, status = view.locator("[type=file]"), view.get_by_role("status")
    field.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(status).to_have_text("This browser cannot open a.png as a picture.")
    field.set_input_files(picture(np.full((30, 30), 90)))
    expect(status).to_have_text("a.png has a single grey: there is nothing to paint.")
    field.focus()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(PHOTO)
    wait_for_painting(page, BAR)
    np.testing.assert_array_equal(painted(page.url), BAR)
    expect(view).to_have_attribute("data-rank", "1")
    expect(status).to_contain_text("Rank 1 of 20")
    assert not any(PHOTO["buffer"][:8] in body for body in sent)

    settled(page)  # the page knows the painting
    page.get_by_role("link", name=re.compile("^10")).click()
    page.get_by_role("radio", name="Your painting").dispatch_event("click")
    page.wait_for_function(
        "text => new URLSearchParams(location.search).get('robustness_painting') === text",
        arg=encode(BAR),
    )
    found = page.locator(".margins")
    expect(found.locator("[data-panel=W0]")).to_contain_text("The small W")
    settled(page)
    right = right_at(NoiseOnMargins(replace(FIGURE_2["Small"], data=Pattern(encode(BAR)))))
    assert float(found.get_attribute("data-small")) == pytest.approx(right)


def test_painting_of_which_the_page_has_not_heard_when_a_link_is_followed_goes_along(server, page):
    opened(server, page)
    set_and_follow = """async (text) => {
        const { set } = await import(document.querySelector("[href$='lib/settings.js']").href);
        set({ structure_painting: text });
        document.querySelector(".st-key-rail a[href$=robustness]").click();
    }"""
    page.evaluate(set_and_follow, encode(BAR))
    expect(page.get_by_role("radio", name="Your painting")).to_be_attached()


def right_at(run):
    """The share of test samples that the first W of a run gets right without noise."""
    (frame,) = run.run()
    return (frame.images["margins_small"] > 0).mean()


def test_photo_on_the_first_page_is_painted_in_the_lesson_on_low_rank(server, page):
    page.goto(server.address)
    view = page.locator(".stencil")
    expect(view.locator(".score b")).to_contain_text("of 50")
    field = view.locator("[type=file]")
    field.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(view.locator(".score span")).to_have_text("This browser cannot open a.png as a picture.")
    field.set_input_files(PHOTO)
    page.wait_for_url("**/structure?*")
    np.testing.assert_array_equal(painted(page.url), BAR)
    expect(page.locator(".paint")).to_have_attribute("data-rank", "1")
