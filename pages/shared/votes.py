"""Votes of a class on a lesson's question, from the students' own browsers.

They are in the memory of this server process, without names, and end with the lecturer's session.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pages.shared.engine.stream import base, is_from_elsewhere, read_body

MAX_POLLS = 50  # on this server
MAX_VOTES = 500  # on a question
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ"  # of a code: those that look like no other letter or digit


@dataclass(eq=False)
class Poll:
    """The votes on the question that a lecturer asks at the moment."""

    code: str  # the students type it
    token: str  # only the lecturer's page knows it
    lesson: str = ""  # address of the page with the question
    options: int = 0
    is_shown: bool = False  # whether the class may see the answer
    votes: dict[str, int] = field(default_factory=dict)  # by the random number of a browser's tab
    earlier: dict[str, int] = field(default_factory=dict)  # votes before it was asked again
    is_restored: bool = False  # whether these are shown again

    def ask(self, lesson: str, options: int) -> None:
        """Ask the question of a lesson, which has no votes if it is another one than before."""
        if lesson != self.lesson:
            self.lesson, self.options, self.is_shown = lesson, options, False
            self.votes, self.earlier, self.is_restored = {}, {}, False

    def show(self, lesson: str, is_shown: bool, hands: int = 0) -> None:
        """Show the class the answer, or ask the question again; so many hands were counted.

        An answer that is shown again before anybody has voted has the votes of before.
        """
        if lesson != self.lesson or is_shown == self.is_shown:
            return
        self.is_shown, self.is_restored = is_shown, is_shown and not self.votes and not hands
        if self.is_restored:
            self.votes = self.earlier
        elif not is_shown:
            self.votes, self.earlier = {}, self.votes

    def cast(self, lesson: str, voter: str, answer: int | None) -> None:
        """Replace the vote of a tab, or take it back; once the answer is shown, nothing changes."""
        if lesson != self.lesson or self.is_shown:
            return
        if answer is None:
            self.votes.pop(voter, None)
        elif isinstance(answer, bool) or not 0 <= answer < self.options:
            raise ValueError(f"the answer must be from 0 to {self.options - 1}, got {answer}")
        elif voter not in self.votes and len(self.votes) >= MAX_VOTES:
            raise ValueError(f"this question has {MAX_VOTES} votes, and no more are taken")
        else:
            self.votes[voter] = answer

    def counts(self) -> list[int]:
        """Return the number of votes for each answer."""
        votes = [*self.votes.values()]
        return [votes.count(answer) for answer in range(self.options)]


# Weak references: a poll lives as long as the lecturer's session, which holds it.
_polls: WeakValueDictionary[str, Poll] = WeakValueDictionary()  # by code, and by token


def open_poll() -> Poll:
    """Open a poll, which lives as long as the caller holds it."""
    if len(_polls) >= 2 * MAX_POLLS:
        raise ValueError(f"{MAX_POLLS} classes vote on this server already; count hands instead")
    code = ""
    while not code or code in _polls:
        code = "".join(secrets.choice(LETTERS) for _ in range(4))
    poll = Poll(code, secrets.token_urlsafe(16))
    _polls[poll.code] = _polls[poll.token] = poll
    return poll


def url(key: str) -> str:
    """Return the path of a poll: by its code for students, by its token for the lecturer."""
    return f"{base()}/vote/{key}"


def routes() -> list[Route]:
    """Return the server's routes: GET leads to the page of the question, POST takes its news."""
    return [Route(url("{key}"), _join), Route(url("{key}"), _take, methods=["POST"])]


async def _join(request: Request) -> Response:
    poll = _polls.get(request.path_params["key"].upper())
    if poll is None:
        return PlainTextResponse("There is no vote with this code. Compare it with the wall.", 404)
    return RedirectResponse(f"{base()}/{poll.lesson}?vote={poll.code}", 303)


async def _take(request: Request) -> Response:
    """Take a vote, or whether the lecturer shows the answer; answer with the state of the poll."""
    key = request.path_params["key"]
    poll = _polls.get(key)
    if poll is None:
        return PlainTextResponse("The vote has ended.", 404)
    if is_from_elsewhere(request):
        return PlainTextResponse("A vote must come from a page of this server.", 403)
    state: dict[str, object]
    try:
        match json.loads(await read_body(request)):
            case {"lesson": str(lesson), "shown": bool(is_shown), "hands": int(hands)} if (
                key == poll.token
            ):
                poll.show(lesson, is_shown, hands)
                state = {"counts": poll.counts(), "restored": poll.is_restored}
            case {"lesson": str(lesson), "voter": str(voter), "answer": None | int() as answer}:
                poll.cast(lesson, voter, answer)
                vote = poll.votes.get(voter)
                state = {"lesson": poll.lesson, "shown": poll.is_shown, "vote": vote}
            case _:
                raise ValueError("a vote must have a lesson, a voter and an answer")
    except (ValueError, RecursionError) as error:
        return PlainTextResponse(f"{error}.", 400)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody reads it
    return JSONResponse(state, headers={"Cache-Control": "no-store"})
