"""A poll: the questions that a lecturer asks, the hands that are counted, the votes of phones.

Polls are in the memory of this server process. Votes have no names: a phone has a random one, which
the server gives to it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address, ip_network
from math import inf
from typing import Any

MAX_POLLS = 200  # on this server
LONGEST_SILENCE = 600.0  # seconds without the lecturer's page, after which a poll has ended
NEAR = 10.0  # seconds for which a page that was heard is there
KEYS = "PageUp", "PageDown", "ArrowLeft", "ArrowRight", " ", "r"  # for the wall, see present.js
BUSY = 60.0  # seconds for which no other poll takes the place of one
MAX_QUESTIONS = 500  # that this server remembers; settings change the words of a few
MAX_ACTS = 100  # of the lecturer, by which one that is sent again is known
MAX_PHONES = 500  # in a poll; at most as many hands
# A hall may have one address for all: its phones come at once, and then one after the other. They
# cannot take all places, so that a vote stays open for other addresses.
AT_ONCE, A_SECOND, MAX_AT_ADDRESS = 60, 2.0, 250
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ"  # of a code: those that look like no other letter or digit


@dataclass(frozen=True)
class Question:
    """The question of a lesson, as its page asks it."""

    lesson: str  # address of the page
    text: str
    answers: Sequence[Mapping[str, Any]]  # the text, the reply to it and whether it is right
    # Of a map, whose places are the answers, row by row: the values across it and upwards by name
    axes: Mapping[str, Sequence[int]] | None = None

    @cached_property
    def key(self) -> str:
        """Name of the question: another one if a word changes."""
        words = json.dumps([self.lesson, self.text, [*map(dict, self.answers)]])
        return sha256(words.encode()).hexdigest()[:16]

    def reply_to(self, answer: int | None) -> tuple[str, str, str]:
        """Return what is said, once the right answer is shown, to one who has given an answer.

        That is the verdict, the reply, and the right answer where it is another one.
        """
        right = next(each for each in self.answers if each["right"])
        if answer is None:
            return f"{right['text']}. ", right["reply"], ""
        own = self.answers[answer]
        if own["right"]:
            return "Right. ", own["reply"], ""
        return "No. ", own["reply"], f" The answer: {right['text']}."


SOON = "Look at the wall: its question comes soon."  # while the wall has not come to it
NOTHING = Question("", "The class begins soon.", ())  # is asked so far
_questions: dict[str, Question] = {}  # by key, the newest last


def remember(question: Question) -> str:
    """Remember a question that a page shows, and return its key."""
    key = question.key
    _questions.pop(key, None)
    _questions[key] = question
    if len(_questions) > MAX_QUESTIONS:
        del _questions[next(iter(_questions))]
    return key


def find_question(key: str) -> Question:
    """Return a question that a page has shown."""
    if key not in _questions:
        raise ValueError("this question is not known any more; reload the page")
    return _questions[key]


@dataclass
class Round:
    """The votes on a question from its asking to the next."""

    number: int  # no other round of the poll has it
    hands: list[int] = field(default_factory=list)  # answers, in the order in which they came
    votes: dict[str, int] = field(default_factory=dict)  # answers, by the name of a phone
    is_shown: bool = False  # whether the class may see the right answer

    @property
    def is_empty(self) -> bool:
        """Whether nobody has voted."""
        return not self.hands and not self.votes

    def counts(self, options: int) -> list[int]:
        """Return the number of hands and votes for each answer."""
        return _count([*self.hands, *self.votes.values()], options)


def _count(answers: list[int], options: int) -> list[int]:
    return [answers.count(answer) for answer in range(options)]


@dataclass
class Door:
    """The phones that have come from an address."""

    total: int = 0
    crowd: float = 0.0  # how many have just come
    since: float = 0.0


@dataclass(eq=False)
class Poll:
    """A poll, whose question is the one that a lecturer's page has asked last."""

    code: str  # the students type it
    token: str  # only the lecturer's pages know it
    question: Question
    heard: float  # time at which the lecturer's page has spoken
    phones: set[str] = field(default_factory=set)  # names that were given
    is_closed: bool = False  # whether the lecturer lets no more phones in
    is_early: bool = False  # whether the wall is at a step before its question
    wall: Mapping[str, Any] | None = None  # what the page on the wall says about itself
    seen: float = -inf  # time at which that page has spoken
    led: float = -inf  # time at which the lecturer's view has spoken
    pressed: list[str] = field(default_factory=list)  # keys for the wall
    _doors: dict[str, Door] = field(default_factory=dict)  # by address
    _asked: dict[str, deque[Round]] = field(default_factory=dict)  # two rounds each, by lesson
    _rounds: int = 0  # so far
    _acts: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_ACTS))  # the last ones

    def hear(self) -> None:
        """Note that the lecturer's page is there."""
        self.heard = time.monotonic()

    def show_wall(self, wall: Mapping[str, Any]) -> None:
        """Note where the wall is."""
        self.wall, self.seen = wall, time.monotonic()

    def press(self, key: str) -> None:
        """Keep a key for the wall, if that is there to take it."""
        if key not in KEYS:
            raise ValueError(f"the key must be one of {KEYS}, got {key[:10]}")
        if self._is_near(self.seen):
            self.pressed.append(key)

    def _is_near(self, when: float) -> bool:
        return time.monotonic() - when < NEAR

    def is_first(self, act: str) -> bool:
        """Note an act by its name; return False where it is sent again, as its answer was lost."""
        if act in self._acts:
            return False
        self._acts.append(act)
        return True

    @property
    def round(self) -> Round:
        """The round of the question that is asked."""
        return self._asked[self.question.lesson][-1]

    @property
    def asked(self) -> Question:
        """What phones are asked, which has no answers before the wall asks it."""
        early = replace(self.question, text=SOON, answers=(), axes=None)
        return early if self.is_early else self.question

    @property
    def number(self) -> int:
        """The number of the round that phones vote in, or 0."""
        return self.round.number if self.asked.answers else 0

    def ask(self, question: Question, is_early: bool = False) -> None:
        """Ask the question of a lesson, which has the votes that it had when it was asked before.

        Settings of the lesson may have changed its words since.
        """
        self.question, self.is_early = question, is_early
        if question.lesson not in self._asked:
            self.ask_again()

    def ask_again(self) -> None:
        """Begin another round of the question, unless this one is untouched."""
        rounds = self._asked.setdefault(self.question.lesson, deque(maxlen=2))
        if not rounds or rounds[-1].is_shown or not rounds[-1].is_empty:
            self._rounds += 1
            rounds.append(Round(self._rounds))

    def raise_hand(self, answer: int) -> None:
        """Count a hand."""
        self._check(answer)
        if not self.round.is_shown and len(self.round.hands) < MAX_PHONES:
            self.round.hands.append(answer)

    @property
    def can_undo(self) -> bool:
        """Whether there is a hand to take back, or a round that nobody has voted in."""
        rounds = self._asked[self.question.lesson]
        is_new = len(rounds) > 1 and self.round.is_empty
        return not self.round.is_shown and (bool(self.round.hands) or is_new)

    def undo(self) -> None:
        """Take the last hand back, or the asking again, if nobody has voted since."""
        if self.can_undo:
            (self.round.hands or self._asked[self.question.lesson]).pop()

    def cast(self, phone: str, number: int, answer: int | None) -> None:
        """Replace the vote of a phone, or take it back, while the round is open."""
        if phone not in self.phones:
            raise PermissionError("open the page of the vote to take part")
        if answer is not None:
            self._check(answer)
        if not number or number != self.number or self.round.is_shown:
            return
        self.round.votes.pop(phone, None)
        if answer is not None:
            self.round.votes[phone] = answer

    def _check(self, answer: int) -> None:
        most = len(self.question.answers) - 1
        if isinstance(answer, bool) or not 0 <= answer <= most:
            raise ValueError(f"the answer must be from 0 to {most}, got {answer}")

    def admit(self, address: str) -> str:
        """Give a name to a phone at an address."""
        now, door = time.monotonic(), self._doors.get(network_of(address), Door())
        crowd = max(0.0, door.crowd - A_SECOND * (now - door.since))
        if self.is_closed:
            raise PermissionError("the lecturer lets no more phones in")
        if len(self.phones) >= MAX_PHONES or door.total >= MAX_AT_ADDRESS:
            raise PermissionError("this vote has no room for more phones")
        if crowd + 1 > AT_ONCE:
            raise PermissionError("many phones come at the same time; this one is let in soon")
        self._doors[network_of(address)] = Door(door.total + 1, crowd + 1, now)
        name = secrets.token_urlsafe(12)
        self.phones.add(name)
        return name

    def say(self, phone: str) -> str:
        """Return what the owner of a phone reads below the question."""
        vote = self.round.votes.get(phone)
        if not self.asked.answers:
            return "This page follows the wall."
        if self.round.is_shown:
            return "".join(self.question.reply_to(vote))
        if vote is None:
            return (
                f"Your class votes: {'tap a place' if self.question.axes else 'choose an answer'}."
            )
        place = f"{self.question.answers[vote]['text']}. " if self.question.axes else ""
        return f"{place}Your vote is counted. You can change it."

    def for_phones(self, phone: str) -> dict[str, Any]:
        """Return what a phone is told."""
        return {
            "lesson": self.question.lesson,
            "round": self.number,
            "shown": self.round.is_shown,
            "vote": self.round.votes.get(phone),
            "said": self.say(phone),
        }

    def for_lecturer(self) -> dict[str, Any]:
        """Return what the wall shows: before the right answer nobody sees what phones vote.

        Only a map fills as they tap: what it shows is found there, and not what they think.
        """
        now, options = self.round, len(self.question.answers)
        is_seen = now.is_shown or self.question.axes
        before = [*self._asked[self.question.lesson]][:-1]
        return {
            "lesson": self.question.lesson,
            "shown": now.is_shown,
            "counts": now.counts(options) if is_seen else _count(now.hands, options),
            "total": len(now.hands) + len(now.votes),
            "before": before[0].counts(options) if now.is_shown and before else [],
            "canUndo": self.can_undo,
            "phones": len(self.phones),
            "closed": self.is_closed,
            "isLed": self._is_near(self.led),
        }

    def take_keys(self) -> list[str]:
        """Return the keys that were pressed for the wall, once."""
        keys, self.pressed = self.pressed, []
        return keys

    def for_view(self) -> dict[str, Any]:
        """Return what the lecturer's view shows."""
        self.led = time.monotonic()
        now = self.round
        return {
            "wall": self.wall if self._is_near(self.seen) else None,
            "question": self.question.text,
            "shown": now.is_shown,
            "total": len(now.hands) + len(now.votes),
        }


def network_of(address: str) -> str:
    """Return what stands for a household or a hall: the address, of IPv6 its network."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if ip.version == 6 else address


# ---- the polls of this server ------------------------------------------------------------------

_polls: dict[str, Poll] = {}  # by code, and by token


def open_poll(question: Question = NOTHING) -> Poll:
    """Open a poll, if need be in the place of the one whose lecturer is silent for longest."""
    now = time.monotonic()
    if len(_polls) >= 2 * MAX_POLLS:
        oldest = min(_polls.values(), key=lambda poll: poll.heard)
        if now - oldest.heard < BUSY:
            raise ValueError(f"{MAX_POLLS} classes vote on this server already; try again later")
        end(oldest)
    poll = Poll(_new_code(), secrets.token_urlsafe(16), question, now)
    poll.ask(question)
    _polls[poll.code] = _polls[poll.token] = poll
    return poll


def _new_code() -> str:
    code = ""
    while not code or code in _polls:
        code = "".join(secrets.choice(LETTERS) for _ in range(4))
    return code


def renew(poll: Poll) -> None:
    """Let another class take part: with a code of its own, without phones and votes."""
    fresh = Poll(_new_code(), poll.token, poll.question, poll.heard, _rounds=poll._rounds)
    fresh.wall, fresh.seen, fresh.led = poll.wall, poll.seen, poll.led  # are there as before
    end(poll)
    fresh.ask(fresh.question, poll.is_early)
    _polls[fresh.code] = _polls[fresh.token] = fresh


def find(key: str) -> Poll | None:
    """Return a poll by its code or its token, unless it has ended."""
    poll = _polls.get(key)
    if poll and time.monotonic() - poll.heard > LONGEST_SILENCE:
        end(poll)
        return None
    return poll


def end(poll: Poll) -> None:
    """End a poll."""
    for key in (poll.code, poll.token):
        _polls.pop(key, None)
