"""What a screen reader and the keyboard find, and that every page of a walk is whole."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pages.navigation import SECTIONS
from tests.browser.navigation import PICTURES, PLAYER, go, settled, skip

GRAVE = {"moderate", "serious", "critical"}
IS_DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"
BACKGROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def switch_theme(page) -> None:
    """Switch between light and dark, and wait until the page has followed."""
    before = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="light" if page.evaluate(IS_DARK) else "dark")
    page.wait_for_function(f"before => ({BACKGROUND})() !== before", arg=before)
    page.wait_for_function("() => document.getAnimations().every((each) => !each.pending)")
    settled(page)


def findings(page, **options) -> list[str]:
    """Return what axe-core finds on a page in the present theme, with options of its own."""
    theme = "dark" if page.evaluate(IS_DARK) else "light"
    options["resultTypes"] = ["violations"]  # what it need not tell costs half of the time
    violations = Axe().run(page, options=options).response["violations"]
    return [
        f"{theme}: {each['id']}, {len(each['nodes'])}, {each['nodes'][0]['html'][:200]}"
        for each in violations
        if each["impact"] in GRAVE
    ]


def test_every_page_on_a_walk_has_a_picture_a_clean_console_and_no_finding_of_axe(server, page):
    page.goto(server.address)
    expect(page.locator(PICTURES).first).to_be_visible()
    settled(page)
    found = []
    pages = [("", None), *((name, each) for name, section in SECTIONS.items() for each in section)]
    for section, lesson in pages:
        if lesson:
            go(page, lesson.title, section)
            page.wait_for_function("to => location.pathname === to", arg=f"/{lesson.address}")
            expect(page.get_by_role("heading", name=lesson.title, level=1)).to_be_visible()
            if lesson.has_controls:  # others are text
                expect(page.locator(PICTURES).filter(visible=True).first).to_be_visible()
                skip(page)
            settled(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        found += [f"{page.url} {text}" for text in findings(page)]
        switch_theme(page)  # which changes colours only
        found += [f"{page.url} {text}" for text in findings(page, runOnly=["color-contrast"])]
    assert not found, "\n".join(found)
    assert page.complaints == []


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
