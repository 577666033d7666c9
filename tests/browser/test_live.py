"""The laboratory in a real browser: its transport and its pictures."""

import re

import pytest
from playwright.sync_api import expect

from pages.smm.live.runs import ASKED, TO_FALL
from tests.browser.navigation import (
    PLAYER,
    assert_stays,
    ended,
    go,
    hold,
    next_frames,
    settled,
    skip,
)

# Thousands of iterations: it goes on while the test looks. Each test has a seed of its own.
ENDLESS = "n=300&p=60&q=80&V=10&delta=0.1&r=10&C=0.1&tau=2&rho=100000&seed={}"


def opened(server, page, seed):
    """Open a run that goes on, and return its player once it has frames."""
    page.goto(f"{server.address}/live?{ENDLESS.format(seed)}")
    skip(page)
    player = page.locator(PLAYER).first
    until(page, player, "total > 12")
    settled(page)
    return player


def until(page, player, condition) -> None:
    """Wait for a condition on the numbers in which a player says where it is."""
    page.wait_for_function(f"(player) => +player.dataset.{condition}", arg=player.element_handle())


def frame(player) -> int:
    return int(player.get_attribute("data-frame"))


def total(player) -> int:
    return int(player.get_attribute("data-total"))


def press(player, action) -> None:
    player.locator(f"[data-action={action}]").click()


def assert_no_frame_is_blank(player) -> None:
    """Look at every paint of a player that plays until it has shown ten frames."""
    seen = player.evaluate("""(player) => new Promise((resolve) => {
        const canvases = [...player.querySelectorAll(".panels canvas")];
        const drawn = (canvas) => {
            const context = canvas.getContext("2d");
            const [x, y] = [canvas.width >> 2, canvas.height >> 2];
            const { data } = context.getImageData(x, y, canvas.width >> 1, canvas.height >> 1);
            let opaque = 0;
            for (let i = 3; i < data.length; i += 4) opaque += data[i] > 0;
            return opaque / (data.length / 4);
        };
        const frames = new Set(), least = canvases.map(() => 1);
        const look = () => {
            frames.add(player.dataset.frame);
            canvases.forEach((canvas, i) => (least[i] = Math.min(least[i], drawn(canvas))));
            if (frames.size < 10) requestAnimationFrame(look);
            else resolve({ frames: frames.size, least });
        };
        requestAnimationFrame(look);
    })""")
    assert seen["frames"] == 10
    assert len(seen["least"]) == 2
    assert min(seen["least"]) > 0.02  # of the pixels in the middle of each picture


def assert_page_stays(page, player) -> None:
    """Scroll down, and look whether the page is still there when more frames have arrived."""
    main, curves = page.get_by_test_id("stMain"), player.locator(".panels .residuals")
    at = main.evaluate("""async (main) => {
        await document.fonts.ready;
        main.scrollTo(0, 700);
        return main.scrollTop;
    }""")
    assert at > 500
    before, held = curves.bounding_box()["y"], total(player)
    until(page, player, f"total > {held + 10}")
    assert main.evaluate("(main) => main.scrollTop") == at
    assert_stays(curves, before)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.sweep)])
def test_live_run_paints_frame_after_frame_until_it_is_stopped_and_can_begin_again(
    server, page, theme
):
    """No frame is blank, the page stays where it is scrolled to, and the transport obeys."""
    page.emulate_media(color_scheme=theme, reduced_motion="no-preference")
    player = opened(server, page, {"light": 1, "dark": 5}[theme])
    press(player, "stop")  # at once, as a busy machine may need longer than the run
    expect(player).to_have_attribute("data-status", "stopped")
    held = total(player)
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    settled(page)
    assert total(player) == held  # the server has drawn the page anew, and computed no more
    page.get_by_role("button", name="Run again").click()
    expect(player).not_to_have_attribute("data-status", "stopped")
    until(page, player, "total > 12")
    place = player.locator(".place")
    expect(place).to_have_text(re.compile(r"step [\d,]+"))
    assert_no_frame_is_blank(player)
    assert_page_stays(page, player)

    player.locator("input[type=range]").fill("2")
    expect(player).to_have_attribute("data-frame", "2")
    press(player, "play")
    until(page, player, "frame > 3")
    press(player, "play")  # that is: pause
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (Space)")
    stopped, held = frame(player), total(player)
    until(page, player, f"total > {held + 20}")  # the run goes on, and the picture does not
    assert frame(player) == stopped
    for action, at in (("on", 1), ("back", 0)):
        press(player, action)
        expect(player).to_have_attribute("data-frame", str(stopped + at))
    for key, at in (("Shift+ArrowRight", 10), ("Shift+ArrowLeft", 0)):
        player.press(key)
        expect(player).to_have_attribute("data-frame", str(stopped + at))
    expect(place).to_have_text(f"step {stopped + 1}")
    press(player, "live")
    until(page, player, "frame > 20")
    page.get_by_text("More knobs").click()
    page.locator(".knob input[data-key=eta]").focus()
    scrolled = page.evaluate("() => document.querySelector('.stMain').scrollTop")
    for title in ("Play (Space)", "Pause (Space)"):
        page.keyboard.press(" ")  # which is the player's beside a knob, too
        expect(player.locator("[data-action=play]")).to_have_attribute("title", title)
    assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == scrolled


def drag(page, key, by) -> None:
    """Grasp a knob and move it by so many values, without letting go."""
    knob = page.locator(f".knob input[data-key={key}]")
    box, last = knob.bounding_box(), int(knob.get_attribute("max"))
    track = box["width"] - 18  # of the thumb's middle
    now = int(knob.input_value())
    begin, end = (box["x"] + 9 + track * at / last for at in (now, now + by))
    hold(page, (begin, box["y"] + 10), (end, box["y"] + 10), steps=6)


def test_picture_follows_the_hand_that_holds_rho_and_the_page_follows_when_it_rests(server, page):
    """Over runs computed in advance, and over others, which the server computes meanwhile."""
    page.goto(f"{server.address}/live")
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-covered", "true")
    expect(player).to_have_attribute("data-frame", "16")  # the first spike
    settled(page)
    groove = page.locator(".knob:has([data-key=rho]) .groove")
    expect(groove).to_be_hidden()  # it tells the length of the run
    expect(player.get_by_text("▼ restart").first).to_be_hidden()  # and the legend the answer
    drag(page, "rho", 4)
    expect(player).to_have_attribute("data-total", "22")  # while it is held
    expect(player.locator(".words")).to_have_text(re.compile("The last run took 321 steps"))
    knob = page.locator(".knob:has([data-key=rho])")
    expect(knob.locator("input")).to_have_attribute("aria-valuetext", "1: 22 steps until done")
    expect(groove).to_have_attribute("aria-label", "ρ, steps until done along it: 22 to 321")
    assert "rho" not in page.url
    page.mouse.up()
    page.wait_for_function("() => location.search === '?rho=1'")
    expect(player).to_have_attribute(
        "data-frame", "21"
    )  # of the run that is shown, not of the last
    page.locator(".st-key-recipe summary").click()
    page.get_by_role("radio", name="New data").click()
    page.wait_for_function("() => location.search === '?rho=1&seed=2'")
    page.locator(".st-key-recipe summary").click()
    # The steps were those of other data.
    expect(knob.locator("input")).to_have_attribute("aria-valuetext", "1")
    expect(player).to_have_attribute("data-status", "finished")
    settled(page)
    before = total(player)
    drag(page, "rho", 2)
    page.wait_for_function(
        "([player, before]) => +player.dataset.total > 0 && +player.dataset.total !== before",
        arg=[player.element_handle(), before],
    )
    assert "rho=1&" in page.url  # it is held
    page.mouse.up()
    page.wait_for_function("() => location.search === '?rho=10&seed=2'")


def test_run_of_which_the_page_holds_the_beginning_goes_on_to_its_proof(server, page):
    page.goto(f"{server.address}/live?C=0.2")
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-covered", "true")  # a link does not tell the answer
    expect(player).to_have_attribute("data-frame", "16")
    skip(page)
    rho = page.locator("[data-key=rho]")
    expect(rho).to_have_attribute("aria-valuetext", "0.01: 335 steps until done")
    expect(player).to_have_attribute("data-total", "335")
    expect(player).to_have_attribute("data-status", "finished")
    press(player, "live")
    expect(player).to_have_attribute("data-frame", "334")
    expect(player.locator(".words")).to_contain_text("Done:")
    # Where a hand comes to rest as well.
    settled(page)
    drag(page, "rho", 1)
    expect(rho).to_have_attribute("aria-valuetext", "0.0316: 158 steps until done")
    expect(player.locator(".words")).to_contain_text("The residual")  # it is under way
    page.mouse.up()
    expect(player).to_have_attribute("data-frame", "157")
    expect(player.locator(".words")).to_contain_text("The last run took 335 steps")


def test_run_is_found_as_it_was_left_and_the_line_of_the_restart_takes_its_knob_along(server, page):
    page.goto(f"{server.address}/live?seed=11&rho=1")
    player = ended(page)
    settled(page)
    player.locator("input[type=range]").fill("7")
    expect(player).to_have_attribute("data-frame", "7")
    go(page, "Home")
    expect(player).to_have_count(0)
    page.wait_for_url(f"{server.address}/")  # which comes after its first elements
    settled(page)
    page.go_back()
    expect(player).to_have_attribute("data-frame", "7")
    settled(page)
    next_frames(page)
    assert frame(player) == 7
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (Space)")

    knob, line = page.locator(".knob input[data-key=eta]"), player.locator(".ratio .handle")
    player.locator("summary").click()
    line.scroll_into_view_if_needed()
    expect(line).to_have_text("η 0.999")
    box = line.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hold(page, (x, y), (x, y + 60))
    expect(line).to_have_text("η 0.5")  # while it is held
    expect(knob).to_have_value("0")
    assert "eta" not in page.url
    page.mouse.up()
    page.wait_for_function("() => /rho=1.*eta=0.5/.test(location.search)")


def test_answer_is_played_step_by_step_to_where_the_residual_has_fallen(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server.address}/live")
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-frame", str(ASKED - 1))
    settled(page)
    player.evaluate("""(player) => {
        window.seen = new Map();
        const look = () => seen.set(player.dataset.frame, player.querySelector(".words").innerText);
        new MutationObserver(look).observe(player, { attributeFilter: ["data-frame"] });
    }""")
    page.get_by_role("button", name="Go one step back").click()
    expect(player).to_have_attribute("data-frame", str(ASKED - 1 + TO_FALL))
    seen = dict(page.evaluate("[...seen]"))
    assert [*map(int, seen)] == [*range(ASKED - 1, ASKED + TO_FALL)]
    assert "Restart. The residual rose 9.2-fold" in seen[str(ASKED - 1)]
    assert "It cannot overshoot" in seen[str(ASKED)]
    press(player, "play")  # from there on to the proof
    until(page, player, f"frame > {ASKED + TO_FALL + 5}")


def test_play_answers_the_question_and_plays(server, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server.address}/imbalance")
    player = page.locator(PLAYER)
    expect(player.get_by_text("Guess, or press Play.")).to_be_visible()
    asked = frame(player)
    more = player.locator("details")
    expect(more).to_have_attribute("inert", "")
    press(player, "play")
    until(page, player, f"frame > {asked}")
    expect(more).not_to_have_attribute("inert", "")
    expect(page.locator(".st-key-question .reply")).not_to_be_empty()


def test_a_run_that_the_server_lost_is_said_until_the_page_hears_it(server, new_page):
    """The player hears of it first: the page's own connection is not back yet."""
    is_away, dropped = False, []

    def connect(line):
        there = line.connect_to_server()
        line.on_message(lambda text: dropped.append(text) if is_away else there.send(text))

    new_page.route_web_socket("**/_stcore/stream", connect)
    player = opened(server, new_page, 36)
    address, is_away = player.get_attribute("data-drawn"), True
    new_page.route(f"**{address}*", lambda route: route.fulfill(status=404))
    with server.stopped_workers():  # they have an endless run
        while not dropped:
            new_page.wait_for_timeout(50)
    expect(player).to_have_attribute("data-status", "lost")
    is_away = False
    expect(player).not_to_have_attribute("data-drawn", address)
