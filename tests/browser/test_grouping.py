"""The grouping effect: four steps by mouse and by keys, their address, and what is covered."""

import re

from playwright.sync_api import expect

from tests.browser.navigation import RECORD_TEXT, drawn, hold, next_frames, settled

SORTED = "grouping_order=sorted"
TEXTS = "() => written.map(({ text }) => text)"


def opened(server, page, address=""):
    page.goto(f"{server.address}/grouping{address}")
    view = page.locator(".grouping")
    expect(view).to_have_attribute("data-film", "false")
    settled(page)
    return view


def words(view):
    """All that the picture says, also to a screen reader."""
    labels = view.locator("[aria-label]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    return " ".join([view.inner_text(), *labels])


def press(page, slider, share):
    box = slider.bounding_box()
    hold(page, (box["x"] + share * box["width"], box["y"] + box["height"] / 2))


def test_the_picture_fits_and_w_is_covered_until_the_guess(server, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    view = opened(server, page, "?ask=1")
    page.keyboard.press("4")
    expect(view.locator(".goal")).to_have_text("First answer the question above.")
    page.keyboard.press("3")
    expect(view).to_have_attribute("data-step", "3")
    expect(view).to_have_attribute("data-covered", "true")
    settled(page)
    assert view.locator(".panels").bounding_box()["y"] <= 190
    for part in (*view.locator(".panels canvas").all(), view.locator(".onward")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(view.locator(".note")).to_contain_text("δ is 1 now. The SMM learns W")
    assert not re.search(r"rank \d|apart|objective|G =", words(view))
    expect(view.locator(".handle").first).to_be_disabled()
    covered = drawn(view, "stack"), drawn(view, "side")

    page.get_by_role("button", name="One becomes 0").click()
    expect(view).to_have_attribute("data-covered", "false")
    page.wait_for_function("() => location.search.includes('grouping_noise=0')")
    expect(view.locator(".note")).to_contain_text("and so are those of W")
    expect(view.locator("[data-panel=side] header")).to_contain_text("correlation 1 in W 0 apart")
    assert covered[0] != drawn(view, "stack")
    assert covered[1] != drawn(view, "side")
    page.keyboard.press("2")
    expect(view).to_have_attribute("data-step", "2")
    page.keyboard.press("3")
    expect(view.locator(".note")).to_contain_text("δ is 1 now. In W")  # seen by now


def test_a_guess_leads_through_the_cloud_which_collapses_to_the_columns_of_w(server, page):
    page.emulate_media(reduced_motion="no-preference")
    view = opened(server, page)
    view.evaluate("""view => {
        window.steps = [];
        const delta = view.querySelector(".delta output");
        const look = () => steps.push([view.dataset.step, Number(delta.textContent)]);
        new MutationObserver(look).observe(view, { attributeFilter: ["data-step"] });
    }""")
    page.get_by_role("button", name="They become equal").click()
    expect(view).to_have_attribute("data-step", "3")
    page.wait_for_function("() => location.search.includes('grouping_step=3')")
    cloud, after = ([at for step, at in page.evaluate("steps") if step == k] for k in "23")
    assert cloud[0] > cloud[-1] == max(after) == 0


def test_steps_are_played_by_mouse_and_the_address_restores_them(server, page):
    view = opened(server, page)
    said = view.locator(".note")
    shuffled = drawn(view, "stack")
    view.get_by_role("button", name="Sort", exact=True).click()
    expect(said).to_contain_text("Columns with the same mark repeat the same number")
    assert drawn(view, "stack") != shuffled
    view.get_by_role("button", name="Next: Two columns").click()
    expect(said).to_contain_text("The dots are near the diagonal: correlation 0.81")
    press(page, view.locator(".delta input"), 0.98)
    expect(said).to_contain_text(re.compile("round|wide"))
    page.mouse.up()
    pin = view.locator(".handle").nth(1)
    box, rail = pin.bounding_box(), view.locator("[data-panel=stack] canvas").bounding_box()
    y = box["y"] + 22
    hold(page, (box["x"] + 22, y), (rail["x"] + 0.7 * rail["width"], y))
    expect(said).to_contain_text("have different marks")
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('grouping_l2=14')")
    settled(page)
    page.reload()
    expect(said).to_contain_text("columns 4 and 14 have different marks")

    view.get_by_role("button", name="Next: Columns of W").click()
    expect(said).to_contain_text("δ is 1 now.")
    expect(pin).to_have_text("5")  # as in the question
    page.get_by_role("button", name="They become equal").click()
    expect(said).to_contain_text("so are those of W")
    press(page, view.locator(".delta input"), 0.4)
    page.mouse.up()
    expect(said).to_contain_text("In W these columns are 0.")
    view.get_by_role("button", name="Next: How alike?").click()
    expect(view.locator(".C")).to_be_hidden()  # until the guess
    view.get_by_role("button", name="G", exact=True).click()
    expect(said).to_contain_text("✓ Yes. G falls from 0.89 to 0.41; right were 927, now 928.")
    page.wait_for_function("() => location.search.includes('grouping_price=1')")
    press(page, view.locator(".tau input"), 0.001)
    page.mouse.up()
    expect(said).to_contain_text("this is the linear SVM. It groups, too: G = 0.38")
    page.wait_for_function("() => location.search.includes('grouping_cut=0')")
    expect(view.locator(".steps .done")).to_have_count(2)  # since the page was loaded again
    settled(page)
    page.go_back()
    expect(said).to_contain_text("✓ Yes. G falls from 0.89")  # where it was said
    page.reload()
    expect(said).to_contain_text("✓ Yes. G falls from 0.89")
    expect(view.locator(".onward")).to_contain_text("The rank of W")


def test_keys_alone_play_all_steps(server, page):
    page.add_init_script(RECORD_TEXT)
    view = opened(server, page)
    page.keyboard.press("n")
    expect(view).to_have_attribute("data-step", "2")
    page.wait_for_function(f"() => location.search.includes('{SORTED}')")
    first, second = view.locator(".handle").all()
    first.press("ArrowRight")  # over the other one
    expect(first).to_have_text("6")
    second.press("ArrowLeft")
    expect(second).to_have_text("4")
    expect(view.locator(".note")).to_contain_text("different marks")
    view.locator(".delta input").press("End")
    expect(view.locator(".delta output")).to_have_text("2")
    page.keyboard.press("4")  # which shows the answer
    expect(view).to_have_attribute("data-step", "4")
    expect(view.locator(".note")).to_contain_text("how pure the groups are")
    view.get_by_role("button", name="Both").press("Enter")
    expect(view.locator(".note")).to_contain_text("✗ No. G falls")
    view.locator(".C input").press("Home")
    expect(view.locator(".note")).to_contain_text("of 60 samples have the full load C. Their noise")
    assert "W = 0" not in page.evaluate(TEXTS)
    view.locator(".tau input").press("End")
    expect(view.locator(".note")).to_contain_text("nothing is left of W")
    page.wait_for_function(f"() => ({TEXTS})().includes('W = 0')")  # where there is no G

    page.set_viewport_size({"width": 390, "height": 844})  # a phone shows it all
    next_frames(page)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") == 390
    for button in view.locator("button:visible").all():
        assert button.bounding_box()["height"] >= 43.9


def test_the_lecturers_play_shows_each_answer_and_then_lets_c_grow_again(server, page):
    page.emulate_media(reduced_motion="no-preference")
    view = opened(server, page, "?present=1")
    page.keyboard.press("Space")
    page.wait_for_function("() => location.search.includes('grouping_step=3')")
    expect(view).to_have_attribute("data-film", "false")
    page.keyboard.press("n")
    expect(view).to_have_attribute("data-step", "4")
    expect(view).to_have_attribute("data-film", "false")
    settled(page)
    page.keyboard.press("Space")
    page.wait_for_function("() => location.search.includes('grouping_guess=shown')")
    expect(view.locator(".note")).to_contain_text("G falls from")
    settled(page)
    address = page.url
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-film", "true")
    expect(view.locator(".note")).to_contain_text("G falls from")
    assert page.url == address
