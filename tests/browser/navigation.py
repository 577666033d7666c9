"""How a visitor gets from lesson to lesson."""

from playwright.sync_api import expect


def go(page, lesson: str, section: str = "") -> None:
    """Click on a lesson in the navigation, in the menu of its section if it has one."""
    if section:
        page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
    link = "stTopNavDropdownLink" if section else "stTopNavLink"
    page.get_by_test_id(link).get_by_text(lesson, exact=True).click()


def link(page, holding: str) -> str:
    """Open the link to the page and return it, once it holds a setting."""
    page.get_by_text("Link to this page with these settings").click()
    code = page.get_by_test_id("stCode").filter(has_text=holding)
    expect(code).to_be_visible()  # the expander takes its time
    return code.text_content().strip()
