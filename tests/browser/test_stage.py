"""What a class sees on a projector of 1280 x 720: the question, the first picture, its numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pages.navigation import LESSONS
from tests.browser.navigation import go, settled, skip

PROJECTOR = {"width": 1280, "height": 720}
ANSWERS = ".st-key-prediction-answers button"
REPLY = ".st-key-prediction-reply"
# The lowest edge of what the stage shows at first sight: pictures, charts and numbers.
LOWEST = """() => {
    const stage = document.querySelector(".st-key-stage");
    const roots = [stage, ...[...stage.querySelectorAll("*")].map((node) => node.shadowRoot)];
    const parts = roots.filter(Boolean).flatMap((root) =>
        [...root.querySelectorAll("canvas, .js-plotly-plot, .readout, dl")]);
    const shown = parts.filter((part) => !part.closest("details") && part.checkVisibility());
    const boxes = shown.map((part) => part.getBoundingClientRect()).filter((box) => box.height);
    return Math.max(...boxes.map((box) => box.bottom));
}"""
LISTEN = """
    const {prototype} = OffscreenCanvasRenderingContext2D, {fillText} = prototype;
    window.fonts = new Set();
    prototype.fillText = function (...what) {
        fonts.add(this.font);
        fillText.apply(this, what);
    };"""
TOP = "() => document.querySelector('.st-key-stage').getBoundingClientRect().top"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.address)
def test_question_then_the_first_picture_complete_on_a_projector(server, page, lesson):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{server.address}/{lesson.address}")
    expect(page.locator(ANSWERS).first).to_be_visible()
    expect(page.locator(".st-key-stage")).to_be_visible()
    settled(page)
    assert page.locator(ANSWERS).count() >= 4  # three answers and Skip
    expect(page.locator(REPLY)).to_have_count(0)
    top = page.evaluate(TOP)
    page.locator(ANSWERS).first.click()
    expect(page.locator(REPLY)).to_be_visible()
    settled(page)
    assert page.evaluate(TOP) == pytest.approx(top, abs=1)  # the picture does not move
    page.wait_for_function(f"({LOWEST})() > 400")  # it is drawn
    assert page.evaluate(LOWEST) <= PROJECTOR["height"]
    assert page.complaints == []


def test_on_a_projector_letters_are_20_pixels_and_captions_are_hidden(server, page):
    page.set_viewport_size(PROJECTOR)
    with page.add_init_script(LISTEN):
        page.goto(f"{server.address}/robustness?present=1")
    skip(page)
    page.wait_for_function("() => [...fonts].some((font) => font.includes('20px'))")
    caption = page.get_by_text("Each classifier is trained on all clean training samples")
    expect(caption).to_be_hidden()
    go(page, "Where the data come from", "The SMM")  # which keeps the letters
    expect(page.get_by_role("heading", name="Where the data come from", level=1)).to_be_visible()
    skip(page)
    letters = page.locator(".js-plotly-plot .xtick text").first
    expect(letters).to_have_css("font-size", "20px")
    expect(page.get_by_text("All colours are centred on 0")).to_be_hidden()
    page.goto(f"{server.address}/data?present=0")
    skip(page)
    expect(page.get_by_text("All colours are centred on 0")).to_be_visible()
