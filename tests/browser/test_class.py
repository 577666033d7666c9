"""Class mode: what the course plan tells one to read and to press stays in view on every wall."""

from itertools import product
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from pages.class_steps import CLASS
from pages.shared.votes.poll import SOON
from tests.browser.measure import SQUARE
from tests.browser.navigation import hold, next_frames, settled

WALLS = (1280, 720), (1920, 1080), (1024, 768)
LETTERS = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"


def test_idea_question_presets_step_and_next_stay_in_view_on_every_wall(server, page):
    page.goto(f"{server.address}/trace_norm?present=1&step=4")
    question = page.locator(".st-key-question")
    expect(question.get_by_role("button", name="Show")).to_be_visible()
    settled(page)
    parts = {
        "idea": page.locator(".st-key-idea p"),
        "question": question.locator("#question"),
        "answers": question.locator(".chips"),
        "show": question.locator(".again"),
        "presets": page.locator(".st-key-recipe .chips"),
        "clock": page.locator(".clock"),
        "next": page.locator(".st-key-rail-next a"),
    }
    for (width, height), scrolled in product(WALLS, (0, 500)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(width / 2, height / 2)
        page.mouse.wheel(0, scrolled)
        page.wait_for_function(
            "by => document.querySelector('.stMain').scrollTop >= by", arg=scrolled
        )
        boxes = {}
        for name, part in parts.items():
            expect(part).to_be_in_viewport(ratio=1)
            boxes[name] = part.bounding_box()
        pairs = [(one, other) for one in boxes for other in boxes if one < other]
        assert [pair for pair in pairs if overlap(*(boxes[name] for name in pair))] == []
        assert page.evaluate(LETTERS) == pytest.approx(
            min(height / 30, width * 24 / 1280), rel=0.01
        )
    question.locator(".again").click()
    expect(question.locator(".reply")).to_contain_text("Two")
    expect(question.locator("#question")).to_be_in_viewport(ratio=1)


def overlap(one, other) -> bool:
    """Return whether two boxes share more than their edges."""
    return all(
        one[at] + one[size] - 1 > other[at] and other[at] + other[size] - 1 > one[at]
        for at, size in (("x", "width"), ("y", "height"))
    )


PLAN = {step.lesson: {"step": str(i)} | step.settings for i, step in enumerate(CLASS, 1)}
OFTEN = "", "by_hand", "corners"  # the others: -m sweep
ON_WALL = [
    pytest.param(lesson, PLAN.get(lesson, {}), marks=[pytest.mark.sweep] * (lesson not in OFTEN))
    for lesson in (*PLAN, "rank", "robustness")
    if lesson != "yours"  # a page of text, and as long as its results
]
# Where the class is, and what of it is not within the window.
LOOK = """() => {
    const FOLDED = "details:not([open]), [popover], .st-key-recipe:has(details)";
    const below = (root) => [...root.children].filter((node) => !node.matches(FOLDED))
        .flatMap((node) => [node, ...below(node.shadowRoot ?? node)]);
    const parts = ["idea", "question", "stage", "controls", "rail"].flatMap((name) =>
        [...document.querySelectorAll(`.st-key-${name}`)].flatMap(below));
    const kinds = "button, input, canvas, p, a, b, select, [role=slider], [role=status], .clock";
    const isSeen = (node) => {
        const { width, height } = node.getBoundingClientRect();
        const isVisible = node.checkVisibility({ visibilityProperty: true });
        return node.matches(kinds) && isVisible && Math.min(width, height) > 1;
    };
    const isOut = (node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect();
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    };
    const name = (node) => `${node.tagName} ${node.ariaLabel ?? node.textContent}`.slice(0, 60);
    const idea = document.querySelector(".st-key-idea p");
    const line = idea && parseFloat(getComputedStyle(idea).lineHeight);
    return {
        at: [location.href, parts.find((node) => node.matches("[data-step]"))?.dataset.step,
            parts.some((node) => node.matches(".ask.open"))].join(),
        out: parts.filter((node) => isSeen(node) && isOut(node)).map(name),
        ideaLines: Math.round(idea?.offsetHeight / line),
        tallest: Math.max(...parts.map((node) => node.matches("canvas") && node.offsetHeight)),
    };
}"""


@pytest.mark.parametrize(("lesson", "settings"), ON_WALL)
def test_nothing_of_any_step_is_below_the_wall(server, page, lesson, settings):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.address}/{lesson}?{urlencode({'present': 1} | settings)}")
    page.locator(".st-key-question .chips").wait_for(state="attached")
    path = page.evaluate("location.pathname")
    while page.evaluate("location.pathname") == path:
        settled(page)
        for width, height in WALLS[1::-1]:
            page.set_viewport_size({"width": width, "height": height})
            next_frames(page)
            seen = page.evaluate(LOOK)
            if f"{path}?" not in seen["at"]:
                return  # what the picture says when it rests came before the next page
            assert (seen["out"], seen["ideaLines"]) == ([], 1), (seen["at"], width)
        assert seen["tallest"] >= (SQUARE if lesson == "corners" else 200)
        page.keyboard.press("PageDown")
        page.wait_for_function(f"before => ({LOOK})().at !== before", arg=seen["at"])


def test_the_plan_on_the_wall_is_led_from_elsewhere_and_begins_anew_for_another_class(
    server, new_page
):
    """A poster is closed by its own button, and by the keys of a presenter's remote."""
    wall = new_page
    wall.goto(f"{server.address}/compare?present=1&step=10")
    poster, question = wall.locator(".poster"), wall.locator(".st-key-question")
    voters = question.get_by_role("button", name="Students vote")
    voters.wait_for()
    settled(wall)
    voters.click()
    code = poster.locator("strong").inner_text()
    poster.get_by_role("button", name="Close").click()
    expect(poster).to_be_hidden()
    for key in ("PageDown", " ", "Escape"):
        question.locator(".count").click()
        expect(poster).to_be_visible()
        wall.keyboard.press(key)
        expect(poster).to_be_hidden()
    expect(question.locator(".open")).to_have_count(0)
    wall.keyboard.press("1")
    wall.keyboard.press("r")
    expect(question.locator(".chip > span").first).to_have_text("1")
    expect(wall.locator(".clock")).to_have_text("10 of 11 · 5 min left")

    lecturer = wall.context.new_page()
    lecturer.goto(f"{server.address}/lecturer")
    wall.bring_to_front()
    wall.goto(f"{server.address}/course?present=1")
    settled(wall)  # its links are there
    told = lecturer.get_by_role("status")
    expect(told).to_contain_text("No step of the plan is on the wall")
    expect(told).to_contain_text("1 vote, the answer is shown")
    wall.get_by_role("button", name="Begin anew").click()
    expect(wall.get_by_role("status").first).to_contain_text("Another class can begin")
    expect(told).to_contain_text("0 votes, the answer is hidden")  # so the wall is heard again
    lecturer.get_by_role("button", name="Next").dispatch_event("click")
    wall.wait_for_url("**step=1")
    expect(wall.locator(".clock")).to_have_text("1 of 11 · 45 min left")
    wall.goto(f"{server.address}/compare?present=1&step=10")
    expect(question.locator(".chip > span").first).to_have_text("0")
    expect(question.locator(".open")).to_have_count(0)
    question.get_by_role("button", name="Students vote").click()
    expect(poster.locator("strong")).not_to_have_text(code)
    wall.goto(f"{server.address}/course?present=1")
    settled(wall)  # its links are there
    expect(lecturer.get_by_role("status")).to_contain_text("or ▸ for the short plan")
    lecturer.get_by_role("button", name="▸").dispatch_event("click")
    wall.wait_for_url("**step=short-1")


def test_a_student_is_asked_what_the_wall_asks_in_the_lesson_and_at_the_vote(
    server, new_page, phone
):
    """The question of *Be the SVM* is that of its third step."""
    wall = new_page
    wall.goto(f"{server.address}/by_hand?present=1&by_hand_step=3")
    wall.get_by_role("button", name="Students vote").dispatch_event("click")
    code = wall.locator(".poster strong").inner_text()
    wall.keyboard.press("PageDown")
    phone.goto(f"{server.address}/by_hand?vote={code}")
    expect(phone.locator(".by_hand")).to_have_attribute("data-step", "3")
    expect(phone.locator("[inert] .st-key-stage")).to_have_count(1)
    wall.keyboard.press("PageUp")
    expect(phone.locator("[inert] .st-key-stage")).to_have_count(0)
    phone.goto(f"{server.address}/vote/{code}")
    expect(phone.get_by_role("heading")).to_have_text(SOON)
    wall.keyboard.press("PageDown")
    expect(phone.get_by_role("heading")).to_contain_text("What does the best W do?")


def test_results_of_your_data_come_first_on_the_wall_beside_a_sample_of_each_class(server, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.address}/yours?present=1&step=11")
    page.locator(".st-key-question .chips").wait_for(state="attached")
    settled(page)
    samples = page.locator(".st-key-on-the-wall").get_by_test_id("stImage")
    expect(samples).to_have_text(["3", "8"])
    expect(samples.nth(1)).to_be_in_viewport(ratio=1)
    words = page.locator(".st-key-behind-the-question p").filter(has_text="samples")
    assert words.count()
    for each in words.all():
        expect(each).to_be_hidden()  # they tell the answer
    page.keyboard.press("r")
    charts = page.locator(".st-key-behind-the-question .js-plotly-plot")
    expect(charts.nth(0)).to_be_in_viewport(ratio=0.99)
    expect(charts.nth(1)).to_be_in_viewport(ratio=0.99)
    expect(samples.nth(1)).to_be_in_viewport(ratio=1)
    below = page.locator(".st-key-behind-the-question [data-testid=stCaptionContainer]").first
    expect(below).not_to_be_in_viewport()  # it is not cut by the edge
    expect(page.get_by_text("Drop your own file")).to_be_hidden()
    page.keyboard.press("PageDown")  # which does nothing: it is the last step of the plan
    settled(page)
    expect(page.locator(".st-key-question .open")).to_be_visible()
    page.get_by_role("link", name="Back to the plan").click()
    page.wait_for_url("**/course**")


def test_clock_tells_the_minutes_of_the_plan_that_are_left(server, page):
    """The plan has begun so long ago that the first step opened is on time."""
    page.clock.install()
    page.goto(f"{server.address}/live?present=1&step=8")
    clock = page.locator(".clock")
    expect(clock).to_have_text("8 of 11 · 14 min left")
    page.clock.fast_forward("06:00")
    expect(clock).to_have_text("8 of 11 · 8 min left")
    page.reload()
    expect(clock).to_have_text("8 of 11 · 8 min left")
    page.clock.fast_forward("45:00")
    page.reload()  # for another class
    expect(clock).to_have_text("8 of 11 · 14 min left")


def test_keys_turn_the_steps_of_a_picture_and_show_the_answer(server, page):
    page.goto(f"{server.address}/grouping?present=1&step=1")
    view = page.locator(".st-key-stage .grouping")
    expect(view).to_have_attribute("data-step", "1")
    expect(page.get_by_role("button", name="Show", exact=True)).to_be_visible()
    settled(page)
    page.mouse.click(5, 300)
    for key, step in (
        ("ArrowRight", "2"),
        ("ArrowLeft", "1"),
        ("PageDown", "2"),
        ("PageUp", "1"),
        ("ArrowRight", "2"),
        ("PageDown", "3"),
    ):
        page.keyboard.press(key)
        expect(view, key).to_have_attribute("data-step", step)
    expect(page.locator(".st-key-question .open")).to_have_count(0)
    page.keyboard.press("PageDown")  # step 4 would tell the answer that step 3 shows
    expect(page.locator(".st-key-question .open")).to_be_visible()
    expect(view).to_have_attribute("data-step", "3")
    page.keyboard.press("PageDown")
    expect(view).to_have_attribute("data-step", "4")
    assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == 0


def test_no_step_is_skipped_after_a_reload_once_the_class_has_seen_the_answer(server, new_page):
    """The server remembers that it was shown; the page hears so before the step that asks."""
    page = new_page
    page.goto(f"{server.address}/by_hand?present=1&by_hand_step=3")
    view = page.locator(".by_hand")
    page.locator(".st-key-question").get_by_role("button", name="Show", exact=True).wait_for()
    settled(page)
    page.keyboard.press("1")  # which begins a poll
    expect(page.locator(".st-key-question .chip > span").first).to_have_text("1")
    with page.expect_response(lambda reply: '"show"' in (reply.request.post_data or "")):
        page.keyboard.press("r")
    expect(view).to_have_attribute("data-step", "4")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    expect(view).to_have_attribute("data-step", "2")
    with page.expect_response(lambda reply: '"ask"' in (reply.request.post_data or "")):
        page.reload()
    link = "document.querySelector('[href$=\"lib/answer.js\"]')?.href"
    page.wait_for_function(
        f"() => {link} && import({link}).then(({{ answer }}) => answer.isShown())"
    )
    expect(view).to_have_attribute("data-step", "2")  # drawn, so it hears keys
    page.keyboard.press("PageDown")
    expect(view).to_have_attribute("data-step", "3")
    expect(page.locator(".st-key-question .open")).to_have_count(1)
    assert "by_hand_step=3" in page.url


def test_phones_fill_the_map_on_the_wall_and_the_lecturers_view_leads_it(server, new_page, phone):
    wall = new_page
    wall.goto(f"{server.address}/map?present=1&step=7&map_step=2")
    picture = wall.locator(".map")
    expect(picture).to_have_attribute("data-known", "1")
    lecturer = wall.context.new_page()
    lecturer.goto(f"{server.address}/lecturer")
    wall.bring_to_front()
    wall.get_by_role("button", name="Students vote").dispatch_event("click")
    code = wall.locator(".poster strong").inner_text()
    wall.keyboard.press("Escape")
    phone.goto(f"{server.address}/vote/{code}")
    phone.get_by_role("button", name="Rank = 3, n = 70", exact=True).click()
    expect(phone.get_by_role("status")).to_contain_text("Rank = 3, n = 70. Your vote is")
    expect(picture).to_have_attribute("data-known", "2")
    expect(lecturer.get_by_role("status")).to_contain_text("7 of 11")
    expect(lecturer.get_by_role("status")).to_contain_text("1 vote, the answer is hidden")
    expect(lecturer.locator("details[open] > summary")).to_contain_text("7. Where exactly")
    lecturer.get_by_role("button", name="Show answer").dispatch_event("click")
    expect(picture).to_have_attribute("data-known", "220")
    expect(phone.get_by_role("status")).to_contain_text("The answer: Rank = 1, n =")
    lecturer.get_by_role("button", name="Next").dispatch_event("click")
    expect(picture).to_have_attribute("data-step", "3")  # the borders
    lecturer.keyboard.press("n")
    wall.wait_for_url("**/live?**")
    expect(lecturer.locator("details[open] > summary")).to_contain_text("8. How is the")


def test_small_frame_shows_the_whole_stage_and_its_pictures_follow_the_hand(server, new_page):
    """Where the hand is in the frame, there a cell is painted."""
    page = new_page
    page.set_viewport_size({"width": 620, "height": 350})
    page.goto(f"{server.address}/structure?stage=1&embed=true")
    frame = page.frame_locator(".scaled")
    painting = frame.locator(".paint [data-panel=W] canvas")
    for part in (painting, frame.locator(".time canvas")):
        expect(part).to_be_in_viewport(ratio=1)
    inner = page.frames[1]
    inner.wait_for_function("() => !document.documentElement.matches('.loading')")
    text = "() => new URLSearchParams(location.search).get('structure_painting')"
    before = inner.evaluate(text)
    box = painting.bounding_box()
    row = box["y"] + 0.975 * box["height"]  # the last of 20
    hold(page, (box["x"] + 2, row), (box["x"] + box["width"] - 2, row), steps=10)
    page.mouse.up()
    inner.wait_for_function(f"before => ({text})() !== before", arg=before)
    page.wait_for_function("() => location.search.includes('painting')")  # for a reload
    page.reload()
    expect(painting).to_be_in_viewport(ratio=1)
    assert "painting" in page.frames[1].url


def test_picture_is_on_the_first_screen_at_200_percent_and_on_paper_it_keeps_its_ratio(
    server, page
):
    """The rail is a landmark; on paper what is folded is open."""
    page.set_viewport_size({"width": 640, "height": 360})
    page.goto(f"{server.address}/live?answer=1")
    settled(page)
    expect(page.locator(".player canvas").first).to_be_in_viewport(ratio=0.3)
    rail = page.get_by_role("navigation", name="Pages")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(rail.get_by_role("heading", level=1)).to_have_count(1)
    expect(rail.get_by_role("link", name="1, Be the SVM")).to_be_visible()

    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    sheet, canvas = page.locator(".player .panels .sheet"), page.locator(".player .panels canvas")
    heights = {each.evaluate("node => node.offsetHeight") for each in sheet.all()}
    assert heights == {round(6.5 / 2.54 * 96)}  # on any paper
    expect(canvas.first).to_have_css("object-fit", "contain")
    expect(page.locator(".player details").first).to_have_attribute("open", "")
    expect(page.locator(".transport").first).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator(".player details").first).not_to_have_attribute("open", "")
