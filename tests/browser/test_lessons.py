"""What only a real browser can show: the way from `streamlit run app.py` to the painted frame."""

from __future__ import annotations

import os
import re
import signal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.navigation import LESSONS
from tests.browser.navigation import PICTURES, PLAYER, ended, go, link, settled, skip

HARD = "n=600&p=50&q=60&V=10&delta=0.1&r=10&C=0.1&tau=2"


def painted(page) -> str:
    """Return the pixels of the first canvas as a string."""
    return page.locator(f"{PLAYER} canvas").first.evaluate("canvas => canvas.toDataURL()")


def test_first_visit_of_a_fresh_server_is_a_deep_link_with_parameters(server, page):
    page.goto(f"{server.address}/live?n=120&C=0.5&delta=0.05&rho=1&nonsense=1")
    skip(page)
    expect(page.get_by_role("heading", name="Watch the algorithm", level=1)).to_be_visible()
    expect(page.get_by_label("n", exact=True)).to_have_value("120")
    expect(page.get_by_text("Data: 120 matrices of 20 × 25")).to_be_visible()
    expect(page.get_by_role("link", name="Home")).to_be_visible()  # the frame, not the old pages
    ended(page)
    assert page.complaints == []


def has_a_picture_and_a_clean_console(page):
    picture = page.locator(PICTURES)
    expect(picture.first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.complaints == []


@pytest.mark.sweep
@pytest.mark.parametrize("path", ["", "yours", *(lesson.address for lesson in LESSONS)])
def test_every_page_has_a_picture_without_a_click_and_a_clean_console(server, page, path):
    page.goto(f"{server.address}/{path}")
    has_a_picture_and_a_clean_console(page)


def test_a_changed_control_changes_the_picture_and_the_address(server, page):
    page.goto(f"{server.address}/live")
    ended(page)
    player = page.locator(PLAYER).first
    player.locator("[data-action=live]").click()
    newest = "(player) => +player.dataset.frame === player.dataset.total - 1"
    page.wait_for_function(newest, arg=player.element_handle())
    before = painted(page)
    page.get_by_label("seed", exact=True).fill("7")
    page.get_by_label("seed", exact=True).press("Enter")
    expect(page.get_by_text("seed 7.")).to_be_visible()
    page.wait_for_function("() => location.search.includes('seed=7')")
    ended(page)
    canvas = page.locator(f"{PLAYER} canvas").first.element_handle()
    page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas, before]
    )
    assert parse_qs(urlsplit(page.url).query)["seed"] == ["7"]


def test_live_run_paints_frame_after_frame_until_it_is_stopped_and_can_begin_again(server, page):
    page.goto(f"{server.address}/live?{HARD}&seed=1&rho=1000")  # thousands of iterations
    skip(page)
    player = page.locator(PLAYER).first
    going = re.compile(r"iteration [\d,]+( of [\d,]+ so far)?, running")
    expect(player.locator(".place")).to_have_text(going)
    page.wait_for_function(
        "(player) => (window.seen ??= new Set()).add(player.dataset.frame).size >= 5",
        arg=player.element_handle(),
    )
    expect(player).to_have_attribute("data-status", "running")
    player.locator("[data-action=stop]").click()
    expect(player).to_have_attribute("data-status", "stopped")
    expect(player.locator(".place")).to_have_text(re.compile(r"iteration [\d,]+ of [\d,]+$"))
    page.get_by_role("button", name="Run again").click()
    expect(player).to_have_attribute("data-status", "running")
    player.locator("[data-action=stop]").click()
    assert page.complaints == []


def test_worker_killed_in_the_middle_of_a_run_costs_only_time(server, page):
    page.goto(f"{server.address}/live?{HARD}&seed=2&rho=1000")  # thousands of iterations
    skip(page)
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-status", "running")
    more_than = "([player, count]) => player.dataset.total > count"
    page.wait_for_function(more_than, arg=[player.element_handle(), 5])
    for pid in server.workers():
        os.kill(pid, signal.SIGKILL)
    held = int(player.get_attribute("data-total"))
    page.wait_for_function(more_than, arg=[player.element_handle(), held + 30])
    expect(player).to_have_attribute("data-status", "running")
    player.locator("[data-action=stop]").click()
    expect(player).to_have_attribute("data-status", "stopped")
    assert page.complaints == []


@pytest.mark.sweep
def test_link_restores_the_picture(server, page, browser):
    page.goto(f"{server.address}/live")
    skip(page)
    page.get_by_role("button", name="Hard").click()
    expect(page.get_by_text("Data: 500 matrices of 40 × 50")).to_be_visible()
    address = link(page, "n=500")
    other = browser.new_context().new_page()
    other.goto(address)
    skip(other)
    expect(other.get_by_text("Data: 500 matrices of 40 × 50")).to_be_visible()
    other.context.close()


@pytest.mark.sweep
def test_link_of_your_data_brings_its_choices_back(server, page):
    page.goto(f"{server.address}/yours?yours_digits=1&yours_digits=7&yours_split=4")
    ended(page)
    address = link(page, "yours_digits=1")
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_text("Trained on 252 samples, tested on 109 others")).to_be_visible()


def test_experiment_from_the_address_survives_a_walk_through_the_pages(server, page):
    page.goto(f"{server.address}/live?n=120&C=0.5")
    ended(page)
    go(page, "Your data")
    expect(page.get_by_role("heading", name="Your data", level=1)).to_be_visible()
    settled(page)  # the sidebar goes, and moves the menus
    go(page, "Where the data come from", "The SMM")  # which has no C
    expect(page.get_by_role("heading", name="Where the data come from", level=1)).to_be_visible()
    expect(page.get_by_label("n", exact=True)).to_have_value("120")
    page.wait_for_function("() => location.search.includes('n=120')")
    go(page, "Watch the algorithm", "The SMM")
    expect(page.get_by_role("heading", name="Watch the algorithm", level=1)).to_be_visible()
    page.wait_for_function("() => /n=120/.test(location.search) && /C=0.5/.test(location.search)")


def test_address_holds_the_controls_of_its_own_lesson_whatever_the_last_one_had(server, page):
    def search(expected):
        page.wait_for_function("expected => location.search === expected", arg=expected)
        settled(page)

    page.goto(f"{server.address}/robustness?unit=unit+variance&seed=7")  # an old link
    search("?robustness_unit=unit+variance")  # the lesson has no seed
    go(page, "BP-LSSMM and BP-SMM", "Research")
    expect(page.get_by_role("heading", name="BP-LSSMM and BP-SMM", level=1)).to_be_visible()
    search("")
    skip(page)
    settled(page)
    slider = page.locator(".st-key-bilevel_unit").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    search("?bilevel_unit=10")
    go(page, "Robustness to noise", "Effects")
    expect(page.get_by_role("heading", name="Robustness to noise", level=1)).to_be_visible()
    search("?robustness_unit=unit+variance")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    go(page, "BP-LSSMM and BP-SMM", "Research")
    expect(page.get_by_role("heading", name="BP-LSSMM and BP-SMM", level=1)).to_be_visible()
    search("?bilevel_unit=10")
    undo.click()
    expect(page.get_by_text("Undone. Multiply the samples by: 1", exact=True)).to_be_visible()
    expect(undo).to_be_disabled()
    search("")
    for _ in range(5):
        page.go_back()
        page.wait_for_function("""() => {
            const own = `${location.pathname.slice(1)}_`;
            const keys = [...new URLSearchParams(location.search).keys()];
            return keys.every((key) => key.startsWith(own));
        }""")
        settled(page)
    assert page.complaints == []


def test_switch_of_the_theme_recolours_the_charts_of_an_open_page(server, page):
    page.goto(f"{server.address}/data")
    cells = page.locator(".js-plotly-plot .heatmaplayer image").first
    by_day = cells.get_attribute("href")
    page.get_by_test_id("stMainMenu").click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    expect(cells).not_to_have_attribute("href", by_day)
    expect(page.locator(".js-plotly-plot .ytick text").first).to_have_css(
        "fill", "rgb(232, 237, 242)"
    )
    assert page.complaints == []


@pytest.mark.sweep
@pytest.mark.parametrize("lesson", ["corners", "sparse", "trace_norm", "low_rank_svm"])
def test_two_controls_share_a_row_of_a_phone_and_nothing_sticks_out(server, page, lesson):
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{server.address}/{lesson}")
    page.wait_for_function("""() => {
        const columns = [...document.querySelectorAll(".st-key-pairs .stColumn")].slice(0, 2);
        const [one, other] = columns.map((column) => column.getBoundingClientRect());
        return other && one.top === other.top && one.right < other.left;
    }""")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")


def test_early_iterate_that_overshot_does_not_pale_the_last(server, page):
    page.goto(f"{server.address}/live?rho=0.01")  # the 16th S is four times as large as the last
    player = ended(page)
    player.locator("[data-action=live]").click()
    bright = """(player) => {
        const { frame, total } = player.dataset;
        const canvas = player.querySelectorAll("canvas")[1]; // S
        const half = canvas.getContext("2d").getImageData(0, 0, canvas.width / 2, canvas.height);
        const bluest = half.data.reduce((most, red, i, data) =>
            i % 4 ? most : Math.max(most, data[i + 2] - red), 0);
        return Number(frame) === total - 1 && bluest > 100;
    }"""
    page.wait_for_function(bright, arg=player.element_handle())


@pytest.mark.sweep
def test_value_beside_the_allowed_ones_is_put_right_in_the_address(server, page):
    page.goto(f"{server.address}/data?C=0.3&n=5&rho=1e-08")
    expect(page.get_by_text("C = 0.3 in the address is not one of its values")).to_be_visible()
    expect(page.get_by_label("n", exact=True)).to_have_value("10")
    page.wait_for_function("() => location.search.includes('C=0.2')")
    assert parse_qs(urlsplit(page.url).query) == {"C": ["0.2"], "n": ["10"], "rho": ["10⁻⁸"]}
    page.reload()
    expect(page.get_by_label("n", exact=True)).to_have_value("10")
    expect(page.get_by_text("in the address")).to_have_count(0)
    assert page.complaints == []


CLOCK = """
    const now = performance.now.bind(performance);
    let shift = 0, held = null; // milliseconds
    performance.now = () => (held ?? now()) + shift;
    window.stopTheClock = () => (held = now());
    window.wait = (milliseconds) => (shift += milliseconds);"""


def test_click_on_a_link_is_not_lost_when_the_run_ends_at_that_moment(server, new_page):
    page = new_page  # whose socket is tampered with
    answers = []  # of the server, after the click
    clicked = False

    def connect(socket):
        end = socket.connect_to_server()
        socket.on_message(lambda message: end.send(message))
        end.on_message(lambda answer: answers.append(answer) if clicked else socket.send(answer))
        page.socket = socket

    page.add_init_script(CLOCK)
    page.route_web_socket(re.compile("_stcore/stream"), connect)
    page.route(re.compile("/frames"), lambda route: None)  # the end of the run waits for the click
    page.goto(f"{server.address}/rank")
    skip(page)
    expect(page.get_by_text("Link to this page with these settings")).to_be_visible()
    settled(page)
    expect(page.locator(PLAYER)).to_be_visible()  # its script knows of no click before
    page.evaluate("stopTheClock()")
    clicked = True
    go(page, "Home")
    page.get_by_role("heading", name="The rank of W", level=1).click()  # why is it so slow?
    page.unroute_all()
    ended(page)  # the browser knows, and does not know yet that the server has turned the page
    page.evaluate("wait(10_000)")  # however long the server takes
    page.wait_for_timeout(500)
    while answers:  # in their order, those that come meanwhile as well
        page.socket.send(answers.pop(0))
    clicked = False
    expect(page.get_by_role("heading", name="Support matrix machines", level=1)).to_be_visible()
    page.evaluate("wait(60_000)")
    page.wait_for_timeout(500)  # nor does late news lead back
    settled(page)
    assert urlsplit(page.url).path == "/"


def test_page_hears_of_the_end_of_a_run_soon_after_a_click_that_leads_nowhere(server, new_page):
    page = new_page  # whose requests are tampered with
    page.add_init_script(CLOCK)
    page.route(re.compile("/frames"), lambda route: None)  # the end of the run waits for the click
    page.goto(f"{server.address}/rank?n=400&seed=9&points=121")  # long enough
    skip(page)
    expect(page.get_by_text("Link to this page with these settings")).to_be_visible()
    settled(page)
    expect(page.locator(PLAYER)).to_be_visible()  # its script knows of no click before
    page.evaluate("stopTheClock()")
    page.get_by_role("heading", name="The rank of W", level=1).click()
    page.unroute_all()
    ended(page)
    promise = page.get_by_text("The numbers appear when the path has ended")
    page.wait_for_timeout(500)
    expect(promise).to_be_visible()
    page.evaluate("wait(3_000)")  # and no further
    expect(promise).to_have_count(0)


def test_map_of_rank_and_accuracy_fills_from_below_and_answers_the_pointer(server, page):
    page.goto(f"{server.address}/rank?rank_map=true")
    ended(page)
    player = ended(page, 1)
    # The page knows of the end, and has drawn its panels for the last time.
    expect(page.get_by_text("their ranks go from")).to_be_visible()
    settled(page)
    player.locator("[data-action=start]").click()  # it plays no more
    expect(player).to_have_attribute("data-frame", "0")
    rank, numbers = player.locator(".map canvas").first, player.locator(".readout b")
    box = rank.bounding_box()

    def at(across, down):
        return {"x": across * box["width"], "y": down * box["height"]}

    def read_at(across, down):
        """Click there, and return C s² and tau / tau_max when another cell is shown."""
        before = player.get_attribute("data-frame")
        rank.click(position=at(across, down))
        expect(player).not_to_have_attribute("data-frame", before)
        return [float(number) for number in numbers.all_inner_texts()[:2]]

    rank.hover(position=at(0.2, 0.75))
    tip = player.locator(".tip").first
    expect(tip).to_contain_text(re.compile(r"C s² = 0\.[13].*rank of W  \d", re.S))
    low, high = read_at(0.2, 0.75), read_at(0.4, 0.2)
    assert low[0] < 1 < high[0]  # C upwards
    assert low[1] > high[1]  # tau falls rightwards
    assert page.complaints == []


LISTEN = """
    window.written = new Set();
    for (const kind of [OffscreenCanvasRenderingContext2D, CanvasRenderingContext2D]) {
        const {prototype} = kind, {fillText} = prototype;
        prototype.fillText = function (text, ...where) {
            written.add(text);
            fillText.call(this, text, ...where);
        };
    }"""


def test_path_has_a_log_axis_of_tau(server, page):
    with page.add_init_script(LISTEN):
        page.goto(f"{server.address}/rank")  # tau_max = 65.76, and five decades down
    ended(page)
    settled(page)
    ticks = ["10¹", "10⁰", "10⁻¹", "τ"]
    page.wait_for_function("(ticks) => ticks.every((tick) => written.has(tick))", arg=ticks)
    assert page.complaints == []


PLACES = """
    const {prototype} = OffscreenCanvasRenderingContext2D, {clearRect, fillText} = prototype;
    window.sheets = new Map(); // what stands below each chart, and where
    prototype.clearRect = function (...where) {
        sheets.set(this, {});
        clearRect.apply(this, where);
    };
    prototype.fillText = function (text, x, y) {
        if (this.textAlign === "center" && sheets.has(this)) sheets.get(this)[text] = x;
        fillText.call(this, text, x, y);
    };"""


def test_noise_follows_once_the_weights_are_chosen_and_its_axis_has_each_level_at_its_place(
    server, page
):
    with page.add_init_script(PLACES):
        page.goto(f"{server.address}/robustness")
    ended(page)
    ended(page, 1)  # it is drawn when the first one has told the page of its end
    expect(page.get_by_role("heading", name="The accuracies, in per cent")).to_be_visible()
    drawn = "[...sheets.values()].filter((sheet) => '0.02' in sheet)"
    page.wait_for_function(f"{drawn}.length === 2")  # mean, exact; the deviation is folded
    sheets = page.evaluate(drawn)
    for at in sheets:
        decades = [at["0.2"] - at["0.02"], at["0.5"] - at["0.05"]]
        assert decades[0] > 20
        assert decades[1] == pytest.approx(decades[0])
        assert at["0"] < at["0.01"] < at["0.02"] < at["0.5"] < at["1"]
    assert page.complaints == []


def test_gap_of_zero_has_its_line_at_the_floor_of_the_log_axis(server, page):
    with page.add_init_script(LISTEN):
        page.goto(
            f"{server.address}/compare?n=60&p=8&q=8&r=2&V=1&C=1e-05&tau=10000&compare_machines=SMM"
        )
    race = ended(page)
    settled(page)
    race.locator("summary").click()  # the gap is among the further pictures
    panel = race.locator("section.lines", has_text="Relative gap")
    panel.locator("canvas").hover(position={"x": 60, "y": 50})
    expect(panel.locator(".tip")).to_contain_text(re.compile(r"SMM  0\s*$"))
    page.wait_for_function(  # the mark of the SMM, in the lower half
        """(canvas) => {
            const {width, height} = canvas;
            const {data} = canvas.getContext("2d").getImageData(0, height / 2, width, height / 2);
            const isBlue = (i) => data[i + 3] > 200 && data[i + 2] - data[i] > 100;
            return data.some((_, i) => i % 4 === 0 && isBlue(i));
        }""",
        arg=panel.locator("canvas").element_handle(),
    )
    assert page.complaints == []


@pytest.mark.sweep
def test_maps_of_a_comparison_stand_together(server, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server.address}/compare?n=60&p=100&q=2&r=2")
    maps = page.locator(PLAYER).first.locator(".picture canvas")
    expect(maps).to_have_count(4)
    for one in maps.all():
        expect(one).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert max(one.bounding_box()["height"] for one in maps.all()) < 200


@pytest.mark.sweep
def test_choice_of_validation_is_marked_on_the_curves_of_the_sweep(server, page):
    page.goto(
        f"{server.address}/compare?n=60&p=8&q=8&r=2&compare_machines=SMM&compare_machines=R-GLM"
    )
    sweep = ended(page, 1)
    settled(page)
    panel = sweep.locator("section.lines", has_text="Held-out accuracy")
    expect(panel.get_by_text("★ chosen ○ near-tie")).to_be_visible()
    box = panel.locator("canvas").bounding_box()
    told = set()  # what the pointer is told on its way along the curves
    for x in range(0, int(box["width"]), 10):
        panel.locator("canvas").hover(position={"x": x, "y": 50})
        told.add(panel.locator(".tip").inner_text())
    for name in ("SMM", "R-GLM"):
        marks = [re.search(rf"^{name}  [\d.]+ *(.*)$", text, re.M).group(1) for text in told]
        assert marks.count("★ chosen") == 1
        assert {*marks} <= {"★ chosen", "○ near-tie", ""}
    assert all("λ / λₘₐₓ = " in text and "τ of the SMM = " in text for text in told)
    assert page.complaints == []


@pytest.mark.sweep
def test_title_of_two_lines_is_whole(server, page):
    page.goto(f"{server.address}/squared_loss")
    chart = page.locator(".js-plotly-plot").filter(has_text="Both losses")
    title = chart.locator(".gtitle")
    expect(title.locator(".line")).to_have_count(2)
    assert title.bounding_box()["y"] >= chart.bounding_box()["y"]
