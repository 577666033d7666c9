"""The lecturer's view: the notes of all steps, and buttons that turn the page on the wall.

It is a plain page for a second screen or a phone. Who knows the token of a poll leads it, so the
token is in no page that students see.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pages.class_steps import PLANS, PlanStep, beginnings
from pages.shared.engine.stream import base
from pages.shared.markdown import to_html
from pages.shared.votes import routes as votes
from pages.shared.votes.phone_page import draw_page, make_script, make_style

BUTTONS = {  # their keys, or what they tell the poll
    "← Back": "PageUp",
    "Show answer": "r",
    "Ask again": "again",
    "Next →": "PageDown",
    "◂": "ArrowLeft",
    "Play": " ",
    "▸": "ArrowRight",
}
NOTES = """\
**Do.** {step.do}

**Students should say.** “{step.students}”

**Takeaway.** {step.takeaway}

**Next.** {after}
"""


def url() -> str:
    """Return the path of the view; ?remote=TOKEN is the poll that it leads."""
    return f"{base()}/lecturer"


def routes() -> list[Route]:
    """Return the server's route of the view."""
    return [Route(url(), _show)]


async def _show(request: Request) -> Response:
    return HTMLResponse(_draw(request.query_params.get("remote", "")), headers=votes.FRESH)


def _draw(token: str) -> str:
    buttons = "".join(
        f'<button type="button" value="{act}">{text}</button>' for text, act in BUTTONS.items()
    )
    body = (
        "<h1>Lecturer's view</h1>"
        '<p role="status">The wall is not there yet.</p>'
        f"<nav>{buttons}</nav>"
        f"{''.join(_draw_plan(name, steps) for name, steps in PLANS.items())}"
        '<details class="phone"><summary>On your phone</summary>'
        "<p>Only for you: who opens it leads the class.</p></details>"
        f"{make_style('lecturer')}{make_script('lecturer')}"
    )
    address = votes.url(token) if token else ""
    data = f'data-poll="{escape(address)}" data-votes="{votes.url()}"'
    return draw_page("Lecturer's view", body, data)


def _draw_plan(plan: str, steps: Sequence[PlanStep]) -> str:
    begins = beginnings(steps)
    text = f"<h2>{begins[-1]} minutes</h2>"
    for i, step in enumerate(steps):
        after = steps[i + 1].question if i + 1 < len(steps) else "the end"
        text += (
            f'<details id="step-{plan}{i + 1}"><summary>{i + 1}. {escape(step.question)} '
            f"<small>minutes {begins[i]} to {begins[i + 1]}</small></summary>"
            f"{to_html(NOTES.format(step=step, after=after))}</details>"
        )
    return text
