"""The card: what was painted and found, as a picture of its own size or as a challenge."""

import re

from playwright.sync_api import expect

from pages.shared.data.painted import PLAID, SMILEY
from pages.smm.structure.paint import COUNTS, run_of
from tests.browser.navigation import next_frames, settled
from tests.pages.runs import load_stored


def opened(page, address):
    page.goto(address)
    view = page.locator(".card")
    expect(view).to_have_attribute("data-draws", "10")
    settled(page)
    return view


def described(view):
    return view.locator("canvas").first.get_attribute("aria-label")


def test_card_says_what_the_run_found_and_is_saved_in_its_own_size(server, page):
    view = opened(page, f"{server.address}/card?card_n=400")
    curves = load_stored(run_of(SMILEY)).metrics
    last = curves[curves["n"] == 400][-1]
    svm, smm = (round(1000 * last[name]) for name in ("svm", "smm"))
    assert re.search(rf"linear SVM: {svm} of 1,000 right. SMM, rank \d+: {smm} of", described(view))
    assert "W*: rank 4" in described(view)
    # A phone shows all acts, and no empty band.
    page.set_viewport_size({"width": 390, "height": 844})
    next_frames(page)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") == 390
    below = page.get_by_text("Rank 10").bounding_box()["y"]
    assert below < view.bounding_box()["y"] + view.bounding_box()["height"] + 100
    with page.expect_download() as download:
        view.get_by_role("button", name="Save picture").click()
    size = download.value.path().read_bytes()[16:24]
    assert (int.from_bytes(size[:4]), int.from_bytes(size[4:])) == (1200, 630)
    expect(view.locator(".note")).to_have_text("Saved.")


def test_challenge_covers_the_painting_until_a_friend_has_guessed_it(server, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view = opened(page, f"{server.address}/card?card_painting={PLAID}")
    view.get_by_role("button", name="Copy challenge").click()
    expect(view.locator(".note")).to_have_text("Copied.")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert PLAID not in link
    view = opened(page, link)
    expect(view).to_have_attribute("data-n", str(COUNTS[0]))
    assert described(view).startswith("W*: ?. ")
    assert "rank 1." not in described(view)
    assert "SVM needs" not in described(view)
    choices = view.locator(".choices button")
    expect(choices).to_have_count(4)
    note = view.locator(".note")
    seen = []
    for choice in choices.all():
        choice.click()
        next_frames(page)
        expect(note).to_have_text(re.compile("^[✓✗]"))
        seen.append(note.inner_text())
        if seen[-1].startswith("✓"):
            break
    guesses = "at your first guess" if len(seen) == 1 else f"after {len(seen)} guesses"
    assert seen[-1] == f"✓ Yes: with {COUNTS[0]} samples, {guesses}."
    assert "W*: rank 1" in described(view)
