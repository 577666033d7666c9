"""What one shares: links that restore the picture, the picture alone, and a PNG of it."""

import io

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from tests.browser.navigation import PLAYER, ended, settled

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_links_restore_the_picture_and_the_png_shows_it(server, page):
    page.context.grant_permissions(CLIPBOARD)
    page.goto(f"{server.address}/trace_norm?trace_norm_layers=1&ask=1")
    view = page.locator(".stack")
    expect(view).to_have_attribute("data-cut", "1")
    settled(page)
    page.get_by_role("button", name="Share").click()
    share = page.locator(".share")
    share.get_by_role("button", name="Copy link to this page").click()
    expect(share.get_by_role("status")).to_have_text("Copied.")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "layers=1" in link
    assert "ask=" not in link  # a lecturer's switch is no part of the picture
    assert "answer=" not in link  # the question is still open
    with page.expect_download() as download:
        share.get_by_role("button", name="Save the picture").click()
    image = Image.open(io.BytesIO(download.value.path().read_bytes())).convert("L")
    assert download.value.suggested_filename == "trace_norm.png"
    seen = page.evaluate("document.querySelector('.st-key-stage').getBoundingClientRect().width")
    assert image.width >= 3 * seen  # drawn anew, not enlarged
    assert len(np.unique(np.asarray(image))) > 50  # not blank
    share.get_by_role("button", name="Copy <iframe> of the picture").click()
    expect(share.get_by_role("status")).to_contain_text("HTML")
    frame = page.evaluate("() => navigator.clipboard.readText()")
    share.get_by_role("button", name="Copy link to the picture alone").click()
    expect(share.get_by_role("status")).to_contain_text("slides")
    alone = page.evaluate("() => navigator.clipboard.readText()")
    made = "html => new DOMParser().parseFromString(html, 'text/html').querySelector('iframe').src"
    assert page.evaluate(made, frame) == alone

    for address in (link, alone):
        page.goto(address)
        expect(view).to_have_attribute("data-cut", "1")
        settled(page)
        shown = page.locator(".st-key-rail, .st-key-question, h2").locator("visible=true")
        expect(shown).to_have_count(0) if address == alone else expect(shown.first).to_be_visible()
        assert page.evaluate("() => document.documentElement.className").count("asked") == 0
    page.context.clear_permissions()


def test_copied_link_opens_the_player_at_the_frame_that_was_seen(server, page):
    page.context.grant_permissions(CLIPBOARD)
    page.goto(f"{server.address}/imbalance")
    player = ended(page)
    settled(page)
    player.get_by_label("Go to").evaluate("(bar) => (bar.value = 6, bar.oninput())")
    expect(player).to_have_attribute("data-frame", "6")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link to this page").click()
    expect(page.locator(".share").get_by_role("status")).to_have_text("Copied.")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "frame=6" in link

    for address, frame in ((link, "6"), (link.replace("frame=6", "frame=-6"), "0")):
        page.goto(address)
        player = page.locator(PLAYER).first
        expect(player).to_have_attribute("data-status", "finished")
        settled(page)
        expect(player).to_have_attribute("data-frame", frame)
        expect(player.get_by_role("button", name="Play")).to_be_visible()  # it rests
        page.wait_for_function("() => !location.search.includes('frame')")
    page.context.clear_permissions()


def test_page_is_saved_as_a_file_with_its_settings(server, page, tmp_path):
    page.goto(f"{server.address}/by_hand?by_hand_tau=3&by_hand_step=4")
    expect(page.locator(".st-key-stage canvas").first).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a web page").click()
    assert download.value.suggested_filename == "by_hand.html"
    saved = page.context.new_page()
    path = tmp_path / "by_hand.html"
    download.value.save_as(path)
    saved.goto(path.as_uri())
    expect(saved.locator(".st-key-stage canvas").first).to_be_visible()
    assert "by_hand_tau=3" in saved.url
    saved.close()
    answer = page.request.post(f"{server.address}/saved/yours")
    assert (answer.status, answer.text()) == (404, "This page cannot be saved.")
