"""Steps of the pictures: what a link shows is not ticked, and no caption is cut in class mode."""

import pytest
from playwright.sync_api import expect

from pages.navigation import LESSONS
from tests.browser.navigation import settled
from tests.browser.test_by_hand import BY_HAND

WALL = {"width": 1280, "height": 720}
FEW = "live", "grouping"  # a player and a picture in steps; the others: -m sweep
CASES = [
    pytest.param(each, marks=[pytest.mark.sweep] * (each.address not in FEW), id=each.address)
    for each in LESSONS
]
# Captions of all pictures: those that are cut, or have no room beside their title.
CUT = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
        node.shadowRoot ? [node, ...all(node.shadowRoot)] : [node]);
    const headers = all(document).filter((node) =>
        node.matches(".toy header") && node.checkVisibility({ visibilityProperty: true }));
    return headers.flatMap((header) => {
        const box = header.getBoundingClientRect();
        const texts = [...header.children].filter(({ textContent }) => textContent).slice(0, 2);
        return texts.filter((text) => {
            const { right, bottom } = text.getBoundingClientRect();
            return right > box.right + 1 || bottom > box.bottom + 1;
        }).map((text) => `${header.textContent}: ${text.textContent}`);
    });
}"""


@pytest.mark.parametrize(
    "link",
    [
        "grouping?grouping_step=4&grouping_guess=G&grouping_price=1",
        f"by_hand?by_hand_W={BY_HAND}",
        *(
            pytest.param(link, marks=pytest.mark.sweep)
            for link in (
                "rank?rank_step=3&rank_guess=lower&rank_n=200",
                "trace_norm?trace_norm_guess=rim",
                "structure?structure_guess=200",
            )
        ),
    ],
)
def test_what_a_link_shows_is_not_ticked(server, page, link):
    page.goto(f"{server.address}/{link}")
    settled(page)
    steps = page.locator(".toy .steps")
    expect(steps.locator("[aria-current=step]")).to_be_visible()
    expect(steps.locator(".done")).to_have_count(0)


@pytest.mark.parametrize("lesson", CASES)
def test_no_caption_is_cut_in_class_mode_in_any_step(server, page, lesson):
    page.set_viewport_size(WALL)
    page.goto(f"{server.address}/{lesson.address}?present=1&answer=1")
    settled(page)
    cut = page.evaluate(CUT)
    for chip in page.locator(".toy .steps button").all():
        chip.click()
        settled(page)
        cut += page.evaluate(CUT)
    assert cut == []
