"""What a class sees on a projector, and what a screen reader and the keyboard find."""

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from pages.navigation import ALL_LESSONS, SECTIONS, TITLES
from tests.browser.navigation import PICTURES, PLAYER, RECORD_TEXT, go, settled
from tests.pages.visit import TEXTS

PROJECTOR = {"width": 1280, "height": 720}
CHIPS, REPLY = ".st-key-question .chip", ".st-key-question .reply"
# The lowest edge of what the stage shows at first sight: pictures, charts and numbers.
LOWEST = """() => {
    const stage = document.querySelector(".st-key-stage");
    const roots = [stage, ...[...stage.querySelectorAll("*")].map((node) => node.shadowRoot)];
    const parts = roots.filter(Boolean).flatMap((root) =>
        [...root.querySelectorAll("canvas, .js-plotly-plot, .dock")]);
    const shown = parts.filter((part) => !part.closest("details") && part.checkVisibility());
    const boxes = shown.map((part) => part.getBoundingClientRect()).filter((box) => box.height);
    return Math.max(...boxes.map((box) => box.bottom));
}"""
TOP = "() => document.querySelector('.st-key-stage').getBoundingClientRect().top"
KEYS = " ", "PageDown", "PageUp", "ArrowRight"  # which act on the picture, and scroll nothing
GRAVE = {"moderate", "serious", "critical"}
IS_DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"
# Addresses: a picture with controls of its own, a player, a form, a table; the others by -m sweep.
ALL, FEW = ("", *TITLES), ("", "live", "theorem_2", "reproduce")
BACKGROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def answer(page) -> list[str]:
    """Answer the question of a lesson, and return what is wrong with its stage."""
    found = []
    settled(page)
    if page.locator("html.unasked").count():  # it is asked once the picture is at its step
        page.get_by_role("button", name="3 Pay").click()
    expect(page.locator(CHIPS).first).to_be_visible()
    settled(page)
    there = page.get_by_role("button", name="go there")
    if there.count():  # the question is asked in a later step
        there.click()
        expect(page.locator(REPLY)).to_be_empty()
        settled(page)
    if page.locator(CHIPS).count() != 3:
        found.append("not three answers")
    if page.locator(REPLY).inner_text():
        found.append("a reply before the answer")
    top = page.evaluate(TOP)
    page.locator(CHIPS).first.click()
    expect(page.locator(REPLY)).not_to_be_empty()
    expect(page.locator(REPLY)).to_be_focused()
    for key in KEYS:
        page.keyboard.press(key)
    expect(page.locator(f"{CHIPS}.right")).to_have_count(1)
    settled(page)
    if abs(page.evaluate(TOP) - top) > 1:
        found.append("the answer, or a key after it, moves the picture")
    page.wait_for_function(f"({LOWEST})() > 400")  # it is drawn
    if page.evaluate(LOWEST) > PROJECTOR["height"]:
        found.append("the first picture does not fit the projector")
    return found


def switch_theme(page) -> None:
    """Switch between light and dark, and wait until the page has followed."""
    before = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="light" if page.evaluate(IS_DARK) else "dark")
    page.wait_for_function(f"before => ({BACKGROUND})() !== before", arg=before)
    page.wait_for_function("() => document.getAnimations().every((each) => !each.pending)")
    settled(page)


def violations(page, **options) -> list[str]:
    """Return what axe-core finds on a page in the present theme, with options of its own."""
    theme = "dark" if page.evaluate(IS_DARK) else "light"
    options["resultTypes"] = ["violations"]  # what it need not tell costs half of the time
    found = page.evaluate("async (how) => (await axe.run(how)).violations", options)
    return [
        f"{theme}: {each['id']}, {len(each['nodes'])}, {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in GRAVE
    ]


@pytest.mark.parametrize("examined", [FEW, pytest.param(ALL, marks=pytest.mark.sweep)], ids=len)
def test_every_page_on_a_walk_has_a_picture_a_clean_console_and_no_finding_of_axe(
    server, page, examined
):
    """On a projector, each lesson asks first and shows its first picture complete.

    Axe examines some pages in both themes, after which the walk goes on in the other one. Of the
    pages beside the lessons it visits these; all of them by -m sweep.
    """
    page.set_viewport_size(PROJECTOR)
    page.goto(server.address)
    expect(page.locator(PICTURES).first).to_be_visible()
    settled(page)
    page.evaluate(AXE_FILE_PATH.read_text("utf-8"))  # stays during the walk
    found = []
    for lesson in (None, *(each for section in SECTIONS.values() for each in section)):
        if lesson and lesson not in ALL_LESSONS and lesson.address not in examined:
            continue
        defects = []
        if lesson:
            go(page, lesson.title)
            page.wait_for_function("to => location.pathname === to", arg=f"/{lesson.address}")
            # A list waits until the heading of the former page has gone.
            expect(page.get_by_role("heading", level=1)).to_contain_text([lesson.title])
            if lesson.address not in TEXTS:
                expect(page.locator(PICTURES).filter(visible=True).first).to_be_visible()
            if lesson in ALL_LESSONS:
                defects += answer(page)
            page.mouse.move(640, 715)  # the tip of the link goes
            expect(page.get_by_role("tooltip")).to_have_count(0)
            settled(page)
        if page.get_by_test_id("stException").count():
            defects.append("an exception")
        if (lesson.address if lesson else "") in examined:
            defects += violations(page)
            switch_theme(page)  # which changes colours only
            defects += violations(page, runOnly=["color-contrast"])
        found += [f"{page.url}: {defect}" for defect in defects]
    assert found + page.complaints == []


def test_in_class_mode_letters_are_24_pixels_and_a_button_and_a_key_leave_it(server, page):
    """The window begins with the question, and the whole picture is in it."""
    page.set_viewport_size(PROJECTOR)
    with page.add_init_script(RECORD_TEXT):
        page.goto(f"{server.address}/live?present=1#50%")  # which no one can decode
    player = page.locator(PLAYER).first
    expect(player).to_be_visible()
    page.wait_for_function("() => written.some(({ font }) => font.includes('24px'))")
    settled(page)
    small = "({ font }) => parseFloat(font.match(/[\\d.]+px/)[0]) < 24"
    page.evaluate("written.length = 0")
    player.locator("[data-action=on]").click()
    # In the groove of a knob, once the stored runs have come.
    page.wait_for_function("() => written.some(({ text }) => text === '321 steps until done')")
    assert page.evaluate(f"written.filter({small}).map(({{ text }}) => text)") == []
    for part in (".place", ".count", "[role=status]", "h2", "header span"):
        for each in player.locator(part).all():
            assert float(each.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")) >= 24
    for part in (page.locator("#question"), player.locator("[data-action=play]")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Symbols")).to_be_hidden()
    go(page, "Home")  # which keeps it
    expect(page.get_by_role("heading", name="W is a stencil for faces")).to_be_visible()
    settled(page)
    expect(page.locator("html.presenting")).to_have_count(1)
    page.keyboard.press("p")
    expect(page.locator("html.presenting")).to_have_count(0)
    page.wait_for_function("() => !location.search.includes('present')")
    page.locator(".st-key-rail").get_by_role("button", name="Class").click()
    page.get_by_role("button", name="Class mode").click()
    expect(page.locator("html.presenting")).to_have_count(1)


def test_player_is_a_few_tabs_from_the_link_to_the_main_content(server, page):
    page.goto(f"{server.address}/live?answer=1")  # before it, the pictures below are closed
    expect(page.locator(PLAYER).first).to_be_visible()
    settled(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("() => !!document.activeElement.shadowRoot?.activeElement"):
            break
    inside = page.evaluate(
        """() => {
            const box = document.activeElement.shadowRoot?.activeElement.getBoundingClientRect();
            const bar = document.querySelector(".stAppHeader").getBoundingClientRect();
            return box && box.top >= bar.bottom && box.bottom <= innerHeight;
        }"""
    )
    assert inside  # and not hidden under the bar at the top
    page.locator(f"{PLAYER} summary").first.press("Space")  # which plays where it opens nothing
    expect(page.locator(f"{PLAYER} details").first).to_have_attribute("open", "")
