"""A class guesses: the lecturer counts hands, students vote from their own browsers."""

import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.navigation import ask_answer, settled

CHIPS, REPLY, BUTTON = ".st-key-question .chip", ".reply", ".again"
STATUS = ".st-key-question [role=status]"
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


def test_hands_and_votes_are_counted_and_shown_without_moving_the_stage(server, browser):
    with ExitStack() as stack:
        lecturer, *students = tabs = [open_tab(browser, size) for size in (PROJECTOR, PHONE, PHONE)]
        for tab in tabs:
            stack.callback(tab.context.close)
        lecturer.goto(f"{server.address}/rank?present=1")
        expect(lecturer.locator(".rank canvas").first).to_be_visible()
        settled(lecturer)
        lecturer.wait_for_function(f"() => Math.abs(({PLACES})()[0] - 6) < 3")  # at the top
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
        address = lecturer.locator(".poster b")
        expect(address).to_be_visible()
        assert address.inner_text().startswith(server.address.removeprefix("http://"))
        for student, answer in zip(students, (1, 2), strict=True):
            student.goto(f"http://{address.inner_text()}")
            student.locator(CHIPS).nth(answer).click()
            expect(student.locator(STATUS)).to_contain_text("Your vote is counted.")
            assert ask_answer(student, "isHidden")
        students[0].locator(CHIPS).nth(2).click()  # another opinion
        expect(students[0].locator(STATUS)).to_contain_text("Your vote is counted.")
        expect(lecturer.get_by_role("button", name="6 votes")).to_be_visible()
        expect(counts(lecturer)).to_have_text(["2", "2", "0"])  # who voted what stays hidden
        assert lecturer.evaluate(PLACES) == places

        lecturer.keyboard.press("r")
        expect(counts(lecturer)).to_have_text(["2", "2", "2"])
        assert lecturer.evaluate(PLACES) == places
        for student in students:
            expect(student.locator(REPLY)).to_contain_text("The answer: A few more.")
            expect(student.locator(".rank")).to_have_attribute("data-tau", "10.6")  # the best

        lecturer.locator(BUTTON).dispatch_event("click")  # asks again
        expect(lecturer.get_by_role("button", name="0 votes")).to_be_visible()
        for student in students:
            expect(student.locator(".open")).to_have_count(0)
        for _ in range(3):  # two steps, and the next lesson
            lecturer.keyboard.press("n")
        students[0].get_by_role("button", name="To the class").click()
        expect(students[0]).to_have_url(re.compile("/compare"))

        lecturer.keyboard.press("p")
        expect(students[0].locator(STATUS)).to_contain_text("The vote has ended.")
        students[0].locator(CHIPS).nth(1).click()
        expect(students[0].locator(REPLY)).to_contain_text("Right.")
        complaints = [line for tab in tabs for line in tab.complaints]
        assert [line for line in complaints if "404" not in line] == []  # of the vote that ended
