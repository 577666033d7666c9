"""Address, page and controls agree after each step of a random walk, and after races."""

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import settled, skip
from tests.browser.walk import Walk

STEPS = 2  # more of them: python -m tests.browser.walk 45


@pytest.mark.sweep
def test_after_each_step_of_a_walk_address_page_and_controls_agree(server, new_page):
    walk = Walk(new_page, server.address, seed=4)
    walk.open("grouping")
    for _ in range(STEPS):
        walk.step()
    assert walk.faults == []
    assert walk.checks >= STEPS / 2


@pytest.mark.parametrize(
    "wait", [0, *(pytest.param(wait, marks=pytest.mark.sweep) for wait in (30, 200))]
)
def test_a_preset_stays_whole_that_another_rerun_overtakes(server, page, wait):
    page.goto(f"{server.address}/bilevel")
    settled(page)
    page.locator(".st-key-recipe summary").click()
    preset = page.get_by_role("radio", name="Hard", exact=True).element_handle()
    other = page.get_by_role("radio", name="hinge", exact=True).element_handle()
    page.evaluate(
        """async ([preset, other, wait]) => {
            preset.click();
            if (wait) await new Promise((wake) => setTimeout(wake, wait));
            other.click();
        }""",
        [preset, other, wait],
    )
    expect(page.get_by_text("Data: 500 samples of 40 × 50")).to_be_visible()
    settled(page)
    for text in ("n=500", "seed=0", "tau=2"):
        assert text in page.url
    expect(page.get_by_label("n", exact=True)).to_have_value("500")


def test_back_while_the_page_loads_is_heard(server, page):
    page.goto(f"{server.address}/rank?answer=1")
    skip(page)
    for wait in (0, 700):
        settled(page)
        page.get_by_role("radio", name="Full rank").click()
        settled(page)
        page.reload()
        page.wait_for_timeout(wait)
        page.evaluate("history.back()")
        page.wait_for_function("() => !location.search.includes('rank_truth')")
        expect(page.get_by_role("radio", name="Plaid")).to_be_checked()
