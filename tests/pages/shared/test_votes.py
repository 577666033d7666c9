"""The votes of a class, as phones and the lecturer's page speak to the server."""

import json
from contextlib import suppress
from html import escape
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from starlette.applications import Starlette

from pages.class_steps import PLANS
from pages.course import lecturer_page
from pages.page_head import AddHead
from pages.shared.data.painted import SIDE
from pages.shared.packed import read_header
from pages.shared.votes import poll as polls
from pages.shared.votes import routes
from pages.shared.votes.poll import MAX_AT_ADDRESS, MAX_PHONES, Poll, Question, remember
from pages.smm.structure.tiles import COUNTS, EQUAL, PATH
from tests.pages.runs import in_loop
from tests.pages.visit import components, visit

SITE = "http://class.example"
ANSWERS = [
    {"text": text, "reply": f"It is {text}.", "right": text == "two"}
    for text in ("one", "two", "<three>")
]
RANK = remember(Question("rank", "Which <rank>?", ANSWERS))
CORNERS = remember(Question("corners", "How many?", ANSWERS[:2]))


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The seconds that the server reads, and no polls of others."""
    seconds = [1000.0]
    monkeypatch.setattr(polls, "_polls", {})
    monkeypatch.setattr(polls, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    return seconds


class Answer:
    """What the server answers."""

    def __init__(self, messages):
        start, *rest = messages
        self.status = start["status"]
        self.headers = {name.decode(): text.decode() for name, text in start["headers"]}
        self.content = b"".join(each.get("body", b"") for each in rest)
        self.text = self.content.decode()

    def json(self):
        return json.loads(self.text)


class Browser:
    """A browser at an address, with a cookie that it keeps for all paths."""

    def __init__(self, address="10.0.0.1"):
        self.app = AddHead(Starlette(routes=routes.routes()))
        self.address, self.cookie = address, ""

    def ask(self, method, url, body=b"", headers=()):
        """Send a request."""
        path, _, query = url.partition("?")
        headers = {
            "host": "class.example",
            "accept": "text/html",
            "cookie": self.cookie,
            **dict(headers),
        }
        scope = {"type": "http", "method": method, "path": path, "client": (self.address, 50_000)}
        scope |= {"query_string": query.encode(), "scheme": "http"}
        scope["headers"] = [(name.encode(), text.encode()) for name, text in headers.items()]
        messages = []

        async def receive():
            return {"type": "http.request", "body": body}

        async def send(message):
            messages.append(message)

        in_loop(self.app(scope, receive, send))
        return Answer(messages)

    def get(self, url):
        """Open a page, and keep its cookie."""
        answer = self.ask("GET", url)
        self.cookie = answer.headers.get("set-cookie", self.cookie).partition(";")[0]
        return answer

    def post(self, url, message, **headers):
        """Send a message as JSON."""
        headers = {"content-type": "application/json"} | headers
        return self.ask("POST", url, json.dumps(message).encode(), headers)


class Lecturer:
    """The page of a lecturer, which has opened a poll."""

    def __init__(self, question=RANK):
        self.browser, self.question = Browser(), question
        news = {"act": "ask", "origin": SITE, "question": question}
        state = self.browser.post("/vote", news).json()
        self.url, self.code = state["url"], state["poster"]["code"]

    def tell(self, act, **news):
        """Say what the lecturer does, and return what the wall shows."""
        message = {"act": act, "question": self.question, "origin": SITE} | news
        return self.browser.post(self.url, message).json()


class Phone:
    """A phone that has opened the page of the vote."""

    def __init__(self, code, address="10.0.0.1"):
        self.url, self.browser = f"/vote/{code}", Browser(address)
        self.page = self.browser.get(self.url)
        self.state = self.tell()

    def tell(self, **news):
        """Send a message, and return the state of the vote."""
        return self.browser.post(self.url, news).json()

    def vote(self, answer):
        """Vote in the round that the phone shows."""
        return self.tell(round=self.state["round"], answer=answer)


@pytest.fixture
def lecturer():
    return Lecturer()


# ---- hands and votes ---------------------------------------------------------------------------


def test_each_phone_has_one_vote_which_it_can_change_and_take_back(lecturer):
    first, second = Phone(lecturer.code), Phone(lecturer.code)
    assert first.vote(0)["vote"] == 0
    second.vote(2)
    assert first.vote(2)["said"] == "Your vote is counted. You can change it."
    assert lecturer.tell("listen")["total"] == 2
    assert second.vote(None)["vote"] is None
    assert lecturer.tell("show")["counts"] == [0, 0, 1]


def test_hands_are_seen_at_once_and_what_phones_vote_once_the_answer_is_shown(lecturer):
    Phone(lecturer.code).vote(1)
    state = [lecturer.tell("hand", answer=answer) for answer in (0, 0, 2)][-1]
    assert (state["counts"], state["total"], state["phones"]) == ([2, 0, 1], 4, 1)
    assert lecturer.tell("undo")["counts"] == [2, 0, 0]
    assert lecturer.tell("show")["counts"] == [2, 1, 0]
    assert lecturer.tell("hand", answer=0)["counts"] == [2, 1, 0]  # too late


def test_a_hand_that_is_sent_again_counts_once(lecturer):
    for name in ("a 1", "a 1", "a 2", "b 1"):
        state = lecturer.tell("hand", answer=0, id=name)
    assert state["counts"] == [3, 0, 0]
    for _ in range(2):
        assert lecturer.tell("undo", id="a 3")["counts"] == [2, 0, 0]


def test_votes_survive_a_reload_sleep_and_another_tab_of_the_lecturer(lecturer, clock):
    phone = Phone(lecturer.code)
    phone.vote(1)
    lecturer.tell("hand", answer=2)
    clock[0] += 590
    assert phone.tell()["vote"] == 1
    lecturer.browser = Browser()
    state = lecturer.tell("ask")
    assert (state["counts"], state["total"]) == ([0, 0, 1], 2)
    assert state["poster"]["code"] == lecturer.code
    clock[0] += 590
    assert phone.tell()["vote"] == 1
    clock[0] += 20
    assert phone.browser.post(phone.url, {}).status == 404
    assert phone.browser.get(phone.url).status == 404


def test_phones_learn_that_the_lecturer_has_ended_the_vote(lecturer):
    phone = Phone(lecturer.code)
    assert lecturer.tell("end") == {"ended": True}
    answer = phone.browser.post(phone.url, {"round": 1, "answer": 1})
    assert (answer.status, answer.text) == (404, "The vote has ended.")
    assert lecturer.browser.post(lecturer.url, {"act": "listen"}).status == 404


def test_after_the_answer_is_shown_nothing_is_counted(lecturer):
    phone, late = Phone(lecturer.code), Phone(lecturer.code)
    phone.vote(0)
    assert lecturer.tell("show")["shown"]
    assert late.vote(1)["said"] == "two. It is two."
    assert phone.vote(1)["said"] == "No. It is one. The answer: two."
    assert lecturer.tell("listen")["counts"] == [1, 0, 0]


def test_the_first_round_stays_beside_the_second(lecturer):
    phone, other = Phone(lecturer.code), Phone(lecturer.code)
    phone.vote(0)
    other.vote(0)
    assert lecturer.tell("again")["total"] == 0
    assert phone.vote(1)["vote"] is None  # for the first round, which is over
    phone.state = phone.tell()
    phone.vote(1)
    state = lecturer.tell("listen")
    assert (state["before"], state["total"]) == ([], 1)  # the first round would sway the second
    state = lecturer.tell("show")
    assert (state["counts"], state["before"]) == ([0, 1, 0], [2, 0, 0])


@pytest.mark.parametrize("is_shown", [False, True])
def test_asking_again_by_mistake_loses_no_vote(lecturer, is_shown):
    Phone(lecturer.code).vote(1)
    if is_shown:
        lecturer.tell("show")
    assert lecturer.tell("again")["canUndo"]
    assert lecturer.tell("again")["total"] == 0  # the round is as new as before
    state = lecturer.tell("undo")
    assert (state["total"], state["shown"]) == (1, is_shown)
    assert lecturer.tell("show")["counts"] == [0, 1, 0]
    lecturer.tell("again")
    phone = Phone(lecturer.code)
    phone.vote(2)
    assert not lecturer.tell("listen")["canUndo"]  # a new round has begun


def test_each_lesson_keeps_its_votes_and_takes_none_for_another(lecturer):
    phone = Phone(lecturer.code)
    phone.vote(2)
    state = lecturer.tell("ask", question=CORNERS)
    assert (state["lesson"], state["counts"]) == ("corners", [0, 0])
    assert phone.vote(1) | {"round": 0} == phone.tell() | {"round": 0, "vote": None}
    assert lecturer.tell("listen")["lesson"] == "corners"  # an older tab only listens
    other_words = remember(Question("rank", "Which <rank>?", [{**each} for each in ANSWERS]))
    assert lecturer.tell("ask", question=other_words)["total"] == 1


# ---- one phone, one vote -----------------------------------------------------------------------


def test_phones_are_asked_nothing_before_the_wall_is(lecturer):
    phone, round_ = Phone(lecturer.code), 1
    for is_early in (True, False):
        lecturer.tell("ask", early=is_early)
        page = phone.browser.get(phone.url).text
        assert (polls.SOON in page, 'aria-pressed="false"' in page) == (is_early, not is_early)
        assert phone.tell()["round"] == (0 if is_early else round_)
        phone.tell(round=0 if is_early else round_, answer=1)
        assert lecturer.tell("listen")["total"] == 1 - is_early


def test_another_class_finds_no_vote_and_no_phone_of_the_one_before(lecturer):
    phone = Phone(lecturer.code)
    phone.vote(1)
    lecturer.tell("show")
    lecturer.tell("listen", wall={"step": "1"})
    lecturer.tell("anew")
    state = lecturer.tell("ask", origin=SITE)
    assert (state["total"], state["shown"], state["phones"]) == (0, False, 0)
    assert state["poster"]["code"] != lecturer.code
    lecturer.tell("press", key="PageDown")  # before the wall has said again where it is
    assert lecturer.tell("listen")["pressed"] == ["PageDown"]
    assert phone.browser.get(phone.url).status == 404
    assert Phone(state["poster"]["code"]).vote(1)["vote"] == 1


def test_invented_phones_are_refused_and_a_vote_stays_open(lecturer):
    stuffer = Browser()
    for i in range(500):
        stuffer.cookie = f"phone=v{i}"
        answer = stuffer.post(f"/vote/{lecturer.code}", {"round": 1, "answer": 1})
        assert answer.status == 403
    assert lecturer.tell("listen")["total"] == 0
    assert Phone(lecturer.code).vote(0)["vote"] == 0
    assert lecturer.tell("listen")["phones"] == 1


def test_a_reload_or_another_tab_of_a_phone_is_the_same_phone(lecturer):
    phone = Phone(lecturer.code)
    phone.vote(0)
    for _ in range(100):
        assert 'aria-pressed="true">one' in phone.browser.get(phone.url).text
    assert lecturer.tell("listen")["phones"] == 1


def admitted(poll, address, tries):
    """Return how many phones are let in."""
    before = len(poll.phones)
    for _ in range(tries):
        with suppress(PermissionError):
            poll.admit(address)
    return len(poll.phones) - before


def test_one_address_cannot_take_all_places_at_once_or_in_the_end(lecturer, clock):
    poll = polls.find(lecturer.code)
    assert admitted(poll, "192.0.2.1", 500) == 60
    page = Browser("192.0.2.1").get(f"/vote/{lecturer.code}")
    assert (page.status, page.headers["refresh"]) == (429, "4")  # it tries again by itself
    assert admitted(poll, "192.0.2.2", 1) == 1
    clock[0] += 10
    assert admitted(poll, "192.0.2.1", 500) == 20
    clock[0] += 500
    for _ in range(10):
        admitted(poll, "192.0.2.1", 500)
        clock[0] += 60
    assert len(poll.phones) == MAX_AT_ADDRESS + 1
    assert admitted(poll, "192.0.2.3", 1) == 1  # the vote is open to others
    for i in range(20):
        admitted(poll, f"198.51.100.{i}", 60)
    assert len(poll.phones) == MAX_PHONES


def test_lecturer_lets_no_more_phones_in_once_the_class_is_there(lecturer):
    phone = Phone(lecturer.code)
    assert lecturer.tell("close", closed=True)["closed"]
    page = Browser().get(f"/vote/{lecturer.code}")
    assert (page.status, "The lecturer lets no more phones in." in page.text) == (429, True)
    assert phone.vote(1)["vote"] == 1
    lecturer.tell("close", closed=False)
    assert Phone(lecturer.code).vote(1)["vote"] == 1


def test_the_network_of_a_household_is_one_address():
    assert polls.network_of("2001:db8::1") == polls.network_of("2001:db8::2:3")
    assert polls.network_of("2001:db8:0:1::1") != polls.network_of("2001:db8::1")
    assert polls.network_of("192.0.2.1") != polls.network_of("192.0.2.2")


# ---- the page of the phones --------------------------------------------------------------------


def test_page_has_at_most_8_kb_and_nothing_of_streamlit(lecturer):
    page = Phone(lecturer.code).page
    assert len(page.content) + len(str(page.headers)) < 8_000  # uncompressed
    assert "Which &lt;rank&gt;?" in page.text
    assert "&lt;three&gt;" in page.text
    assert f'href="/rank?vote={lecturer.code}"' in page.text
    assert "src=" not in page.text
    cookie = page.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert f"Path=/vote/{lecturer.code}" in cookie
    lecturer.tell("show")
    text = Phone(lecturer.code).page.text
    assert "✓ two" in text
    assert "two. It is two." in text


def test_a_code_can_be_typed_and_mistyped(lecturer):
    browser = Browser()
    page = browser.get("/vote")
    assert (page.status, 'name="code"' in page.text) == (200, True)
    for url in (f"/vote?code=+{lecturer.code.lower()}+", f"/vote/{lecturer.code.lower()}"):
        page = browser.get(url)
        assert (page.status, page.headers["location"]) == (303, f"/vote/{lecturer.code}")
    page = browser.get("/vote/X<1")
    assert page.status == 404
    assert "There is no vote with the code X&lt;1. Compare it with the wall." in page.text
    assert 'value="X&lt;1"' in page.text


def test_paths_have_the_base_of_the_server(monkeypatch):
    monkeypatch.setattr(st, "get_option", lambda name: "lab/smm" if "base" in name else None)
    poll = polls.open_poll(polls.find_question(RANK))
    assert routes.url(poll.code) == f"/lab/smm/vote/{poll.code}"
    assert {route.path for route in routes.routes()} == {"/lab/smm/vote", "/lab/smm/vote/{key}"}
    page = Browser().get(f"/lab/smm/vote/{poll.code}")
    assert f'href="/lab/smm/rank?vote={poll.code}"' in page.text
    assert 'action="/lab/smm/vote"' in page.text


def test_phones_tap_places_of_a_map_and_the_wall_shows_them_at_once(contents):
    (asked,) = components(visit(contents, "map", present="1"), "question")
    lecturer = Lecturer(asked["words"])
    phone = Phone(lecturer.code)
    assert len(phone.page.content) + len(str(phone.page.headers)) < 8_000  # uncompressed
    question = polls.find_question(asked["words"])
    assert phone.vote(41)["said"].startswith("Rank = 2, n = 100. Your vote is counted.")
    assert lecturer.tell("listen")["counts"] == [int(i == 41) for i in range(len(COUNTS) * SIDE)]
    lecturer.tell("show")
    own, right = (question.answers[i] for i in (41, best_place()))
    assert phone.tell()["said"] == f"No. {own['reply']} The answer: {right['text']}."
    assert asked["answers"] == [right]  # the places are on the phones


def best_place():
    """Return where the SMM gets most more right, by another way than the page."""
    found = read_header(PATH)[EQUAL]
    return int(np.argmax(np.subtract(found["smm"], found["svm"])))


# ---- the lecturer's view -----------------------------------------------------------------------


def test_lecturers_view_turns_the_page_that_is_on_the_wall(lecturer, clock):
    view = Browser()
    assert view.post(lecturer.url, {"act": "watch"}).json()["wall"] is None
    view.post(lecturer.url, {"act": "press", "key": "r"})  # nobody would take it
    wall = {"step": "4", "clock": "4 of 11"}
    assert lecturer.tell("listen", wall=wall)["pressed"] == []
    assert view.post(lecturer.url, {"act": "watch"}).json()["wall"] == wall
    for _ in range(2):
        view.post(lecturer.url, {"act": "press", "key": "PageDown", "id": "a 1"})
    state = lecturer.tell("listen")
    assert (state["pressed"], state["isLed"]) == (["PageDown"], True)
    assert lecturer.tell("listen")["pressed"] == []
    assert view.post(lecturer.url, {"act": "press", "key": "F5"}).status == 400
    clock[0] += 11
    assert view.post(lecturer.url, {"act": "watch"}).json()["wall"] is None


def test_lecturers_view_begins_a_vote_and_its_token_is_in_no_page_of_students():
    state = Browser().post("/vote", {"act": "watch"}).json()
    poll = polls.find(state["url"].rpartition("/")[2])
    page = Browser().get(f"/vote/{poll.code}")
    assert (page.status, "The class begins soon." in page.text) == (200, True)
    phone = Phone(poll.code)
    wall = Browser()
    news = {"act": "ask", "origin": SITE, "question": RANK}
    on_wall = wall.post(state["url"], news).json()
    own = {"act": "watch", "address": f"{SITE}/lecturer?remote={poll.token}"}
    assert "<svg" in wall.post(state["url"], own).json()["poster"]["qr"]
    for seen in (page.text, Phone(poll.code).page.text, phone.tell(), on_wall):
        assert poll.token not in str(seen)
    assert phone.browser.post(phone.url, {"act": "press", "key": "r"}).json()["shown"] is False
    assert poll.pressed == []


def test_lecturers_view_has_the_notes_of_all_steps():
    browser = Browser()
    browser.app = Starlette(routes=lecturer_page.routes())
    page = browser.get("/lecturer?remote=x<y")
    assert (page.status, 'data-poll="/vote/x&lt;y"' in page.text) == (200, True)
    for plan, steps in PLANS.items():
        for i, step in enumerate(steps, 1):
            assert f'id="step-{plan}{i}"' in page.text
            assert escape(step.takeaway, quote=False) in page.text


# ---- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        *(
            ({"round": 1, "answer": answer}, "the answer must be from 0 to 2")
            for answer in (-1, 3, 10**30, True)
        ),
        *(
            ({"answer": 1} | wrong, "a vote must have a round and an answer.")
            for wrong in ({}, {"round": "1"}, {"round": 1, "answer": 1.5})
        ),
        ([1], "the message must be a JSON object."),
        ({"round": 1, "answer": "a" * 1_000}, "the body must have at most 1,000 bytes."),
    ],
)
def test_message_that_makes_no_sense_is_refused_with_a_sentence(lecturer, message, sentence):
    phone = Phone(lecturer.code)
    answer = phone.browser.post(phone.url, message)
    assert answer.status == 400
    assert sentence in answer.text
    assert lecturer.tell("listen")["total"] == 0


@pytest.mark.parametrize(
    "message",
    [
        {"act": "dance"},
        {"act": "hand", "answer": 9},
        {"act": "ask", "origin": "javascript:1"},
        {"act": "show", "question": "never seen"},
    ],
)
def test_page_of_a_lecturer_that_makes_no_sense_is_refused(lecturer, message):
    assert lecturer.browser.post(lecturer.url, message).status == 400
    assert lecturer.tell("listen")["shown"] is False


def test_only_who_has_the_token_leads_and_only_pages_of_this_server_vote(lecturer):
    phone = Phone(lecturer.code)
    assert phone.tell(act="show", question=RANK)["shown"] is False
    for name, text, status in (
        ("sec-fetch-site", "cross-site", 403),
        ("content-type", "text/plain", 400),
    ):
        answer = phone.browser.post(phone.url, {"round": 1, "answer": 1}, **{name: text})
        assert answer.status == status
    assert lecturer.tell("listen")["total"] == 0


def test_a_flood_of_polls_ends_at_a_limit_and_takes_the_place_of_silent_ones_only(
    monkeypatch, clock
):
    monkeypatch.setattr(polls, "MAX_POLLS", 3)
    first, second = Lecturer(), Lecturer()
    clock[0] += 61
    second.tell("listen")
    Lecturer()
    Lecturer()  # in the place of the first
    assert first.browser.post(first.url, {"act": "listen"}).status == 404
    assert second.tell("listen")["total"] == 0
    news = {"act": "ask", "origin": SITE, "question": RANK}
    answer = Browser().post("/vote", news)
    assert (answer.status, "3 classes vote" in answer.text) == (400, True)


def test_a_poll_keeps_two_rounds_of_each_question(lecturer):
    poll: Poll = polls.find(lecturer.code)
    for _ in range(5):
        lecturer.tell("hand", answer=0)
        lecturer.tell("again")
    assert len(poll._asked["rank"]) == 2


# ---- the poster --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "listens", "expected"),
    [
        ("https://lab.example:8443", "127.0.0.1", "lab.example:8443/vote"),
        ("http://localhost:8501", "0.0.0.0", "192.0.2.7:8501/vote"),
        ("http://127.0.0.1:8501", None, "192.0.2.7:8501/vote"),
        ("http://[::1]:8501", "127.0.0.1", None),
        ("http://localhost:8501", "localhost", None),
    ],
)
def test_poster_has_an_address_that_phones_reach_or_the_command_that_opens_it(
    monkeypatch, origin, listens, expected
):
    monkeypatch.setattr("pages.shared.votes.poster.get_internal_ip", lambda: "192.0.2.7")
    monkeypatch.setattr(st, "get_option", lambda name: listens if "address" in name else "")
    state = Lecturer().tell("ask", origin=origin)["poster"]
    if expected:
        assert (state["address"], "<svg" in state["qr"]) == (expected, True)
    else:
        assert "--server.address 0.0.0.0" in state["command"]
        assert "qr" not in state


# ---- where a class votes -----------------------------------------------------------------------


@pytest.mark.parametrize("lesson", ["", "yours"])
def test_pages_without_a_question_for_one_reader_have_one_for_a_class(contents, lesson):
    assert components(visit(contents, lesson), "question") == []
    (asked,) = components(visit(contents, lesson, present="1"), "question")
    assert asked["isClass"]
    question = polls.find_question(asked["words"])
    assert (question.lesson, len(question.answers)) == (lesson, len(asked["answers"]))
    (asked,) = components(visit(contents, lesson, present="0", vote="ejma"), "question")
    assert asked["poll"] == "/vote/EJMA"
