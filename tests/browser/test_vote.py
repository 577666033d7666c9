"""A class guesses: the lecturer counts hands, students vote from their own browsers."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.navigation import ask_answer, settled

CHIPS, REPLY, BUTTON = ".st-key-question .chip", ".reply", ".again"
STATUS, ANSWERS = "[role=status]", "[aria-pressed]"
PROJECTOR = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
PLACES = """() => [".st-key-question", ".st-key-stage"]
    .flatMap((name) => {
        const { top, height } = document.querySelector(name).getBoundingClientRect();
        return [top, height];
    })"""


def counts(page):
    """Return the numbers on the answers."""
    return page.locator(f"{CHIPS} > span")


def test_hands_and_votes_are_counted_and_shown_without_moving_the_stage(
    server, new_page, phone, browser
):
    lecturer, students = new_page, [phone, open_tab(browser, PHONE)]
    lecturer.set_viewport_size(PROJECTOR)
    lecturer.goto(f"{server.address}/rank?present=1")
    expect(lecturer.locator(".rank canvas").first).to_be_visible()
    settled(lecturer)
    places = pytest.approx(lecturer.evaluate(PLACES), abs=3)
    for key in ("1", "1", "2", "3", "Backspace", "3"):
        lecturer.keyboard.press(key)
    lecturer.get_by_role("button", name="Undo").dispatch_event("click")
    lecturer.locator(CHIPS).nth(1).dispatch_event("click")
    expect(counts(lecturer)).to_have_text(["2", "2", "0"])
    assert ask_answer(lecturer, "isHidden")

    cut_off = {"status": 200, "body": "{"}  # an answer after which the next one counts
    lecturer.route("**/vote/*", lambda route: route.fulfill(**cut_off), times=1)
    lecturer.get_by_role("button", name="4 votes").dispatch_event("click")
    code = lecturer.locator(".poster strong").inner_text()
    expect(lecturer.locator(".poster code")).to_contain_text("--server.address 0.0.0.0")
    for student, answer in zip(students, (2, 1), strict=True):
        student.goto(f"{server.address}/vote?code={code.lower()}")
        student.locator(ANSWERS).nth(answer).click()
        expect(student.locator(STATUS)).to_contain_text("Your vote is counted.")
    students[0].get_by_role("link", name="Open the lesson").click()
    expect(students[0].locator(CHIPS).nth(2)).to_have_attribute("aria-pressed", "true")
    assert ask_answer(students[0], "isHidden")
    # No preset, picture or control tells the answer before the lecturer does.
    expect(students[0].locator("[inert] .st-key-stage")).to_have_count(1)
    students[0].locator(CHIPS).nth(0).click()  # another opinion
    expect(students[0].locator(CHIPS).nth(0)).to_have_attribute("aria-pressed", "true")
    expect(lecturer.get_by_role("button", name="6 votes")).to_be_visible()
    expect(counts(lecturer)).to_have_text(["2", "2", "0"])  # who voted what stays hidden
    assert lecturer.evaluate(PLACES) == places

    # A second tab, or a reload, goes on with the vote, and the first follows.
    other = lecturer.context.new_page()
    other.goto(lecturer.url)
    expect(other.get_by_role("button", name="6 votes")).to_be_visible()
    other.keyboard.press("r")
    expect(counts(other)).to_have_text(["3", "3", "0"])
    lecturer.bring_to_front()
    expect(counts(lecturer)).to_have_text(["3", "3", "0"])
    assert lecturer.evaluate(PLACES) == places
    other.close()
    lecturer.reload()
    expect(counts(lecturer)).to_have_text(["3", "3", "0"])
    expect(students[0].locator(REPLY)).to_contain_text("The answer: First more, then fewer.")
    expect(students[0].locator(".rank")).to_have_attribute("data-step", "2")
    expect(students[0].locator("[inert] .st-key-stage")).to_have_count(0)
    expect(students[1].locator(STATUS)).to_contain_text("The answer: First more, then fewer.")

    lecturer.locator(BUTTON).dispatch_event("click")  # asks again
    expect(lecturer.get_by_role("button", name="0 votes")).to_be_visible()
    expect(students[0].locator(".open")).to_have_count(0)
    students[1].locator(ANSWERS).nth(0).click()
    expect(lecturer.get_by_role("button", name="1 vote", exact=True)).to_be_visible()
    lecturer.locator(BUTTON).dispatch_event("click")
    expect(counts(lecturer)).to_have_text(["1", "0", "0"])
    before = "chips => chips.map((chip) => Number(chip.style.getPropertyValue('--before')))"
    shares = lecturer.locator(CHIPS).evaluate_all(before)
    assert shares == [1 / 2, 1 / 2, 0]  # the pale bars of the first round
    lecturer.keyboard.press("n")
    expect(lecturer.locator(".rank")).to_have_attribute("data-step", "3")
    lecturer.keyboard.press("n")  # which answers the small question first
    lecturer.wait_for_function("() => location.search.includes('rank_guess=shown')")
    lecturer.keyboard.press("n")
    expect(students[1].get_by_role("heading")).to_contain_text("Whose W still shows the groups?")
    students[0].get_by_role("button", name="To the class").click()
    expect(students[0].get_by_role("heading")).to_contain_text("Whose W still shows the groups?")

    lecturer.get_by_role("button", name="0 votes").dispatch_event("click")
    lecturer.get_by_role("button", name="End the vote").click()
    for student in students:
        expect(student.locator(STATUS)).to_contain_text("There is no vote with the code")
    expect(lecturer.get_by_role("button", name="Students vote")).to_be_visible()
    students[1].context.close()
    for tab in (lecturer, *students):
        assert [line for line in tab.complaints if "404" not in line] == []  # of the vote
        tab.complaints.clear()
