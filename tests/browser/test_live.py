"""The laboratory in a real browser: its transport, its pictures, its pinned runs."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import PLAYER, ended, go, settled, skip

# Thousands of iterations: it goes on while the test looks. Each test has a seed of its own.
ENDLESS = "n=600&p=50&q=60&V=10&delta=0.1&r=10&C=0.1&tau=2&rho=1000&seed={}"


def opened(server, page, seed):
    """Open a run that goes on, and return its player once it has frames."""
    page.goto(f"{server.address}/live?{ENDLESS.format(seed)}")
    skip(page)
    player = page.locator(PLAYER).first
    until(page, player, "total > 30")
    return player


def until(page, player, condition) -> None:
    """Wait for a condition on the numbers in which a player says where it is."""
    page.wait_for_function(f"(player) => +player.dataset.{condition}", arg=player.element_handle())


def frame(player) -> int:
    return int(player.get_attribute("data-frame"))


def press(player, action) -> None:
    player.locator(f"[data-action={action}]").click()


def test_transport_pauses_steps_goes_back_and_stops(server, page):
    player = opened(server, page, 1)
    until(page, player, "frame > 3")
    press(player, "play")  # that is: pause
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (space)")
    stopped, held = frame(player), int(player.get_attribute("data-total"))
    until(page, player, f"total > {held + 20}")  # the run goes on, and the picture does not
    assert frame(player) == stopped
    for action, at in (("on", 1), ("tenOn", 11), ("back", 10), ("tenBack", 0)):
        press(player, action)
        expect(player).to_have_attribute("data-frame", str(stopped + at))
    expect(player.locator(".place")).to_contain_text(f"iteration {stopped + 1} of")
    player.locator("input[type=range]").fill("2")
    expect(player).to_have_attribute("data-frame", "2")
    press(player, "live")
    until(page, player, "frame > 20")
    press(player, "stop")
    expect(player).to_have_attribute("data-status", "stopped")
    settled(page)
    total = player.get_attribute("data-total")
    page.wait_for_timeout(700)
    assert player.get_attribute("data-total") == total
    assert page.complaints == []


def test_slider_that_is_changed_during_a_run_begins_another(server, page):
    player = opened(server, page, 2)
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
    until(page, player, "total > 20")
    expect(player).to_have_attribute("data-status", "running")
    press(player, "stop")
    assert page.complaints == []


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.sweep)])
def test_no_frame_is_blank_between_two(server, page, theme):
    page.emulate_media(color_scheme=theme)
    player = opened(server, page, {"light": 4, "dark": 5}[theme])
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
        player.querySelector("[data-action=live]").click();
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
    page.locator(f"{PLAYER} [data-action=stop]").first.click()


def test_page_stays_where_it_is_scrolled_to_while_frames_arrive(server, page):
    player = opened(server, page, 6)
    main = page.locator("[data-testid=stMain]")
    main.evaluate("(main) => main.scrollTo(0, 700)")
    before = player.locator("section.lines").first.bounding_box()
    held = int(player.get_attribute("data-total"))
    until(page, player, f"total > {held + 30}")
    assert main.evaluate("(main) => main.scrollTop") == 700
    assert player.locator("section.lines").first.bounding_box() == before
    page.locator(f"{PLAYER} [data-action=stop]").first.evaluate("(button) => button.click()")


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


def test_step_is_told_in_words_and_a_restart_by_the_pointer(server, page):
    page.goto(f"{server.address}/live?rho=100")
    player = ended(page)
    settled(page)
    player.locator("input[type=range]").fill("0")
    expect(player.locator(".sentence")).to_contain_text("nothing to compare it with")
    said = []
    for k in range(1, 40):
        text = sentence_at(page, player, k)
        [step] = [name for name, sentence in STEPS.items() if re.search(sentence, text)]
        said.append(step)
    assert set(said) == {*STEPS}
    assert all((a == "restart") == (b == "after a restart") for a, b in pairwise(said))
    panel = player.locator("section.lines", has_text="Combined residual")
    width = int(panel.locator("canvas").bounding_box()["width"])
    told = []
    for x in range(60, width // 2, 3):
        panel.locator("canvas").hover(position={"x": x, "y": 50})
        told.append(panel.locator(".tip").inner_text())
    failed = r"▲ restart: c\(k\) = \S.*\n≥ η c = \S.*, by \S+ %"
    assert any(re.search(failed, text) for text in told)
    assert page.complaints == []


RECORD_TEXT = """
    window.written = [];
    const { fillText } = OffscreenCanvasRenderingContext2D.prototype;
    OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.written.push(text);
        fillText.call(this, text, ...rest);
    };
"""


def test_axes_go_as_far_as_a_pinned_run(server, page):
    with page.add_init_script(RECORD_TEXT):
        page.goto(f"{server.address}/live?rho=0.01")
    skip(page)
    player = page.locator(PLAYER).first
    until(page, player, "total === 321")
    page.get_by_role("button", name="Pin this run").click()
    expect(page.get_by_role("button", name="Use its settings")).to_be_visible()
    page.get_by_role("button", name="One restart").click()
    until(page, player, "total === 29")
    page.evaluate("window.written = []")
    page.set_viewport_size({"width": 1200, "height": 900})
    page.wait_for_function("window.written.includes('run 1')")
    written = page.evaluate("window.written")
    assert {"1", "100", "200", "run 1"} <= set(written)
    assert "15" not in written  # the ticks of a run of 29


def test_run_is_found_as_it_was_left(server, page):
    page.goto(f"{server.address}/live?rho=1&seed=12")
    player = ended(page)
    settled(page)
    player.locator("select").select_option("4")
    player.locator("input[type=range]").fill("7")
    expect(player).to_have_attribute("data-frame", "7")
    go(page, "Home")
    expect(player).to_have_count(0)
    go(page, "Watch the algorithm", "The SMM")
    settled(page)
    page.wait_for_timeout(500)
    expect(player).to_have_attribute("data-frame", "7")
    expect(player.locator("select")).to_have_value("4")
    expect(player.locator("[data-action=play]")).to_have_attribute("title", "Play (space)")
    assert page.complaints == []


def test_pinned_run_stays_behind_the_curves_and_gives_its_settings_back(server, page):
    page.goto(f"{server.address}/live?seed=11&rho=1")
    player = ended(page)
    page.get_by_role("button", name="Pin this run").click()
    expect(page.get_by_role("button", name="Use its settings")).to_be_visible()
    page.get_by_role("button", name="Many restarts").click()
    until(page, player, "total === 200")
    panel = player.locator("section.lines", has_text="Combined residual")
    panel.locator("canvas").hover(position={"x": 80, "y": 50})
    expect(panel.locator(".tip")).to_contain_text("run 1")
    page.get_by_role("button", name="Use its settings").click()
    expect(page.get_by_label("seed", exact=True)).to_have_value("11")
    until(page, player, "total < 60")
    assert page.complaints == []


def test_race_of_three_solvers_is_drawn_against_iterations_and_time(server, page):
    page.goto(f"{server.address}/live")
    race = ended(page, 1)
    settled(page)
    race.locator("summary").click()  # time is among the further pictures
    expect(race.locator("[role=status]")).to_have_text(
        "First: certified after 35 iterations. Second: not certified after 100 iterations. "
        "Newton's method: certified after 5 iterations."
    )
    panel = race.locator("section.lines", has_text="against time")
    box = panel.locator("canvas").bounding_box()
    panel.locator("canvas").hover(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
    expect(panel.locator(".tip")).to_contain_text("seconds")
    panel = race.locator("section.lines", has_text="Combined residual")
    box, told = panel.locator("canvas").bounding_box(), ""
    for x in range(56, int(box["width"] / 3), 2):
        panel.locator("canvas").hover(position={"x": x, "y": box["height"] / 2})
        told += panel.locator(".tip").inner_text()
    assert "▲ first: restart" in told
    assert "second: restart" not in told  # its momentum goes on without one
    assert page.complaints == []
