"""The laboratory in a real browser: its transport, its pictures, its pinned runs."""

import os
import re
import signal
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import (
    PLAYER,
    RECORD_TEXT,
    ended,
    go,
    next_frames,
    settled,
    skip,
    tips,
)

# Thousands of iterations: it goes on while the test looks. Each test has a seed of its own.
ENDLESS = "n=600&p=50&q=60&V=10&delta=0.1&r=10&C=0.1&tau=2&rho=1000&seed={}"


def opened(server, page, seed):
    """Open a run that goes on, and return its player once it has frames."""
    page.goto(f"{server.address}/live?{ENDLESS.format(seed)}")
    skip(page)
    player = page.locator(PLAYER).first
    until(page, player, "total > 30")
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


def first_picture(player) -> str:
    """Go to the first iteration, and return the pixels of the first canvas."""
    press(player, "start")
    expect(player).to_have_attribute("data-frame", "0")
    return player.locator("canvas").first.evaluate("canvas => canvas.toDataURL()")


def assert_no_frame_is_blank(player) -> None:
    """Look at every paint of a player that plays until it has shown ten frames."""
    seen = player.evaluate("""(player) => new Promise((resolve) => {
        const canvases = [...player.querySelectorAll("section.picture.bare canvas")];
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
    assert len(seen["least"]) == 2  # the others are folded
    assert min(seen["least"]) > 0.5  # of the pixels in the middle of each picture


def assert_page_stays(page, player) -> None:
    """Scroll down, and look whether the page is still there when more frames have arrived."""
    main, curves = page.get_by_test_id("stMain"), player.locator("section.lines").first
    at = main.evaluate("""async (main) => {
        await document.fonts.ready;
        main.scrollTo(0, 700);
        return main.scrollTop;
    }""")
    assert at > 500
    before, held = curves.bounding_box(), total(player)
    until(page, player, f"total > {held + 30}")
    assert main.evaluate("(main) => main.scrollTop") == at
    assert curves.bounding_box() == before


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.sweep)])
def test_live_run_paints_frame_after_frame_until_it_is_stopped_and_can_begin_again(
    server, page, theme
):
    """No frame is blank, the page stays where it is scrolled to, and the transport obeys."""
    page.emulate_media(color_scheme=theme)
    player = opened(server, page, {"light": 1, "dark": 5}[theme])
    place = player.locator(".place")
    expect(place).to_have_text(re.compile(r"iteration [\d,]+( of [\d,]+ so far)?, running"))
    assert_no_frame_is_blank(player)
    assert_page_stays(page, player)

    player.locator("input[type=range]").fill("2")
    expect(player).to_have_attribute("data-frame", "2")
    press(player, "play")
    until(page, player, "frame > 3")
    press(player, "play")  # that is: pause
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (space)")
    stopped, held = frame(player), total(player)
    until(page, player, f"total > {held + 20}")  # the run goes on, and the picture does not
    assert frame(player) == stopped
    for action, at in (("on", 1), ("tenOn", 11), ("back", 10), ("tenBack", 0)):
        press(player, action)
        expect(player).to_have_attribute("data-frame", str(stopped + at))
    expect(place).to_contain_text(f"iteration {stopped + 1} of")
    press(player, "live")
    until(page, player, "frame > 20")

    expect(player).to_have_attribute("data-status", "running")
    press(player, "stop")
    expect(player).to_have_attribute("data-status", "stopped")
    expect(place).to_have_text(re.compile(r"iteration [\d,]+ of [\d,]+$"))
    held = total(player)
    page.get_by_role("button", name="Pin this run").click()
    expect(page.get_by_role("button", name="Use its settings")).to_be_visible()
    settled(page)
    assert total(player) == held  # the server has drawn the page anew, and computed no more
    page.get_by_role("button", name="Run again").click()
    expect(player).to_have_attribute("data-status", "running")
    press(player, "stop")
    assert page.complaints == []


def test_control_that_is_changed_during_a_run_begins_another_that_survives_its_worker(server, page):
    """Its picture and the address follow, and a killed worker costs only time."""
    player = opened(server, page, 2)
    picture = first_picture(player)
    until(page, player, "total > 60")
    player.evaluate("""(player) => {
        const begin = ({ oldValue }) => +oldValue > +player.dataset.total;
        const watch = (changes) => (window.begun ||= changes.some(begin));
        const how = { attributeFilter: ["data-total"], attributeOldValue: true };
        new MutationObserver(watch).observe(player, how);
    }""")
    page.get_by_label("seed", exact=True).fill("3")
    page.get_by_label("seed", exact=True).press("Enter")
    page.wait_for_function("window.begun")
    page.wait_for_function("() => new URLSearchParams(location.search).get('seed') === '3'")
    expect(page.get_by_text("seed 3.")).to_be_visible()
    until(page, player, "total > 20")
    expect(player).to_have_attribute("data-status", "running")
    assert first_picture(player) != picture

    for pid in server.workers():
        os.kill(pid, signal.SIGKILL)
    held = total(player)
    until(page, player, f"total > {held + 30}")
    expect(player).to_have_attribute("data-status", "running")
    press(player, "stop")
    expect(player).to_have_attribute("data-status", "stopped")
    assert page.complaints == []


SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def number(text: str) -> float:
    """Read what the player prints: "5.16 × 10⁻⁹" or "0.25"."""
    mantissa, _, exponent = text.partition(" × 10")
    return float(f"{mantissa}e{exponent.translate(SUPERSCRIPTS) or 0}")


def sentence_at(page, player, k) -> str:
    """Ask for iteration k until it is shown, and return what the player says of it."""
    shown = """([player, k]) => {
        const scrubber = player.querySelector("input");
        if (+player.dataset.frame === k) return true;
        scrubber.value = k;
        scrubber.dispatchEvent(new Event("input"));
    }"""
    page.wait_for_function(shown, arg=[player.element_handle(), k])
    return player.locator(".sentence").text_content()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("query", "last"),
    [("rho=1e-08", 160), ("n=500&p=40&q=50&V=10&delta=0.1&r=10&C=0.1&tau=2", 80)],
)
def test_inequality_of_each_step_is_true_as_printed(server, page, query, last):
    page.goto(f"{server.address}/live?{query}")
    skip(page)
    player = page.locator(PLAYER).first
    expect(player.locator("[data-action=stop]")).to_be_visible()
    until(page, player, f"total > {last}")
    sentences = [sentence_at(page, player, k) for k in range(1, last)]
    compared = 0
    for sentence in sentences:
        if "nothing to compare it with" in sentence or "without a comparison" in sentence:
            continue
        low, sign, high = re.match(
            r"c\(k\) = (.+?) ([<≥]) 0.999 c = (.+?)(?:: |, by)", sentence
        ).groups()
        assert (number(low) < number(high)) == (sign == "<"), sentence
        compared += 1
    assert compared > 60
    assert page.complaints == []


STEPS = {
    "accelerate": r"< 0.999 c = .*: accelerate",
    "restart": r"≥ 0.999 c = .*, by .*: restart",
    "after a restart": "accepted without a comparison",
}


def test_run_is_found_as_it_was_left_and_a_pinned_one_gives_its_settings_back(server, page):
    """The pinned run stays behind the curves of another, whose steps are told in words."""
    page.goto(f"{server.address}/live?seed=11&rho=1")
    player = ended(page)
    settled(page)
    player.locator("select").select_option("4")
    player.locator("input[type=range]").fill("7")
    expect(player).to_have_attribute("data-frame", "7")
    go(page, "Home")
    expect(player).to_have_count(0)
    go(page, "Watch the algorithm")
    expect(player.locator("select")).to_have_value("4")
    expect(player).to_have_attribute("data-frame", "7")
    settled(page)
    next_frames(page)
    assert frame(player) == 7
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (space)")

    page.get_by_role("button", name="Pin this run").click()
    expect(page.get_by_role("button", name="Use its settings")).to_be_visible()
    page.get_by_role("button", name="Many restarts").click()
    until(page, player, "total === 200")
    settled(page)
    player.locator("input[type=range]").fill("0")
    expect(player.locator(".sentence")).to_contain_text("nothing to compare it with")
    steps = []
    for k in range(1, 40):
        text = sentence_at(page, player, k)
        [step] = [name for name, sentence in STEPS.items() if re.search(sentence, text)]
        steps.append(step)
    assert set(steps) == {*STEPS}
    assert all((a == "restart") == (b == "after a restart") for a, b in pairwise(steps))
    curves = player.locator("section.lines", has_text="Combined residual")
    told = tips(page, curves, 0.5, 3)
    assert any("run 1" in text for text in told)
    failed = r"▲ restart: c\(k\) = \S.*\n≥ η c = \S.*, by \S+ %"
    assert any(re.search(failed, text) for text in told)

    page.get_by_role("button", name="Use its settings").click()
    expect(page.get_by_label("seed", exact=True)).to_have_value("11")
    until(page, player, "total < 60")
    assert page.complaints == []


def test_axes_go_as_far_as_a_pinned_run_and_a_race_is_drawn_against_iterations_and_time(
    server, page
):
    """An early iterate that overshot does not pale the last."""
    with page.add_init_script(RECORD_TEXT):
        page.goto(f"{server.address}/live?rho=0.01")  # its 16th S is four times the last
    player, race = ended(page), ended(page, 1)
    settled(page)
    until(page, player, "total === 321")
    press(player, "live")
    bright = """(player) => {
        const { frame, total } = player.dataset;
        const canvas = player.querySelectorAll("canvas")[1]; // S
        const half = canvas.getContext("2d").getImageData(0, 0, canvas.width / 2, canvas.height);
        const bluest = half.data.reduce((most, red, i, data) =>
            i % 4 ? most : Math.max(most, data[i + 2] - red), 0);
        return Number(frame) === total - 1 && bluest > 100;
    }"""
    page.wait_for_function(bright, arg=player.element_handle())

    race.locator("summary").click()  # time is among the further pictures
    expect(race.locator("[role=status]")).to_have_text(
        "First: certified after 35 iterations. Second: not certified after 100 iterations. "
        "Newton's method: certified after 5 iterations."
    )
    against_time = race.locator("section.lines", has_text="against time")
    against_time.locator("canvas").hover()
    expect(against_time.locator(".tip")).to_contain_text("seconds")
    curves = race.locator("section.lines", has_text="Combined residual")
    told = "\n".join(tips(page, curves, 1 / 3, 2))
    assert "▲ first: restart" in told
    assert "second: restart" not in told  # its momentum goes on without one

    page.get_by_role("button", name="Pin this run").click()
    expect(page.get_by_role("button", name="Use its settings")).to_be_visible()
    page.get_by_role("button", name="One restart").click()
    until(page, player, "total === 29")
    page.evaluate("window.written = []")
    page.set_viewport_size({"width": 1200, "height": 900})
    page.wait_for_function("() => written.some(({ text }) => text === 'run 1')")
    written = page.evaluate("written.map(({ text }) => text)")
    assert {"1", "100", "200", "run 1"} <= set(written)
    assert "15" not in written  # the ticks of a run of 29
    assert page.complaints == []
