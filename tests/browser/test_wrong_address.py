"""An address without a page leads to Home, which names it and what may have been meant."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import settled


def test_home_names_an_address_without_a_page(server, page):
    told, meant = page.locator(".st-key-wrong"), page.get_by_role("link", name="Did you mean")
    for address in ("foo/bar", "lve?rho=1"):
        page.goto(f"{server.address}/{address}")
        name = address.partition("?")[0]
        expect(told).to_contain_text(f"There is no page “/{name}”. All pages are below")
        expect(page.get_by_role("dialog")).to_have_count(0)  # of Streamlit
        settled(page)
        expect(meant).to_have_count(int(name == "lve"))
    expect(meant).to_contain_text("Watch the algorithm?")
    meant.click()
    expect(page).to_have_url(re.compile("/live$"))
    expect(told).to_have_count(0)
