"""What the address, the history and the fields of a page do with a reader's settings."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.navigation import ended, settled, skip


def test_back_takes_back_a_whole_preset(server, page):
    page.goto(f"{server.address}/smm")
    skip(page)
    settled(page)
    page.get_by_role("button", name="Hard", exact=True).click()
    page.wait_for_function("() => location.search.includes('tau=2')")
    expect(page.get_by_label("n", exact=True)).to_have_value("500")
    settled(page)
    page.go_back()
    page.wait_for_function("() => location.search === ''")
    expect(page.get_by_label("n", exact=True)).to_have_value("200")
    assert page.complaints == []


def test_back_takes_back_a_preset_whose_run_ends_at_that_moment(server, page):
    page.goto(f"{server.address}/live?seed=77")
    ended(page)
    settled(page)
    # What the server sends of the run arrives as soon as the reader goes back.
    page.evaluate("""() => {
        const real = window.fetch;
        const back = new Promise((resolve) => addEventListener("popstate", resolve));
        window.fetch = async (...request) => {
            const answer = await real(...request);
            await back;
            return answer;
        };
    }""")
    page.get_by_role("button", name="Hard", exact=True).click()
    page.wait_for_function("() => location.search.includes('tau=2')")
    expect(page.get_by_label("n", exact=True)).to_have_value("500")
    settled(page)
    page.go_back()
    page.wait_for_function("() => location.search === '?seed=77'")
    expect(page.get_by_label("n", exact=True)).to_have_value("200")
    assert page.complaints == []


def test_number_that_is_not_allowed_gets_a_sentence_below_it(server, page):
    page.goto(f"{server.address}/data")
    skip(page)
    settled(page)
    field = page.get_by_label("p", exact=True)
    below = """field => {
        const row = field.closest(".stHorizontalBlock");
        return getComputedStyle(row, "::after").content;
    }"""
    assert field.evaluate(below) == "none"
    field.fill("999")
    field.press("Enter")
    assert field.evaluate(below) == '"p must be a whole number from 2 to 200."'
    field.fill("30")
    field.press("Enter")
    page.wait_for_function("() => location.search.includes('p=30')")
    assert field.evaluate(below) == "none"


def test_undo_can_be_clicked_again_at_once(server, page):
    page.goto(f"{server.address}/data?seed=5")
    skip(page)
    field = page.get_by_label("seed", exact=True)
    for seed in ("7", "8"):
        field.fill(seed)
        field.press("Enter")
        page.wait_for_function(f"() => location.search.includes('seed={seed}')")
        settled(page)
    undo = page.get_by_role("button", name="Undo")
    for seed in ("7", "5"):
        undo.click()
        expect(field).to_have_value(seed)
    button, notice = undo.bounding_box(), page.get_by_test_id("stToast").first.bounding_box()
    assert button["y"] + button["height"] < notice["y"]
