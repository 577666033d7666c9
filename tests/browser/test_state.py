"""What the address, the history and the fields of a page do with a reader's settings."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import ended, next_frames, settled, skip


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
    page.locator(".st-key-recipe summary").click()
    page.get_by_role("radio", name="Hard", exact=True).click()
    page.wait_for_function("() => location.search.includes('tau=2')")
    expect(page.get_by_label("n", exact=True)).to_have_value("500")
    settled(page)
    page.go_back()
    page.wait_for_function("() => location.search === '?seed=77'")
    expect(page.get_by_label("n", exact=True)).to_have_value("200")


def test_number_that_is_not_allowed_gets_a_sentence_below_it(server, page):
    page.goto(f"{server.address}/theorem_2?seed=5")
    skip(page)
    settled(page)
    page.locator(".st-key-recipe summary").click()
    field, below = page.get_by_label("p", exact=True), page.locator("[data-key=p] .wrong")
    expect(below).to_be_hidden()
    field.fill("999")
    field.press("Enter")
    expect(below).to_have_text("p must be a whole number from 2 to 200.")
    assert "p=" not in page.url
    field.fill("30")
    field.press("Enter")
    page.wait_for_function("() => location.search.includes('p=30')")
    expect(below).to_be_hidden()


def test_section_of_a_link_stays_at_the_top_until_the_reader_acts(server, page):
    page.goto(f"{server.address}/table_1#the-table")
    expect(page.get_by_role("heading", name="The table", exact=True)).to_be_visible()
    settled(page)
    page.add_style_tag(content=".stMain { overflow-anchor: none }")  # as in Safari
    grow = """() => {
        const more = document.createElement("div");
        more.style.height = "400px";
        document.querySelector(".stMainBlockContainer").prepend(more);
    }"""
    below_the_header = """() => {
        const { top } = document.getElementById("the-table").getBoundingClientRect();
        return 60 < top && top < 200;
    }"""
    page.wait_for_function(below_the_header)
    page.evaluate(grow)
    page.wait_for_function(below_the_header)
    page.keyboard.press("Shift")
    page.evaluate(grow)
    next_frames(page)
    assert not page.evaluate(below_the_header)


def test_comparisons_with_the_papers_fit_a_narrow_phone(server, page):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{server.address}/reproduce?reproduce_paper=Xia+and+Fan")
    table = page.get_by_role("table", name="Table 2: hinge and squared loss on pairs of people")
    verdict = table.get_by_role("row", name="5 and 4, LS-SMM").get_by_role("cell").first
    expect(verdict).to_have_text(re.compile("✗ not reproduced"))
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") == 320
