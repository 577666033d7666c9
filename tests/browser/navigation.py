"""What a visitor does in any lesson: go to another one, and wait for its run."""

import re

from pages.navigation import FURTHER, NOTES, SECTIONS, TITLES

PLAYER = ".player"
MENUS = {page.address: name.lower() for name in (FURTHER, NOTES) for page in SECTIONS[name]}
PICTURES = (
    f".js-plotly-plot .heatmaplayer image, .js-plotly-plot .trace, {PLAYER} canvas, .toy canvas"
)
# To be run before a page's own scripts: it lists what they write on canvases, and in which font.
RECORD_TEXT = """
    window.written = [];
    for (const kind of [OffscreenCanvasRenderingContext2D, CanvasRenderingContext2D]) {
        const { prototype } = kind, { fillText } = prototype;
        prototype.fillText = function (text, ...where) {
            written.push({ text, font: this.font, y: where[1] });
            fillText.call(this, text, ...where);
        };
    }"""


def ask_answer(page, call):
    """Call `isHidden` or `reveal` of the page's own module, `assets/lib/answer.js`."""
    link = "document.querySelector('[href$=\"lib/answer.js\"]').href"
    return page.evaluate(
        f"import({link}).then(({{ answer }}) => answer.{call}({{ guessed: true }}))"
    )


def skip(page) -> None:
    """Reveal the answer to the question of the lesson, if it has one."""
    # It stands below the question; `expect` would look again after a second.
    page.locator(f"{PLAYER}, .toy, .js-plotly-plot").first.wait_for()
    ask_answer(page, "reveal")


def ended(page, place: int = 0):
    """Wait until a run is over, and return its player."""
    skip(page)
    player = page.locator(PLAYER).nth(place)
    player.and_(page.locator("[data-status=finished]")).wait_for(state="attached")  # or folded away
    return player


def settled(page) -> None:
    """Wait until the server has drawn the page, after which nothing on it moves."""
    # `expect` would look again after a tenth, a quarter, half a second.
    page.wait_for_function("""() =>
        document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
        && !document.documentElement.matches(".loading")""")


def drawn(view, name: str) -> str:
    """Return the pixels of a picture in a panel."""
    return view.locator(f"[data-panel={name}] canvas").evaluate("canvas => canvas.toDataURL()")


def go(page, lesson: str) -> None:
    """Click on a page in the rail, in its menu if it stands apart from the course."""
    if lesson == "Home":
        page.get_by_role("link", name="SMM", exact=True).first.click()
        return
    address = next(address for address, title in TITLES.items() if title == lesson)
    if address in MENUS:
        page.locator(f".st-key-rail-{MENUS[address]}").get_by_role("button").click()
    rail = ".st-key-rail a", "[data-testid=stPopoverBody] a"
    ends = f"[href='{address}']:visible", f"[href$='/{address}']:visible"
    link = ", ".join(each + end for each in rail for end in ends)
    page.locator(link).first.click()


def next_frames(page) -> None:
    """Wait until the browser has drawn the page anew, whatever that takes."""
    page.evaluate(
        "async () => { for (const _ of [0, 1, 2]) await new Promise(requestAnimationFrame) }"
    )


def hold(page, begin, *places, steps=4):
    """Press the mouse at a place and move it over others, without letting go."""
    page.mouse.move(*begin)
    page.mouse.down()
    for place in places:
        page.mouse.move(*place, steps=steps)


def swipe(page, x, y, across, down):
    """Move a finger over the page in ten steps, and lift it."""
    session = page.context.new_cdp_session(page)
    for i in range(11):
        point = {"x": x + i * across / 10, "y": y + i * down / 10}
        touch = {"type": "touchMove" if i else "touchStart", "touchPoints": [point]}
        session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def assert_stays(place, y):
    """Let a place have stayed where it was, but for the pixel that what arrives late may take."""
    assert abs(place.bounding_box()["y"] - y) < 3


class Line:
    """The connection of a page that is not open yet, which can be cut, and hold answers."""

    def __init__(self, page):
        self.is_cut = self.is_held = False
        self._answers, self._page = [], page
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, socket) -> None:
        self._socket, server = socket, socket.connect_to_server()
        socket.on_message(lambda message: self.is_cut or server.send(message))
        server.on_message(self._receive)

    def _receive(self, answer) -> None:
        if self.is_held:
            self._answers.append(answer)
        else:
            self._socket.send(answer)

    def release(self) -> None:
        """Let the answers through in their order, those that come meanwhile as well."""
        while self._answers:
            self._socket.send(self._answers.pop(0))
        self.is_held = False
