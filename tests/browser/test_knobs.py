"""What a hand did last with a knob is where knob, picture and address end, on a slow line too."""

from playwright.sync_api import expect

from pages.effects.robustness.margins import LEVELS
from pages.further.imbalance.runs import POSITIVES, STRENGTHS
from tests.browser.navigation import PLAYER, RECORD_TEXT, Line, next_frames, settled

ANSWER_TIME = 12_000  # ms, more than in `assets/lib/settings.js`

# Drag a knob over some places, and return the one that it tells when it rests.
DRAG = """(input, places) => new Promise((told) => {
    document.addEventListener("knob", ({ detail }) => detail.rests && told(detail.place));
    input.onpointerdown();
    for (input.value of places) input.oninput();
    input.onpointerup();
})"""


def opened(server, page):
    """Open a lesson with one knob; return its picture and the knob."""
    page.goto(f"{server.address}/robustness?answer=shown")
    view = page.locator(".margins")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    return view, page.locator(".knob input")


def test_knob_that_was_away_and_is_back_says_so_and_back_twice_is_back_twice(server, page):
    """Where it comes to rest outlives the answer to an earlier move."""
    view, knob = opened(server, page)
    assert knob.evaluate(DRAG, [9, 0]) == 0
    for level in ("0.01", "0.02"):
        knob.press("ArrowRight")
        page.wait_for_function(f"() => location.search.endsWith('_s={level}')")
        settled(page)
    page.evaluate("(history.back(), setTimeout(() => history.back(), 100), 0)")
    page.wait_for_function("() => !location.search.includes('_s=')")
    expect(view).to_have_attribute("data-level", "0")
    settled(page)
    next_frames(page)
    expect(view).to_have_attribute("data-level", "0")

    # As the page is told of a move by key, the knob jumps on, and the browser is slow to say so.
    page.evaluate(
        """place => document.addEventListener("knob", function jump({ detail: { key, rests } }) {
            if (!rests) return;
            document.removeEventListener("knob", jump);
            const later = window.setTimeout;
            window.setTimeout = (act) => ((window.say = act), -1);
            document.dispatchEvent(new CustomEvent("turn", { detail: { key, place, rests } }));
            window.setTimeout = later;
        })""",
        LEVELS.index(0.3),
    )
    knob.press("ArrowRight")
    page.wait_for_function("() => location.search.includes('_s=0.01')")
    settled(page)
    page.evaluate("say()")
    page.wait_for_function("() => location.search.includes('_s=0.3')")
    expect(view).to_have_attribute("data-level", "0.3")


def test_knob_that_is_back_before_the_first_answer_is_back_everywhere(server, new_page):
    line = Line(new_page)
    view, knob = opened(server, new_page)
    line.is_held = True
    for place in (1, 0):
        knob.evaluate(DRAG, [place])
        new_page.wait_for_function("n => location.search.includes('_s=') === n", arg=place > 0)
    line.release()
    settled(new_page)
    expect(view).to_have_attribute("data-level", "0")
    assert knob.input_value() == "0"
    assert new_page.complaints == []


def test_what_one_message_loses_the_next_one_says_and_a_preset_after_a_drag_has_the_last_word(
    server, new_page
):
    line = Line(new_page)
    new_page.goto(f"{server.address}/imbalance?answer=shown")
    first, second = (new_page.locator(".knob input").nth(at) for at in (0, 1))
    settled(new_page)
    line.is_cut = True
    first.evaluate(DRAG, [1])
    line.is_cut = False
    second.evaluate(DRAG, [1])
    expect(new_page.get_by_text(f"{POSITIVES[1]} to 500 as in the training")).to_have_count(1)
    settled(new_page)
    for search in (f"_positives={POSITIVES[1]}", f"_C={STRENGTHS[1]:g}"):
        assert search in new_page.url
    assert [first.input_value(), second.input_value()] == ["1", "1"]
    assert new_page.complaints == []

    line.is_held = True
    first.evaluate(DRAG, [2])
    assert f"imbalance_positives={POSITIVES[2]}" in new_page.url
    new_page.get_by_role("radio", name="Large C").click()
    line.release()
    settled(new_page)
    search = new_page.evaluate("location.search")
    assert f"imbalance_C={STRENGTHS[-1]:g}" in search
    assert "imbalance_positives" not in search
    assert first.evaluate("({ ariaValueText }) => ariaValueText") == str(POSITIVES[0])


def test_what_was_sent_without_a_connection_is_said_again(server, new_page):
    new_page.clock.install()
    line = Line(new_page)
    new_page.goto(f"{server.address}/imbalance?answer=shown")
    knob = new_page.locator(".knob input").first
    settled(new_page)
    line.is_cut = True
    knob.evaluate(DRAG, [1])
    new_page.clock.fast_forward(ANSWER_TIME)  # it is said again, and lost again
    line.is_cut = False
    new_page.clock.fast_forward(ANSWER_TIME)
    expect(new_page.get_by_text(f"{POSITIVES[1]} to 500 as in the training")).to_have_count(1)
    assert new_page.complaints == []


def test_a_chart_has_the_axis_of_its_run_and_none_while_the_page_has_not_named_it(server, page):
    with page.add_init_script(RECORD_TEXT):
        page.goto(f"{server.address}/imbalance?answer=shown")
    player, knob = page.locator(PLAYER), page.locator(".knob input").first
    page.wait_for_function("() => written.some(({ text }) => text === '2,500')")
    settled(page)
    before = player.get_attribute("data-drawn")
    knob.evaluate("knob => (knob.onpointerdown(), (knob.value = knob.max), knob.oninput())")
    expect(player).not_to_have_attribute("data-drawn", before)  # while it is held
    page.evaluate("written.length = 0")
    player.locator("[data-action=on]").click()
    page.wait_for_function("() => written.some(({ text }) => text === 'times')")
    assert page.evaluate("written.filter(({ text }) => text.includes('balanced'))") == []
    knob.evaluate("knob => knob.onpointerup()")
    page.wait_for_function("() => written.some(({ text }) => text === '100')")
