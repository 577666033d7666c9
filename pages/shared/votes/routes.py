"""The routes of votes: the phones' page, and what phones and the lecturer's page tell a poll."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from pages.shared.engine.stream import base, is_from_elsewhere, read_body
from pages.shared.votes import poll as polls
from pages.shared.votes.phone_page import draw_field, draw_question
from pages.shared.votes.poll import Poll
from pages.shared.votes.poster import make_poster

PHONE = "phone"  # cookie with the name that the server has given to a phone
HOURS = 12 * 3600
FRESH = {"Cache-Control": "no-store"}


def url(key: str = "") -> str:
    """Return the path of a poll: by its code for phones, by its token for the lecturer's page."""
    return f"{base()}/vote/{key}".rstrip("/")


def routes() -> list[Route]:
    """Return the server's routes.

    GET <base>/vote asks for a code, and <base>/vote/<code> is the page where phones vote.
    POST <base>/vote opens a poll; <base>/vote/<token> takes what the lecturer does, and
    <base>/vote/<code> a vote. All answer with the state of the poll as JSON.
    """
    return [
        Route(url(), _find_page),
        Route(url(), _open, methods=["POST"]),
        Route(url("{key}"), _show_page),
        Route(url("{key}"), _take, methods=["POST"]),
    ]


# ---- the page of the phones --------------------------------------------------------------------


async def _find_page(request: Request) -> Response:
    code = request.query_params.get("code", "").strip().upper()
    if code:
        return RedirectResponse(url(code), 303)
    return HTMLResponse(draw_field("Type the code on the wall."), headers=FRESH)


async def _show_page(request: Request) -> Response:
    key = request.path_params["key"]
    code = key.strip().upper()
    poll = polls.find(code)
    if poll is None:
        text = f"There is no vote with the code {code[:8]}. Compare it with the wall."
        return HTMLResponse(draw_field(text, code[:8]), 404, FRESH)
    if key != code:
        return RedirectResponse(url(code), 303)  # the cookie is for this path
    phone = request.cookies.get(PHONE, "")
    is_known = phone in poll.phones
    if not is_known:
        try:
            phone = poll.admit(request.client.host if request.client else "")
        except PermissionError as error:
            text = f"{str(error).capitalize()}."
            return HTMLResponse(draw_field(text, code), 429, FRESH | {"Refresh": "4"})
    page = HTMLResponse(draw_question(poll, phone), headers=FRESH)
    if not is_known:
        page.set_cookie(PHONE, phone, HOURS, path=url(code), httponly=True, samesite="lax")
    return page


# ---- what is told to a poll --------------------------------------------------------------------


async def _open(request: Request) -> Response:
    """Open a poll for the question of the page on the wall, or for the lecturer's view."""

    def act(message: dict[str, Any]) -> dict[str, Any]:
        question = message.get("question")
        poll = polls.open_poll(*([polls.find_question(question)] if question else []))
        return _lead(poll, message) | {"url": url(poll.token)}

    return await _answer(request, act)


async def _take(request: Request) -> Response:
    key = request.path_params["key"]
    poll = polls.find(key)
    if poll is None:
        return PlainTextResponse("The vote has ended.", 404)
    if key == poll.token:
        return await _answer(request, lambda message: _lead(poll, message))
    phone = request.cookies.get(PHONE, "")
    return await _answer(request, lambda message: _vote(poll, phone, message))


async def _answer(request: Request, act: Any) -> Response:
    """Answer a message with the state that `act` returns, or with what is wrong with it."""
    if is_from_elsewhere(request):
        return PlainTextResponse("A vote must come from a page of this server.", 403)
    try:
        message = json.loads(await read_body(request))
        if not isinstance(message, dict):
            raise ValueError("the message must be a JSON object")
        return JSONResponse(act(message), headers=FRESH)
    except PermissionError as error:
        return PlainTextResponse(f"{str(error).capitalize()}.", 403)
    except (ValueError, RecursionError) as error:
        return PlainTextResponse(f"{error}.", 400)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody reads it


def _lead(poll: Poll, message: dict[str, Any]) -> dict[str, Any]:
    """Do what a page of the lecturer says; one that only listens leaves the question as it is."""
    poll.hear()
    state: dict[str, Any] = {}
    match message:
        case {"wall": dict(wall)}:
            poll.show_wall(wall)
    match message:
        case {"act": "listen"}:
            return poll.for_lecturer() | {"pressed": poll.take_keys()}
        case {"act": "watch", "address": str(address)}:
            own = urlsplit(address)
            return poll.for_view() | {"poster": make_poster(address, own.path, f"?{own.query}")}
        case {"act": "watch"}:
            return poll.for_view()
        case {"act": "end"}:
            polls.end(poll)
            return {"ended": True}
        case {"act": "anew"}:
            polls.renew(poll)
            return {}
        case {"question": str(key)}:
            poll.ask(polls.find_question(key), is_early=message.get("early") is True)
    if "id" in message and not poll.is_first(str(message["id"])):
        return poll.for_lecturer()
    match message:
        case {"act": "ask", "origin": str(origin)}:
            state["poster"] = {"code": poll.code, **make_poster(origin, url(), f"/{poll.code}")}
        case {"act": "hand", "answer": int(answer)}:
            poll.raise_hand(answer)
        case {"act": "press", "key": str(key)}:
            poll.press(key)
        case {"act": "undo"}:
            poll.undo()
        case {"act": "show"}:
            poll.round.is_shown = True
        case {"act": "again"}:
            poll.ask_again()
        case {"act": "close", "closed": bool(is_closed)}:
            poll.is_closed = is_closed
        case _:
            raise ValueError("the message must say what the lecturer does")
    return poll.for_lecturer() | state


def _vote(poll: Poll, phone: str, message: dict[str, Any]) -> dict[str, Any]:
    """Take a vote; a message without an answer only listens."""
    match message:
        case {"round": int(number), "answer": None | int() as answer}:
            poll.cast(phone, number, answer)
        case {"answer": _}:
            raise ValueError("a vote must have a round and an answer")
    return poll.for_phones(phone)
