"""Omega and its samples: five steps by mouse and by keys, and their address."""

from playwright.sync_api import expect

from tests.browser.navigation import drawn, hold, settled

READY = "() => location.search.includes('smm_step=2')"


def opened(server, page, address=""):
    page.goto(f"{server.address}/smm{address}")
    view = page.locator(".omega")
    expect(view).to_have_attribute("data-step", "5" if "step=5" in address else "1")
    settled(page)
    return view


def labels(view):
    """What a screen reader is told about the samples."""
    return view.locator(".strip button").evaluate_all("all => all.map((each) => each.ariaLabel)")


def test_the_picture_fits_keeps_the_answer_until_the_guess_and_keys_alone_play_all_steps(
    server, page
):
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 1280, "height": 720})
    view = opened(server, page, "?ask=1")
    page.keyboard.press("2")
    expect(view.locator(".goal")).to_have_text("First answer the question above.")
    expect(view).to_have_attribute("data-step", "1")
    parts = [*view.locator("canvas").all(), view.locator(".onward"), view.locator(".note")]
    assert view.locator(".strip").bounding_box()["y"] <= 190
    for part in parts:
        expect(part).to_be_in_viewport(ratio=1)
    assert not any("load" in label for label in labels(view))
    assert "load" not in view.inner_text()
    assert len(set(view.locator(".strip button").evaluate_all(SIZES))) == 1
    page.get_by_role("button", name="The bold ones").click()
    expect(view).to_have_attribute("data-step", "2")
    expect(view).to_have_attribute("data-film", "false")
    expect(view.locator(".note")).to_contain_text("23 of the 24 faint samples")
    page.wait_for_function(READY)
    settled(page)
    for part in parts:
        expect(part).to_be_in_viewport(ratio=1)
    assert sum("load 0" in label and "beyond" in label for label in labels(view)) == 13
    page.get_by_role("button", name="Ask again").dispatch_event("click")
    expect(view).to_have_attribute("data-step", "1")
    assert not any("load" in label for label in labels(view))

    page.get_by_role("button", name="The bold ones").press("Enter")
    expect(view).to_have_attribute("data-step", "2")
    view.locator(".strip [tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(view.locator(".note")).to_contain_text("Now take out one")
    page.keyboard.press("n")
    line = view.locator("[data-panel=middle] input")
    line.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(view.locator(".note")).to_contain_text("Layer 3 holds")
    page.keyboard.press("4")
    expect(view.locator(".proof")).to_contain_text("✓")
    line.focus()
    page.keyboard.press("Home")
    expect(view.locator(".note")).to_contain_text("W = Ω")
    page.keyboard.press("5")
    expect(view.locator(".note")).to_contain_text("At this C the linear SVM")
    page.wait_for_function("() => location.search.includes('smm_cut=0')")
    settled(page)


SIZES = "all => all.map((each) => each.style.getPropertyValue('--size'))"
SIDES = """all => all.map((each) => {
    const { left, right } = each.getBoundingClientRect();
    return [left, right];
})"""


def test_steps_are_played_by_mouse_and_the_address_restores_them(server, page):
    view = opened(server, page)
    said, omega = view.locator(".note"), "left"
    view.locator(".frames").nth(8).hover()
    expect(view.locator("[data-panel=left] header")).to_contain_text("Sample 27 faint frame")
    view.get_by_role("button", name="Next: Add up").click()
    expect(view).to_have_attribute("data-step", "2")
    before = drawn(view, omega)
    view.locator(".crosses").nth(0).click()
    expect(said).to_contain_text("Nothing changes")
    assert drawn(view, omega) == before
    view.locator(".crosses").nth(6).click()
    expect(said).to_contain_text("Ω changes by 21 %. This faint cross had load 1.00")
    assert drawn(view, omega) != before
    expect(view.locator(".steps .done")).to_have_count(2)
    view.get_by_role("button", name="Put back 2").click()
    expect(said).to_contain_text("23 of the 24")
    assert drawn(view, omega) == before

    view.get_by_role("button", name="Next: Layers").click()
    expect(said).to_contain_text("Point at two bars")
    assert "%" not in said.inner_text()
    box = view.locator("[data-panel=middle] input").bounding_box()
    for share in (0.3, 0.03):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    expect(said).to_contain_text(
        "Layer 1 holds 52 % of the cross in Ω, layers 1 and 2 together 98 %"
    )

    view.get_by_role("button", name="Next: Cut").click()
    expect(said).to_contain_text("W has rank 2")
    page.wait_for_function("() => location.search.includes('smm_step=4')")
    line = view.locator("[data-panel=middle] input")
    box = line.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 8 + 0.6 * (box["height"] - 16)
    hold(page, (x, y), (x, y - 60), steps=1)
    expect(view).not_to_have_attribute("data-tau", "4")
    tau = view.get_attribute("data-tau")
    assert "smm_cut" not in page.url  # the button is still down
    page.mouse.up()
    page.wait_for_function("(end) => location.search.includes(end)", arg=f"smm_cut={tau}")
    settled(page)
    expect(page.get_by_text("Asked at τ = 4")).to_be_visible()
    expect(page.locator(".st-key-question .reply")).to_contain_text("faint samples get a load")
    view.get_by_role("button", name="Next: Why cut?").click()
    expect(said).to_contain_text("of 1,000 new samples right")
    sentence = said.inner_text()
    page.wait_for_function("() => location.search.includes('smm_step=5')")
    settled(page)
    page.reload()
    expect(said).to_have_text(sentence)
    for width in (1920, 390):  # no window scrolls sideways
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
        for left, right in view.locator("button:visible, canvas:visible").evaluate_all(SIDES):
            assert 0 <= left < right <= width
    paragraph = page.locator(".stMarkdown", has_text="The SMM minimises").filter(visible=True).first
    objective = paragraph.locator(".katex-html").first
    assert objective.evaluate("formula => formula.getClientRects().length") == 1  # line
    page.go_back()
    expect(view).to_have_attribute("data-step", "4")
