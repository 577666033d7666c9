"""What a class sees on a projector, and what a screen reader and the keyboard find."""

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from pages.navigation import LESSONS, SECTIONS
from tests.browser.navigation import PICTURES, PLAYER, RECORD_TEXT, go, settled, skip

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
TOP = "() => document.querySelector('.st-key-stage').getBoundingClientRect().top"
GRAVE = {"moderate", "serious", "critical"}
IS_DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"
BACKGROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def answer(page) -> list[str]:
    """Answer the question of a lesson, and return what is wrong with its stage."""
    found = []
    expect(page.locator(ANSWERS).first).to_be_visible()
    settled(page)
    if page.locator(ANSWERS).count() < 4:  # three answers and Skip
        found.append("too few answers")
    if page.locator(REPLY).count():
        found.append("a reply before the answer")
    top = page.evaluate(TOP)
    page.locator(ANSWERS).first.click()
    expect(page.locator(REPLY)).to_be_visible()
    settled(page)
    if abs(page.evaluate(TOP) - top) > 1:
        found.append("the answer moves the picture")
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


def test_every_page_on_a_walk_has_a_picture_a_clean_console_and_no_finding_of_axe(server, page):
    """On a projector, each lesson asks first and shows its first picture complete."""
    page.set_viewport_size(PROJECTOR)
    page.goto(server.address)
    expect(page.locator(PICTURES).first).to_be_visible()
    settled(page)
    page.evaluate(AXE_FILE_PATH.read_text("utf-8"))  # stays during the walk
    found = []
    pages = [(name, each) for name, section in SECTIONS.items() for each in section]
    # Those with a sidebar come last: it stays on the next page, empty, until something is clicked.
    pages.sort(key=lambda page: page[1].model is not None)
    for section, lesson in [("", None), *pages]:
        defects = []
        if lesson:
            go(page, lesson.title, section)
            page.wait_for_function("to => location.pathname === to", arg=f"/{lesson.address}")
            expect(page.get_by_role("heading", name=lesson.title, level=1)).to_be_visible()
            if lesson.has_controls:  # others are text
                expect(page.locator(PICTURES).filter(visible=True).first).to_be_visible()
            if lesson in LESSONS:
                defects += answer(page)
            settled(page)
        if page.get_by_test_id("stException").count():
            defects.append("an exception")
        defects += violations(page)
        switch_theme(page)  # which changes colours only
        defects += violations(page, runOnly=["color-contrast"])
        found += [f"{page.url}: {defect}" for defect in defects]
    assert found + page.complaints == []


def test_on_a_projector_letters_are_20_pixels_and_captions_are_hidden(server, page):
    page.set_viewport_size(PROJECTOR)
    with page.add_init_script(RECORD_TEXT):
        page.goto(f"{server.address}/robustness?present=1")
    skip(page)
    page.wait_for_function("() => written.some(({ font }) => font.includes('20px'))")
    caption = page.get_by_text("Each classifier is trained on all clean training samples")
    expect(caption).to_be_hidden()
    go(page, "How the data are made")  # which keeps the letters
    expect(page.get_by_role("heading", name="How the data are made", level=1)).to_be_visible()
    skip(page)
    letters = page.locator(".js-plotly-plot .xtick text").first
    expect(letters).to_have_css("font-size", "20px")
    expect(page.get_by_text("All colours are centred on 0")).to_be_hidden()
    page.goto(f"{server.address}/data?present=0")
    skip(page)
    expect(page.get_by_text("All colours are centred on 0")).to_be_visible()


def test_player_is_a_few_tabs_from_the_link_to_the_main_content(server, page):
    page.goto(f"{server.address}/live")
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
