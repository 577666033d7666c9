"""W beside W*: tau and n follow the hand, in three steps, and the answer waits for the guess."""

from playwright.sync_api import expect

from pages.effects.rank.runs import BUILT_IN, OPENS, TAUS, path_of
from pages.shared.engine import precomputed
from tests.browser.navigation import drawn, hold, next_frames, settled, swipe


def opened(server, page, address=""):
    page.goto(f"{server.address}/rank{address}")
    view = page.locator(".rank")
    expect(view).to_have_attribute("data-status", "finished")
    settled(page)
    return view


def spoken(view):
    """What is written, and what a screen reader is told."""
    labels = view.locator("canvas, input").evaluate_all(
        "all => all.map((each) => `${each.ariaLabel} ${each.ariaValueText}`)"
    )
    return " ".join([view.inner_text(), *labels])


def test_picture_fits_and_the_answer_waits_for_the_guess(server, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    view = opened(server, page, "?ask=1")
    page.keyboard.press("2")
    expect(view.locator(".goal")).to_have_text("First answer the question above.")
    expect(view).to_have_attribute("data-step", "1")
    assert view.locator("canvas").first.bounding_box()["y"] <= 190
    for part in (*view.locator("canvas").all(), view.locator(".note"), view.locator(".onward")):
        expect(part).to_be_in_viewport(ratio=1)
    right = [f"{1000 * share:.0f}" for share in path_of(OPENS)["new"]]
    before = spoken(view)
    assert not any(f"{number} of 1,000 new" in before for number in right)
    page.get_by_role("button", name="Fewer", exact=True).click()
    expect(view).to_have_attribute("data-step", "2")
    tau, best = float(view.get_attribute("data-tau")), int(path_of(OPENS)["new"].argmax())
    place = TAUS.index(tau)
    assert place != best  # the best line is for the reader to find
    expect(view.locator(".note")).to_contain_text(f"W gets {right[place]} of 1,000 new samples")
    view.locator("[data-panel=heights] input").focus()
    for _ in range(place - best):
        expect(view.locator(".steps .done")).to_have_count(0)
        page.keyboard.press("ArrowUp")
    omega = precomputed.load(BUILT_IN["Plaid"]).images[best]["omega"]  # n = 400 comes first
    high, low = (f"{height:.2g}" for height in omega[:2] - TAUS[best])
    expect(view.locator(".note")).to_contain_text(f"layer 2 is only {low} high, layer 1 {high}")
    expect(view.locator(".steps .done")).to_have_text("2 New samples")
    page.wait_for_function("(tau) => location.search.includes(tau)", arg=f"tau={TAUS[best]:g}")


def test_both_lines_and_n_follow_the_hand_and_the_address_their_end(server, page):
    view = opened(server, page, "?rank_step=2")
    for panel, at, towards in (
        ("heights", (0.5, 0.58), (0.5, 0.1)),
        ("chart", (0.5, 0.5), (0, 0.5)),
    ):
        before, tau = drawn(view, "W"), view.get_attribute("data-tau")
        box = view.locator(f"[data-panel={panel}] input").bounding_box()
        points = [
            (box["x"] + across * box["width"], box["y"] + down * box["height"])
            for across, down in (at, towards)
        ]
        hold(page, *points)
        expect(view).not_to_have_attribute("data-tau", tau)
        next_frames(page)  # the last move is drawn
        tau = view.get_attribute("data-tau")
        at_tau = path_of(OPENS)[[f"{each:g}" for each in TAUS].index(tau)]
        expect(view).to_have_attribute("data-rank", f"{at_tau['rank']:.0f}")
        expect(view.locator(".note")).to_contain_text(f"{1000 * at_tau['new']:.0f} of 1,000 new")
        assert drawn(view, "W") != before
        assert f"tau={tau}" not in page.url  # the button is still down
        page.mouse.up()
        page.wait_for_function("(end) => location.search.includes(end)", arg=f"tau={tau}")
        settled(page)
    view.get_by_role("button", name="Next: Fewer samples").click()
    expect(view).to_have_attribute("data-step", "3")
    slider = view.get_by_role("slider", name="n, training samples")
    expect(view.locator(".note")).to_contain_text("And with 200?")
    expect(slider).to_be_hidden()
    alone = drawn(view, "chart")
    lower = view.get_by_role("button", name="Lower")
    lower.click()
    expect(lower).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".note")).to_contain_text("✗ No. With 200 samples the best line is at τ")
    assert drawn(view, "chart") != alone
    page.wait_for_function("() => location.search.includes('rank_guess=lower')")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(view).to_have_attribute("data-n", "800")
    expect(view.locator(".note")).to_contain_text("With more samples the best line goes down")
    expect(view.locator(".steps .done").last).to_have_text("3 Fewer samples")
    page.wait_for_function("() => location.search.includes('rank_n=800')")
    settled(page)
    state = drawn(view, "chart")
    page.reload()
    expect(view).to_have_attribute("data-n", "800")
    expect(view).to_have_attribute("data-step", "3")
    settled(page)
    assert drawn(view, "chart") == state
    view.get_by_role("radio", name="Full rank").check()
    expect(view.locator(".note")).to_contain_text("For every n the best line is the lowest one")
    page.go_back()
    expect(view.locator(".note")).to_contain_text("With more samples")


def test_finger_at_the_right_drags_the_line_and_a_link_opens_another_w(server, phone):
    view = opened(server, phone, "?rank_truth=Smiley&rank_n=200&rank_step=2")
    line = view.locator("[data-panel=heights] input")
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    middle = box["x"] + box["width"] / 2
    swipe(phone, middle, box["y"] + box["height"] - 20, 0, 40 - box["height"])
    expect(view).not_to_have_attribute("data-tau", "1.12")
    metrics = precomputed.metrics(BUILT_IN["Smiley"])
    own = metrics[metrics["n"] == 200]
    at = own[[f"{tau:g}" for tau in own["tau"]].index(view.get_attribute("data-tau"))]
    expect(view).to_have_attribute("data-rank", f"{at['rank']:.0f}")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
