"""How a visitor gets from lesson to lesson."""


def go(page, lesson: str, section: str = "") -> None:
    """Click on a lesson in the navigation, in the menu of its section if it has one."""
    if section:
        page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
    link = "stTopNavDropdownLink" if section else "stTopNavLink"
    page.get_by_test_id(link).get_by_text(lesson, exact=True).click()
