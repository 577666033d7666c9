"""An answer is shown in one way, belongs to its settings, and the lecturer's keys work anywhere."""

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import (
    PLAYER,
    RECORD_TEXT,
    ask_answer,
    assert_stays,
    next_frames,
    settled,
    skip,
)

CHIPS, OPEN = ".st-key-question .chip", ".st-key-question .open"
REPLY, BACK = ".st-key-question .reply", ".st-key-question .back"
WAY = ".st-key-question .way"
STAGE = f".st-key-stage {PLAYER}"
# Links to other pages, which are counted and not followed.
COUNT_LINKS = """() => {
    window.went = [];
    addEventListener("click", (event) => {
        const place = event.target.closest(".st-key-rail-before, .st-key-next-lesson");
        if (!place) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        went.push(place.matches(".st-key-rail-before") ? "before" : "next");
    }, true);
}"""


def ask_again(page) -> None:
    page.get_by_role("button", name="Ask again").dispatch_event("click")
    expect(page.locator(OPEN)).to_have_count(0)


# One lesson whose answer is in the address, and one whose answer is a frame; more by -m sweep.
@pytest.mark.parametrize(
    ("lesson", "settings", "frame", "key"),
    [
        ("rank", "rank_step=2", None, "r"),
        ("imbalance", "", "16", "PageDown"),  # balanced weights
        *(
            pytest.param(*case, marks=pytest.mark.sweep)
            for case in (
                ("smm", "smm_step=2", None, "r"),
                ("robustness", "robustness_s=0.3", None, "r"),
                ("grouping", "grouping_step=3", None, "r"),
            )
        ),
    ],
)
def test_key_button_and_guess_show_one_answer(server, page, lesson, settings, frame, key):
    page.goto(f"{server.address}/{lesson}?present=1")
    page.locator(CHIPS).first.wait_for()
    settled(page)
    begin = page.evaluate("() => location.search")

    def is_shown() -> None:
        expect(page.locator(OPEN)).to_be_visible()
        page.wait_for_function("(text) => location.search.includes(text)", arg=settings)
        settled(page)
        if frame is not None:
            stage = page.locator(STAGE).first
            expect(stage).to_have_attribute("data-frame", frame)
            expect(stage.get_by_role("button", name="Play")).to_be_visible()  # it rests

    page.keyboard.press(key)
    is_shown()
    right = page.locator(f"{CHIPS}.right").get_attribute("data-index")
    ask_again(page)
    page.wait_for_function("(search) => location.search === search", arg=begin)
    page.get_by_role("button", name="Show", exact=True).dispatch_event("click")
    is_shown()
    page.keyboard.press("p")
    expect(page.locator(".st-key-question .class")).to_have_count(0)
    settled(page)
    ask_again(page)
    page.locator(f"{CHIPS}:not([data-index='{right}'])").first.dispatch_event("click")
    is_shown()
    expect(page.locator(REPLY)).to_contain_text("The answer: ")


def test_question_is_grey_away_from_its_settings_and_leads_back_and_no_picture_moves(server, page):
    page.goto(f"{server.address}/rank")
    page.locator(CHIPS).nth(2).click()
    expect(page.locator(REPLY)).to_contain_text("Find the best line")
    places = page.locator(CHIPS).evaluate_all("chips => chips.map((chip) => chip.offsetLeft)")
    page.get_by_role("radio", name="Full rank").check()
    expect(page.locator(WAY)).to_have_text("Asked at W* = Plaid · go there")
    expect(page.locator(REPLY)).to_contain_text("Find the best line")  # what one does now
    expect(page.locator(f"{CHIPS}:disabled")).to_have_count(3)
    expect(page.locator(f"{CHIPS}.right")).to_have_count(0)
    assert places == page.locator(CHIPS).evaluate_all(
        "chips => chips.map((chip) => chip.offsetLeft)"
    )
    asked = page.locator(".st-key-question")
    for width in (1280, 1000, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.get_by_role("radio", name="Full rank").check()
        expect(page.locator(BACK)).to_be_visible()
        settled(page)
        height = asked.bounding_box()["height"]
        page.locator(BACK).click()
        expect(page.locator(f"{CHIPS}.right")).to_have_count(1)
        expect(page.locator(REPLY)).to_contain_text("Find the best line")
        settled(page)
        assert asked.bounding_box()["height"] == height
    assert "truth" not in page.evaluate("() => location.search")
    # By a link nothing is asked there, nothing hidden, and no key shows an answer.
    page.goto(f"{server.address}/rank?present=1&rank_truth=Smiley")
    expect(page.locator(BACK)).to_be_visible()
    settled(page)
    assert not ask_answer(page, "isHidden")
    page.keyboard.press("r")
    settled(page)
    assert page.evaluate("() => location.search") == "?present=1&rank_truth=Smiley"
    expect(page.locator(OPEN)).to_have_count(0)
    page.locator(BACK).click()
    page.wait_for_function("() => location.search === '?present=1'")
    assert ask_answer(page, "isHidden")
    # The page takes another text for its default, where the question is asked.
    page.goto(f"{server.address}/rank?rank_truth=abc")
    page.locator(CHIPS).first.wait_for()
    settled(page)
    expect(page.locator(BACK)).to_have_count(0)
    # A player is covered as long as the answer is hidden, and here it is not.
    page.goto(f"{server.address}/imbalance?imbalance_C=0.2")
    expect(page.locator(STAGE)).to_have_attribute("data-covered", "false")


def test_keys_of_the_lecturer_work_wherever_a_click_has_put_the_focus(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server.address}/imbalance?present=1")
    stage = page.locator(STAGE)
    expect(stage).to_have_attribute("data-status", "finished")
    settled(page)
    page.evaluate(COUNT_LINKS)
    scrolled = page.evaluate("() => document.querySelector('.stMain').scrollTop")
    counts = page.locator(f"{CHIPS} > span")

    def press_each(after: str) -> None:
        hands = counts.all_inner_texts()
        ask_answer(page, "reveal")
        stage.evaluate("player => player.querySelector('[data-action=start]').click()")
        settled(page)
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        expect(stage, after).to_have_attribute("data-frame", "2")
        page.keyboard.press("ArrowLeft")
        expect(stage, after).to_have_attribute("data-frame", "1")
        page.keyboard.press(" ")
        expect(stage.locator("[data-action=play]"), after).to_have_attribute(
            "title", "Pause (Space)"
        )
        page.keyboard.press(" ")
        expect(stage.locator("[data-action=play]"), after).to_have_attribute(
            "title", "Play (Space)"
        )
        page.evaluate("() => (went.length = 0)")
        page.keyboard.press("PageDown")
        page.keyboard.press("PageUp")
        page.keyboard.press("n")
        assert page.evaluate("() => went") == ["next", "before", "next"], after
        assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == scrolled, after
        expect(page.locator(OPEN), after).to_be_visible()  # nor has Space asked again
        assert counts.all_inner_texts() == hands, after

    page.locator(CHIPS).nth(0).click()
    expect(counts.first).to_have_text("1")
    page.keyboard.press("r")
    press_each("a chip")
    ask_again(page)
    page.get_by_role("button", name="Show", exact=True).click()
    press_each("Show")
    page.locator(".knob input").first.click()
    settled(page)
    page.get_by_role("radio", name="Small C").check()
    settled(page)
    press_each("a preset and a knob")
    stage.locator("input[type=range]").click()
    press_each("the place of the run")

    # Asking again after hands can be undone, until a new round begins.
    ask_again(page)
    for key in ("1", "2", "2", "r"):
        page.keyboard.press(key)
    expect(counts).to_have_text(["1", "2", "0"])
    ask_again(page)
    expect(counts).to_have_text(["0", "0", "0"])
    page.keyboard.press("Backspace")
    expect(page.locator(OPEN)).to_be_visible()
    expect(counts).to_have_text(["1", "2", "0"])
    ask_again(page)
    page.keyboard.press("3")
    page.keyboard.press("r")
    expect(counts).to_have_text(["0", "0", "1"])


def test_steps_go_to_frames_that_have_not_come_yet(server, new_page):
    new_page.goto(f"{server.address}/low_rank_svm?present=1")
    stage = new_page.locator(STAGE)
    expect(stage).to_have_attribute("data-status", "finished")
    settled(new_page)
    held = []
    new_page.route("**/frames?*", lambda route: held.append(route))
    new_page.keyboard.press("r")
    stage.get_by_role("button", name="To the start").click()
    new_page.keyboard.press("ArrowRight")
    new_page.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-frame", "0")
    new_page.unroute("**/frames?*")  # which lets them go on
    expect(stage).to_have_attribute("data-frame", "2")


def test_picture_glides_to_the_answer_and_arrives_before_a_key_leads_on(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server.address}/robustness?present=1")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    page.locator(CHIPS).first.wait_for()
    settled(page)
    page.evaluate("""() => {
        window.levels = [];
        const all = [...document.querySelectorAll(".st-key-stage *")];
        const host = all.find((each) => each.shadowRoot);
        const view = host.shadowRoot.querySelector(".margins");
        const note = () => levels.push(Number(view.dataset.level));
        new MutationObserver(note).observe(view, { attributeFilter: ["data-level"] });
    }""")
    page.keyboard.press("r")
    page.wait_for_function("() => levels.some((level) => level > 0 && level < 0.3)")
    page.keyboard.press("p")  # which writes the address as well
    page.wait_for_function("() => location.search === '?robustness_s=0.3'")
    expect(view).to_have_attribute("data-level", "0.3")
    # A reload shows question and picture together.
    page.reload()
    expect(page.locator(OPEN)).to_be_visible()
    expect(view).to_have_attribute("data-level", "0.3")


# A question above a player, above a picture without one, and in a picture in steps.
@pytest.mark.parametrize(
    ("address", "guess", "is_played"),
    [
        ("compare", CHIPS, True),
        ("robustness", CHIPS, False),
        ("grouping?grouping_step=4", ".guess", False),
    ],
)
def test_keys_go_on_to_the_picture_after_a_guess(server, page, address, guess, is_played):
    page.goto(f"{server.address}/{address}")
    page.locator(guess).first.wait_for()
    settled(page)
    page.locator(guess).first.click()
    settled(page)
    scrolled = page.evaluate("() => document.querySelector('.stMain').scrollTop")
    if is_played:
        stage = page.locator(STAGE).first
        expect(stage).to_have_attribute("data-status", "finished")
        stage.evaluate("player => player.querySelector('[data-action=start]').click()")
        for key, frame in (("PageDown", 10), ("ArrowRight", 11), ("ArrowLeft", 10), ("PageUp", 0)):
            page.keyboard.press(key)
            expect(stage).to_have_attribute("data-frame", str(frame))
        for title in ("Pause (Space)", "Play (Space)"):
            page.keyboard.press(" ")
            expect(stage.locator("[data-action=play]")).to_have_attribute("title", title)
    else:
        page.keyboard.press(" ")
        before = page.evaluate("() => location.search")
        page.keyboard.press("PageUp")
        page.wait_for_function("(before) => location.search !== before", arg=before)
    assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == scrolled


@pytest.mark.parametrize(("lesson", "picture"), [("imbalance", PLAYER), ("grouping", ".grouping")])
def test_stage_alone_asks_nothing_and_hides_nothing(server, page, lesson, picture):
    page.goto(f"{server.address}/{lesson}?stage=1")
    stage = page.locator(f".st-key-stage {picture}")
    stage.locator("canvas").first.wait_for()
    settled(page)
    assert not ask_answer(page, "isHidden")
    expect(stage.get_by_text("Guess")).to_have_count(0)


def test_curtain_lies_over_the_frames_that_are_asked_about_until_the_answer(server, new_page):
    new_page.add_init_script(RECORD_TEXT)
    new_page.goto(f"{server.address}/compare")
    stage = new_page.locator(STAGE).first
    expect(stage).to_have_attribute("data-frame", "10")
    new_page.wait_for_function("() => written.some(({ text }) => text === '?')")
    skip(new_page)
    expect(stage).to_have_attribute("data-frame", "20")
    next_frames(new_page)
    new_page.evaluate("() => { window.written.length = 0; }")
    stage.locator("[data-action=start]").click()
    expect(stage).to_have_attribute("data-frame", "0")
    new_page.wait_for_function("() => written.some(({ text }) => text === 'high')")
    assert "?" not in [each["text"] for each in new_page.evaluate("written")]


@pytest.mark.parametrize("lesson", ["compare", "grouping"])
def test_hand_and_answer_move_nothing_where_the_chips_fill_their_line(server, page, lesson):
    page.goto(f"{server.address}/{lesson}?present=1")
    page.locator(CHIPS).first.wait_for()
    settled(page)
    stage = page.locator(".st-key-stage")
    y = stage.bounding_box()["y"]
    page.keyboard.press("1")
    undo = page.locator(".st-key-question .undo")
    expect(undo).to_be_visible()
    assert_stays(stage, y)
    page.mouse.click(1200, 80)  # beside the question
    page.keyboard.press("Shift")  # the browser takes it that one goes on by keys
    frame = "() => getComputedStyle(document.querySelector('.stMain'), '::before').boxShadow"
    assert page.evaluate(frame) == "none"
    page.keyboard.press("Backspace")
    expect(undo).to_be_hidden()
    page.keyboard.press("r")
    expect(page.locator(OPEN)).to_be_visible()
    settled(page)
    assert_stays(stage, y)


def test_a_tick_is_for_a_guess_and_not_for_a_later_step_that_was_opened(server, page):
    page.goto(f"{server.address}/grouping")
    page.get_by_role("button", name="4 How alike?").click()
    right = page.locator(f"{CHIPS}.right")
    expect(right).to_have_count(1)
    tick = "chip => getComputedStyle(chip, '::before').display"
    assert right.evaluate(tick) == "none"
    settled(page)
    ask_again(page)
    page.locator(CHIPS).last.dispatch_event("click")
    expect(right).to_have_count(1)
    assert right.evaluate(tick) != "none"
