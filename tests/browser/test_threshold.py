"""The threshold that one drags, below the first picture: all follows the hand."""

import re

from playwright.sync_api import expect

from pages.shared.algorithm1 import QUICK
from pages.shared.engine import precomputed
from pages.smm.meet.runs import ThresholdPath
from tests.browser.navigation import assert_stays, drawn, hold, settled, swipe

STORED = precomputed.load(ThresholdPath(QUICK.data, QUICK.C)).metrics
RANKS = dict(zip(STORED["tau"].tolist(), STORED["rank"].tolist(), strict=True))


def opened(server, page, address=""):
    page.goto(f"{server.address}/smm{address}")
    view = page.locator(".threshold")
    expect(view).to_have_attribute("data-status", "finished")
    settled(page)
    view.scroll_into_view_if_needed()
    return view


def test_bars_w_and_numbers_follow_hand_keys_and_knob_and_the_address_their_end(server, page):
    """The picture and its numbers fit a projector."""
    view = opened(server, page)
    for width, height in ((1280, 720), (1920, 1080), (1280, 900)):
        page.set_viewport_size({"width": width, "height": height})
        view.evaluate("view => view.scrollIntoView()")
        for part in (*view.locator("canvas").all(), view.locator(".note")):
            expect(part).to_be_in_viewport(ratio=1)
    expect(view).to_have_attribute("data-tau", "0.2")
    before = drawn(view, "W")

    line = view.get_by_role("slider")
    settled(page)
    box = line.bounding_box()
    share = line.evaluate("line => line.value / line.max")
    x, y = box["x"] + box["width"] / 2, box["y"] + 8 + (1 - share) * (box["height"] - 16)
    hold(page, (x, y), (x, y + 25), steps=1)  # at once: what is read below is where it ends
    expect(view).not_to_have_attribute("data-tau", "0.2")
    tau = float(view.get_attribute("data-tau"))
    assert tau < 0.2
    assert RANKS[tau] > RANKS[0.2]
    expect(view).to_have_attribute("data-rank", str(RANKS[tau]))
    above = view.locator("[data-panel=omega] header span").first
    expect(above).to_have_text(f"{RANKS[tau]} of 20 above the line")
    assert drawn(view, "W") != before
    assert "tau=" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function("(end) => location.search.includes(end)", arg=f"tau={tau:g}")
    settled(page)
    assert view.get_attribute("data-tau") == f"{tau:g}"
    shown = page.locator(".knob input[data-key=tau]")
    expect(shown).to_have_js_property("ariaValueText", f"{tau:g}")

    line.focus()
    taus = STORED["tau"].tolist()
    for key, step in (("ArrowUp", -1), ("ArrowUp", -1), ("ArrowDown", 1)):
        page.keyboard.press(key)
        tau = taus[taus.index(tau) + step]
        expect(view).to_have_attribute("data-tau", f"{tau:g}")
    expect(line).to_have_attribute("aria-valuetext", re.compile(rf"rank {RANKS[tau]} of 20"))
    page.wait_for_function("(end) => location.search.includes(end)", arg=f"tau={tau:g}")
    page.keyboard.press("Home")
    expect(view.locator(".note")).to_contain_text("linear SVM")
    page.wait_for_function("() => /[?&]tau=0(&|$)/.test(location.search)")
    settled(page)

    shown.focus()
    page.keyboard.press("End")  # far above tau_max, and not let go of
    expect(view).to_have_attribute("data-rank", "0")
    expect(view.locator(".note")).to_contain_text("W = 0")


def test_finger_at_the_right_drags_the_line_and_elsewhere_scrolls_the_page(server, phone):
    view = opened(server, phone)
    sheet, line = view.locator("[data-panel=omega] .sheet"), view.get_by_role("slider")
    line.scroll_into_view_if_needed()
    around, box = sheet.bounding_box(), line.bounding_box()
    middle = box["x"] + box["width"] / 2
    swipe(phone, middle, box["y"] + box["height"] - 20, 0, 40 - box["height"])
    expect(view).to_have_attribute("data-rank", "1")
    assert_stays(sheet, around["y"])
    phone.wait_for_function("() => location.search.includes('tau=')")
    tau = view.get_attribute("data-tau")
    swipe(phone, around["x"] + 60, box["y"] + box["height"] - 20, 0, -100)
    phone.wait_for_function(
        "([sheet, y]) => sheet.getBoundingClientRect().y < y - 50",
        arg=[sheet.element_handle(), around["y"]],
    )
    expect(view).to_have_attribute("data-tau", tau)
